import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { bundle } from './cold/bundle.ts'
import { budgets, type ColdContender, coldContenders, familyOf } from './cold/contenders.ts'
import { type Answer, type Family, families } from './cold/families.ts'
import { compareAnswers, type Differences } from './harness/answers.ts'
import { machine, versions } from './harness/machine.ts'
import { inUnits, tablePage } from './harness/markdown.ts'
import type { Goal, Row, Table } from './harness/results.ts'
import { type Spread, spread } from './harness/spread.ts'
import { writePart } from './harness/write-part.ts'

/** The goals for the time of `eachMessage`, as a multiple of the time of peers that check only bodies. */
const eachMessageAtMost: Readonly<Record<string, number>> = {
  'middy batch + io-ts, bodies only': 1,
  'Powertools batch + valibot, bodies only': 1.05,
}

/** The number of fresh processes for each contender. */
const starts = 60

interface Cold {
  readonly contender: ColdContender
  readonly minified: number
  readonly gzip: number
  /** The number of bytes that each package adds to the bundle. */
  readonly parts: Readonly<Record<string, number>>
  readonly importing: number[]
  /** The times of the import and the first call. */
  readonly called: number[]
  readonly answered: number[]
  readonly bundle: string
  /** The path of a JSON file that contains only the event that is timed. */
  readonly question: string
}

/** The JSON that cold/run.mjs prints. */
interface Said {
  readonly importing: number
  readonly called: number
  readonly answered: number
  readonly answers: readonly Answer[]
}

const folder = mkdtempSync(join(tmpdir(), 'signalbox-cold-'))
try {
  const all = await Promise.all(coldContenders.map(prepare))
  const differences = new Map<string, string>()
  for (const [name, family] of Object.entries(families)) {
    const contenders = all.filter(({ contender }) => familyOf(contender) === name)
    for (const [who, difference] of await compare(name, family, contenders)) differences.set(who, difference)
  }
  // The contenders alternate, so that other load on the machine affects all of them equally.
  for (let start = 0; start <= starts; start++) {
    for (const cold of all) await time(cold, start > 0)
  }
  const table = tabulate(all, differences)
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
  const { code, parts } = await bundle(contender.file, contender.compiled)
  const name = contender.name.replaceAll(/\W+/g, '-')
  const path = join(folder, `${name}.mjs`)
  writeFileSync(path, code)
  return {
    contender,
    minified: code.byteLength,
    gzip: gzipSync(code).byteLength,
    parts,
    importing: [],
    called: [],
    answered: [],
    bundle: path,
    question: asFile(`${familyOf(contender)}.json`, questionsOf(contender).slice(0, 1)),
  }
}

function questionsOf(contender: ColdContender): readonly unknown[] {
  const family = familyOf(contender)
  return family === undefined ? [] : families[family].questions
}

function asFile(name: string, value: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(value))
  return path
}

/**
 * Sends the same events to all handlers of a family, each in its own process, and compares their answers with
 * those of Signalbox.
 */
function compare(name: string, { questions, conclude }: Family, all: readonly Cold[]) {
  const path = asFile(`${name}-questions.json`, questions)
  const contenders = all.map(cold => ({
    name: cold.contender.name,
    role: cold.contender.role,
    run: async () => {
      const { answers } = await ask(cold, path)
      return answers.map((answer, i) => conclude(answer, questions[i] as never) ?? null)
    },
  }))
  return compareAnswers({ name, contenders })
}

/**
 * Starts a process, and records its times if `counts` is true. The first start of each contender does not count,
 * because it only fills the file cache.
 */
async function time(cold: Cold, counts: boolean): Promise<void> {
  const { importing, called, answered } = await ask(cold, cold.question)
  if (!counts) return
  cold.importing.push(importing)
  cold.called.push(called)
  cold.answered.push(answered)
}

