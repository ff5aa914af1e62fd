import { awsRoute } from '@signalbox/aws'
import { type InvocationContext, type Middleware, memoryStore, type Plugin } from '@signalbox/core'
import {
  bytes,
  checkReturns,
  compress,
  cors,
  created,
  etag,
  fromFetch,
  get,
  group,
  guard,
  HttpError,
  type HttpRequest,
  json,
  type LoadBalancerEvent,
  loadBalancer,
  noContent,
  once,
  post,
  produces,
  type Route,
  type RouteGroup,
  rateLimit,
  redirect,
  securityHeaders,
  text,
  withCookie,
} from '@signalbox/load-balancer'
import { balancerIdentity } from '@signalbox/load-balancer/balancer-identity'
import { bearer } from '@signalbox/load-balancer/bearer'
import { fromMiddyRoutes } from '@signalbox/load-balancer/middy-router'
import { sealedSession } from '@signalbox/load-balancer/session'
import { httpEvent } from '@signalbox/load-balancer/testing'
import * as t from 'io-ts'
import { type Answered, checkReply } from './check-reply.ts'
import { stackOf } from './middy-stack.ts'
import { type Outcome, oneOf, type Planned } from './planned.ts'
import { signer, type TokenIssuer } from './token-issuer.ts'
import {
  clock,
  current,
  maybePause,
  pause,
  see,
  seeOwn,
  untilAborted,
  type Visit,
  violation,
} from './visit.ts'

const Order = t.type({ mark: t.string })

class OutOfStock extends Error {
  override readonly name = 'OutOfStock'
}

/** Returns the routes, with each guard and each middleware for groups. */
export function httpRoutes(issuer: TokenIssuer, session: Sessions): readonly (Route | RouteGroup)[] {
  const signedIn = bearer({ issuer: issuer.url, audience: 'soak', keys: `${issuer.url}/keys` })
  const identified = balancerIdentity({ signer, keys: id => `${issuer.url}/${id}` })
  const tenant = guard(async ({ params, headers }) => {
    await maybePause()
    seeOwn('a guard', params)
    return { tenant: headers.first('x-mark') }
  })
  const second = guard(async request => {
    await pause()
    return { second: request.params.tenant }
  })
  /** Returns what a request has from its event, as a route reads it after a pause. */
  const found = async (
    request: HttpRequest<unknown>,
    context: InvocationContext,
    more: object = {},
  ): Promise<{ readonly [name: string]: unknown }> => {
    await maybePause()
    const { path, headers, query, cookies, correlationId, event } = request
    seeOwn('a request', event)
    current().runs++
    const { tenant: ofGuard, second: ofSecond } = request as { tenant?: unknown; second?: unknown }
    await pause()
    const values = headers as { first(name: string): string | undefined }
    return {
      path,
      header: values.first('x-mark'),
      query: (query as typeof values).first('q'),
      cookie: (cookies as { c?: string }).c,
      correlationId,
      request: context.requestId,
      ofGuard,
      ofSecond,
      ...more,
    }
  }
  const inGroup = group(
    '/t/{tenant}',
    [marking('a group'), tenant, once({ store: memoryStore({ clock }), lease: 1e9 }), second, checkReturns()],
    ({ get, post }) => [
      get('/orders', async (request, context) =>
        json({ ...(await found(request, context)), more: '-'.repeat(400) }),
      ),
      get('/orders/{id}', { params: t.type({ id: t.string, tenant: t.string }) }, async (request, context) =>
        json(await found(request as never, context, { id: request.params.id })),
      ),
      post('/orders', { body: Order, returns: { 201: t.UnknownRecord } }, async (request, context) => {
        const order = await found(request as never, context, { body: request.body.mark })
        return created(`/orders/${request.body.mark}`, order)
      }),
      post('/form', { body: Order, accepts: ['form'] }, async (request, context) =>
        json(await found(request as never, context, { body: request.body.mark })),
      ),
      get('/report', { guard: produces('application/json', 'text/csv') }, async (request, context) => {
        const report = await found(request, context, { type: request.answerType })
        return request.answerType === 'text/csv' ? text(JSON.stringify(report)) : json(report)
      }),
      get('/session', { guard: session.guard }, async (request, context) =>
        json(await found(request, context, { user: request.session.user })),
      ),
      get('/begin', async ({ params }) => session.begin(redirect('/', 303), { user: tenantIn(params) })),
      get('/bearer', { guard: signedIn }, async (request, context) =>
        json(await found(request, context, { user: request.claims.sub })),
      ),
      get('/identity', { guard: identified }, async (request, context) =>
        json(await found(request, context, { user: request.identity.sub })),
      ),
      get('/cookies', async (request, context) => {
        const content = Buffer.from(JSON.stringify(await found(request, context)))
        return withCookie(bytes(content), 'c', tenantIn(request.params))
      }),
      get('/fail/{how}', async ({ params, signal }) => {
        await maybePause()
        const { how } = params
        const mark = tenantIn(params)
        if (how === 'client') throw new HttpError(410, `gone ${mark}`, { headers: { 'x-gone': mark } })
        if (how === 'mapped') throw new OutOfStock(`out of stock ${mark}`)
        if (how === 'wait') return untilAborted(signal)
        if (how === 'answer') return { statusCode: mark } as never
        throw new Error(`failed ${mark}`)
      }),
    ],
    { errors: { OutOfStock: 409, TimeoutError: 503 } },
  )
  return [
    inGroup,
    get('/none/{id}', async () => noContent()),
    get(
      '/aws/{id}',
      awsRoute(async (event: LoadBalancerEvent, context: InvocationContext) => {
        await pause()
        seeOwn('a handler of AWS', event, context)
        return { statusCode: 200, headers: { 'x-mark': event.path.split('/')[2] }, body: event.path }
      }),
    ),
    get('/middy/{id}', stackOf([marking('a middy route')], middyHandler)),
    fromMiddyRoutes([{ method: 'GET', path: '/routed/{id}', handler: middyHandler as never }]),
    post('/plain', { body: Order }, ({ body }) => json(body)),
    fromFetch(async (request, { event, lambdaContext }) => {
      await pause()
      seeOwn('a fetch handler', event, lambdaContext, request.url, [...request.headers])
      return Response.json({ url: request.url, mark: request.headers.get('x-mark') })
    }, '/fetch'),
  ]
}

