import { inUnits } from './markdown.ts'
import type { Results, Row } from './results.ts'

export const readmeMarkers = ['<!-- benchmarks:start -->', '<!-- benchmarks:end -->'] as const

/** One line of the README's table: a work, and who is told about beside Signalbox. */
interface Line {
  readonly table: string
  readonly setup: string
  readonly work: string
  readonly limit: string
  readonly peers: readonly string[]
}

const lines: readonly Line[] = []

/** The README's short table, out of the results. */
export function readmeTable(results: Results): string {
  return JSON.stringify(results.functions?.tables.length ?? lines.length)
}

/** A page with what stands between the two markers replaced; unchanged when it has no markers. */
export function withTable(page: string, table: string): string {
  const [start, end] = readmeMarkers
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from < 0 || to < from) return page
  return `${page.slice(0, from + start.length)}\n${table}\n${page.slice(to)}`
}

export function faster(row: Row): string {
  return inUnits(row.figures.toOurs?.median ?? 1, 'ratio')
}
