import { describe, expect, it } from '@jest/globals'
import { inUnits, resultsPage } from './markdown.ts'
import type { Part } from './results.ts'

describe('inUnits', () => {
  it.each([
    [1.234, 'ratio', '1.23'],
    [12.34, 'ratio', '12.3'],
    [1234, 'ratio', '1,234'],
    [12.34, 'ns', '12.3 ns'],
    [1234, 'ns', '1.23 µs'],
    [-1234, 'ns', '-1.23 µs'],
    [1.5, 'ms', '1.50 ms'],
    [999, 'bytes', '999 B'],
    [59_700, 'bytes', '59.7 kB'],
    [12_345, 'per second', '12,300/s'],
    [12_345, 'count', '12,345'],
  ] as const)('writes %d in the unit "%s" as "%s"', (value, unit, text) => {
    expect(inUnits(value, unit)).toBe(text)
  })
})

describe('resultsPage', () => {
  const one = { median: 1, low: 1, high: 1 }
  const part: Part = {
    date: '2020-01-01',
    command: 'npm run bench',
    machine: { node: 'Node 24', processor: 'a processor', processors: 2, system: 'Linux 6' },
    versions: { middy: '7.0.0' },
    tables: [
      {
        name: 'guard',
        title: 'Guard',
        columns: [{ key: 'toOurs', title: '×', unit: 'ratio' }],
        rows: [
          { setup: 's', contender: 'Signalbox', role: 'ours', figures: { toOurs: one } },
          {
            setup: 's',
            contender: 'peer | other',
            role: 'peer',
            figures: { toOurs: { median: 2, low: 1.5, high: 3 } },
            difference: 'it says no',
          },
        ],
        goals: [{ goal: 'fast', figure: one, unit: 'ratio', reached: false, reason: 'It waits.' }],
      },
    ],
  }
  const page = resultsPage({ functions: part })

  it('names the command, the machine and the versions', () => {
    expect(page).toContain('`npm run bench` on 2020-01-01, Node 24, 2 × a processor, Linux 6.')
    expect(page).toContain('Versions: middy 7.0.0.')
    expect(page).toContain('Not measured yet: `npm run bench:cold`.')
  })

  it('marks contenders that answer differently, and explains the difference', () => {
    expect(page).toContain('| **Signalbox** | 1.00 |')
    expect(page).toContain('| peer \\| other † | 2.00 (1.50–3.00) |')
    expect(page).toContain('† peer | other: it says no.')
  })

  it('lists each missed goal with its reason', () => {
    expect(page).toContain('### Goals: 0 of 1 reached')
    expect(page).toContain('Not reached: fast. It waits.')
  })
})
