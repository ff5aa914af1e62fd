import { inUnits } from './markdown.ts'
import type { Part, Results, Row } from './results.ts'

/** The markers around the README's table. */
export const readmeMarkers = ['<!-- benchmarks:start -->', '<!-- benchmarks:end -->'] as const

/** Describes a row of the table. The row omits contenders that answer differently: see RESULTS.md. */
interface Line {
  readonly work: string
  readonly table: string
  readonly setup: string
  readonly limit: string
  /** Words after the figure of `limit`, if it is not the plain hand-written code. */
  readonly limitNote?: string
  readonly peers: Readonly<Record<string, string>>
}

const lines: readonly Line[] = [
  {
    work: 'guard a token-generation event',
    table: 'guard',
    setup: 'valid event',
    limit: 'hand-written',
    peers: { ajv: 'ajv', 'typebox compiled': 'typebox', 'io-ts is': 'io-ts', 'zod 4': 'zod' },
  },
  {
    work: 'a trigger, end to end',
    table: 'trigger',
    setup: 'token generation',
    limit: 'hand-written, as a plugin',
    limitNote: 'as a plugin',
    peers: { 'middy + ajv': 'middy + ajv', 'middy + zod 4': 'middy + zod' },
  },
  {
    work: 'a batch of 1,000, bodies validated',
    table: 'batch',
    setup: '1,000 records',
    limit: 'hand-written',
    peers: { 'middy + io-ts': 'middy + io-ts', 'Powertools batch + zod 4': 'Powertools + zod' },
  },
  {
    work: 'a FIFO batch of 1,000 in 50 groups',
    table: 'fifo',
    setup: '1,000 records in 50 groups, 1 ms each',
    limit: 'hand-written',
    peers: { 'Powertools FIFO': 'Powertools' },
  },
  {
    work: 'an HTTP request, 150 routes',
    table: 'http',
    setup: 'single headers',
    limit: 'hand-written',
    peers: {
      'middy router and friends': 'middy router',
      'lambda-api': 'lambda-api',
      'Hono, Lambda adapter': 'Hono',
      'Powertools event handler': 'Powertools',
    },
  },
  {
    work: 'ten mail actions, 500 recipients',
    table: 'mail',
    setup: '500 recipients',
    limit: 'hand-written',
    peers: {},
  },
]

/** Returns the short table of the README, made from the results, or an empty string if there are none. */
export function readmeTable({ functions, cold }: Results): string {
  if (functions === undefined) return ''
  return [
    'The time that others take for the same work, where Signalbox takes 1; answers were compared first:',
    '',
    ...aligned([
      '| work | written by hand | peers |',
      '| --- | --- | --- |',
      ...lines.flatMap(line => lineOf(line, functions)),
    ]),
    '',
    `Measured with ${functions.machine.node} by \`npm run bench\`, which takes under five minutes;`,
    `[all figures](benchmarks/RESULTS.md), with spread, memory and the goals that are not reached.`,
    ...(cold ? bundleLine(cold) : []),
  ].join('\n')
}

function lineOf({ work, table, setup, limit, limitNote, peers }: Line, part: Part): string[] {
  const rows = part.tables.find(({ name }) => name === table)?.rows.filter(row => row.setup === setup)
  if (rows === undefined) return []
  const find = (contender: string): Row => {
    const row = rows.find(row => row.contender === contender)
    if (row === undefined) throw new Error(`no contender ${contender} was measured in ${table}, ${setup}`)
    return row
  }
  const others = Object.entries(peers).flatMap(([contender, short]) => {
    const row = find(contender)
    return row.difference === undefined ? [`${short} ${ratioOf(row)}`] : []
  })
  const byHand = [ratioOf(find(limit)), limitNote].filter(Boolean).join(' ')
  return [`| ${work} | ${byHand} | ${others.join(' · ')} |`]
}

function ratioOf(row: Row): string {
  const ratio = row.figures.toOurs
  return ratio === undefined ? '' : inUnits(ratio.median, 'ratio')
}

function bundleLine(cold: Part): string[] {
  const rows = cold.tables[0]?.rows ?? []
  const sizes = [
    ['Signalbox queue', 'here'],
    ['middy batch + io-ts', 'with middy and io-ts'],
    ['Powertools batch + zod 4', 'with Powertools and zod'],
  ].flatMap(([contender, words]) => {
    const minified = rows.find(row => row.contender === contender)?.figures.minified
    return minified === undefined ? [] : [`${inUnits(minified.median, 'bytes')} ${words}`]
  })
  return [`A bundled queue function has ${sizes.join(', ')} (\`npm run bench:cold\`).`]
}

/** Replaces the text between the two markers of a page. A page without markers stays unchanged. */
export function withTable(page: string, table: string): string {
  const [start, end] = readmeMarkers
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from < 0 || to < from) return page
  return `${page.slice(0, from + start.length)}\n${table === '' ? '' : `${table}\n`}${page.slice(to)}`
}

/** Aligns the columns of a table. */
function aligned(rows: readonly string[]): string[] {
  const cells = rows.map(row =>
    row
      .slice(1, -1)
      .split('|')
      .map(cell => cell.trim()),
  )
  const width = (column: number) => Math.max(...cells.map(row => row[column]?.length ?? 0))
  return cells.map(row => {
    const padded = row.map((cell, column) =>
      /^-+$/.test(cell) ? '-'.repeat(width(column)) : cell.padEnd(width(column)),
    )
    return `| ${padded.join(' | ')} |`
  })
}
