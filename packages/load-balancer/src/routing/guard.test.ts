import { describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import { type Request, signalbox } from '@signalbox/core'
import * as t from 'io-ts'
import { headerModes } from '../../fixtures/header-modes.ts'
import {
  cors,
  get,
  group,
  guard,
  HttpError,
  json,
  loadBalancer,
  type Method,
  noContent,
  post,
  type Route,
  type RouteGroup,
  redirect,
  router,
} from '../index.ts'
import { exchange, type HttpEventOptions, httpEvent } from '../testing/index.ts'

const signedIn = guard(({ cookies }) => {
  const user = cookies.session
  if (user === undefined) throw new HttpError(401, 'Sign in first')
  return { user }
})
const ofTenant = guard(async ({ params, headers }) => {
  if (headers.first('x-tenant') !== params.tenant) throw new HttpError(403, 'This is another tenant')
  return { tenant: params.tenant! }
})
const ada = { cookie: 'session=ada', 'x-tenant': 'a b' }

describe.each(headerModes)('a guard with %s', (_headers, multiValue) => {
  const serve = (...routes: (Route | RouteGroup)[]) => {
    const log: string[] = []
    const handler = signalbox(loadBalancer(routes, { log: line => log.push(line) }))
    const ask = (method: Method, path: string, options: HttpEventOptions = {}) =>
      exchange(handler, httpEvent(method, path, { ...options, multiValue }))
    return { ask, log }
  }

  it('adds its fields to the request of a route', async () => {
    const { ask } = serve(get('/me', { guard: signedIn }, ({ user, path }) => json([user, path])))
    expect((await ask('GET', '/me', { headers: ada })).json).toEqual(['ada', '/me'])
  })

  it('answers with the HttpError that it throws', async () => {
    const { ask, log } = serve(get('/me', { guard: signedIn }, () => noContent()))
    const { status, json: body } = await ask('GET', '/me')
    expect([status, body]).toEqual([401, { title: 'Unauthorized', status: 401, detail: 'Sign in first' }])
    expect(log).toEqual([])
  })

  it('can return an answer instead of letting the request pass', async () => {
    const guest = guard(({ cookies }) => (cookies.session === undefined ? redirect('/sign-in') : undefined))
    const { ask } = serve(
      get('/route', { guard: guest }, () => noContent()),
      group('/group', [guest], [get('/', () => noContent())]),
    )
    for (const path of ['/route', '/group']) {
      const result = await ask('GET', path)
      expect([result.status, result.header('location')]).toEqual([302, ['/sign-in']])
      expect(await ask('GET', path, { headers: ada })).toMatchObject({ status: 204 })
    }
  })

  it('runs before the input of its route is checked', async () => {
    const body = t.type({ id: t.string })
    const { ask } = serve(
      post('/orders', { guard: signedIn, body }, ({ user, body }) => json([user, body.id])),
    )
    expect(await ask('POST', '/orders', { body: { id: 7 } })).toMatchObject({ status: 401 })
    expect(await ask('POST', '/orders', { body: { id: 7 }, headers: ada })).toMatchObject({ status: 400 })
    expect((await ask('POST', '/orders', { body: { id: 'x' }, headers: ada })).json).toEqual(['ada', 'x'])
  })

  it('adds its fields to all routes of its group and of inner groups', async () => {
    const { ask } = serve(
      group('/{tenant}', [signedIn], ({ get, group }) => [
        get('/me', ({ user }) => json(user)),
        group('/admin', [ofTenant], ({ get }) => [
          get('/{id}', { guard: guard(() => ({ own: 1 })) }, ({ user, tenant, own, params }) =>
            json([user, tenant, own, params.id]),
          ),
        ]),
      ]),
    )
    expect((await ask('GET', '/a%20b/me', { headers: ada })).json).toBe('ada')
    expect((await ask('GET', '/a%20b/admin/7', { headers: ada })).json).toEqual(['ada', 'a b', 1, '7'])
    expect(await ask('GET', '/c/admin/7', { headers: ada })).toMatchObject({ status: 403 })
    expect(await ask('GET', '/a%20b/admin/7')).toMatchObject({ status: 401 })
  })

  it('runs at its position in a group’s list of middlewares', async () => {
    const order: string[] = []
    const note = (name: string) => ({ before: () => void order.push(name) })
    const { ask } = serve(
      group(
        '/a',
        [note('outer'), guard(() => void order.push('guard')), note('after the guard')],
        [group('/b', [note('inner')], [get('/', () => noContent())])],
      ),
    )
    expect(await ask('GET', '/a/b')).toMatchObject({ status: 204 })
    expect(order).toEqual(['outer', 'guard', 'after the guard', 'inner'])
  })

  it('keeps the fields of concurrent requests separate', async () => {
    const slow = guard(async ({ query }) => {
      for (let turns = Number(query.first('turns')); turns > 0; turns--) await Promise.resolve()
      return { seen: query.first('turns') }
    })
    const { ask } = serve(group('/', [slow], ({ get }) => [get('/', ({ seen }) => json(seen ?? null))]))
    const answers = await Promise.all(['9', '3', '0', '6'].map(turns => ask('GET', `/?turns=${turns}`)))
    expect(answers.map(answer => answer.json)).toEqual(['9', '3', '0', '6'])
  })

  it('does not run for automatic OPTIONS answers or for CORS preflights', async () => {
    const origin = 'https://shop.example'
    const preflight = { origin, 'access-control-request-method': 'GET' }
    const { ask } = serve(
      group('/', [signedIn, cors({ origins: [origin] })], [get('/', () => noContent())]),
      get('/plain', { guard: signedIn }, () => noContent()),
    )
    const { status, header } = await ask('OPTIONS', '/', { headers: preflight })
    expect([status, header('access-control-allow-origin')]).toEqual([204, [origin]])
    expect(await ask('OPTIONS', '/plain')).toMatchObject({ status: 204 })
    expect(await ask('GET', '/', { headers: preflight })).toMatchObject({ status: 401 })
  })

  it.each([
    ['text', 'A guard returned a string, expected an object'],
    [{ body: 1 }, 'A guard returned the field body, which every request has'],
    [{ params: 1 }, 'A guard returned the field params, which every request has'],
  ])('that returns the invalid value %p causes a 500', async (result, message) => {
    const { ask, log } = serve(get('/', { guard: guard(() => result) }, () => noContent()))
    expect(await ask('GET', '/')).toMatchObject({ status: 500 })
    expect(log).toEqual([expect.stringContaining(message)])
  })

  it('can be used in a middy stack', async () => {
    const routes = router([group('/', [signedIn], ({ get }) => [get('/', ({ user }) => json(user))])])
    const handler = middy({ timeoutEarlyInMillis: 0 }).handler(((event: never, context: never) =>
      routes(event, context, { signal: new AbortController().signal })) as never)
    const event = httpEvent('GET', '/', { multiValue, headers: ada })
    expect(await (handler as unknown as typeof routes)(event, {}, undefined as never)).toMatchObject({
      body: '"ada"',
    })
  })
})

it('wrong uses of guard() and of guards throw errors that say why', () => {
  expect(() => guard({} as never)).toThrow('guard() takes a function of the request, not an object')
  expect(() => signalbox(loadBalancer([get('/', () => noContent())])).use(signedIn)).toThrow(
    "guard() is not for use(). Put it into a group around all routes: group('/', [guard], routes)",
  )
  expect(() => get('/', { guard: (() => ({})) as never }, () => noContent())).toThrow(
    'GET / has a guard that is a function, expected one made by guard()',
  )
  expect(() => signedIn.before(undefined as never)).toThrow(
    'guard() is for group() and for the input of a route',
  )
  expect(() => JSON.stringify(signedIn)).toThrow('a guard')
})

it('the event that group middlewares get does not contain the fields of a guard', async () => {
  let seen: unknown
  const spy = {
    before: (request: Request) => {
      seen = Object.keys(request.event as object)
    },
  }
  const handler = signalbox(loadBalancer([group('/', [signedIn, spy], [get('/', () => noContent())])]))
  const event = httpEvent('GET', '/', { headers: ada })
  await handler(event)
  expect(seen).toEqual(Object.keys(event))
})
