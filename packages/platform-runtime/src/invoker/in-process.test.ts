import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it, jest } from '@jest/globals'
import { systemClock } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import { type Handler, inProcessInvoker } from './in-process.ts'

function invoker(handler: Handler, clock = manualClock(1000)) {
  return inProcessInvoker({ name: 'shop', handler, timeout: 3000, clock })
}

const call = { event: '{"a":1}', requestId: 'r-1' }

describe('inProcessInvoker()', () => {
  it('passes the parsed event to the handler, and returns its result as JSON', async () => {
    const clock = manualClock(1000)
    const shop = invoker(async (event: { a: number }, context) => {
      const before = context.getRemainingTimeInMillis!()
      await clock.advance(1200)
      const { getRemainingTimeInMillis: unbound, ...rest } = context
      return { event, before, after: unbound!(), ...rest }
    }, clock)
    const { payload, ...result } = await shop.invoke(call)
    expect(JSON.parse(payload)).toEqual({
      event: { a: 1 },
      before: 3000,
      after: 1800,
      functionName: 'shop',
      requestId: 'r-1',
      deadline: 4000,
    })
    expect(result).toEqual({ logs: [], generation: 1 })
    await shop.stop()
  })

  it.each<[string, Handler, string]>([
    [
      'throws',
      () => {
        throw new TypeError('no')
      },
      'TypeError: no',
    ],
    ['rejects', async () => Promise.reject('no'), 'no'],
    [
      'returns a value that JSON cannot represent',
      () => 7n,
      'TypeError: What the function returned cannot be written as JSON: TypeError: Do not know how to serialize a BigInt',
    ],
  ])('reports a function that %s', async (_case, handler, message) => {
    const shop = invoker(handler)
    const { payload, failure } = await shop.invoke(call)
    expect(failure).toEqual({ kind: 'threw', message })
    expect(JSON.parse(payload)).toHaveProperty('errorMessage')
    await shop.stop()
  })

  it('times out a handler after its own limit or after the limit of the call if that is shorter', async () => {
    const clock = manualClock()
    const shop = invoker(() => new Promise(() => {}), clock)
    const result = shop.invoke({ ...call, timeLimit: 2000 })
    await clock.advance(2000)
    expect(await result).toMatchObject({
      payload: '{"errorType":"TimeoutError","errorMessage":"shop timed out after 2000 ms"}',
      failure: { kind: 'timeout', message: 'shop timed out after 2000 ms' },
    })
    expect(clock.waiting).toBe(0)
    await shop.stop()
  })

  it('keeps the console output of concurrent invocations separate, even after an await', async () => {
    const shop = inProcessInvoker({
      name: 'shop',
      timeout: 3000,
      clock: systemClock,
      async handler({ a }: { a: string }) {
        console.log('begin %s', a)
        await new Promise(resolve => setImmediate(resolve))
        console.error({ a })
      },
    })
    const results = await Promise.all(
      ['1', '2'].map(a => shop.invoke({ ...call, event: JSON.stringify({ a }) })),
    )
    expect(results.map(({ logs }) => logs)).toEqual(
      ['1', '2'].map(a => [
        { stream: 'out', text: `begin ${a}` },
        { stream: 'err', text: `{ a: '${a}' }` },
      ]),
    )
    await shop.stop()
  })

  it('keeps the console output once each while a spy of a test comes and goes', async () => {
    const shop = inProcessInvoker({
      name: 'shop',
      timeout: 3000,
      clock: systemClock,
      handler: ({ a }: { a: string }) => console.warn(a),
    })
    const output = async (a: string) => (await shop.invoke({ ...call, event: JSON.stringify({ a }) })).logs
    const said = (text: string) => [{ stream: 'err', text }]
    const silent = jest.spyOn(console, 'warn').mockImplementation(() => {})
    expect(await output('before')).toEqual(said('before'))
    silent.mockRestore()
    const spy = jest.spyOn(console, 'warn')
    expect(await output('with a spy that calls the console')).toEqual(
      said('with a spy that calls the console'),
    )
    expect(spy).toHaveBeenCalledTimes(1)
    spy.mockRestore()
    expect(await output('after')).toEqual(said('after'))
    await shop.stop()
  })

  // In a process of its own, no other invoker uses the console.
  it('prints the output too, and gives the console back when the last invoker has stopped', async () => {
    const code = `
      import { systemClock } from '@signalbox/core'
      import { inProcessInvoker } from ${JSON.stringify(new URL('in-process.ts', import.meta.url).href)}
      const { log, error } = console
      const handler = ({ a }) => (console.log('begin %s', a), console.error({ a }))
      const [one, other] = [1, 2].map(() => inProcessInvoker({ name: 'shop', handler, timeout: 3000, clock: systemClock }))
      await one.invoke({ event: '{"a":"1"}', requestId: 'r-1' })
      await one.stop()
      await one.stop()
      await other.invoke({ event: '{"a":"2"}', requestId: 'r-2' })
      if (console.log === log) throw new Error('The console was given back too early.')
      await other.stop()
      if (console.log !== log || console.error !== error) throw new Error('The console was not given back.')`
    const options = ['--conditions=@signalbox/source', '--input-type=module', '--eval', code]
    const printed = await promisify(execFile)(process.execPath, options, { cwd: import.meta.dirname })
    expect(printed).toEqual({ stdout: 'begin 1\nbegin 2\n', stderr: "{ a: '1' }\n{ a: '2' }\n" })
  })
})