/** Returns the parameter in the prefix of a group. */
function tenantIn(params: object): string {
  return (params as { readonly tenant: string }).tenant
}

async function middyHandler(
  event: LoadBalancerEvent & { readonly pathParameters: { readonly id: string } },
  context: InvocationContext,
) {
  await pause()
  seeOwn('a middy handler', event, context)
  return json({ id: event.pathParameters.id })
}

export type Sessions = ReturnType<typeof sessions>

export function sessions() {
  return sealedSession({
    secrets: ['a secret of the soak with many letters'],
    data: t.type({ user: t.string }),
    clock,
  })
}

/** Returns a middleware that looks at all that hooks get, for any stack and any family. */
export function marking(where: string): Middleware {
  const key = `mark of ${where}`
  return {
    before: async ({ event, context, internal }: Hooked) => {
      internal[key] = current().mark
      await maybePause()
      seeOwn(`the event before ${where}`, event)
      seeOwn(`the context before ${where}`, context)
    },
    after: ({ internal, response }: Hooked) => {
      const look = () => {
        see(`the response in ${where}`, response)
        if (internal[key] !== current().mark)
          violation(`internal in ${where} of ${current().mark} is ${internal[key]}`)
      }
      const waiting = maybePause()
      return waiting ? waiting.then(look) : look()
    },
    onError: async ({ event, context, internal, error }: Hooked) => {
      await maybePause()
      seeOwn(`onError in ${where}`, event, context)
      see(`the error in ${where}`, error, internal[key])
    },
  }
}

interface Hooked {
  readonly event: unknown
  readonly context: unknown
  readonly internal: Record<string, unknown>
  readonly response?: unknown
  readonly error?: unknown
}

/** Returns the middlewares for `.use()` and plain stacks. */
export function httpMiddlewares(): readonly Middleware[] {
  return [
    securityHeaders(),
    cors({ origins: [/https:\/\/\w+\.shop\.example/], credentials: true, exposeHeaders: ['etag'] }),
    compress({ threshold: 300 }),
    etag(),
    rateLimit({
      store: memoryStore({ clock }),
      limit: 3,
      window: 3_600_000,
      key: async ({ path }) => {
        await maybePause()
        return /mark\d+kram/.exec(path)?.[0] ?? current().mark
      },
      clock,
    }),
  ]
}

export function logLine(line: string): void {
  see('a log line', line)
  // A busy machine may fetch no keys in time.
  const known = /failed mark|InvalidResponseError|HttpError: The (?:invocation|keys? of)/
  if (!known.test(line)) violation(`the log line ${line}`)
}

export function httpPlugin(issuer: TokenIssuer, session: Sessions): Plugin {
  return loadBalancer(httpRoutes(issuer, session), { log: logLine }) as Plugin
}

/** What becomes of a request: its status, and the values of its answer that are the mark. */
interface Case {
  readonly path: string
  readonly status: number
  readonly method?: 'GET' | 'POST' | 'OPTIONS' | 'DELETE' | 'HEAD'
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
  readonly own?: readonly string[]
  readonly wait?: boolean
}

const usual = ['header', 'query', 'cookie', 'correlationId', 'request', 'ofGuard', 'ofSecond']

