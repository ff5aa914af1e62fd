import type { IncomingMessage } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { decode, InvalidError } from '@signalbox/codec'
import { type Console, type ConsoleContext, RefusedError } from '@signalbox/platform-runtime/console'
import { readBody } from '@signalbox/platform-runtime/listener'
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { api } from '../api/api.ts'
import { fromSegment } from '../api/dot-segments.ts'
import { InvocationFilters } from '../api/invocations.ts'
import type { ApiRoute } from '../api/route.ts'
import { type Env, mayStillRead, ownPagesOnly, safeAnswers, visitorsOnly } from './access.ts'
import { accessHandlers } from './access-handlers.ts'
import { ApiError } from './api-error.ts'
import { functionHandlers } from './function-handlers.ts'
import type { Handlers } from './handlers.ts'
import { filtersOf, invocationHandlers } from './invocation-handlers.ts'
import { live } from './live.ts'
import { serveMailFiles } from './mail-files.ts'
import { mailHandlers } from './mail-handlers.ts'
import { platformHandlers } from './platform-handlers.ts'
import { queueHandlers } from './queue-handlers.ts'
import { sessions } from './sessions.ts'
import { enterWithKey, enterWithLink, leave } from './sign-in.ts'
import { tryHandlers } from './try-handlers.ts'
import { userHandlers } from './user-handlers.ts'
import { webFiles } from './web-files.ts'

const apiPath = '/console/api'

/** The maximum size of a request body in bytes. It exceeds the size of the largest event. */
const bodyLimit = 8 * 1024 * 1024

/** Opens the console of a platform. */
export function openConsole(context: ConsoleContext): Console {
  const open = sessions(context.sessions)
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
    const input = decode(api.openSession.body!, await jsonOf(c.env.incoming, 4096))
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
  app.use(`${apiPath}/*`, visitorsOnly(apiPath, open, context.access))
  app.get(`${apiPath}/session`, c => {
    const { name, may } = c.get('visitor')
    return c.json({ name, mayAct: may('act') })
  })

  const feed = live(context)
  const handlers: Handlers = {
    ...invocationHandlers(context),
    ...functionHandlers(context),
    ...queueHandlers(context, feed.samples),
    ...mailHandlers(context),
    ...userHandlers(context),
    ...tryHandlers(context),
    ...accessHandlers(context),
    ...platformHandlers(context),
  }
  for (const [name, handler] of Object.entries(handlers)) {
    const { method, path, query, body }: ApiRoute = api[name as keyof Handlers]
    app.on(method, apiPath + path.replace(/\{(\w+)\}/g, ':$1'), async c => {
      const input = {
        params: namesIn(c.req.param()),
        query: query && decode(query, queryOf(c.req.queries())),
        body: body && decode(body, await jsonOf(c.env.incoming)),
      }
      const answer = await handler(input as never)
      return answer === undefined ? c.body(null, 204) : c.json(answer as object)
    })
  }

  app.get(`${apiPath}/live`, c => {
    const filters = filtersOf(decode(InvocationFilters, queryOf(c.req.queries())))
    return streamSSE(c, async stream => {
      let end = () => {}
      const ended = new Promise<void>(resolve => {
        end = resolve
      })
      stream.onAbort(end)
      const disconnect = feed.connect(filters, async (event, data) => {
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
  if (context.parts.mail !== undefined) serveMailFiles(app, apiPath, context.parts.mail)
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

/** Returns the decoded parameters of a path. */
function namesIn(params: { readonly [name: string]: string }): object {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, fromSegment(value)]))
}

/** Returns the parameters of a query. A repeated parameter has a list of values. */
function queryOf(queries: { readonly [name: string]: readonly string[] }): object {
  return Object.fromEntries(
    Object.entries(queries).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
}

/** Reads the body of a request as JSON. */
async function jsonOf(incoming: IncomingMessage, limit = bodyLimit): Promise<unknown> {
  const body = await readBody(incoming, limit, () => true)
  if (typeof body === 'string')
    throw new ApiError(413, `The body is ${body}: at most ${limit} bytes are read.`)
  try {
    return JSON.parse(Buffer.from(body.bytes).toString())
  } catch {
    throw new ApiError(400, 'The body is not JSON.')
  }
}
