import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { get, group, guard, HttpError, loadBalancer, type Reply, text } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'

it.each([
  ['a route', get('/', () => new HttpError(404, 'There is no order 7'))],
  ['an async route', get('/', async () => new HttpError(404, 'There is no order 7'))],
  [
    'a route with a guard',
    get('/', { guard: guard(() => new HttpError(404, 'There is no order 7')) }, () => text('a')),
  ],
  [
    'a group',
    group('/', [{ before: () => new HttpError(404, 'There is no order 7') }], [get('/', () => text('a'))]),
  ],
])('an HttpError that %s returns is answered as if it were thrown', async (_, route) => {
  const result = await exchange(signalbox(loadBalancer([route])), httpEvent('GET', '/'))
  expect([result.status, result.json]).toEqual([
    404,
    { title: 'Not Found', status: 404, detail: 'There is no order 7' },
  ])
})

it.each(['before', 'after'] as const)(
  'an HttpError that a %s hook returns is answered as if it were thrown',
  async when => {
    const handler = signalbox(loadBalancer([get('/', () => text('a'))])).use({
      [when]: () => new HttpError(401, 'Sign in first'),
    })
    const result = await exchange(handler, httpEvent('GET', '/'))
    expect([result.status, result.json]).toMatchObject([401, { detail: 'Sign in first' }])
  },
)

it('an error that a route returns is logged, and hidden from the client', async () => {
  const logged: string[] = []
  const route = get('/', () => Object.assign(new TypeError('no database'), { statusCode: 200 }))
  const handler = signalbox(loadBalancer([route], { log: line => logged.push(line) }))
  expect(await exchange(handler, httpEvent('GET', '/'))).toMatchObject({ status: 500 })
  expect(logged).toEqual([expect.stringContaining('TypeError: no database')])
})

it('toReply() awaits promises and thenables', async () => {
  const thenable = (then: (answer: (reply: Reply) => void, fail: (error: unknown) => void) => void) =>
    ({ then }) as never
  const handler = signalbox(
    loadBalancer([
      // In a jest test, Node's own functions return promises of another realm.
      get('/node', () => delay(1, text('late')) as Promise<Reply>),
      get('/own', () => thenable(answer => answer(text('late')))),
      get('/broken', () => thenable((_, fail) => fail(new HttpError(409, 'broken')))),
    ]),
  )
  const ask = (path: string) => exchange(handler, httpEvent('GET', path))
  expect(await ask('/node')).toMatchObject({ status: 200, text: 'late' })
  expect(await ask('/own')).toMatchObject({ status: 200, text: 'late' })
  expect(await ask('/broken')).toMatchObject({ status: 409 })
})
