import { describe, expect, it } from '@jest/globals'
import { type Middleware, signalbox } from '@signalbox/core'
import { headerModes } from '../../fixtures/header-modes.ts'
import { del, get, group, HttpError, json, loadBalancer, type Method } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'
import { type CorsOptions, cors } from './cors.ts'

const shop = 'https://shop.example'
const routes = [
  get('/a', () => json(1, { headers: { vary: 'accept' } })),
  del('/a', () => json(1)),
  get('/boom', () => Promise.reject(new Error('boom'))),
  get('/gone', () => Promise.reject(new HttpError(410, 'gone'))),
]

type Place = 'around the handler' | 'around a group'

function served(place: Place, middlewares: readonly Middleware[]) {
  const log = () => undefined
  const handler =
    place === 'around a group'
      ? signalbox(loadBalancer([group('/', middlewares, routes)], { log }))
      : signalbox(loadBalancer(routes, { log })).use(middlewares)
  return (method: Method, path: string, headers: Record<string, string>, multiValue: boolean) =>
    exchange(handler, httpEvent(method, path, { headers, multiValue }))
}

const cases = (['around the handler', 'around a group'] as const).flatMap(place =>
  headerModes.map(([headers, multiValue]) => ({ place, headers, multiValue })),
)

describe.each(cases)('cors() $place with $headers', ({ place, multiValue }) => {
  const ask = (options: CorsOptions, method: Method, path: string, headers: Record<string, string>) =>
    served(place, [cors(options)])(method, path, headers, multiValue)
  const allowed = async (origins: CorsOptions['origins'], origin: string) =>
    (await ask({ origins }, 'GET', '/a', { origin })).header('access-control-allow-origin')

  it('allows origins by exact value, by a pattern for the whole origin, or by a function', async () => {
    expect(await allowed([shop], shop)).toEqual([shop])
    expect(await allowed([shop], 'https://shop.example.evil.test')).toEqual([])
    expect(await allowed([/https:\/\/[a-z]+\.example/], 'https://pay.example')).toEqual([
      'https://pay.example',
    ])
    expect(await allowed([/https:\/\/[a-z]+\.example/g], 'https://pay.example.evil.test')).toEqual([])
    expect(await allowed([/https:\/\/a|b\.example/], 'https://a.evil.test')).toEqual([])
    expect(await allowed(origin => origin.endsWith('.test'), 'https://a.test')).toEqual(['https://a.test'])
    expect(await allowed(origin => origin.endsWith('.test'), shop)).toEqual([])
    expect(await allowed('*', shop)).toEqual(['*'])
    expect(await allowed(['null'], 'null')).toEqual(['null'])
  })

  it.each(['g', 'y', 'gi'])(
    'allows an origin in every request when its pattern has the flags %s',
    async flags => {
      const send = served(place, [cors({ origins: [new RegExp('https://pay[.]example', flags)] })])
      for (const origin of Array<string>(3).fill('https://pay.example'))
        expect(
          (await send('GET', '/a', { origin }, multiValue)).header('access-control-allow-origin'),
        ).toEqual([origin])
    },
  )

  it('adds a Vary header for allowed, refused and missing origins', async () => {
    for (const headers of [{ origin: shop }, { origin: 'https://other.example' }, {}]) {
      const result = await ask({ origins: [shop] }, 'GET', '/a', headers as Record<string, string>)
      expect(result.header('vary')).toEqual(['accept, origin'])
    }
    expect((await ask({ origins: '*' }, 'GET', '/a', { origin: shop })).header('vary')).toEqual(['accept'])
  })

  it('allows credentials and exposes headers only for allowed origins', async () => {
    const options = { origins: [shop], credentials: true, exposeHeaders: ['etag', 'x-a'] }
    const result = await ask(options, 'GET', '/a', { origin: shop })
    expect(result.header('access-control-allow-credentials')).toEqual(['true'])
    expect(result.header('access-control-expose-headers')).toEqual(['etag, x-a'])
    const other = await ask(options, 'GET', '/a', { origin: 'https://other.example' })
    expect(other.header('access-control-allow-credentials')).toEqual([])
    expect(other.header('access-control-expose-headers')).toEqual([])
  })

  it('adds its headers to error replies', async () => {
    for (const [path, status] of [
      ['/boom', 500],
      ['/gone', 410],
    ] as const) {
      const result = await ask({ origins: [shop] }, 'GET', path, { origin: shop })
      expect(result.status).toBe(status)
      expect(result.header('access-control-allow-origin')).toEqual([shop])
      expect(result.header('vary')).toEqual(['origin'])
    }
  })

  const preflight = { origin: shop, 'access-control-request-method': 'DELETE' }

  it('answers a preflight with the methods of the routes for the path', async () => {
    const options = { origins: [shop], credentials: true, maxAge: 600 }
    const headers = { ...preflight, 'access-control-request-headers': 'x-a, x-b' }
    const result = await ask(options, 'OPTIONS', '/a', headers)
    expect(result).toMatchObject({ status: 204, text: '' })
    expect(Object.fromEntries(result.verdict.headers)).toEqual({
      allow: 'DELETE, GET, HEAD, OPTIONS',
      vary: 'origin, access-control-request-method, access-control-request-headers',
      'access-control-allow-origin': shop,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS',
      'access-control-allow-headers': 'x-a, x-b',
      'access-control-max-age': '600',
    })
    const named = await ask({ origins: '*', headers: ['x-c'] }, 'OPTIONS', '/a', headers)
    expect(named.header('access-control-allow-headers')).toEqual(['x-c'])
    expect(named.header('access-control-allow-origin')).toEqual(['*'])
  })

  it('answers a preflight before other middlewares can refuse it', async () => {
    const guard = { before: () => Promise.reject(new HttpError(401, 'who?')) }
    const behind = served(place, [cors({ origins: [shop] }), guard])
    expect(await behind('OPTIONS', '/a', preflight, multiValue)).toMatchObject({ status: 204 })
    const refused = await behind('GET', '/a', { origin: shop }, multiValue)
    expect(refused.status).toBe(401)
    expect(refused.header('access-control-allow-origin')).toEqual([shop])
  })

  it('answers a preflight from a refused origin without Access-Control headers', async () => {
    const result = await ask({ origins: [shop] }, 'OPTIONS', '/a', {
      ...preflight,
      origin: 'https://other.example',
    })
    expect(result.status).toBe(204)
    expect(result.verdict.headers.filter(([name]) => name.startsWith('access-control'))).toEqual([])
  })

  it('leaves plain OPTIONS requests, and preflights for unknown paths, to the router', async () => {
    const plain = await ask({ origins: [shop] }, 'OPTIONS', '/a', { origin: shop })
    expect(plain.header('allow')).toEqual(['DELETE, GET, HEAD, OPTIONS'])
    expect(plain.header('access-control-allow-origin')).toEqual([shop])
    expect(await ask({ origins: [shop] }, 'OPTIONS', '/none', preflight)).toMatchObject({ status: 404 })
  })
})

