import { getRequestListener } from '@hono/node-server'
import { decode, InvalidError } from '@signalbox/codec'
import {
  ApiError,
  type Console,
  type ConsoleContext,
  RefusedError,
} from '@signalbox/platform-runtime/console'
import { type Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { api } from '../api/api.ts'
import { InvocationFilters } from '../api/invocations.ts'
import { type Env, mayStillRead, ownPagesOnly, safeAnswers, visitorsOnly } from './access.ts'
import { filtersOf } from './invocation-handlers.ts'
import { live } from './live.ts'
import { bodyOf, queryOf } from './read-request.ts'
import { servedRoutes } from './served-routes.ts'
import { sessions } from './sessions.ts'
import { enterWithKey, enterWithLink, leave } from './sign-in.ts'
import { type View, viewsOf } from './views.ts'
import { webFiles } from './web-files.ts'

const apiPath = '/console/api'

/**
 * Opens the console of a platform.
 * @throws Error when two parts have the same route, or a page names a route that its source does not have
 */
export function openConsole(context: ConsoleContext): Console {
  const open = sessions(context.sessions)
  const views = viewsOf(context)
  const viewFor = (c: Context<Env>) => (c.get('visitor').may('act') ? views.actor : views.reader)
  const routes = servedRoutes(context, views)
  const feed = live(context)
  /** The control URL that the latest console link contains. */
  let url = ''
  const newLink = async () => `${url}/console/#token=${await open.newToken()}`
  const app = new Hono<Env>()
  app.use(safeAnswers())
  app.use(`${apiPath}/*`, ownPagesOnly(context.origin))
  app.onError((error, c) => {
    if (error instanceof InvalidError) return c.json({ error: error.message }, 400)
    if (error instanceof ApiError) return c.json({ error: error.message }, error.status)
    if (error instanceof RefusedError) return c.json({ error: error.message }, 409)
    // The console does not depend on a storage engine, so it recognizes the error by its code.
    if ((error as { readonly code?: unknown }).code === 'DATABASE_UNAVAILABLE')
      return c.json({ error: error.message }, 503)
    context.notice(`The console could not answer ${c.req.method} ${c.req.path}: ${error.message}`)
    return c.json({ error: 'The console could not answer. Its reason is in the output of signalbox.' }, 500)
  })
  app.notFound(c => c.json({ error: 'There is no such page.' }, 404))

  app.post(`${apiPath}/session`, async c => {
    const input = decode(api.openSession.body!, await bodyOf(c, 4096))
    if ('id' in input) return enterWithKey(c, open, context.access, input)
    const answer = await enterWithLink(c, open, input.token)
    if (answer === undefined)
      return c.json({ error: 'The link was used already, or is not of this platform.' }, 403)
    if (url !== '') context.notice(`The console was opened. The next link: ${await newLink()}`)
    return answer
  })
  app.delete(`${apiPath}/session`, async c => {
    await leave(c, open)
    return c.body(null, 204)
  })
  app.use(
    `${apiPath}/*`,
    visitorsOnly(apiPath, below => routes.some(each => each.isLogged(below)), open, context.access),
  )
  app.get(`${apiPath}/session`, c => {
    const { name, may } = c.get('visitor')
    return c.json({ name, mayAct: may('act') })
  })

  for (const { method, path, answer } of routes) app.on(method, apiPath + path, c => answer(c, viewFor(c)))

  app.get(`${apiPath}/live`, c => {
    const filters = filtersOf(decode(InvocationFilters, queryOf(c)))
    const shown: View['shown'] = entry => viewFor(c).shown(entry)
    return streamSSE(c, async stream => {
      let end = () => {}
      const ended = new Promise<void>(resolve => {
        end = resolve
      })
      stream.onAbort(end)
      const disconnect = feed.connect(filters, shown, async (event, data) => {
        if (await mayStillRead(c, open, context.access).catch(() => false))
          await stream.writeSSE({ event, data: JSON.stringify(data) })
        else end()
      })
      // An SSE comment tells the client at once that it is connected.
      await stream.write(': connected\n\n')
      await ended
      disconnect()
    })
  })
  const files = webFiles()
  app.get('/console', c => c.redirect('/console/', 308))
  app.get('/console/*', c => (c.req.path.startsWith(`${apiPath}/`) ? c.notFound() : files(c)))

  return {
    serve: getRequestListener(app.fetch, { overrideGlobalObjects: false }),
    link(address) {
      url = address
      return newLink()
    },
    close: feed.close,
  }
}
