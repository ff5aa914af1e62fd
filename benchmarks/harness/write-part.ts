import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { resultsPage } from './markdown.ts'
import { readmeTable, withTable } from './readme-table.ts'
import { type Part, type Results, readResults, writeResults } from './results.ts'

const file = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/**
 * Writes the figures of one command into `results.json` and keeps the figures of other commands. Updates RESULTS.md and
 * the README's table.
 */
export function writePart(name: keyof Results, part: Part): void {
  const results: Results = { ...readResults(file('results.json')), [name]: part }
  writeResults(file('results.json'), results)
  writeFileSync(file('RESULTS.md'), resultsPage(results))
  const readme = file('../README.md')
  if (existsSync(readme)) {
    writeFileSync(readme, withTable(readFileSync(readme, 'utf8'), readmeTable(results)))
  }
}
