import { describe, expect, it } from '@jest/globals'
import { memoryStore, signalbox } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import { headerModes } from '../../fixtures/header-modes.ts'
import { get, group, json, loadBalancer, rateLimit } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'

describe.each(headerModes)('rateLimit() with %s', (_headers, multiValue) => {
  const setup = (options: object = {}) => {
    const clock = manualClock(1_000_000)
    const store = memoryStore({ clock })
    const limited = rateLimit({ store, limit: 2, window: 60_000, clock, ...options })
    const routes = [get('/', () => json(1))]
    const handlers = [
      signalbox(loadBalancer(routes)).use(limited),
      signalbox(loadBalancer([group('/', [limited], routes)])),
    ]
    const ask = async (address = '192.0.2.1', handler = handlers[0]!) => {
      const headers = { 'x-forwarded-for': `198.51.100.9, ${address}` }
      const { status, header } = await exchange(handler, httpEvent('GET', '/', { multiValue, headers }))
      return [status, ...header('ratelimit'), ...header('retry-after')]
    }
    return { clock, ask, handlers }
  }

  it('answers 429 when a client exceeds the limit of requests in a window', async () => {
    const { ask, clock } = setup()
    expect(await ask()).toEqual([200, '"default";r=1;t=20'])
    expect(await ask()).toEqual([200, '"default";r=0;t=20'])
    expect(await ask()).toEqual([429, '"default";r=0;t=20', '20'])
    await clock.advance(20_000)
    expect(await ask()).toEqual([200, '"default";r=1;t=60'])
  })

  it('has the windows of the wall clock, which several machines share', async () => {
    const { ask, clock } = setup()
    clock.jump(10_000)
    expect(await ask()).toEqual([200, '"default";r=1;t=10'])
  })

  it('counts each client address separately', async () => {
    const { ask } = setup()
    await ask()
    await ask()
    expect((await ask('192.0.2.2'))[0]).toBe(200)
    expect((await ask())[0]).toBe(429)
  })

  it('can be one of the middlewares of a group', async () => {
    const { ask, handlers } = setup()
    const found = []
    for (let i = 0; i < 3; i++) found.push((await ask('192.0.2.1', handlers[1]))[0])
    expect(found).toEqual([200, 200, 429])
  })

  it('never allows more requests than the limit, even when many requests arrive at once', async () => {
    const { ask } = setup({ limit: 5 })
    const found = await Promise.all(Array.from({ length: 20 }, () => ask()))
    expect(found.filter(([status]) => status === 200)).toHaveLength(5)
  })

  it('counts requests by the key that the `key` function returns', async () => {
    const { ask } = setup({ key: () => 'all' })
    expect([(await ask('a'))[0], (await ask('b'))[0], (await ask('c'))[0]]).toEqual([200, 200, 429])
  })
})

it.each([
  ['store is missing', () => ({ limit: 1, window: 1 })],
  ['limit is 0', () => ({ store: memoryStore(), limit: 0, window: 1 })],
  ['limit is 1.5', () => ({ store: memoryStore(), limit: 1.5, window: 1 })],
  ['window is 0', () => ({ store: memoryStore(), limit: 1, window: 0 })],
  ['ttl', () => ({ store: memoryStore(), limit: 1, window: 1, ttl: 2 })],
])('rateLimit() refuses wrong options with an error that contains "%s"', (why, options) => {
  expect(() => rateLimit(options() as never)).toThrow(why)
})
