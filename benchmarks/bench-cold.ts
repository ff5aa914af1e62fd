import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { bundle } from './cold/bundle.ts'
import { budgets, type ColdContender, coldContenders } from './cold/contenders.ts'
import { machine, versions } from './harness/machine.ts'
import { inUnits, tablePage } from './harness/markdown.ts'
import type { Goal, Row, Table } from './harness/results.ts'
import { type Spread, spread } from './harness/spread.ts'
import { writePart } from './harness/write-part.ts'

/** Fresh processes for each contender. */
const starts = 30

interface Cold {
  readonly contender: ColdContender
  readonly minified: number
  readonly gzip: number
  /** Bytes of each package in it. */
  readonly parts: Readonly<Record<string, number>>
  readonly importing: number[]
  readonly answered: number[]
  readonly paths: readonly [bundle: string, event: string]
}

const folder = mkdtempSync(join(tmpdir(), 'signalbox-cold-'))
try {
  const all = await Promise.all(coldContenders.map(prepare))
  // One after the other and all in turn, so that the machine's moods fall on all of them alike.
  for (let start = 0; start <= starts; start++) {
    for (const cold of all) await run(cold, start > 0)
  }
  const table = tabulate(all)
  console.log(tablePage(table))
  writePart('cold', {
    date: new Date().toISOString().slice(0, 10),
    command: 'npm run bench:cold',
    machine: machine(),
    versions: versions(['esbuild', ...packages()]),
    tables: [table],
  })
} finally {
  rmSync(folder, { recursive: true })
}

async function prepare(contender: ColdContender): Promise<Cold> {
  const { code, parts } = await bundle(contender.file)
  const paths = [join(folder, `${contender.file}.mjs`), join(folder, `${contender.file}.json`)] as const
  writeFileSync(paths[0], code)
  writeFileSync(paths[1], JSON.stringify(contender.event))
  return {
    contender,
    minified: code.byteLength,
    gzip: gzipSync(code).byteLength,
    parts,
    importing: [],
    answered: [],
    paths,
  }
}

/** Starts a process. The first start of each only fills the machine's file cache. */
async function run({ contender, importing, answered, paths }: Cold, counts: boolean): Promise<void> {
  const script = fileURLToPath(new URL('cold/run.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...paths])
  const said = JSON.parse(stdout) as { importing: number; answered: number; answer?: never }
  if (!contender.right((said.answer ?? {}) as never)) {
    throw new Error(`${contender.name} answered ${JSON.stringify(said.answer)}`)
  }
  if (!counts) return
  importing.push(said.importing)
  answered.push(said.answered)
}

function tabulate(all: readonly Cold[]): Table {
  const bare = all.find(({ contender }) => contender.file === 'middy')!
  return {
    name: 'cold',
    title: 'A handler of one family: its bundle, and its first answer in a fresh process',
    about: `Bundled with esbuild, minified, \`module\` before \`main\`. Times are the median of ${starts} processes, one after the other and all contenders in turn; the first answer is counted from the start of the process.`,
    columns: [
      { key: 'minified', title: 'minified', unit: 'bytes' },
      { key: 'gzip', title: 'gzip', unit: 'bytes' },
      { key: 'importing', title: 'import', unit: 'ms' },
      { key: 'toMiddy', title: '× bare middy', unit: 'ratio' },
      { key: 'answered', title: 'first answer', unit: 'ms' },
    ],
    rows: all.map(cold => rowOf(cold, bare)),
    goals: goals(all, bare),
  }
}

function rowOf({ contender, minified, gzip, importing, answered }: Cold, bare: Cold): Row {
  return {
    setup: '',
    contender: contender.name,
    role: contender.role,
    figures: {
      minified: spread([minified]),
      gzip: spread([gzip]),
      importing: spread(importing),
      toMiddy: ratio(importing, bare.importing),
      answered: spread(answered),
    },
  }
}

function goals(all: readonly Cold[], bare: Cold): Goal[] {
  const budgeted = all.filter(({ contender: { file } }) => budgets[file] !== undefined)
  const handlers = budgeted.filter(({ contender: { file } }) => file !== 'signalbox-codec')
  const peers = all.filter(({ contender: { role, validates } }) => role === 'peer' && validates)
  return [
    ...budgeted.map(({ contender: { name, file }, minified, parts }): Goal => {
      const { goal: most, otherwise } = budgets[file]!
      const goal = `${name} at most ${inUnits(most, 'bytes')} minified`
      return judged(goal, spread([minified]), 'bytes', minified <= most, `${largest(parts)} ${otherwise}`)
    }),
    ...handlers.map(({ contender: { name }, answered, importing }): Goal => {
      const figure = ratio(answered, bare.answered)
      const goal = `${name}, from the start of the process to the first answer, at most 1.5 × bare middy`
      return judged(goal, figure, 'ratio', figure.median <= 1.5, whyLate(importing))
    }),
    ...handlers.map(({ contender: { name }, minified, importing }): Goal => {
      const figure = ratio(importing, bare.importing)
      const goal = `${name}, the import alone, at most 1.5 × bare middy`
      return judged(goal, figure, 'ratio', figure.median <= 1.5, whySlow(minified, importing, bare))
    }),
    ...handlers.map(({ contender: { name }, answered, importing }): Goal => {
      const nearest = peers
        .map(peer => ratio(answered, peer.answered))
        .sort((a, b) => b.median - a.median)[0]!
      const goal = `${name} answers before every peer that validates: beside the fastest of them`
      return judged(goal, nearest, 'ratio', nearest.median <= 1, whyLate(importing))
    }),
  ]
}

function judged(goal: string, figure: Spread, unit: Goal['unit'], reached: boolean, reason: string): Goal {
  return { goal, figure, unit, reached, ...(reached ? {} : { reason }) }
}

/** What a bundle is made of, the largest parts first. */
function largest(parts: Readonly<Record<string, number>>): string {
  const named = Object.entries(parts)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 6)
    .map(([name, bytes]) => `${name} ${inUnits(bytes, 'bytes')}`)
  return `In it: ${named.join(', ')}.`
}

function whyLate(importing: readonly number[]): string {
  return `The import takes ${inUnits(spread(importing).median * 1e6, 'ns')} of it; see there.`
}

function whySlow(minified: number, importing: readonly number[], bare: Cold): string {
  const time = spread(importing).median
  const perKilobyte = ((time - spread(bare.importing).median) / (minified - bare.minified)) * 1000
  return `Reading and parsing a bundle and running it for the first time, about half of it each, come to ${inUnits(perKilobyte * 1e6, 'ns')} for each kilobyte, so that one of more than ${inUnits(bare.minified + (0.5 * spread(bare.importing).median * 1000) / perKilobyte, 'bytes')} cannot reach this.`
}

/** Of the medians; the spread is that of the middle half of the processes. */
function ratio(a: readonly number[], b: readonly number[]) {
  const ratios = a.map((time, start) => time / b[start]!).sort((x, y) => x - y)
  const quarter = Math.floor(ratios.length / 4)
  return {
    median: spread(a).median / spread(b).median,
    low: ratios[quarter]!,
    high: ratios[ratios.length - 1 - quarter]!,
  }
}

function packages(): string[] {
  return [
    '@middy/core',
    '@middy/http-router',
    '@aws-lambda-powertools/batch',
    '@aws-lambda-powertools/event-handler',
    'hono',
    'lambda-api',
    'ajv',
    'zod',
    'valibot',
    'io-ts',
  ]
}
