import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import middy from '@middy/core'
import doNotWaitForEmptyEventLoop from '@middy/do-not-wait-for-empty-event-loop'
import errorLogger from '@middy/error-logger'
import httpContentEncoding from '@middy/http-content-encoding'
import httpContentNegotiation from '@middy/http-content-negotiation'
import httpErrorHandler from '@middy/http-error-handler'
import httpEventNormalizer from '@middy/http-event-normalizer'
import httpHeaderNormalizer from '@middy/http-header-normalizer'
import httpJsonBodyParser from '@middy/http-json-body-parser'
import httpPartialResponse from '@middy/http-partial-response'
import httpResponseSerializer from '@middy/http-response-serializer'
import httpRouterHandler from '@middy/http-router'
import httpUrlencodeBodyParser from '@middy/http-urlencode-body-parser'
import inputOutputLogger from '@middy/input-output-logger'
import { memoryStore, signalbox } from '@signalbox/core'
import {
  any,
  byType,
  bytes,
  checkReturns,
  compress,
  cors,
  created,
  del,
  etag,
  file,
  fromFetch,
  get,
  group,
  guard,
  HttpError,
  head,
  html,
  json,
  loadBalancer,
  loadBalancerFamily,
  loadBalancerNormalizer,
  loadBalancerValidator,
  noContent,
  once,
  options,
  patch,
  post,
  problem,
  produces,
  put,
  type Route,
  type RouteGroup,
  rateLimit,
  redirect,
  responseSerializer,
  router,
  securityHeaders,
  serialize,
  text,
  toWebRequest,
  withCookie,
  withoutCookie,
} from '@signalbox/load-balancer'
import { balancerIdentity } from '@signalbox/load-balancer/balancer-identity'
import { bearer } from '@signalbox/load-balancer/bearer'
import { client } from '@signalbox/load-balancer/client'
import { httpVerdict, requestEvent } from '@signalbox/load-balancer/contract'
import { fromMiddyRoutes, middyRoutes } from '@signalbox/load-balancer/middy-router'
import { openapi } from '@signalbox/load-balancer/openapi'
import { openapiPage } from '@signalbox/load-balancer/openapi-page'
import { protectedResource } from '@signalbox/load-balancer/protected-resource'
import { sealedSession } from '@signalbox/load-balancer/session'
import { staticFiles } from '@signalbox/load-balancer/static-files'
import { exchange, httpEvent, httpEventMutators } from '@signalbox/load-balancer/testing'
import { Hono } from 'hono'
import * as t from 'io-ts'
import * as z from 'zod'
import type { Features } from '../features.ts'

