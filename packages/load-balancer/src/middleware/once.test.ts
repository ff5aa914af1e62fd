import { describe, expect, it } from '@jest/globals'
import { memoryStore, type Store, signalbox } from '@signalbox/core'
import { headerModes } from '../../fixtures/header-modes.ts'
import { bytes, get, group, HttpError, json, loadBalancer, once, post } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'

describe.each(headerModes)('once() with %s', (_headers, multiValue) => {
  const setup = (options: object = {}, store: Store = memoryStore()) => {
    let runs = 0
    let proceed = () => {}
    const middleware = once({ store, ...options })
    const routes = [
      post('/orders', ({ body }) => json({ run: ++runs, body }, { status: 201, headers: { 'x-run': runs } })),
      post('/bytes', () => bytes(Uint8Array.of(0xff, ++runs))),
      post('/untyped', () => ({ statusCode: 200, body: `run ${++runs}` })),
      post('/unsendable', () => json(++runs, { headers: { 'x-name': '€' } })),
      post('/slow', () => new Promise<void>(resolve => (proceed = resolve)).then(() => json(++runs))),
      post('/broken', () => {
        runs++
        throw new Error('broken')
      }),
      post('/refused', () => {
        runs++
        throw new HttpError(409, 'Sold out')
      }),
      get('/orders', () => json(++runs)),
    ]
    const handlers = [
      signalbox(loadBalancer(routes, { log: () => {} })).use(middleware),
      signalbox(loadBalancer([group('/', [middleware], routes)], { log: () => {} })),
    ]
    const ask = (
      path: string,
      {
        method = 'POST' as 'POST' | 'GET',
        key = '"k1"',
        body = { a: 1 } as unknown,
        headers = {},
        handler = handlers[0]!,
      } = {},
    ) => {
      const sent = key === '' ? headers : { 'idempotency-key': key, ...headers }
      const event = httpEvent(method, path, {
        multiValue,
        headers: sent,
        ...(method === 'POST' ? { body: body as object } : {}),
      })
      return exchange(handler, event)
    }
    return { ask, handlers, runs: () => runs, proceed: () => proceed() }
  }

  it('gives a repeated request the answer of the first request, and runs the route only once', async () => {
    for (const which of [0, 1]) {
      const { ask, runs, handlers } = setup()
      const handler = handlers[which]!
      const first = await ask('/orders', { handler })
      const second = await ask('/orders', { handler })
      expect([second.status, second.json, second.header('x-run')]).toEqual([201, first.json, ['1']])
      expect(runs()).toBe(1)
      expect((await ask('/orders', { handler, key: '"k2"' })).json).toMatchObject({ run: 2 })
    }
  })

  it('gives a repeated request the same binary body', async () => {
    const { ask } = setup()
    await ask('/bytes')
    expect([...(await ask('/bytes')).verdict.body]).toEqual([0xff, 1])
  })

  it('gives a repeated request the content type of the first request, also when the route sets none', async () => {
    const { ask } = setup()
    await ask('/untyped')
    const again = await ask('/untyped')
    expect([again.text, again.header('content-type')]).toEqual(['run 1', ['text/plain; charset=utf-8']])
  })

  it('sends an answer that cannot be stored, and fails before the route runs when the store cannot be read', async () => {
    const fail = () => Promise.reject(new Error('full'))
    const writing = setup({}, { ...memoryStore(), set: fail })
    const first = await writing.ask('/orders')
    expect([first.status, first.json]).toEqual([201, { run: 1, body: { a: 1 } }])
    expect((await writing.ask('/orders')).status).toBe(409)
    expect(writing.runs()).toBe(1)
    const reading = setup({}, { ...memoryStore(), setIfAbsent: fail })
    expect((await reading.ask('/orders')).status).toBe(500)
    expect(reading.runs()).toBe(0)
  })

  it('runs the route again after an answer that cannot be sent', async () => {
    for (const which of [0, 1]) {
      const { ask, runs, handlers } = setup()
      const handler = handlers[which]!
      for (const run of [1, 2]) {
        expect(await ask('/unsendable', { handler })).toMatchObject({ status: 500 })
        expect(runs()).toBe(run)
      }
    }
  })

  it('compares every value of a query, also after a middleware of middy', async () => {
    const { ask } = setup()
    const handler = signalbox(
      loadBalancer([
        group('/', [{ before: () => {} }, once({ store: memoryStore() })], [post('/', () => json(1))]),
      ]),
    )
    expect(await ask('/?a=1&a=2', { handler })).toMatchObject({ status: 200 })
    expect(await ask('/?a=2', { handler })).toMatchObject({ status: multiValue ? 422 : 200 })
  })

  it('answers 422 when a key is repeated with another body, path or query', async () => {
    const { ask, runs } = setup()
    await ask('/orders')
    for (const again of [ask('/orders', { body: { a: 2 } }), ask('/bytes'), ask('/orders?a=1')])
      expect(await again).toMatchObject({ status: 422 })
    expect(runs()).toBe(1)
  })

  it('answers 409 to a repeated request while the first request is still running', async () => {
    const { ask, runs, proceed } = setup()
    const first = ask('/slow')
    while ((await ask('/slow')).status !== 409) {}
    proceed()
    expect(await first).toMatchObject({ status: 200, json: 1 })
    expect(await ask('/slow')).toMatchObject({ status: 200, json: 1 })
    expect(runs()).toBe(1)
  })

  it('runs the route again after a 500 answer, but stores a 409 answer', async () => {
    const { ask, runs } = setup()
    expect([(await ask('/broken')).status, (await ask('/broken')).status, runs()]).toEqual([500, 500, 2])
    const refused = { key: '"k2"' }
    expect([
      (await ask('/refused', refused)).status,
      (await ask('/refused', refused)).status,
      runs(),
    ]).toEqual([409, 409, 3])
  })

  it('never gives a client the answer of another client', async () => {
    const { ask, runs } = setup()
    await ask('/orders', { headers: { authorization: 'Bearer a' } })
    expect((await ask('/orders', { headers: { authorization: 'Bearer b' } })).json).toMatchObject({ run: 2 })
    expect(runs()).toBe(2)
  })

  it('always runs GET requests and requests without a key, but answers 400 when a required key is missing or invalid', async () => {
    const { ask, runs } = setup()
    await ask('/orders', { key: '' })
    await ask('/orders', { key: '' })
    await ask('/orders', { method: 'GET' })
    await ask('/orders', { method: 'GET' })
    expect(runs()).toBe(4)
    const strict = setup({ required: true })
    for (const key of ['', '""', '"a"b"', '"ä"', 'a b', 'a,b', 'k"', 'ä', 'a\\b', 'k'.repeat(256)])
      expect(await strict.ask('/orders', { key })).toMatchObject({
        status: 400,
        json: { detail: expect.stringContaining(key === '' ? 'needs an' : 'is not one key') },
      })
    expect(strict.runs()).toBe(0)
  })

  it('accepts a key without quotes, which is the same key as in quotes', async () => {
    const { ask, runs } = setup()
    const first = await ask('/orders', { key: '8e03978e-40d5-43dd-bc93-6894a57f9324' })
    const again = await ask('/orders', { key: '"8e03978e-40d5-43dd-bc93-6894a57f9324"' })
    expect([again.status, again.json, runs()]).toEqual([201, first.json, 1])
    expect((await ask('/orders', { key: 'k:/+=_~' })).status).toBe(201)
    expect(runs()).toBe(2)
  })
})

it.each([
  ['store is missing', () => ({})],
  ['ttl is 0', () => ({ store: memoryStore(), ttl: 0 })],
  ['ttl is "5m", expected', () => ({ store: memoryStore(), ttl: '5m' })],
  ['lease is NaN', () => ({ store: memoryStore(), lease: Number.NaN })],
  ['key', () => ({ store: memoryStore(), key: 'a' })],
])('once() refuses wrong options with an error that contains "%s"', (why, options) => {
  expect(() => once(options() as never)).toThrow(why)
})
