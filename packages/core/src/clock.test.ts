import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { systemClock } from './index.ts'
import { invocationContext, manualClock } from './testing/index.ts'

describe('systemClock', () => {
  afterEach(() => {
    jest.restoreAllMocks()
  })

  it('returns the time of the machine', () => {
    const before = Date.now()
    const now = systemClock.now()
    expect(now).toBeGreaterThanOrEqual(before)
    expect(now).toBeLessThanOrEqual(Date.now())
  })

  it('does not jump back when the wall clock is set back an hour', async () => {
    const before = systemClock.now()
    const wall = Date.now
    jest.spyOn(Date, 'now').mockImplementation(() => wall() - 3_600_000)
    const after = systemClock.now()
    expect(after).toBeGreaterThanOrEqual(before)
    expect(after).toBeLessThan(before + 60_000)
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(systemClock.now()).toBeGreaterThanOrEqual(after + 15)
  })

  it('jumps forward with the wall clock, for example after the machine slept', () => {
    const before = systemClock.now()
    const wall = Date.now
    jest.spyOn(Date, 'now').mockImplementation(() => wall() + 1000)
    expect(systemClock.now()).toBeGreaterThanOrEqual(before + 1000)
  })

  it('runs a callback once after the delay, unless the timer is cancelled', async () => {
    const ran: string[] = []
    const cancel = systemClock.after(1, () => ran.push('cancelled'))
    cancel()
    await new Promise<void>(resolve => {
      systemClock.after(5, () => {
        ran.push('ran')
        resolve()
      })
    })
    expect(ran).toEqual(['ran'])
  })

  it('waits even for a delay of more than 31 bits, for which setTimeout would fire at once', async () => {
    let fired = false
    const cancel = systemClock.after(2 ** 40, () => {
      fired = true
    })
    await new Promise(resolve => setTimeout(resolve, 10))
    cancel()
    expect(fired).toBe(false)
  })

  it('does not go back when fake timers set both the wall clock and the monotonic clock back', () => {
    const before = systemClock.now()
    const [wall, monotonic] = [Date.now(), performance.now()]
    jest.spyOn(Date, 'now').mockReturnValue(wall - 1000)
    jest.spyOn(performance, 'now').mockReturnValue(monotonic - 1000)
    expect(systemClock.now()).toBeGreaterThanOrEqual(before)
  })
})

describe('manualClock', () => {
  it('stands still until it is advanced, then runs due timers in order', async () => {
    const clock = manualClock(100)
    const ran: [string, number][] = []
    const note = (name: string) => () => void ran.push([name, clock.now()])
    clock.after(30, note('late'))
    clock.after(10, note('early'))
    clock.after(-5, note('overdue'))
    clock.after(20, note('cancelled'))()
    expect(clock.waiting).toBe(3)
    expect(clock.now()).toBe(100)
    await clock.advance(25)
    expect(ran).toEqual([
      ['overdue', 100],
      ['early', 110],
    ])
    expect(clock.now()).toBe(125)
    await clock.advance(5)
    expect(ran[2]).toEqual(['late', 130])
    expect(clock.waiting).toBe(0)
  })

  it('also runs timers that are set while it advances', async () => {
    const clock = manualClock()
    const ran: number[] = []
    clock.after(10, () => {
      Promise.resolve().then(() => clock.after(10, () => ran.push(clock.now())))
    })
    await clock.advance(50)
    expect(ran).toEqual([20])
  })
})

describe('invocationContext()', () => {
  it('grants five seconds, minus the time that has passed', async () => {
    const clock = manualClock()
    const context = invocationContext({ clock })
    expect(context.getRemainingTimeInMillis?.()).toBe(5000)
    await clock.advance(6000)
    expect(context.getRemainingTimeInMillis?.()).toBe(0)
    expect(invocationContext().getRemainingTimeInMillis?.()).toBeGreaterThan(4000)
    expect(invocationContext({ timeout: 7, requestId: 'r', functionName: 'f' })).toMatchObject({
      requestId: 'r',
      functionName: 'f',
    })
  })
})
