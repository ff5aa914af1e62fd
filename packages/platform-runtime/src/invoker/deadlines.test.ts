import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { deadlines } from './deadlines.ts'

it('deadlines fire on time unless they are cancelled', async () => {
  const clock = manualClock(1000)
  const { set, callOff } = deadlines(clock)
  const called: string[] = []
  const first = set(1500, () => called.push('first'))
  set(1200, () => called.push('second'))
  await clock.advance(0)
  expect(clock.waiting).toBe(2)
  callOff(first)
  expect(clock.waiting).toBe(1)
  await clock.advance(1000)
  expect(called).toEqual(['second'])
})

it('a deadline that is cancelled in the same turn of the event loop creates no timer', async () => {
  const clock = manualClock()
  const { set, callOff } = deadlines(clock)
  callOff(set(10, () => expect('it').toBe('called off')))
  expect(clock.waiting).toBe(0)
  await clock.advance(100)
  expect(clock.waiting).toBe(0)
})

it('a deadline in the past fires immediately', async () => {
  const clock = manualClock()
  let called = 0
  const { set } = deadlines({ ...clock, now: () => 5000 })
  set(10, () => called++)
  await clock.advance(0)
  expect(called).toBe(1)
})
