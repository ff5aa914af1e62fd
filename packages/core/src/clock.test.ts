import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { systemClock } from './index.ts'
import { invocationContext, manualClock } from './testing/index.ts'

describe('systemClock', () => {
  afterEach(() => {
    jest.restoreAllMocks()
  })

  it('returns the time of the machine', () => {
    // The process may have read the time long ago, and a machine may correct its time by a few milliseconds since.
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000)
  })

  it.each([
    ['forward', 400 * 86_400_000],
    ['back', -3_600_000],
  ])('does not notice that the wall clock is set %s, but returns its time as wall()', (_, jump) => {
    const before = systemClock.now()
    const wall = Date.now
    jest.spyOn(Date, 'now').mockImplementation(() => wall() + jump)
    const after = systemClock.now()
    expect(after - before).toBeGreaterThanOrEqual(0)
    expect(after - before).toBeLessThan(60_000)
    expect(Math.abs(systemClock.wall() - Date.now())).toBeLessThan(60_000)
    // A moment before the jump, too, is told in the wall clock's time.
    expect(systemClock.wall(before) - before - jump).toBeLessThan(60_000)
    jest.restoreAllMocks()
    expect(Math.abs(systemClock.wall() - Date.now())).toBeLessThan(60_000)
  })

  it('forgives a wall clock that was ahead for a moment', () => {
    const before = systemClock.now()
    const wall = Date.now
    jest.spyOn(Date, 'now').mockImplementation(() => wall() + 3_600_000)
    systemClock.now()
    systemClock.wall()
    jest.restoreAllMocks()
    expect(systemClock.now() - before).toBeLessThan(60_000)
    expect(systemClock.wall() - before).toBeLessThan(60_000)
  })

  it('gives a moment one wall time, despite rounding', () => {
    const moment = systemClock.now()
    const times = new Set(Array.from({ length: 1000 }, () => systemClock.wall(moment)))
    expect(times.size).toBe(1)
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

  it('does not go back, and goes on, when fake timers set both clocks back', () => {
    const before = systemClock.now()
    const [wall, [seconds, nanoseconds]] = [Date.now(), process.hrtime()]
    jest.spyOn(Date, 'now').mockReturnValue(wall - 1000)
    const passed = jest.spyOn(process, 'hrtime').mockReturnValue([seconds - 2, nanoseconds])
    const set = systemClock.now()
    expect(set).toBeGreaterThanOrEqual(before)
    passed.mockReturnValue([seconds - 1, nanoseconds])
    expect(systemClock.now() - set).toBeGreaterThanOrEqual(999)
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

  it('waits after each timer until what the timer began has ended, if the caller says when', async () => {
    const clock = manualClock()
    const ran: number[] = []
    let running: Promise<void> | undefined
    const work = async () => {
      for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate)
      ran.push(clock.now())
      clock.after(10, () => ran.push(clock.now()))
    }
    clock.after(10, () => {
      running = work()
    })
    await clock.advance(50, async () => running)
    expect(ran).toEqual([10, 20])
  })
})

it('a manual clock with runsDueTimers runs a timer of zero milliseconds by itself, but no other one', async () => {
  const clock = manualClock(0, { runsDueTimers: true })
  const ran: string[] = []
  clock.after(0, () => ran.push('due'))
  clock.after(0, () => ran.push('cancelled'))()
  clock.after(1, () => ran.push('later'))
  for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate)
  expect([ran, clock.waiting]).toEqual([['due'], 1])
})

describe('manualClock.jump()', () => {
  it('sets the wall clock alone, forward and back, and fires nothing', async () => {
    const clock = manualClock(100)
    const ran: string[] = []
    clock.after(10, () => ran.push('timer'))
    clock.jump(3_600_000)
    expect([clock.now(), clock.wall(), clock.wall(50)]).toEqual([100, 3_600_100, 3_600_050])
    await clock.advance(5)
    expect([clock.now(), clock.wall(), ran.length]).toEqual([105, 3_600_105, 0])
    clock.jump(-3_600_000)
    await clock.advance(5)
    expect([clock.now(), clock.wall(), ran.length]).toEqual([110, 110, 1])
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
