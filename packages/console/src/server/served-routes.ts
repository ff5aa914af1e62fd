import { decode } from '@signalbox/codec'
import type { ApiRoutes, ConsoleContext, ConsoleFiles } from '@signalbox/platform-runtime/console'
import type { Context } from 'hono'
import { api } from '../api/api.ts'
import type { Env } from './access.ts'
import { accessHandlers } from './access-handlers.ts'
import { functionHandlers } from './function-handlers.ts'
import type { Handlers } from './handlers.ts'
import { invocationHandlers } from './invocation-handlers.ts'
import { partHandlers } from './part-handlers.ts'
import { platformHandlers } from './platform-handlers.ts'
import { bodyOf, paramsOf, queryOf } from './read-request.ts'
import { sampleHandlers } from './sample-handlers.ts'
import { sendFile } from './send-file.ts'
import { sourcePages } from './source-pages.ts'
import type { View, Views } from './views.ts'

/** A route of the API, and what answers it. */
interface ServedRoute {
  readonly method: string
  /** The path below the API, with parameters such as `:name`. */
  readonly path: string
  /** Returns whether the access log has the requests of this path. It has all requests that change something. */
  readonly isLogged: (path: string) => boolean
  readonly answer: (c: Context<Env>, view: View) => Promise<Response>
}

type HandlersOfView = (view: View) => { readonly [name: string]: (input: never) => Promise<unknown> }

/** The routes that `openConsole` answers itself. */
const ownPaths = ['POST /session', 'GET /session', 'DELETE /session', 'GET /live']

/**
 * Returns the routes and files of the console and of all sources.
 * @throws Error when two of them have the same method and path, and for the reasons of `sourcePages`
 */
export function servedRoutes(context: ConsoleContext, views: Views): readonly ServedRoute[] {
  const pages = sourcePages(context.parts)
  const ownHandlers = (view: View): Handlers => ({
    pages: async () => pages,
    ...invocationHandlers(context, view),
    ...functionHandlers({ ...context, invocationLog: view.invocationLog }),
    ...partHandlers(context),
    ...sampleHandlers(context),
    ...accessHandlers(context),
    ...platformHandlers(context),
  })
  const all = [
    ...routesOf(api, ownHandlers, views),
    ...context.parts.flatMap(({ routes, handlers, files }) => [
      ...routesOf(routes, handlers, views),
      ...(files === undefined ? [] : filesOf(files, views)),
    ]),
  ]
  const taken = new Set(ownPaths)
  for (const { method, path } of all) {
    const key = `${method} ${path.replaceAll(/:\w+/g, '*')}`
    if (taken.has(key)) throw new Error(`Two parts of the console have the route ${method} ${path}.`)
    taken.add(key)
  }
  return all
}

function routesOf(routes: ApiRoutes, handlers: HandlersOfView, views: Views): readonly ServedRoute[] {
  const byView = new Map(Object.values(views).map(view => [view, handlers(view)]))
  return Object.keys(byView.get(views.reader)!).map(name => {
    const { method, path, query, body, isLogged = false } = routes[name]!
    return {
      method,
      path: withColons(path),
      isLogged: isLogged ? matcher(path) : () => false,
      async answer(c, view) {
        const input = {
          params: paramsOf(c),
          query: query && decode(query, queryOf(c)),
          body: body && decode(body, await bodyOf(c)),
        }
        const answer = await byView.get(view)![name]!(input as never)
        return answer === undefined ? c.body(null, 204) : c.json(answer as object)
      },
    }
  })
}

function filesOf(files: (view: View) => ConsoleFiles, views: Views): readonly ServedRoute[] {
  const byView = new Map(Object.values(views).map(view => [view, files(view)]))
  return Object.keys(byView.get(views.reader)!).map(path => ({
    method: 'GET',
    path: withColons(path),
    isLogged: matcher(path),
    answer: async (c, view) => sendFile(c, await byView.get(view)![path]!(paramsOf(c))),
  }))
}

function withColons(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Returns a function that returns whether a path is of a route. */
function matcher(path: string): (path: string) => boolean {
  const parts = path.split('/')
  return below => {
    const segments = below.split('/')
    const fits = (part: string, at: number) =>
      part.startsWith('{') ? segments[at] !== '' : segments[at] === part
    return segments.length === parts.length && parts.every(fits)
  }
}
