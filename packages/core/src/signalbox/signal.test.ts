import { describe, expect, it } from '@jest/globals'
import { signalbox } from '../index.ts'
import { invocationContext, manualClock } from '../testing/index.ts'
import { rejection } from './testing/rejection.ts'
import { greeter } from './testing/small-families.ts'

describe('the signal of an invocation', () => {
  const patient = (log: string[]) =>
    greeter(
      (_event, _context, { signal }) =>
        new Promise<string>(resolve => {
          signal.addEventListener('abort', () => {
            log.push((signal.reason as Error).name)
            resolve('gave up')
          })
        }),
    )

  it('aborts 250 ms before the deadline of the invocation', async () => {
    const clock = manualClock()
    const log: string[] = []
    const running = signalbox(patient(log), { clock })(
      { greet: 'you' },
      invocationContext({ timeout: 1000, clock }),
    )
    await clock.advance(749)
    expect(log).toEqual([])
    await clock.advance(1)
    expect(log).toEqual(['TimeoutError'])
    expect(await running).toBe('gave up!')
  })

  it('is aborted at once when the remaining time is less than the reserve', async () => {
    const handler = signalbox(
      greeter((_event, _context, { signal }) => String(signal.aborted)),
      { reserve: 5000 },
    )
    const within = (ms: number) => handler({ greet: 'you' }, { getRemainingTimeInMillis: () => ms })
    expect([await within(4000), await within(60_000)]).toEqual(['true!', 'false!'])
  })

  it('starts a timer only when it is read, and stops the timer afterwards', async () => {
    const clock = manualClock()
    const context = invocationContext({ clock })
    let during = -1
    const asking = greeter(async (_event, _context, { signal }) => {
      during = clock.waiting
      return String(signal.aborted)
    })
    const silent = greeter(() => {
      during = clock.waiting
      return 'nothing'
    })
    const throwing = greeter((_event, _context, { signal }) => {
      throw signal
    })
    await signalbox(silent, { clock })({ greet: 'you' }, context)
    expect(during).toBe(0)
    await signalbox(asking, { clock })({ greet: 'you' }, context)
    expect(during).toBe(1)
    expect(clock.waiting).toBe(0)
    await rejection(signalbox(throwing, { clock })({ greet: 'you' }, context))
    expect(clock.waiting).toBe(0)
  })

  it('aborts at middy’s early time-out when the option timeoutEarlyInMillis is set', async () => {
    const log: string[] = []
    const handler = signalbox(patient(log), {
      reserve: 0,
      timeoutEarlyInMillis: 59_500,
      timeoutEarlyResponse: () => 'early',
    })
    expect(await handler({ greet: 'you' }, invocationContext({ timeout: 60_000 }))).toBe('early!')
    expect(log).toEqual(['AbortError'])
  })
})
