import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { claim, claimCell, takeBack } from './claim.ts'
import { following, lastTask } from './task.ts'

/** Tasks in the order in which they are sent, some of them with the highest numbers. */
const sent = fc
  .tuple(fc.constantFrom(0, 41, lastTask - 3, lastTask), fc.integer({ min: 1, max: 16 }))
  .map(([before, count]) => {
    const tasks = [following(before)]
    while (tasks.length < count) tasks.push(following(tasks.at(-1)!))
    return { before, tasks }
  })

describe('claim() and takeBack()', () => {
  it('start each task unless it was taken back', () => {
    fc.assert(
      fc.property(sent, fc.nat(16), ({ before, tasks }, count) => {
        const cell = claimCell()
        claim(cell, before)
        const early = tasks.slice(0, count)
        expect(early.every(task => claim(cell, task))).toBe(true)
        const latest = takeBack(cell, tasks.at(-1)!)
        expect(latest).toBe(early.at(-1) ?? before)
        expect(tasks.slice(count).some(task => claim(cell, task))).toBe(false)
        expect(claim(cell, following(tasks.at(-1)!))).toBe(true)
      }),
    )
  })

  it('do not take back what was sent after the request', () => {
    const cell = claimCell()
    for (const task of [1, 2, 3]) claim(cell, task)
    expect(takeBack(cell, 2)).toBe(3)
    expect(claim(cell, 4)).toBe(true)
  })

  it('take tasks back a second time', () => {
    const cell = claimCell()
    claim(cell, 1)
    expect(takeBack(cell, 4)).toBe(1)
    expect(takeBack(cell, 4)).toBe(4)
    expect(takeBack(cell, 9)).toBe(4)
    expect([7, 9, 10].map(task => claim(cell, task))).toEqual([false, false, true])
  })
})