async function ask(cold: Cold, questions: string): Promise<Said> {
  const script = fileURLToPath(new URL('cold/run.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, cold.bundle, questions])
  return JSON.parse(stdout) as Said
}

function tabulate(all: readonly Cold[], differences: Differences): Table {
  const bare = all.find(({ contender }) => contender.file === 'middy')!
  const empty = all.find(({ contender }) => contender.file === 'empty')!
  return {
    name: 'cold',
    title: 'A handler of one family: its bundle, and its first answer in a fresh process',
    about: `Bundled with esbuild, minified, \`module\` before \`main\`. Times are the median of ${starts} processes, one after the other and all contenders in turn; the first answer is counted from the start of the process. The own time is that of the import and the first call, less that of an empty file. The first event is valid, and no message of it fails: Signalbox logs failures, the peers do not. Who answers differently leaves checks out.`,
    columns: [
      { key: 'minified', title: 'minified', unit: 'bytes' },
      { key: 'gzip', title: 'gzip', unit: 'bytes' },
      { key: 'importing', title: 'import', unit: 'ms' },
      { key: 'toMiddy', title: '× bare middy', unit: 'ratio' },
      { key: 'own', title: 'own time × bare middy', unit: 'ratio' },
      { key: 'answered', title: 'first answer', unit: 'ms' },
    ],
    rows: all.map(cold => rowOf(cold, bare, empty, differences)),
    goals: goals(all, bare, empty, differences),
  }
}

/** Returns the times of the import and the first call, minus the median time of an empty file. */
function ownTimes({ called }: Cold, empty: Cold): readonly number[] {
  const least = spread(empty.called).median
  return called.map(time => time - least)
}

function rowOf(cold: Cold, bare: Cold, empty: Cold, differences: Differences): Row {
  const { contender, minified, gzip, importing, answered } = cold
  const difference = differences.get(contender.name)
  return {
    setup: familyOf(contender) ?? '',
    contender: contender.name,
    role: contender.role,
    figures: {
      minified: spread([minified]),
      gzip: spread([gzip]),
      importing: spread(importing),
      toMiddy: ratioOf(importing, bare.importing),
      own: ratioOf(ownTimes(cold, empty), ownTimes(bare, empty)),
      answered: spread(answered),
    },
    ...(difference === undefined ? {} : { difference }),
  }
}

function goals(all: readonly Cold[], bare: Cold, empty: Cold, differences: Differences): Goal[] {
  const budgeted = all.filter(
    ({ contender: { file, compiled } }) => budgets[file] !== undefined && (compiled || !file.includes('/')),
  )
  const handlers = budgeted.filter(({ contender: { file } }) => file !== 'signalbox-codec')
  const equals = all.filter(({ contender: { role, name } }) => role === 'peer' && !differences.has(name))
  return [
    ...budgeted.map(({ contender: { name, file }, minified, parts }): Goal => {
      const { goal: most, otherwise } = budgets[file]!
      const goal = `${name} at most ${inUnits(most, 'bytes')} minified`
      const reason = `${largest(parts)} ${otherwise} ${withoutCodec(file, minified, parts)}`.trim()
      return judged(goal, spread([minified]), 'bytes', minified <= most, reason)
    }),
    ...handlers.map(({ contender: { name, file }, minified, importing }): Goal => {
      const most = budgets[file]!.importing!
      const figure = ratioOf(importing, bare.importing)
      const goal = `${name}, the import alone, at most ${most} × bare middy`
      return judged(goal, figure, 'ratio', figure.median <= most, whySlow(minified, importing, bare, most))
    }),
    ...handlers.map((cold): Goal => {
      const { name, file } = cold.contender
      const most = budgets[file]!.own!
      const figure = ratioOf(ownTimes(cold, empty), ownTimes(bare, empty))
      const goal = `${name}, its own time until the first answer, at most ${most} × bare middy`
      return judged(goal, figure, 'ratio', figure.median <= most, whyLate(cold.importing))
    }),
    ...Object.entries(eachMessageAtMost).map(([peer, most]): Goal => {
      const [own, others] = ['Signalbox eachMessage, codec compiled', peer].map(name =>
        ownTimes(all.find(({ contender }) => contender.name === name)!, empty),
      )
      const figure = ratioOf(own!, others!)
      const goal = `Signalbox eachMessage, codec compiled, its own time, at most ${most} × ${peer}`
      const reason = 'It also checks each record, and decodes messages that are read.'
      return judged(goal, figure, 'ratio', figure.median <= most, reason)
    }),
    ...handlers.flatMap(({ contender, answered, importing }): Goal[] => {
      const peers = equals.filter(peer => familyOf(peer.contender) === familyOf(contender))
      const fastest = peers.sort((a, b) => spread(a.answered).median - spread(b.answered).median)[0]
      if (fastest === undefined) return []
      const figure = ratioOf(answered, fastest.answered)
      const goal = `${contender.name} answers before every peer that does the same: beside ${fastest.contender.name}`
      return [judged(goal, figure, 'ratio', figure.median <= 1, whyLate(importing))]
    }),
  ]
}

function judged(goal: string, figure: Spread, unit: Goal['unit'], reached: boolean, reason: string): Goal {
  return { goal, figure, unit, reached, ...(reached ? {} : { reason }) }
}

/** Returns the parts of a bundle, largest first. */
function largest(parts: Readonly<Record<string, number>>): string {
  const named = Object.entries(parts)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 6)
    .map(([name, bytes]) => `${name} ${inUnits(bytes, 'bytes')}`)
  return `In it: ${named.join(', ')}.`
}

/**
 * Returns a sentence with the size of the bundle without Signalbox's codec package. Another validator would replace
 * only that package.
 */
function withoutCodec(file: string, minified: number, { codec = 0 }: Cold['parts']): string {
  if (file === 'signalbox-codec') return ''
  return `Without any of codec ${inUnits(minified - codec, 'bytes')} would be left.`
}

function whyLate(importing: readonly number[]): string {
  return `The import takes ${inUnits(spread(importing).median * 1e6, 'ns')} of it; see there.`
}

function whySlow(minified: number, importing: readonly number[], bare: Cold, most: number): string {
  const time = spread(importing).median
  const perKilobyte = ((time - spread(bare.importing).median) / (minified - bare.minified)) * 1000
  return `Reading and parsing a bundle and running it for the first time, about half of it each, come to ${inUnits(perKilobyte * 1e6, 'ns')} for each kilobyte, so that one of more than ${inUnits(bare.minified + ((most - 1) * spread(bare.importing).median * 1000) / perKilobyte, 'bytes')} cannot reach this.`
}

/** Returns the median of the ratios of processes that ran one after the other. The spread is that of the middle half. */
function ratioOf(a: readonly number[], b: readonly number[]): Spread {
  const ratios = a.map((time, start) => time / b[start]!).sort((x, y) => x - y)
  const quarter = Math.floor(ratios.length / 4)
  const { median } = spread(ratios)
  return { median, low: ratios[quarter]!, high: ratios[ratios.length - 1 - quarter]! }
}

function packages(): string[] {
  return [
    '@middy/core',
    '@middy/http-router',
    '@aws-lambda-powertools/batch',
    '@aws-lambda-powertools/event-handler',
    '@aws-lambda-powertools/parser',
    'hono',
    'lambda-api',
    'ajv',
    'zod',
    'valibot',
    'io-ts',
  ]
}