async function caseOf(own: Visit, issuer: TokenIssuer, session: Sessions): Promise<Case> {
  const { mark } = own
  const at = (path: string) => `/t/${mark}${path}`
  const json = { 'content-type': 'application/json' }
  const cases: readonly (() => Case | Promise<Case>)[] = [
    () => ({ path: at('/orders'), status: 200, own: usual }),
    () => ({ path: at(`/orders/${mark}`), status: 200, own: [...usual, 'id'] }),
    () => ({ path: at(`/orders/${mark}`), status: 200, method: 'HEAD' }),
    () => ({
      path: at('/orders'),
      status: 201,
      method: 'POST',
      body: { mark },
      own: [...usual, 'body'],
      headers: { 'idempotency-key': mark },
    }),
    () => ({ path: at('/orders'), status: 201, method: 'POST', body: { mark }, own: [...usual, 'body'] }),
    () => ({ path: at('/orders'), status: 400, method: 'POST', body: { mark: [mark] } }),
    () => ({ path: at('/orders'), status: 400, method: 'POST', body: `{"mark": ${mark}`, headers: json }),
    () => ({
      path: at('/form'),
      status: 200,
      method: 'POST',
      body: new URLSearchParams({ mark }),
      own: [...usual, 'body'],
    }),
    () => ({
      path: at('/report'),
      status: 200,
      own: usual,
      headers: { accept: oneOf(own, 'text/csv', 'application/json') },
    }),
    () => ({ path: at('/report'), status: 406, headers: { accept: 'image/png' } }),
    async () => ({
      path: at('/session'),
      status: 200,
      own: [...usual, 'user'],
      headers: { cookie: `c=${mark}; ${await cookieOf(session, mark)}` },
    }),
    () => ({ path: at('/session'), status: 401 }),
    () => ({ path: at('/begin'), status: 303 }),
    () => ({
      path: at('/bearer'),
      status: 200,
      own: [...usual, 'user'],
      headers: { authorization: `Bearer ${issuer.token(mark)}` },
    }),
    () => ({ path: at('/bearer'), status: 401, headers: { authorization: 'Bearer a.b.c' } }),
    () => ({
      path: at('/identity'),
      status: 200,
      own: [...usual, 'user'],
      headers: { 'x-cloud-oidc-data': issuer.identity(mark) },
    }),
    () => ({ path: at('/cookies'), status: 200, own: usual }),
    () => ({ path: at('/fail/client'), status: 410 }),
    () => ({ path: at('/fail/mapped'), status: 409 }),
    () => ({ path: at('/fail/server'), status: 500 }),
    () => ({ path: at('/fail/answer'), status: 500 }),
    () => ({ path: at('/fail/wait'), status: 503, wait: true }),
    () => ({ path: `/none/${mark}`, status: 204 }),
    () => ({ path: `/aws/${mark}`, status: 200 }),
    () => ({ path: `/middy/${mark}`, status: 200, own: ['id'] }),
    () => ({ path: `/routed/${mark}`, status: 200, own: ['id'] }),
    () => ({ path: '/plain', status: 200, method: 'POST', body: { mark }, own: ['mark'] }),
    () => ({ path: `/fetch/${mark}`, status: 200, own: ['mark'] }),
    () => ({ path: `/unknown/${mark}`, status: 404 }),
    () => ({ path: at('/orders'), status: 405, method: 'DELETE' }),
    () => ({
      path: at('/orders'),
      status: 204,
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'POST' },
    }),
  ]
  return oneOf(own, ...cases)()
}

async function cookieOf(session: Sessions, user: string): Promise<string> {
  const { headers } = await session.begin(noContent(), { user })
  return String(headers?.['set-cookie']).split(';')[0]!
}

/** Makes a request. */
export async function httpPlan(own: Visit, issuer: TokenIssuer, session: Sessions): Promise<Planned> {
  const { mark, random } = own
  const {
    path,
    status,
    method = 'GET',
    body,
    headers,
    own: fields = [],
    wait,
  } = await caseOf(own, issuer, session)
  const isInvalid = random(50) === 0
  const isOnce = headers?.['idempotency-key'] !== undefined
  const event = httpEvent(method, path, {
    multiValue: random(2) === 0,
    query: { q: mark },
    body,
    headers: {
      'x-mark': mark,
      'x-cloud-trace-id': mark,
      origin: `https://${mark}.shop.example`,
      cookie: `c=${mark}`,
      ...(random(12) === 0 && { 'accept-encoding': oneOf(own, 'gzip', 'br') }),
      ...headers,
    },
  })
  const kind = `${method} ${path.replaceAll(mark, '{}')} ${isInvalid ? 'invalid' : status}`
  return {
    event: isInvalid ? { ...event, httpMethod: mark } : event,
    kind,
    timeout: wait ? 400 + random(500) : 1e9,
    again: isOnce && !isInvalid ? oneOf(own, undefined, 'meanwhile', 'afterwards') : undefined,
    check(outcome: Outcome) {
      see(`${kind}, its answer`, 'error' in outcome ? outcome.error : outcome.answer)
      if (isInvalid) {
        if (!('error' in outcome && String(outcome.error).includes(mark)))
          violation(`${kind} of ${mark} is ${JSON.stringify(outcome)}, expected an error about ${mark}`)
        return
      }
      if ('error' in outcome) return violation(`${kind} of ${mark} fails: ${outcome.error}`)
      checkReply(own, kind, outcome.answer as Answered, status, fields, isOnce)
    },
    checkAll() {
      if (isOnce && !isInvalid && own.runs !== 1) violation(`${kind} of ${mark} ran ${own.runs} times`)
    },
  }
}
