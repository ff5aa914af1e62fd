import { describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import { type Middleware, memoryStore, signalbox } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import * as t from 'io-ts'
import { headerModes } from '../../fixtures/header-modes.ts'
import type { MiddlewareName } from '../../fixtures/own-middlewares.ts'
import type { Method } from '../contract/index.ts'
import {
  checkReturns,
  cors,
  del,
  get,
  group,
  HttpError,
  json,
  loadBalancer,
  loadBalancerNormalizer,
  loadBalancerValidator,
  once,
  post,
  rateLimit,
  responseSerializer,
  router,
} from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'

const origin = 'https://shop.example'
const lines: string[] = []
const log = (line: string) => void lines.push(line)
const clock = manualClock(1_000_000)
const limited = () => rateLimit({ store: memoryStore({ clock }), limit: 1, window: 60_000, clock })
const running: (() => void)[] = []
const routes = [
  get('/', () => json(1)),
  del('/', () => json(1)),
  post('/', () => json(1, { status: 201, headers: { 'x-a': ['1', '2'] } })),
  post('/refused', () => {
    throw new HttpError(409, 'Sold out')
  }),
  post('/slow', () => new Promise<void>(resolve => running.push(resolve)).then(() => json(1))),
  get('/wrong', { returns: { 200: t.string } }, () => json(1 as never)),
]

type Refusal = readonly [status: number, ask: () => ReturnType<typeof exchange>]
type Handler = Parameters<typeof exchange>[0]

const stack = (middlewares: readonly Middleware[], served: Parameters<typeof router>[0]) =>
  middy({ timeoutEarlyInMillis: 0 })
    .use([
      responseSerializer({ log }),
      loadBalancerNormalizer(),
      loadBalancerValidator(),
      ...middlewares,
    ] as middy.MiddlewareObj[])
    .handler(router(served) as never) as unknown as Handler

/** The places of a middleware. */
const places: { readonly [place: string]: (...middlewares: readonly Middleware[]) => Handler } = {
  'around a middy stack': (...middlewares) => stack(middlewares, routes),
  'in a group of a middy stack': (...middlewares) => stack([], [group('/', middlewares, routes)]),
  'around loadBalancer()': (...middlewares) => signalbox(loadBalancer(routes, { log })).use(middlewares),
  'in a group of loadBalancer()': (...middlewares) =>
    signalbox(loadBalancer([group('/', middlewares, routes)], { log })),
}

const cases = Object.entries(places).flatMap(([place, handler]) =>
  headerModes.map(([headers, multiValue]) => ({ place, handler, headers, multiValue })),
)

describe.each(cases)('a middleware $place with $headers', ({ handler, multiValue }) => {
  const asking =
    (served: Handler) =>
    (method: Method, path: string, headers: Record<string, string> = {}) =>
      exchange(
        served,
        httpEvent(method, path, {
          multiValue,
          headers,
          ...(method === 'POST' ? { body: { a: headers.a ?? '' } } : {}),
        }),
      )
  const preflight = { origin, 'access-control-request-method': 'DELETE' }
  const key = { 'idempotency-key': 'k1' }

  /** How each middleware refuses. One that never does has none. */
  const refusals: { readonly [name in MiddlewareName]: readonly Refusal[] } = {
    compress: [],
    etag: [],
    securityHeaders: [],
    cors: [[204, () => asking(handler(cors({ origins: [origin] })))('OPTIONS', '/', preflight)]],
    rateLimit: [
      [
        429,
        async () => {
          const ask = asking(handler(limited()))
          await ask('GET', '/')
          return ask('GET', '/')
        },
      ],
    ],
    once: [
      [400, () => asking(handler(once({ store: memoryStore(), required: true })))('POST', '/')],
      [400, () => asking(handler(once({ store: memoryStore() })))('POST', '/', { 'idempotency-key': '"' })],
      [
        409,
        async () => {
          const ask = asking(handler(once({ store: memoryStore() })))
          const first = ask('POST', '/slow', key)
          while (running.length === 0) await new Promise(setImmediate)
          const second = await ask('POST', '/slow', key)
          running.pop()!()
          await first
          return second
        },
      ],
      [
        422,
        async () => {
          const ask = asking(handler(once({ store: memoryStore() })))
          await ask('POST', '/', key)
          return ask('POST', '/', { ...key, a: '2' })
        },
      ],
    ],
    checkReturns: [[500, () => asking(handler(checkReturns()))('GET', '/wrong')]],
  }

  it.each(
    Object.entries(refusals).flatMap(([name, rows]) =>
      rows.map(([status, ask]) => [name, status, ask] as const),
    ),
  )('%s() refuses with a valid response %i', async (_name, status, ask) => {
    const answer = await ask()
    expect(answer.verdict).toMatchObject({ kind: 'answered', status })
    if (status === 204) return
    expect(answer.json).toMatchObject({ status })
    expect(answer.header('content-type')).toEqual(['application/problem+json'])
  })

  it.each([
    ['rateLimit()', limited, 'GET', {}, 429],
    ['once()', () => once({ store: memoryStore(), required: true }), 'POST', {}, 400],
  ] as const)(
    'lets a page of another origin read the refusal of %s',
    async (_, made, method, headers, status) => {
      const ask = asking(handler(cors({ origins: [origin] }), made()))
      await ask(method, '/', { ...headers, origin })
      const { verdict, header } = await ask(method, '/', { ...headers, origin })
      expect(verdict).toMatchObject({ kind: 'answered', status })
      expect(header('access-control-allow-origin')).toEqual([origin])
    },
  )

  it('frees the key of a request that a later middleware refuses', async () => {
    const ask = asking(handler(once({ store: memoryStore() }), limited()))
    await ask('POST', '/', { 'idempotency-key': 'other' })
    expect((await ask('POST', '/', key)).status).toBe(429)
    expect((await ask('POST', '/', key)).status).toBe(429)
  })

  it('repeats an answer of once() with its headers, also after the header mode has changed', async () => {
    const served = handler(once({ store: memoryStore() }))
    const first = await exchange(
      served,
      httpEvent('POST', '/', { multiValue: !multiValue, headers: key, body: { a: '' } }),
    )
    const second = await asking(served)('POST', '/', key)
    expect(first.verdict).toMatchObject({ kind: 'answered', status: 201 })
    expect(second.verdict).toMatchObject({ kind: 'answered', status: 201 })
    expect(second.header('x-a').join(', ')).toBe('1, 2')
    expect(second.text).toBe(first.text)
  })

  it('a preflight gets the permissions of cors() before later middlewares count or refuse it', async () => {
    const ask = asking(handler(cors({ origins: [origin] }), limited(), once({ store: memoryStore() })))
    for (let i = 0; i < 3; i++) {
      const { verdict, header } = await ask('OPTIONS', '/', preflight)
      expect(verdict).toMatchObject({ kind: 'answered', status: 204 })
      expect(header('access-control-allow-origin')).toEqual([origin])
      expect(header('ratelimit')).toEqual([])
    }
  })

  it('an automatic answer to OPTIONS is counted, and refused above the limit', async () => {
    const ask = asking(
      handler(cors({ origins: [origin] }), once({ store: memoryStore(), required: true }), limited()),
    )
    const first = await ask('OPTIONS', '/')
    expect(first.verdict).toMatchObject({ kind: 'answered', status: 204 })
    expect(first.header('allow')).toEqual(['DELETE, GET, HEAD, OPTIONS, POST'])
    expect(first.header('ratelimit')).toEqual(['"default";r=0;t=20'])
    expect((await ask('OPTIONS', '/')).verdict).toMatchObject({ kind: 'answered', status: 429 })
  })
})

it('checkReturns() around a middy stack says where it can stand, because it does not know the routes there', async () => {
  lines.length = 0
  const handler = places['around a middy stack']!(checkReturns())
  expect((await exchange(handler, httpEvent('GET', '/'))).status).toBe(500)
  expect(lines.join()).toContain(
    'checkReturns() does not know the routes of a middy stack: put it into a group',
  )
})