describe('cors()', () => {
  it('adds its headers to a reply that an onError hook makes', async () => {
    const handler = signalbox(loadBalancer(routes, { log: () => undefined }))
      .use(cors({ origins: [shop] }))
      .onError((request: { response: unknown }) => {
        request.response = json({ sorry: true }, { status: 503 })
      })
    const result = await exchange(handler, httpEvent('GET', '/boom', { headers: { origin: shop } }))
    expect(result.status).toBe(503)
    expect(result.header('access-control-allow-origin')).toEqual([shop])
  })

  it('refuses every origin when the `origins` option returns a promise', async () => {
    const origins = (async () => false) as never
    const handler = signalbox(loadBalancer(routes)).use(cors({ origins }))
    const result = await exchange(handler, httpEvent('GET', '/a', { headers: { origin: shop } }))
    expect(result.header('access-control-allow-origin')).toEqual([])
  })

  it('does not echo request header values that a response header cannot carry', async () => {
    const handler = signalbox(loadBalancer(routes)).use(cors({ origins: () => true }))
    const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x\u20ac' }
    const result = await exchange(
      handler,
      httpEvent('OPTIONS', '/a', { headers: { origin: shop, ...asked } }),
    )
    expect(result.status).toBe(204)
    expect(result.header('access-control-allow-headers')).toEqual([])
    const strange = await exchange(handler, httpEvent('GET', '/a', { headers: { origin: 'a\r\nb' } }))
    expect([strange.status, strange.header('access-control-allow-origin')]).toEqual([200, []])
  })

  it('allows all methods of the contract in a middy stack, where it has no list of routes', () => {
    const { before } = cors({ origins: '*' })
    const event = httpEvent('OPTIONS', '/', {
      headers: { origin: shop, 'access-control-request-method': 'PUT' },
    })
    const answer = before!({ event, internal: {} } as never) as { headers: Record<string, string> }
    expect(answer.headers.allow).toBe('DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT')
  })

  it.each([
    [undefined, "cors(): origins are missing. Write cors({ origins: ['https://shop.example'] }), or '*'"],
    [{}, 'cors(): origins are missing'],
    [{ origins: [] }, 'cors(): origins are missing'],
    [null, 'cors() takes an object of origins'],
    [{ origins: shop }, `origins is "${shop}", expected a list, a function, or '*'`],
    [{ origins: '*', credentials: true }, 'browsers refuse credentials'],
    [{ origins: ['shop.example'] }, '"shop.example" is not an origin'],
    [{ origins: ['https://shop.example/'] }, 'is not an origin'],
    [{ origins: ['https://shop.example/'] }, 'write "https://shop.example"'],
    [{ origins: ['https://shop.example:443'] }, 'write "https://shop.example"'],
    [{ origins: ['HTTPS://Shop.Example'] }, 'write "https://shop.example"'],
    [
      { origins: ['https://*.shop.example'] },
      'write a pattern, such as /https:\\/\\/[^/]+\\.shop\\.example/',
    ],
    [{ origins: ['https://*'] }, 'write a pattern, such as /https:\\/\\/[^/]+/'],
    [{ origins: ['http://localhost:*'] }, 'write a pattern, such as /http:\\/\\/localhost:[^/]+/'],
    [{ origins: [/shop\.example/] }, 'never matches a whole origin: write /https:\\/\\/shop\\.example/'],
    [{ origins: ['file:///a'] }, 'is not an origin'],
    [{ origins: ['capacitor://localhost/'] }, 'is not an origin'],
    [{ origins: ['*'] }, '"*" is not an origin: write origins: \'*\', without a list'],
    [{ origins: [shop], maxAge: -1 }, 'maxAge is -1'],
    [{ origins: [shop], maxage: 1 }, 'Did you mean maxAge?'],
  ])('refuses %j as its options', (options, message) => {
    expect(() => cors(options as never)).toThrow(message)
  })
})

it.each([
  'capacitor://localhost',
  'ionic://localhost',
  'tauri://localhost',
  'chrome-extension://abc',
  'app://-',
])('cors() lets the app at %s read responses', async origin => {
  const handler = signalbox(loadBalancer([get('/', () => json(1))])).use(cors({ origins: [origin] }))
  const answer = await exchange(handler, httpEvent('GET', '/', { headers: { origin } }))
  expect(answer.header('access-control-allow-origin')).toEqual([origin])
})
