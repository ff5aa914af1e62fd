import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
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
  securityHeaders,
  text,
  toWebRequest,
  withCookie,
  withoutCookie,
} from '@signalbox/load-balancer'
import { client } from '@signalbox/load-balancer/client'
import { openapi } from '@signalbox/load-balancer/openapi'
import { openapiPage } from '@signalbox/load-balancer/openapi-page'
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

/** The features in the README of `@signalbox/load-balancer`, without those with middy and for signing in. */
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
  async 'an application of Hono, with fromFetch()'() {
    const app = new Hono()
    app.get('/hono/:id', c => c.json({ id: c.req.param('id') }))
    const routes = [...orders, fromFetch(app.fetch as never)]
    assert.deepEqual((await ask(routes, 'GET', '/hono/7')).json, { id: '7' })
  },
  'its family, and builders of events'() {
    assert.ok(loadBalancerFamily.recognizes(httpEvent('GET', '/')))
    assert.ok(httpEventMutators.length > 0)
  },
}
