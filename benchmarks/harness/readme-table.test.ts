import { describe, expect, it } from '@jest/globals'
import { readmeMarkers, readmeTable, withTable } from './readme-table.ts'
import type { Results, Row } from './results.ts'

const row = (contender: string, ratio: number, difference?: string): Row => ({
  setup: 'valid event',
  contender,
  role: 'peer',
  figures: { toOurs: { median: ratio, low: ratio, high: ratio } },
  ...(difference === undefined ? {} : { difference }),
})
const results: Results = {
  functions: {
    date: '2020-01-01',
    command: 'npm run bench',
    machine: { node: 'Node 24', processor: 'a processor', processors: 2, system: 'Linux 6' },
    versions: {},
    tables: [
      {
        name: 'guard',
        title: 'Guard',
        columns: [],
        rows: [
          row('hand-written', 0.9),
          row('ajv', 1.3),
          row('typebox compiled', 5),
          row('io-ts is', 11),
          row('zod 4', 44, 'it says no'),
        ],
        goals: [],
      },
    ],
  },
}

describe('readmeTable', () => {
  it('returns a row for each measured task, and omits contenders that answer differently', () => {
    expect(readmeTable(results)).toContain(
      '| guard a token-generation event | 0.90            | ajv 1.30 · typebox 5.00 · io-ts 11.0 |',
    )
    expect(readmeTable(results)).not.toContain('zod')
  })

  it('returns an empty string if there are no results', () => {
    expect(readmeTable({})).toBe('')
  })
})

describe('withTable', () => {
  const [start, end] = readmeMarkers

  it('replaces the text between the markers, even when it is called twice', () => {
    const page = `a\n${start}\n${end}\nb`
    const once = withTable(page, 'table')
    expect(once).toBe(`a\n${start}\ntable\n${end}\nb`)
    expect(withTable(once, 'table')).toBe(once)
    expect(withTable(once, '')).toBe(page)
  })

  it('does not change a page without markers', () => {
    expect(withTable('a page', 'table')).toBe('a page')
  })
})
