import { describe, expect, it } from '@jest/globals'
import { tabulate } from './figures.ts'
import type { Contender, Work } from './work.ts'

const run = () => undefined
const contenders: readonly Contender[] = [
  { name: 'by hand', role: 'limit', run },
  { name: 'Signalbox', role: 'ours', run },
]
const work: Work = {
  name: 'batch',
  title: 'a batch',
  unit: 'record',
  setups: [
    { name: 'small', units: 10, contenders },
    { name: 'large', units: 100, contenders },
  ],
  ratios: [
    { setup: 'small', of: 'Signalbox', to: 'by hand', atMost: 1.5, otherwise: 'why' },
    { setup: 'large', of: 'Signalbox', to: 'by hand', atMost: 1.5, otherwise: 'why' },
    { setup: 'small', of: 'by hand', to: 'Signalbox', atLeast: 2 },
  ],
  growth: [
    { of: 'Signalbox', from: 'small', to: 'large', atMost: 1.2, together: 'flat' },
    { of: 'by hand', from: 'small', to: 'large', atMost: 1.2, together: 'flat' },
  ],
  extra: [{ of: 'by hand', from: 'small', to: 'large', atMost: 850 }],
}
const timing = (setup: string, contender: string, rounds: number[]) => ({ setup, contender, rounds })
const table = tabulate(work, {
  timings: [
    timing('small', 'by hand', [100, 200, 100]),
    timing('small', 'Signalbox', [200, 400, 400]),
    timing('large', 'by hand', [1_000, 1_000, 1_000]),
    timing('large', 'Signalbox', [1_400, 1_500, 1_600]),
  ],
  allocations: [{ setup: 'small', contender: 'Signalbox', bytes: 7 }],
  differences: { small: { 'by hand': 'it differs' } },
})

describe('tabulate', () => {
  it('computes the ratio of two contenders in each round, instead of the ratio of their medians', () => {
    expect(table.rows[0]?.figures.toOurs).toEqual({ median: 0.5, low: 0.25, high: 0.5 })
    expect(table.rows[1]?.figures.toOurs).toEqual({ median: 1, low: 1, high: 1 })
  })

  it('has columns for time, time per unit, bytes and differences', () => {
    expect(table.rows[0]).toMatchObject({
      setup: 'small',
      difference: 'it differs',
      figures: { time: { median: 100, low: 100, high: 200 }, perUnit: { median: 10 } },
    })
    expect(table.rows[1]?.figures.bytes?.median).toBe(7)
    expect(table.rows[0]?.figures.bytes).toBeUndefined()
  })

  it('checks ratio goals, and gives a reason only for a missed goal', () => {
    expect(table.goals[0]).toMatchObject({ figure: { median: 2 }, reached: false, reason: 'why' })
    expect(table.goals[1]).toMatchObject({ figure: { median: 1.5 }, reached: true })
    expect(table.goals[1]).not.toHaveProperty('reason')
    expect(table.goals[2]).toMatchObject({ figure: { median: 2 }, reached: true })
  })

  it('checks growth goals, and shows only the worst of several goals with the same text', () => {
    expect(table.goals[3]).toMatchObject({ goal: 'flat', figure: { median: 1 }, reached: true })
  })

  it('checks goals for the additional time that a longer input takes', () => {
    expect(table.goals[4]).toMatchObject({ figure: { median: 900 }, unit: 'ns', reached: false })
  })
})
