import middy, { type MiddyfiedHandler } from '@middy/core'
import { fromTaskEither, type Plugin, signalbox } from '@signalbox/core'
import { right } from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { describe, expect, test } from 'tstyche'
import * as v from 'valibot'
import * as z from 'zod'
import { ownMiddlewares } from '../fixtures/own-middlewares.ts'
import {
  any,
  bytes,
  cors,
  created,
  del,
  etag,
  fromFetch,
  get,
  group,
  guard,
  type HttpRequest,
  json,
  type LoadBalancerEvent,
  type LoadBalancerResponse,
  loadBalancer,
  loadBalancerNormalizer,
  loadBalancerValidator,
  noContent,
  type PathParams,
  post,
  problem,
  type Reply,
  type Route,
  type RouteGroup,
  redirect,
  responseSerializer,
  router,
  securityHeaders,
  text,
  type Values,
  withCookie,
} from './index.ts'

describe('path parameters get their types from the path string', () => {
  test('PathParams has a field for every parameter', () => {
    expect<keyof PathParams<'/orders'>>().type.toBe<never>()
    expect<PathParams<'/orders/{id}'>>().type.toBe<{ readonly id: string }>()
    expect<PathParams<'/a/{my-id}/b/{rest+}'>>().type.toBe<{
      readonly 'my-id': string
      readonly rest: string
    }>()
    expect<PathParams<string>>().type.toBe<{ readonly [name: string]: string }>()
    expect<PathParams<`/${string}`>>().type.toBe<{ readonly [name: string]: string }>()
  })

  test('handlers get typed params', () => {
    get('/orders/{id}/{rest+}', request => {
      expect(request).type.toBe<HttpRequest<{ readonly id: string; readonly rest: string }>>()
      expect(request.params.id).type.toBe<string>()
      expect(request.params.rest).type.toBe<string>()
      expect(request.query).type.toBe<Values>()
      expect(request.headers).type.toBe<Values>()
      expect(request.body).type.toBe<unknown>()
      return noContent()
    })
    get('/orders/{id}', ({ params }) => {
      // @ts-expect-error Property 'name' does not exist on type '{ readonly id: string; }'
      return text(params.name)
    })
    // @ts-expect-error Argument of type '"orders"' is not assignable to parameter of type '`/${string}`'
    get('orders', () => noContent())
  })

  test('the compile error for ":id" suggests "{id}"', () => {
    // @ts-expect-error Hint<"write {id} instead of :id">
    get('/orders/:id', () => noContent())
    // @ts-expect-error Hint<"write {id} instead of :id">
    post('/orders/:id/lines', { body: t.string }, () => noContent())
    get('/orders/a:id', () => noContent())
    get('/orders/{id}' as `/${string}`, () => noContent())
  })
})