type Routes = readonly (Route | RouteGroup)[]
type Options = Parameters<typeof httpEvent>[2]
const ask = (routes: Routes, method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS', path: string, more?: Options) =>
  exchange(signalbox(loadBalancer(routes as never, { log: () => {} })), httpEvent(method, path, more))

const Order = t.type({ id: t.string, lines: t.array(t.string) }, 'Order')
const orders = [
  get('/orders/{id}', { returns: { 200: Order } }, ({ params }) => json({ id: params.id, lines: [] })),
  post('/orders', { body: t.type({ item: t.string, quantity: t.number }) }, ({ body }) =>
    created('/orders/1', body),
  ),
  del('/orders/{id}', { returns: { 204: null } }, () => noContent()),
]
const info = { title: 'Orders', version: '1.0.0' }

async function serving<T>(answer: (path: string) => string, use: (origin: string) => Promise<T>): Promise<T> {
  const server = createServer(({ url }, response) => void response.end(answer(url!)))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const inAMinute = () => Math.floor(Date.now() / 1000) + 60
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

function tokenOf(head: object, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const data = `${part({ alg: 'ES256', kid: 'k1', ...head })}.${part(claims)}`
  return `${data}.${sign('sha256', Buffer.from(data), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

/** The features in the README of `@signalbox/load-balancer`. */
export const features: Features = {
  async 'routes, their methods, groups and paths'() {
    const routes = [
      ...orders,
      put('/a', () => text('put')),
      patch('/a', () => text('patch')),
      head('/h', () => noContent()),
      options('/o', () => noContent()),
      any('/any', ({ method, path }) => text(`${method} ${path}`)),
      get('/files/{path+}', ({ params }) => text(params.path)),
      group('/g', [{ before() {} }], ({ get }) => [get('/x', () => text('in a group'))]),
    ]
    assert.deepEqual((await ask(routes, 'GET', '/orders/a%20b')).json, { id: 'a b', lines: [] })
    assert.equal((await ask(routes, 'GET', '/files/a/b')).text, 'a/b')
    assert.equal((await ask(routes, 'GET', '/g/x')).text, 'in a group')
    assert.equal((await ask(routes, 'POST', '/any')).text, 'POST /any')
    assert.equal((await ask(routes, 'GET', '/none')).status, 404)
    const refused = await ask(routes, 'DELETE', '/a')
    assert.deepEqual([refused.status, refused.header('allow').length], [405, 1])
    assert.throws(() => loadBalancer([...orders, ...orders]))
  },
  async 'the request, in both header modes'() {
    for (const multiValue of [false, true]) {
      const handler = signalbox(
        loadBalancer(
          [
            post('/r/{id}', async request => {
              const { method, path, params, query, headers, cookies, body, clientAddress, protocol } = request
              const { correlationId, isHealthCheck, event, signal } = request
              const web = toWebRequest(request)
              return json([
                [method, path, params.id, query.first('q'), query.all('q').length, query.has('z')],
                [headers.first('X-A'), cookies.c, body, request.bytes().length, clientAddress, protocol],
                [typeof correlationId, isHealthCheck, event.httpMethod, signal.aborted, web.url],
              ])
            }),
          ],
          { trustedHops: 1, bodyLimit: 1000 },
        ),
      )
      const { json: seen } = await exchange(
        handler,
        httpEvent('POST', '/r/1?q=a', { multiValue, body: { n: 1 }, headers: { 'x-a': 'b', cookie: 'c=d' } }),
      )
      assert.deepEqual(seen, [
        ['POST', '/r/1', '1', 'a', 1, false],
        ['b', 'd', { n: 1 }, 7, '203.0.113.7', 'https'],
        ['string', false, 'POST', false, 'https://shop.example/r/1?q=a'],
      ])
    }
  },
  async 'input with codecs and schemas, forms and media types'() {
    const Upload = z.object({ title: z.string(), picture: z.file() })
    const routes = [
      ...orders,
      get('/q', { query: t.type({ tag: t.array(t.string) }), headers: t.type({ host: t.string }) }, r =>
        json(r.query),
      ),
      get('/c', { cookies: z.object({ a: z.string() }) }, ({ cookies }) => json(cookies.a)),
      get('/p/{n}', { params: t.type({ n: t.keyof({ one: null, two: null }) }) }, ({ params }) =>
        json(params.n),
      ),
      post('/form', { accepts: ['form'], body: t.type({ a: t.array(t.string) }), bodyLimit: 100 }, r =>
        json(r.body),
      ),
      post('/types', { body: byType({ 'application/json': Order, 'text/csv': t.string }) }, ({ body }) =>
        json(body),
      ),
      post('/upload', { body: byType({ 'multipart/form-data': Upload }) }, ({ body }) =>
        json(body.content.picture.size),
      ),
      get('/report', { guard: produces('application/json', 'text/csv') }, ({ answerType }) =>
        text(answerType),
      ),
    ]
    const wrong = await ask(routes, 'POST', '/orders', { body: { item: 1, quantity: 2 } })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /"pointer":"\/item"/)
    assert.equal((await ask(routes, 'POST', '/orders', { body: { item: 'a', quantity: 2 } })).status, 201)
    assert.deepEqual((await ask(routes, 'GET', '/q?tag=a')).json, { tag: ['a'] })
    assert.equal((await ask(routes, 'GET', '/c', { headers: { cookie: 'a=b' } })).json, 'b')
    assert.equal((await ask(routes, 'GET', '/p/three')).status, 400)
    assert.deepEqual((await ask(routes, 'POST', '/form', { body: new URLSearchParams('a=1&a=2') })).json, {
      a: ['1', '2'],
    })
    assert.equal(
      (await ask(routes, 'POST', '/form', { body: new URLSearchParams(`a=${'1'.repeat(99)}`) })).status,
      413,
    )
    const csv = { headers: { 'content-type': 'text/csv' }, body: 'a;b' }
    assert.deepEqual((await ask(routes, 'POST', '/types', csv)).json, { type: 'text/csv', content: 'a;b' })
    const form =
      '--x\r\ncontent-disposition: form-data; name=title\r\n\r\nA\r\n--x\r\ncontent-disposition: form-data; name=picture; filename=a.png\r\ncontent-type: image/png\r\n\r\n1234\r\n--x--\r\n'
    const upload = { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: form }
    assert.equal((await ask(routes, 'POST', '/upload', upload)).json, 4)
    assert.equal((await ask(routes, 'GET', '/report', { headers: { accept: 'text/csv' } })).text, 'text/csv')
  },
  async 'replies and cookies'() {
    const routes = [
      get('/html', () => html('<p>')),
      get('/bytes', () => bytes(Buffer.from([1, 2]))),
      get('/file', () => file(Buffer.from('a'), 'a.csv')),
      get('/redirect', () => withoutCookie(redirect('/'), 'a')),
      get('/cookie', () => withCookie(json(1), '__Host-session', 'v', { maxAge: 60 })),
      get('/problem', () => problem(409, 'sold out')),
      get('/web', () => new Response('web', { status: 202 })),
      get('/plain', () => ({ statusCode: 200, body: 'plain' })),
    ]
    const statuses = await Promise.all(
      ['/html', '/bytes', '/file', '/redirect', '/cookie', '/problem', '/web', '/plain'].map(
        async path => (await ask(routes, 'GET', path)).status,
      ),
    )
    assert.deepEqual(statuses, [200, 200, 200, 302, 200, 409, 202, 200])
    assert.match((await ask(routes, 'GET', '/cookie')).header('set-cookie')[0]!, /^__Host-session=v; Path=\//)
    assert.throws(
      () => withCookie(json(1), 'a', 'x'.repeat(5000)),
      /"a" has more than 4096 bytes|a \(set-cookie/,
    )
  },
  async guards() {
    const signedIn = guard(({ cookies }) =>
      cookies.s === undefined ? redirect('/sign-in') : { user: cookies.s },
    )
    const admin = guard(({ cookies }) => {
      if (cookies.s !== 'root') throw new HttpError(403, 'For administrators only')
    })
    const routes = [
      get('/me', { guard: signedIn }, ({ user }) => json(user)),
      group('/admin', [signedIn, admin], ({ get }) => [get('/', ({ user }) => json(user))]),
    ]
    assert.equal((await ask(routes, 'GET', '/me')).status, 302)
    assert.equal((await ask(routes, 'GET', '/me', { headers: { cookie: 's=ann' } })).json, 'ann')
    assert.equal((await ask(routes, 'GET', '/admin', { headers: { cookie: 's=ann' } })).status, 403)
  },
  async 'bearer()'() {
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256' }
    await serving(
      () => JSON.stringify({ keys: [jwk] }),
      async origin => {
        const signedIn = bearer({
          issuer: origin,
          audience: 'api',
          keys: `${origin}/jwks`,
          token: 'access',
          tolerance: 5,
          claims: t.type({ sub: t.string }),
        })
        const routes = [
          get('/mine', { guard: signedIn }, ({ claims }) => json(claims.sub)),
          get('/report', { guard: signedIn.withScopes('orders:read') }, () => json(1)),
        ]
        const token = tokenOf({}, { iss: origin, aud: 'api', sub: 'ann', exp: inAMinute(), scope: 'none' })
        const headers = { authorization: `Bearer ${token}` }
        assert.equal((await ask(routes, 'GET', '/mine')).status, 401)
        assert.equal((await ask(routes, 'GET', '/mine', { headers })).json, 'ann')
        assert.equal((await ask(routes, 'GET', '/report', { headers })).status, 403)
      },
    )
    assert.throws(() => bearer({ issuer: 'ftp://x', audience: 'a' }), /expected an https address/)
  },
  async 'protectedResource()'() {
    const issuer = 'https://issuer.example'
    const resource = 'https://mcp.example/mcp'
    const published = protectedResource({ resource, issuers: [issuer], scopes: ['openid'], name: 'Orders' })
    const signedIn = bearer({ issuer, audience: resource, metadata: published.metadata })
    const routes = [published.route, get('/mcp', { guard: signedIn }, () => json(1))]
    const found = await ask(routes, 'GET', '/.well-known/oauth-protected-resource/mcp')
    assert.deepEqual((found.json as { authorization_servers: unknown }).authorization_servers, [issuer])
    const refused = await ask(routes, 'GET', '/mcp')
    assert.equal(refused.status, 401)
    assert.equal(refused.header('www-authenticate')[0], `Bearer resource_metadata="${published.metadata}"`)
  },
  async 'sealedSession()'() {
    const session = sealedSession({
      secrets: ['a secret of 32 characters or more'],
      data: t.type({ user: t.string }),
      name: '__Host-s',
      maxAge: 60,
    })
    const routes = [
      post('/sign-in', { body: t.type({ user: t.string }), accepts: ['form'] }, ({ body }) =>
        session.begin(redirect('/me', 303), { user: body.user }),
      ),
      get('/me', { guard: session.guard }, ({ session }) => json(session.user)),
      post('/sign-out', () => session.end(redirect('/', 303))),
    ]
    const begun = await ask(routes, 'POST', '/sign-in', { body: new URLSearchParams('user=ann') })
    const cookie = begun.header('set-cookie')[0]!.split(';')[0]!
    assert.equal((await ask(routes, 'GET', '/me', { headers: { cookie } })).json, 'ann')
    assert.equal((await ask(routes, 'GET', '/me')).status, 401)
    assert.equal((await ask(routes, 'POST', '/sign-out')).status, 303)
    assert.throws(
      () => sealedSession({ secrets: ['short'], data: t.unknown } as never),
      /32 characters or more/,
    )
  },
  async 'balancerIdentity()'() {
    const signer =
      'arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/web/50dc6c495c0c9188'
    await serving(
      () => publicKey.export({ type: 'spki', format: 'pem' }) as string,
      async origin => {
        const user = balancerIdentity({ signer, keys: id => `${origin}/${id}` })
        const routes = [get('/me', { guard: user }, ({ identity }) => json(identity.email))]
        const head = { typ: 'JWT', iss: 'https://issuer.example', client: 'web', signer, exp: inAMinute() }
        const data = tokenOf(head, { sub: 'ann', email: 'ann@example.com' })
        const headers = { 'x-cloud-oidc-data': data }
        assert.equal((await ask(routes, 'GET', '/me', { headers })).json, 'ann@example.com')
        assert.equal((await ask(routes, 'GET', '/me')).status, 401)
      },
    )
  },
  async 'staticFiles()'() {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-static-'))
    try {
      writeFileSync(join(folder, 'a.html'), '<p>')
      const routes = [staticFiles('/', folder, { cacheControl: () => 'no-cache', types: { x: 'text/x' } })]
      const answer = await ask(routes, 'GET', '/a.html')
      assert.deepEqual([answer.status, answer.header('content-type')], [200, ['text/html; charset=utf-8']])
      assert.throws(() => staticFiles('/', join(folder, 'none')), /staticFiles\(\): there is no folder/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
  async errors() {
    class OutOfStock extends Error {
      override readonly name = 'OutOfStock'
    }
    const sold = () => {
      throw new OutOfStock('none left')
    }
    const lines: string[] = []
    const handler = signalbox(
      loadBalancer(
        [
          get('/a', { errors: { OutOfStock: 409 } }, sold),
          group('/b', [], [get('/c', sold)], {
            errors: error => (error instanceof OutOfStock ? problem(410) : undefined),
          }),
          get('/d', sold),
          get('/e', () => {
            throw new TypeError('detail')
          }),
        ],
        { errors: { OutOfStock: 503 }, log: line => void lines.push(line) },
      ),
    )
    const statuses = await Promise.all(
      ['/a', '/b/c', '/d', '/e'].map(async path => (await exchange(handler, httpEvent('GET', path))).status),
    )
    assert.deepEqual(statuses, [409, 410, 503, 500])
    assert.ok(lines.some(line => line.includes('detail')))
  },
  async middlewares() {
    const store = memoryStore()
    let calls = 0
    const handler = signalbox(
      loadBalancer([
        get('/', () => text('a'.repeat(2000))),
        post('/pay', () => json(++calls)),
        group(
          '/few',
          [rateLimit({ store, limit: 1, window: 60_000, key: () => 'k' })],
          [get('/', () => json(1))],
        ),
      ]),
    )
      .use(cors({ origins: ['https://a.example'], credentials: true, exposeHeaders: ['x-a'], maxAge: 5 }))
      .use(securityHeaders())
      .use(compress({ threshold: 1000 }))
      .use(etag())
      .use(checkReturns())
      .use(once({ store, ttl: 1000, lease: 1000, client: () => 'c' }))
    const headers = { origin: 'https://a.example', 'accept-encoding': 'gzip', 'idempotency-key': 'k1' }
    const answer = await exchange(handler, httpEvent('GET', '/', { headers }))
    assert.deepEqual(answer.header('access-control-allow-origin'), ['https://a.example'])
    assert.deepEqual(answer.header('content-encoding'), ['gzip'])
    assert.deepEqual(
      [answer.header('x-content-type-options'), answer.header('etag').length],
      [['nosniff'], 1],
    )
    assert.equal(gunzipSync(answer.verdict.body).length, 2000)
    const pay = async () => (await exchange(handler, httpEvent('POST', '/pay', { headers }))).json
    assert.deepEqual([await pay(), await pay()], [1, 1])
    const few = async () => (await exchange(handler, httpEvent('GET', '/few'))).status
    assert.deepEqual([await few(), await few()], [200, 429])
  },
  async 'openapi() and openapiPage()'() {
    const document = openapi(orders, { info, servers: [{ url: 'https://api.example.com' }] })
    assert.match(JSON.stringify(document), /"#\/components\/schemas\/Order"|"lines"/)
    const routes = [...orders, openapiPage('/docs', () => document)]
    assert.match((await ask(routes, 'GET', '/docs/')).text, /<title>Orders<\/title>/)
    assert.equal((await ask(routes, 'GET', '/docs/openapi.json')).status, 200)
    const headers = { 'accept-encoding': 'gzip' }
    const script = await ask(routes, 'GET', '/docs/swagger-ui-bundle.js', { headers })
    assert.match(gunzipSync(script.verdict.body).toString(), /SwaggerUIBundle/)
    const styles = await ask(routes, 'GET', '/docs/swagger-ui.css', { headers })
    assert.match(gunzipSync(styles.verdict.body).toString(), /swagger-ui/)
    assert.throws(
      () => openapiPage('/docs', document, { assets: '/none' }),
      /there is no swagger-ui-bundle.js/,
    )
  },
  async 'client()'() {
    const api = client<typeof orders>({
      baseUrl: 'https://api.example.com',
      headers: { 'x-a': 'b' },
      fetch: async (url: string | URL | Request, init?: RequestInit) => {
        const path = new URL(String(url)).pathname
        const answer = await ask(orders, (init?.method ?? 'GET') as 'GET', path)
        return new Response(answer.text, {
          status: answer.status,
          headers: { 'content-type': 'application/json' },
        })
      },
    } as never)
    const answer = await api.get('/orders/{id}', { params: { id: '7' } })
    assert.deepEqual(answer.body, { id: '7', lines: [] })
  },
  async 'middlewares of middy'() {
    const lines: unknown[] = []
    const logger = (line: unknown) => void lines.push(line)
    const through = async (middlewares: readonly unknown[], options: Options, multiValue: boolean) => {
      const routes = [
        post('/', ({ body }) => json(body)),
        get('/', () => json({ a: 1, b: 2 })),
        get('/long', () => text('a'.repeat(5000))),
        get('/error', () => {
          throw new TypeError('a detail')
        }),
      ]
      const handler = signalbox(loadBalancer(routes, { log: () => {} }))
      for (const each of middlewares) handler.use(each as never)
      const { path = '/', method = 'GET', ...more } = options as Record<string, never>
      return exchange(handler, httpEvent(method, path, { ...(more as Options), multiValue }))
    }
    for (const multiValue of [false, true]) {
      const parsed = async (parser: unknown, body: unknown, headers = {}) =>
        (await through([parser], { method: 'POST', body, headers } as never, multiValue)).json
      const unchecked = { disableContentTypeError: true } as never
      assert.deepEqual(await parsed(httpJsonBodyParser(unchecked), { a: 1 }), { a: 1 })
      assert.deepEqual(await parsed(httpUrlencodeBodyParser(unchecked), new URLSearchParams('a=1')), {
        a: '1',
      })
      const chain = [
        inputOutputLogger({ logger } as never),
        errorLogger({ logger } as never),
        doNotWaitForEmptyEventLoop(),
        httpHeaderNormalizer(),
        httpEventNormalizer(),
        httpResponseSerializer({ serializers: [], defaultContentType: 'application/json' } as never),
        httpPartialResponse(),
      ]
      const { log } = console
      console.log = () => {}
      try {
        assert.deepEqual((await through(chain, { query: { fields: 'a' } }, multiValue)).json, { a: 1 })
        const failed = { path: '/error' } as never
        assert.equal((await through([errorLogger({ logger } as never)], failed, multiValue)).status, 500)
        const own = httpErrorHandler({ logger: false, fallbackMessage: 'sorry' } as never)
        assert.match((await through([own], failed, multiValue)).text, /sorry|detail|"status":500/)
      } finally {
        console.log = log
      }
      const encoded = await through(
        [httpContentNegotiation(), httpContentEncoding()],
        { path: '/long', headers: { 'accept-encoding': 'gzip' } } as never,
        multiValue,
      )
      assert.deepEqual(encoded.header('content-encoding'), ['gzip'])
    }
    assert.ok(lines.length > 2)
  },
  // The libraries of the next two are CommonJS, and require modules of Node.
  async 'http-multipart-body-parser of middy'() {
    const { default: httpMultipartBodyParser } = await import('@middy/http-multipart-body-parser')
    const handler = signalbox(loadBalancer([post('/', ({ body }) => json(body))])).use(
      httpMultipartBodyParser({ disableContentTypeError: true } as never) as never,
    )
    const body = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    assert.deepEqual((await exchange(handler, httpEvent('POST', '/', { body, headers }))).json, { a: '1' })
  },
  async 'cloudwatch-metrics of middy'() {
    const { default: cloudwatchMetrics } = await import('@middy/cloudwatch-metrics')
    const { log } = console
    console.log = () => {}
    try {
      const handler = signalbox(
        loadBalancer([get('/', (_, context) => json(typeof (context as { metrics?: unknown }).metrics))]),
      ).use(cloudwatchMetrics({ namespace: 'n' } as never) as never)
      assert.equal((await exchange(handler, httpEvent('GET', '/'))).json, 'object')
    } finally {
      console.log = log
    }
  },
  async "middy's router"() {
    const old = async (event: { pathParameters?: { id: string } }) => ({
      statusCode: 200,
      body: String(event.pathParameters?.id),
    })
    const there = httpRouterHandler([
      ...middyRoutes(orders),
      { method: 'GET', path: '/customers/{id}', handler: old as never },
    ])
    const get7 = await exchange(there as never, httpEvent('GET', '/orders/7'))
    assert.deepEqual(get7.json, { id: '7', lines: [] })
    const here = [
      ...orders,
      fromMiddyRoutes([{ method: 'GET', path: '/customers/{id}', handler: old as never }]),
    ]
    assert.equal((await ask(here, 'GET', '/customers/8')).text, '8')
  },
  async 'an application of Hono, with fromFetch()'() {
    const app = new Hono()
    app.get('/hono/:id', c => c.json({ id: c.req.param('id') }))
    const routes = [...orders, fromFetch(app.fetch as never)]
    assert.deepEqual((await ask(routes, 'GET', '/hono/7')).json, { id: '7' })
  },
  async 'the pieces in a middy stack'() {
    const handler = middy()
      .use([responseSerializer(), loadBalancerNormalizer(), loadBalancerValidator()])
      .handler(router([get('/', () => json('hello'))]))
    assert.equal((await exchange(handler as never, httpEvent('GET', '/'))).json, 'hello')
    const event = httpEvent('GET', '/')
    assert.equal(httpVerdict(JSON.stringify(serialize(json(1), event)), event).status, 200)
    assert.ok(
      requestEvent({ method: 'GET', path: '/', headers: [] } as never, { targetGroupArn: 'a' } as never),
    )
  },
  'its family, and builders of events'() {
    assert.ok(loadBalancerFamily.recognizes(httpEvent('GET', '/')))
    assert.ok(httpEventMutators.length > 0)
  },
}
