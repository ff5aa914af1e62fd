import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { resultsPage } from './harness/markdown.ts'
import { readmeMarkers, readmeTable, withTable } from './harness/readme-table.ts'
import { readResults } from './harness/results.ts'

const results = readResults('benchmarks/results.json')

describe('benchmark pages', () => {
  it("the README's table shows the figures of results.json", () => {
    const page = readFileSync('README.md', 'utf8')
    for (const marker of readmeMarkers) expect(page.split(marker)).toHaveLength(2)
    expect(withTable(page, readmeTable(results))).toBe(page)
  })

  it('RESULTS.md shows the figures of results.json', () => {
    const page = existsSync('benchmarks/RESULTS.md')
      ? readFileSync('benchmarks/RESULTS.md', 'utf8')
      : undefined
    if (results.functions === undefined && page === undefined) return
    expect(resultsPage(results)).toBe(page)
  })
})