describe('parts of a request are typed by their codecs', () => {
  const NewOrder = t.type({ id: t.string, lines: t.array(t.number) })
  const NumberFromText: t.Type<number, string, unknown> = t.never as never

  test('a part of the request has the output type of its codec', () => {
    post('/orders/{id}', { body: NewOrder }, request => {
      expect(request.body).type.toBe<{ id: string; lines: number[] }>()
      expect(request.params).type.toBe<{ readonly id: string }>()
      expect(request.query).type.toBe<Values>()
      return created(`/orders/${request.body.id}`, request.body)
    })
    const all = {
      params: t.type({ id: NumberFromText }),
      query: t.type({ page: NumberFromText }),
      headers: t.type({ a: t.string }),
    }
    get('/orders/{id}', all, request => {
      expect(request.params).type.toBe<{ id: number }>()
      expect(request.query.page).type.toBe<number>()
      expect(request.headers.a).type.toBe<string>()
      expect(request.body).type.toBe<unknown>()
      return noContent()
    })
  })

  test('a query accepts another library’s schema for numbers only if the schema converts strings', () => {
    // @ts-expect-error Hint<"limit has text only: use a codec that decodes text, such as NumberFromString">
    get('/', { query: z.object({ limit: z.number() }) }, () => text(''))
    get('/', { query: z.object({ limit: z.coerce.number(), page: z.string().optional() }) }, ({ query }) =>
      text(String(query.limit)),
    )
  })

  test('a query or header does not accept a codec for numbers, and the compile error names a replacement', () => {
    // @ts-expect-error Hint<"limit has text only: use a codec that decodes text, such as NumberFromString">
    get('/orders', { query: t.type({ limit: t.number }) }, () => noContent())
    // @ts-expect-error Hint<"x-limit has text only: use a codec that decodes text, such as NumberFromString">
    get('/orders', { headers: t.partial({ 'x-limit': t.union([t.number, t.boolean]) }) }, () => noContent())
    get('/orders', { query: t.partial({ limit: NumberFromText, all: t.array(t.string) }) }, () => noContent())
    get('/orders', { query: t.record(t.string, t.unknown), headers: t.UnknownRecord }, () => noContent())
    post('/orders', { body: t.type({ limit: t.number }) }, () => noContent())
    get('/orders', { query: z.object({ limit: z.coerce.number() }) }, () => noContent())
  })

  test('a query or body does not accept a plain object of codecs, and the compile error says to use t.type()', () => {
    // @ts-expect-error Hint<"write t.type({ … }) around the fields">
    get('/orders', { query: { limit: t.string } }, () => noContent())
    // @ts-expect-error Hint<"write t.type({ … }) around the fields">
    post('/orders', { body: { id: t.string } }, () => noContent())
  })

  test('an unknown request part and an unknown kind of body do not compile', () => {
    // @ts-expect-error 'qeury' does not exist in type
    get('/orders', { qeury: NewOrder }, () => noContent())
    // @ts-expect-error Type '"xml"' is not assignable to type
    post('/orders', { body: NewOrder, accepts: ['xml'] }, () => noContent())
  })
})

declare const own: MiddyfiedHandler

describe('answers', () => {
  test('a route can return a reply, a plain response or a Response, or a promise of one', () => {
    expect(get('/', () => json({}))).type.toBeAssignableTo<Route>()
    get('/', async () => json({}))
    get('/', () => ({ statusCode: 200 }))
    get('/', () => ({ statusCode: 200, multiValueHeaders: { a: ['b'] }, body: '', isBase64Encoded: false }))
    get('/', () => new Response())
    get(
      '/',
      fromTaskEither(({ params }: HttpRequest<PathParams<'/'>>) => right(json(params))),
    )
    get('/', own)
    get('/', signalbox(loadBalancer([])))
  })

  test('a route that returns neither a reply nor a Response does not compile', () => {
    // @ts-expect-error Type 'string' is not assignable to type 'Answer | Hint<"return json(…) or another reply"> | Promise<Answer>'
    get('/', () => 'text')
    // @ts-expect-error Type 'void' is not assignable to type 'Answer | Hint<"return json(…) or another reply"> | Promise<Answer>'
    get('/', () => {})
    // @ts-expect-error is not assignable to type 'Answer | Hint<"return json(…) or another reply"> | Promise<Answer>'
    get('/', () => ({ id: '7' }))
    // @ts-expect-error is not assignable to type 'Answer | Hint<"return json(…) or another reply"> | Promise<Answer>'
    get('/', async () => ({ id: '7' }))
  })
})

