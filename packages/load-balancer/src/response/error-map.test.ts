import { describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import { fromTaskEither, signalbox } from '@signalbox/core'
import { left } from 'fp-ts/lib/TaskEither.js'
import { headerModes } from '../../fixtures/header-modes.ts'
import {
  type ErrorMap,
  get,
  group,
  guard,
  HttpError,
  loadBalancer,
  loadBalancerNormalizer,
  loadBalancerValidator,
  noContent,
  problem,
  type Route,
  type RouteGroup,
  responseSerializer,
  router,
} from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'

class OutOfStock extends Error {
  override readonly name = 'OutOfStock'
}
class Unnamed extends Error {}

const failing = (error: unknown) => () => Promise.reject(error)
const errors: ErrorMap = { OutOfStock: 409 }
const outOfStock = new OutOfStock('There are no more widgets')
const conflict = { title: 'Conflict', status: 409, detail: 'There are no more widgets' }

describe.each(headerModes)('the `errors` option with %s', (_headers, multiValue) => {
  const ask = async (routes: (Route | RouteGroup)[], options?: { errors: ErrorMap }, use: object[] = []) => {
    const log: string[] = []
    const handler = signalbox(loadBalancer(routes, { ...options, log: line => log.push(line) })).use(use)
    const { status, text } = await exchange(handler, httpEvent('GET', '/', { multiValue }))
    return { status, body: text === '' ? undefined : JSON.parse(text), log }
  }

  it.each([
    ['its name', outOfStock, { OutOfStock: 409 }],
    ['its code', Object.assign(new Error(outOfStock.message), { code: 'ENOENT' }), { ENOENT: 409 }],
    ['its class', new Unnamed(outOfStock.message), { Unnamed: 409 }],
    ['its _tag', { _tag: 'OutOfStock', message: outOfStock.message }, { OutOfStock: 409 }],
  ])('maps an error by %s', async (_, error, map) => {
    expect(await ask([get('/', { errors: map }, failing(error))])).toEqual({
      status: 409,
      body: conflict,
      log: [],
    })
  })

  it.each<[string, (RouteOrGroup: ErrorMap) => [(Route | RouteGroup)[], { errors: ErrorMap }?, object[]?]]>([
    ['a route has the option', map => [[get('/', { errors: map }, failing(outOfStock))]]],
    ['a group has the option', map => [[group('/', [], [get('/', failing(outOfStock))], { errors: map })]]],
    [
      'an outer group has the option',
      map => [[group('/', [], [group('/', [], [get('/', failing(outOfStock))])], { errors: map })]],
    ],
    ['loadBalancer() has the option', map => [[get('/', failing(outOfStock))], { errors: map }]],
    [
      'a route has the option and its guard throws',
      map => [[get('/', { errors: map, guard: guard(failing(outOfStock)) }, () => noContent())]],
    ],
    [
      'a group has the option and its guard throws',
      map => [[group('/', [guard(failing(outOfStock))], [get('/', () => noContent())], { errors: map })]],
    ],
    [
      'a group has the option and one of its hooks throws',
      map => [[group('/', [{ after: failing(outOfStock) }], [get('/', () => noContent())], { errors: map })]],
    ],
    [
      'loadBalancer() has the option and a hook of use() throws',
      map => [[get('/', () => noContent())], { errors: map }, [{ before: failing(outOfStock) }]],
    ],
  ])('maps errors when %s', async (_, setup) => {
    expect(await ask(...setup(errors))).toEqual({ status: 409, body: conflict, log: [] })
    const inWords = () => problem(410, { detail: 'gone', sku: 7 })
    expect(await ask(...setup(inWords))).toMatchObject({ status: 410, body: { detail: 'gone', sku: 7 } })
    const other = await ask(...setup({ Other: 409 }))
    expect(other).toMatchObject({ status: 500, body: { title: 'Internal Server Error', status: 500 } })
    expect(other.log).toEqual([expect.stringContaining('There are no more widgets')])
  })

  it('on a route has priority over the same option on its group and on loadBalancer()', async () => {
    const whole = { errors: { OutOfStock: 400 } }
    const inGroup = (route: Route) => [group('/', [], [route], { errors: { OutOfStock: 410 } })]
    expect(await ask(inGroup(get('/', { errors }, failing(outOfStock))), whole)).toMatchObject({
      status: 409,
    })
    expect(await ask(inGroup(get('/', failing(outOfStock))), whole)).toMatchObject({ status: 410 })
    expect(await ask([get('/', failing(outOfStock))], whole)).toMatchObject({ status: 400 })
  })

  it('can be a function that returns a status, an HttpError or undefined', async () => {
    const route = (map: ErrorMap) => [get('/', { errors: map }, failing(outOfStock))]
    expect(await ask(route(() => 409))).toMatchObject({ status: 409, body: conflict })
    expect(await ask(route(() => new HttpError(418, 'tea')))).toMatchObject({
      status: 418,
      body: { detail: 'tea' },
    })
    expect(await ask(route(() => undefined))).toMatchObject({ status: 500 })
  })

  it('maps the Left of a TaskEither', async () => {
    const route = get('/', { errors }, fromTaskEither(() => left({ _tag: 'OutOfStock' })) as never)
    expect(await ask([route])).toMatchObject({ status: 409 })
  })

  it('hides the message of an error with a 5xx status from the client, and logs the error', async () => {
    const { status, body, log } = await ask([get('/', { errors: { OutOfStock: 503 } }, failing(outOfStock))])
    expect([status, body]).toEqual([503, { title: 'Service Unavailable', status: 503 }])
    expect(log).toEqual([expect.stringContaining('caused by: OutOfStock: There are no more widgets')])
  })

  it('does not apply to an HttpError that a route throws', async () => {
    const route = get('/', { errors: { HttpError: 409 } }, failing(new HttpError(404, 'There is no order 7')))
    expect(await ask([route])).toMatchObject({ status: 404, body: { detail: 'There is no order 7' } })
  })

  it('maps a thrown value that is not an error only if the option is a function', async () => {
    expect(await ask([get('/', { errors }, failing(undefined))])).toMatchObject({ status: 500 })
    expect(await ask([get('/', { errors: () => 400 }, failing('text'))])).toMatchObject({ status: 400 })
  })

  it('also maps errors in a middy stack', async () => {
    const routes = router([get('/', failing(outOfStock))], { errors })
    const handler = middy({ timeoutEarlyInMillis: 0 })
      .use([responseSerializer({ errors }), loadBalancerNormalizer(), loadBalancerValidator()])
      .handler(((event: never, context: never) => routes(event, context, {} as never)) as never)
    expect(await exchange(handler as never, httpEvent('GET', '/', { multiValue }))).toMatchObject({
      status: 409,
    })
  })

  describe('does not apply to an HttpError', () => {
    const teapot = failing(new HttpError(418, 'I brew tea'))
    it.each<[string, (Route | RouteGroup)[], object[]]>([
      ['a before hook of use()', [get('/', () => noContent())], [{ before: teapot }]],
      ['an after hook of use()', [get('/', () => noContent())], [{ after: teapot }]],
      ['an onError hook of use()', [get('/', failing(new Error('x')))], [{ onError: teapot }]],
      ['a before hook of a group', [group('/', [{ before: teapot }], [get('/', () => noContent())])], []],
      ['an after hook of a group', [group('/', [{ after: teapot }], [get('/', () => noContent())])], []],
      [
        'an onError hook of a group',
        [group('/', [{ onError: teapot }], [get('/', failing(new Error('x')))])],
        [],
      ],
    ])('that %s throws', async (_, routes, use) => {
      const { status, body } = await ask(routes, undefined, use)
      expect([status, body]).toEqual([418, { title: "I'm a Teapot", status: 418, detail: 'I brew tea' }])
    })
  })
})

it.each<[unknown, string]>([
  [{ OutOfStock: 200 }, 'errors.OutOfStock is 200, expected a status from 400 to 599'],
  [{ OutOfStock: '409' }, 'errors.OutOfStock is "409", expected a status from 400 to 599'],
  ['OutOfStock', 'errors is not an object, such as { OutOfStock: 409 }, or a function'],
])('the `errors` option with the value %p is refused at startup', (invalid, message) => {
  const route = get('/', () => noContent())
  const map = invalid as ErrorMap
  expect(() => get('/', { errors: map }, () => noContent())).toThrow(`GET /: ${message}`)
  expect(() => group('/a', [], [route], { errors: map })).toThrow(`group("/a"): ${message}`)
  expect(() => loadBalancer([route], { errors: map })).toThrow(`loadBalancer(): ${message}`)
  expect(() => responseSerializer({ errors: map })).toThrow(`responseSerializer(): ${message}`)
})
