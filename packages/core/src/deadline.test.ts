import { describe, expect, it } from '@jest/globals'
import { deadline } from './index.ts'
import { invocationContext, manualClock } from './testing/index.ts'

describe('deadline', () => {
  it('never passes when neither a context nor a limit is given', () => {
    for (const context of [undefined, {}, { requestId: 'r' }]) {
      const endless = deadline(context)
      expect(endless.remaining()).toBe(Number.POSITIVE_INFINITY)
      expect(endless.signal.aborted).toBe(false)
      expect(endless.signal).toBe(endless.signal)
      endless.end()
    }
  })

  it.each([undefined, null, Number.NaN, 'soon'])('ignores a context whose remaining time is %p', left => {
    const context = { getRemainingTimeInMillis: () => left as number }
    expect(deadline(context).remaining()).toBe(Number.POSITIVE_INFINITY)
    expect(deadline(context, { limit: 0 }).remaining()).toBe(0)
  })

  it('is the remaining time minus the reserve', async () => {
    const clock = manualClock(1_000_000)
    const context = invocationContext({ timeout: 5000, clock })
    const end = deadline(context, { reserve: 250, clock })
    expect(end.remaining()).toBe(4750)
    await clock.advance(4749)
    expect(end.remaining()).toBe(1)
    expect(end.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(end.remaining()).toBe(0)
    expect(end.signal.aborted).toBe(true)
    expect(end.signal.reason).toMatchObject({
      name: 'TimeoutError',
      message: 'The invocation reached its deadline',
    })
    await clock.advance(1000)
    expect(end.remaining()).toBe(0)
  })

  it('counts the limit from its creation, but reads the context only on first use', async () => {
    const clock = manualClock()
    const limited = deadline(undefined, { limit: 1000, clock })
    let questions = 0
    const context = { getRemainingTimeInMillis: () => ++questions * 1000 }
    const granted = deadline(context, { clock })
    await clock.advance(400)
    expect(limited.remaining()).toBe(600)
    expect(questions).toBe(0)
    expect([granted.remaining(), granted.remaining(), questions]).toEqual([1000, 1000, 1])
  })

  it('is the limit minus the reserve when the limit is shorter than the remaining time', () => {
    const clock = manualClock()
    expect(
      deadline(invocationContext({ timeout: 60_000, clock }), {
        limit: 15_000,
        reserve: 500,
        clock,
      }).remaining(),
    ).toBe(14_500)
    expect(deadline(undefined, { limit: 15_000, clock }).remaining()).toBe(15_000)
  })

  it('has an aborted signal when it has already passed', () => {
    const clock = manualClock()
    expect(deadline(invocationContext({ timeout: 100, clock }), { reserve: 250, clock }).signal.aborted).toBe(
      true,
    )
    expect(clock.waiting).toBe(0)
  })

  it('aborts when the signal in its options aborts', () => {
    const clock = manualClock()
    const outer = new AbortController()
    const both = deadline(invocationContext({ clock }), { signal: outer.signal, clock })
    const only = deadline({}, { signal: outer.signal })
    expect(both.signal.aborted).toBe(false)
    outer.abort('stop')
    expect(both.signal.reason).toBe('stop')
    expect(only.signal).toBe(outer.signal)
    both.end()
    expect(clock.waiting).toBe(0)
  })

  it('calls getRemainingTimeInMillis without a `this` value', () => {
    const context = {
      getRemainingTimeInMillis: function (this: unknown) {
        expect(this).toBeUndefined()
        return 10
      },
    }
    const { getRemainingTimeInMillis } = context
    expect(deadline({ getRemainingTimeInMillis }).remaining()).toBeLessThanOrEqual(10)
  })
})