describe('wrong arguments', () => {
  const find = (): Promise<{ id: string }> => Promise.resolve({ id: '7' })
  const maybe = (): { id: string } | undefined => undefined

  test('json() does not accept a promise, a function or undefined', () => {
    // @ts-expect-error Argument of type 'Promise<{ id: string; }>' is not assignable to parameter of type '"write json(await …)"'
    json(find())
    // @ts-expect-error Argument of type '{ id: string; } | undefined' is not assignable
    json(maybe())
    // @ts-expect-error is not assignable to parameter of type '"a value that JSON can carry"'
    json(find)
    // @ts-expect-error is not assignable to parameter of type '"write json(Object.fromEntries(…))"'
    json(new Map([['a', 1]]))
    // @ts-expect-error is not assignable to parameter of type '"write json([...…])"'
    json(new Set([1]) as ReadonlySet<number>)
    json(null)
    json({ get: 1, has: 2, size: 3 })
    json(Object.assign(new Map(), { toJSON: () => ({}) }))
    json({} as unknown)
  })

  test('a bare status instead of reply options does not compile, and the error says what to write', () => {
    // @ts-expect-error Hint<"write { status: 404 }">
    json({}, 404)
    // @ts-expect-error Hint<"write { status: 404 }">
    text('gone', 404)
  })

  test('a function as the guard of a route does not compile, and the error says to write guard()', () => {
    // @ts-expect-error Hint<"write guard(…) around the function">
    get('/', { guard: () => ({ user: 'ann' }) }, () => text(''))
  })

  test('text() accepts only strings, and bytes() accepts only bytes', () => {
    // @ts-expect-error Argument of type 'number' is not assignable to parameter of type 'string'
    text(7)
    // @ts-expect-error Argument of type 'string' is not assignable to parameter of type 'Uint8Array
    bytes('text')
    // @ts-expect-error Argument of type '200' is not assignable to parameter of type
    redirect('/', 200)
    // @ts-expect-error 'status' does not exist in type
    noContent({ status: 200 })
  })

  test('withCookie() accepts only known attributes', () => {
    // @ts-expect-error 'maxage' does not exist in type 'CookieOptions'
    withCookie(json(1), 'a', 'b', { maxage: 1 })
    // @ts-expect-error Did you mean '"Lax"'?
    withCookie(json(1), 'a', 'b', { sameSite: 'lax' })
    // @ts-expect-error Argument of type 'string' is not assignable to parameter of type 'Reply'
    withCookie('text', 'a', 'b')
  })
})

describe('a guard', () => {
  const signedIn = guard(async ({ cookies }) => {
    return cookies.session === undefined ? redirect('/sign-in') : { user: { name: cookies.session } }
  })
  const ofTenant = guard(({ params }) => ({ tenant: params.tenant }))
  const always = guard(() => {})

  test('adds its fields to the type of the route’s request', () => {
    get('/me', { guard: signedIn }, request => {
      expect(request.user).type.toBe<{ name: string }>()
      expect(request.query).type.toBe<Values>()
      return json(request.user)
    })
    get('/{id}', { guard: always, query: t.type({ page: t.string }) }, request => {
      expect(request).type.toBe<HttpRequest<{ readonly id: string }, { page: string }>>()
      return noContent()
    })
    // @ts-expect-error Property 'user' does not exist on type 'HttpRequest
    get('/me', ({ user }) => json(user))
  })

  test('adds its fields to the types of all requests of its group', () => {
    group('/{tenant}', [cors({ origins: '*' }), signedIn], ({ get, group }) => [
      get('/{id}', ({ user, params }) => {
        expect(user).type.toBe<{ name: string }>()
        expect(params).type.toBe<{ readonly id: string }>()
        return noContent()
      }),
      group('/admin', [ofTenant], ({ post }) => [
        post('/', { guard: guard(() => ({ own: 1 })) }, ({ user, tenant, own }) => {
          expect(user).type.toBe<{ name: string }>()
          expect(tenant).type.toBe<string | undefined>()
          expect(own).type.toBe<number>()
          return noContent()
        }),
      ]),
    ])
    // @ts-expect-error Property 'user' does not exist on type 'HttpRequest
    group('/', [always], ({ get }) => [get('/', ({ user }) => json(user))])
  })
})

describe('the `errors` option', () => {
  test('accepts a map of statuses or a function', () => {
    get('/', { errors: { OutOfStock: 409 } }, () => noContent())
    group('/', [], [get('/', () => noContent())], {
      errors: error => (error instanceof RangeError ? 400 : undefined),
    })
    loadBalancer([get('/', () => noContent())], { errors: () => problem(409, { sku: 7 }) })
    // @ts-expect-error Type 'string' is not assignable to type 'number'
    get('/', { errors: { OutOfStock: '409' } }, () => noContent())
  })
})

