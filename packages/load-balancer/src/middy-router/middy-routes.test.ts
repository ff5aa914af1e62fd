import { describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import httpErrorHandler from '@middy/http-error-handler'
import httpEventNormalizer from '@middy/http-event-normalizer'
import httpHeaderNormalizer from '@middy/http-header-normalizer'
import httpJsonBodyParser from '@middy/http-json-body-parser'
import httpRouterHandler, { httpRouterValidateOptions } from '@middy/http-router'
import * as fc from 'fast-check'
import * as t from 'io-ts'
import { headerModes } from '../../fixtures/header-modes.ts'
import {
  any,
  cors,
  created,
  del,
  fromFetch,
  get,
  group,
  guard,
  HttpError,
  json,
  loadBalancerNormalizer,
  loadBalancerValidator,
  type Method,
  noContent,
  type Path,
  post,
  type Route,
  type RouteGroup,
  responseSerializer,
  text,
  withCookie,
} from '../index.ts'
import { exchange, type HttpEventOptions, httpEvent } from '../testing/index.ts'
import { middyRoutes } from './middy-routes.ts'

class OutOfStock extends Error {
  override readonly name = 'OutOfStock'
}

const signedIn = guard(({ headers }) => {
  if (!headers.has('authorization')) throw new HttpError(401, 'Sign in first')
  return { user: 'Ada' }
})

const NewOrder = t.type({ item: t.string, quantity: t.number })

const ours = [
  get('/orders', ({ query }) => withCookie(json(query.all('item')), 'seen', '1')),
  get('/orders/{id}', ({ params, path }) => json({ id: params.id, path })),
  post('/orders', { body: NewOrder, errors: { OutOfStock: 409 } }, ({ body }) => {
    if (body.item === 'cup') throw new OutOfStock('There are no cups')
    return created('/orders/8', body)
  }),
  get('/files/{path+}', ({ params }) => text(params.path)),
  get('/me', { guard: signedIn }, ({ user }) => text(user)),
  get('/broken', () => {
    throw new Error('The password is 1234')
  }),
  any('/echo/{order-id}', ({ method, params }) => text(`${method} ${params['order-id']}`)),
  group(
    '/shared',
    [cors({ origins: ['https://shop.example'] }), signedIn],
    [del('/{id}', () => noContent())],
  ),
]

const lines: string[] = []

/** Returns a response with all fields that the contract requires. */
const whole = (body: string) => ({
  statusCode: 200,
  statusDescription: '200 OK',
  isBase64Encoded: false,
  headers: {},
  multiValueHeaders: {},
  body,
})

const theirs = [
  { method: 'GET', path: '/old/{id}', handler: async () => whole('old') },
  { method: 'PUT', path: '/orders', handler: async () => whole('put') },
]

const hosting = (routes: readonly (Route | RouteGroup)[] = ours) =>
  httpRouterHandler([...theirs, ...middyRoutes(routes, { log: line => lines.push(line) })] as never)

/** The stacks in which a middy router usually stands. */
const hosts = {
  alone: hosting(),
  'with middy’s own middlewares': middy({ timeoutEarlyInMillis: 0 })
    .use(httpEventNormalizer())
    .use(httpHeaderNormalizer())
    .use(httpJsonBodyParser({ disableContentTypeError: true }))
    .use(httpErrorHandler({ logger: false }))
    .handler(hosting() as never),
  'with the middlewares of this package': middy({ timeoutEarlyInMillis: 0 })
    .use([responseSerializer(), loadBalancerNormalizer(), loadBalancerValidator()])
    .handler(hosting() as never),
}

describe.each(Object.entries(hosts))('routes of ours in a middy router %s', (name, host) => {
  describe.each(headerModes)('with %s', (_headers, multiValue) => {
    const ask = (method: Method, path: string, options: HttpEventOptions = {}) =>
      exchange(host as never, httpEvent(method, path, { ...options, multiValue }))

    it('answer beside the routes of middy', async () => {
      expect((await ask('GET', '/orders/7')).json).toEqual({ id: '7', path: '/orders/7' })
      expect((await ask('GET', '/old/7')).text).toBe('old')
      expect((await ask('PUT', '/orders')).text).toBe('put')
    })

    it('get decoded parameters and the query, and set headers in the mode of the request', async () => {
      expect((await ask('GET', '/orders/J%C3%BCrgen%2F1')).json).toMatchObject({ id: 'Jürgen/1' })
      const { json, header } = await ask('GET', '/orders?item=a%20b&item=c')
      expect(json).toEqual(multiValue ? ['a b', 'c'] : ['c'])
      expect(header('set-cookie')).toEqual(['seen=1; Path=/; HttpOnly; Secure; SameSite=Lax'])
      expect(header('content-type')).toEqual(['application/json; charset=utf-8'])
      expect((await ask('GET', '/files/a/b.txt')).text).toBe('a/b.txt')
      expect((await ask('POST', '/echo/7')).text).toBe('POST 7')
    })

    it('check their input, also when a middleware has parsed the body', async () => {
      const order = { item: 'tea pot', quantity: 2 }
      const placed = await ask('POST', '/orders', { body: order })
      expect([placed.status, placed.header('location'), placed.json]).toEqual([201, ['/orders/8'], order])
      const wrong = await ask('POST', '/orders', { body: { item: 'tea pot', quantity: 'two' } })
      expect(wrong.json).toMatchObject({ status: 400, problems: [{ in: 'body', pointer: '/quantity' }] })
      expect(wrong.header('content-type')).toEqual(['application/problem+json'])
    })

    it('run their guards, and map their errors', async () => {
      expect((await ask('GET', '/me')).json).toMatchObject({ status: 401, detail: 'Sign in first' })
      expect((await ask('GET', '/me', { headers: { authorization: 'x' } })).text).toBe('Ada')
      const none = await ask('POST', '/orders', { body: { item: 'cup', quantity: 1 } })
      expect(none.json).toMatchObject({ status: 409, detail: 'There are no cups' })
    })

    it('answer 500 to any other error, without its text, and log it', async () => {
      lines.length = 0
      const { status, text } = await ask('GET', '/broken')
      expect([status, text]).toEqual([500, expect.not.stringContaining('1234')])
      expect(lines).toEqual([expect.stringContaining('GET /broken failed: Error: The password is 1234')])
    })

    it('answer HEAD like GET, without the body', async () => {
      const { status, text, header } = await ask('HEAD', '/orders/7')
      expect([status, text]).toEqual([200, ''])
      expect(header('content-type')).toEqual(['application/json; charset=utf-8'])
    })

    it('answer preflights if they are in a group with middlewares', async () => {
      const headers = { origin: 'https://shop.example', 'access-control-request-method': 'DELETE' }
      const preflight = await ask('OPTIONS', '/shared/7', { headers })
      expect(preflight.status).toBe(204)
      expect(preflight.header('access-control-allow-origin')).toEqual(['https://shop.example'])
      expect(preflight.header('access-control-allow-methods')).toEqual(['DELETE, OPTIONS'])
      const refused = await ask('DELETE', '/shared/7', { headers: { origin: 'https://shop.example' } })
      expect(refused.status).toBe(401)
      expect(refused.header('access-control-allow-origin')).toEqual(['https://shop.example'])
    })

    it('leave unknown paths and methods, and slashes at the end, to middy’s router', async () => {
      expect((await ask('GET', '/orders/7/')).json).toEqual({ id: '7', path: '/orders/7/' })
      // Middy's router throws. Only the serializer of this package makes a whole response of its error.
      const missing = name === 'with the middlewares of this package' ? 404 : 502
      for (const [method, path] of [
        ['GET', '/none'],
        ['DELETE', '/orders'],
        ['OPTIONS', '/orders'],
      ] as const) {
        expect(await ask(method, path)).toMatchObject({ status: missing })
      }
    })

    it('have no empty rest, which middy’s router has', async () => {
      expect((await ask('GET', '/files')).json).toMatchObject({ detail: 'No route matches this path' })
    })
  })
})

it('a response without content has an empty body, for the middlewares around the router', async () => {
  const host = hosting([get('/', () => noContent())]) as unknown as (event: unknown) => Promise<unknown>
  expect(await host(httpEvent('GET', '/'))).toMatchObject({ statusCode: 204, body: '' })
})

it('a middy route that stands first is tried first', async () => {
  const first = { method: 'GET', path: '/{any}/{id}', handler: () => whole('first') }
  const at = async (routes: readonly unknown[]) =>
    (await exchange(httpRouterHandler(routes as never) as never, httpEvent('GET', '/orders/7'))).text
  const own = middyRoutes([get('/orders/{id}', () => text('ours'))])
  expect(await at([first, ...own])).toBe('first')
  expect(await at([...own, first])).toBe('ours')
})

it('a Fetch application can stand in a middy router, below a prefix', async () => {
  const host = hosting([fromFetch(({ url }) => new Response(new URL(url).pathname), '/api')])
  for (const path of ['/api', '/api/', '/api/a/b/'])
    expect((await exchange(host as never, httpEvent('GET', path))).text).toBe(path)
})

it('a route with a slash at the end has priority over the same path without it', async () => {
  const host = hosting([get('/a', () => text('/a')), any('/a/', () => text('/a/'))])
  for (const path of ['/a', '/a/'])
    expect((await exchange(host as never, httpEvent('GET', path))).text).toBe(path)
})

it('an event that is not of a load balancer fails, as in loadBalancer()', async () => {
  const event = { httpMethod: 'GET', path: '/orders', headers: {} }
  await expect((hosting() as unknown as (event: unknown) => unknown)(event)).rejects.toMatchObject({
    code: 'UNKNOWN_EVENT',
  })
})

it('middyRoutes() refuses what loadBalancer() refuses, and what middy’s router cannot express', () => {
  const route = get('/a', () => noContent())
  expect(() => middyRoutes([])).toThrow('middyRoutes() has no routes')
  expect(() => middyRoutes([route], { logs: () => {} } as never)).toThrow('middyRoutes()')
  expect(() => middyRoutes([route, route])).toThrow('The route GET /a is defined twice')
  expect(() => middyRoutes([get('/a*b/{id}', () => noContent())])).toThrow(
    'middyRoutes(): the path "/a*b/{id}" has * beside a parameter',
  )
})

describe('any routes of ours', () => {
  const segment = fc.constantFrom('a', 'b', 'a.b', '{a}', '{b-c}', '{proxy}', '{$x}')
  const path = fc
    .tuple(fc.uniqueArray(segment, { maxLength: 3 }), fc.constantFrom('', '/', '/{rest+}'))
    .map(([segments, end]) => (`${segments.map(each => `/${each}`).join('')}${end}` || '/') as Path)
  const sent = fc
    .array(fc.constantFrom('a', 'b', 'a.b', 'x', '%20'), { maxLength: 4 })
    .chain(segments =>
      fc.constantFrom('', '/').map(end => `${segments.map(each => `/${each}`).join('')}${end}` || '/'),
    )

  it('answer each request that middy’s router gives them, with the parameters of the path', async () => {
    await fc.assert(
      fc.asyncProperty(path, sent, async (path, sent) => {
        const routes = middyRoutes([get(path, ({ params }) => json(params))])
        expect(() => httpRouterValidateOptions({ routes })).not.toThrow()
        const host = middy({ timeoutEarlyInMillis: 0 })
          .use(responseSerializer())
          .handler(httpRouterHandler(routes as never) as never)
        const { status, json: params } = await exchange(host as never, httpEvent('GET', sent)).then(
          ({ status, text }) => ({ status, json: status === 200 ? JSON.parse(text) : undefined }),
        )
        const pattern = path
          .replace(/(.)\/$/, '$1')
          .replace(/[.$]/g, '\\$&')
          .replace(/\{rest\+\}/, '(.+)')
          .replace(/\{[^}]*\}/g, '([^/]+)')
        const match = new RegExp(`^${pattern}${path.endsWith('+}') || path === '/' ? '' : '/?'}$`).exec(sent)
        expect(status).toBe(match ? 200 : 404)
        if (match) expect(Object.values(params)).toEqual(match.slice(1).map(decodeURIComponent))
      }),
    )
  })
})