describe('the plugin', () => {
  test('returns responses that have the type of the contract', () => {
    const plugin = loadBalancer([get('/', () => noContent())])
    expect(plugin).type.toBe<Plugin<LoadBalancerResponse, LoadBalancerEvent, Reply>>()
    expect(signalbox(plugin)({})).type.toBe<Promise<LoadBalancerResponse>>()
  })

  test('accepts routes and groups, and groups accept any middy middleware', () => {
    const guarded = group(
      '/admin',
      [cors({ origins: '*' }), { before: () => {} }],
      [del('/x', () => noContent())],
    )
    expect(guarded).type.toBeAssignableTo<RouteGroup>()
    loadBalancer([guarded, any('/a', () => noContent()), fromFetch(() => new Response())])
    signalbox(loadBalancer([])).use(etag())
    router([guarded])
  })

  test('types the event of middlewares that are written inside group()', () => {
    group(
      '/a',
      [
        {
          before: ({ event }) => {
            expect(event).type.toBe<LoadBalancerEvent>()
          },
          after: ({ response }) => {
            expect(response).type.toBe<Reply | undefined>()
          },
        },
      ],
      [get('/', () => noContent())],
    )
    group('/a', [guard(() => ({ user: 1 })), { before: ({ event }) => event.path }], ({ get }) => [
      get('/', ({ user }) => json(user)),
    ])
    group('/a', [{ before: (request: { event: number }) => request.event }], [get('/', () => noContent())])
  })

  test('types the event of middlewares that are written inside use()', () => {
    signalbox(loadBalancer([get('/', () => noContent())]))
      .use({
        before: ({ event }) => {
          expect(event).type.toBe<LoadBalancerEvent>()
        },
      })
      .before(({ event }) => {
        expect(event.path).type.toBe<string>()
      })
  })

  test('types the response in hooks as a reply with optional fields', () => {
    signalbox(loadBalancer([get('/', () => noContent())]))
      .use({
        after: ({ response }) => {
          expect(response).type.toBe<Reply | undefined>()
          // @ts-expect-error Type 'string | undefined' is not assignable to type 'string'
          const status: string = response!.statusDescription
          return status
        },
      })
      .after(({ response }) => {
        expect(response?.isBase64Encoded).type.toBe<boolean | undefined>()
      })
      .onError(request => {
        request.response = json({ title: 'Sorry' }, { status: 503 })
      })
  })

  test('consists of middlewares that can be used in a middy stack', () => {
    const pieces = [responseSerializer(), loadBalancerNormalizer(), loadBalancerValidator()]
    const more = Object.values(ownMiddlewares())
    expect(middy().use).type.toBeCallableWith(pieces)
    expect(middy().use).type.toBeCallableWith(more)
    middy().use(pieces).use(more).handler(router([]))
  })

  test('does not compile with an unknown option', () => {
    // @ts-expect-error 'trustedHop' does not exist in type 'LoadBalancerOptions'
    loadBalancer([], { trustedHop: 1 })
    // @ts-expect-error 'log' does not exist in type 'RouterOptions'
    router([], { log: () => {} })
    // @ts-expect-error Property 'origins' is missing in type '{}'
    cors({})
    // @ts-expect-error Hint<"write cors({ origins: ['https://shop.example'] }), or '*' for every origin">
    group('/', [cors()], [get('/', () => noContent())])
    // @ts-expect-error Hint<"write cors({ origins: ['https://shop.example'] }), or '*' for every origin">
    signalbox(loadBalancer([])).use(cors())
    // @ts-expect-error Did you mean to call it?
    signalbox(loadBalancer([])).use(securityHeaders)
  })
})

test('schemas from any library determine the types of the request', () => {
  post(
    '/orders/{id}',
    {
      params: z.object({ id: z.coerce.number() }),
      query: v.object({ page: v.optional(v.pipe(v.string(), v.transform(Number))) }),
      body: z.object({ lines: z.array(z.object({ sku: z.string() })) }),
    },
    ({ params, query, body }) => {
      expect(params.id).type.toBe<number>()
      expect(query.page).type.toBe<number | undefined>()
      expect(body).type.toBe<{ lines: { sku: string }[] }>()
      return noContent()
    },
  )
})
