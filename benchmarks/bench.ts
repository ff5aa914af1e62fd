import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Measured, tabulate } from './harness/figures.ts'
import { machine, versions } from './harness/machine.ts'
import { tablePage } from './harness/markdown.ts'
import type { Table } from './harness/results.ts'
import type { RoundOptions } from './harness/rounds.ts'
import type { Task } from './harness/run-work.ts'
import { families, loadWork, type WorkName, workNames } from './harness/work.ts'
import { writePart } from './harness/write-part.ts'

/** All measured packages. The results name their versions. */
const timed = [
  '@middy/core',
  '@middy/validator',
  '@middy/sqs-partial-batch-failure',
  '@middy/http-router',
  '@aws-lambda-powertools/batch',
  '@aws-lambda-powertools/parser',
  '@aws-lambda-powertools/event-handler',
  '@aws-lambda-powertools/tracer',
  '@aws-lambda-powertools/metrics',
  '@aws-lambda-powertools/logger',
  '@opentelemetry/api',
  '@opentelemetry/sdk-trace',
  'hono',
  'lambda-api',
  'ajv',
  'zod',
  'valibot',
  'arktype',
  'typebox',
  'io-ts',
  'mitata',
]

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const options: RoundOptions = { rounds: 35, time: 10e6 }

const asked = process.argv.slice(2)
const names = chosen(asked)
const tables: Table[] = []
for (const name of names) {
  process.stderr.write(`${name}: `)
  const table = await measured(name)
  process.stderr.write(
    `${table.goals.filter(({ reached }) => reached).length} of ${table.goals.length} goals\n`,
  )
  tables.push(table)
  console.log(tablePage(table))
}
if (asked.length === 0) {
  writePart('functions', {
    date: new Date().toISOString().slice(0, 10),
    command: 'npm run bench',
    machine: machine(),
    versions: versions(timed),
    tables,
  })
}

/** Returns the works with the given names or of the given families, or all works if no name is given. */
function chosen(wanted: readonly string[]): readonly WorkName[] {
  const known: readonly string[] = [...workNames, ...Object.values(families)]
  const unknown = wanted.find(name => !known.includes(name))
  if (unknown !== undefined) {
    console.error(
      `There is no work or family called ${unknown}; there are ${[...new Set(known)].join(', ')}.`,
    )
    process.exit(2)
  }
  if (wanted.length === 0) return workNames
  return workNames.filter(name => wanted.includes(name) || wanted.includes(families[name]))
}

async function measured(name: WorkName): Promise<Table> {
  const differences = await inProcess<Measured['differences']>('answers', name)
  const timings = await inProcess<Measured['timings']>('times', name)
  // The young generation of the heap is large enough for all allocations between two measurements of the
  // heap, so that no garbage collection runs between them.
  const roomy = ['--expose-gc', '--min-semi-space-size=128', '--max-semi-space-size=128']
  const allocations = await inProcess<Measured['allocations']>('bytes', name, roomy)
  return tabulate(await loadWork(name), { timings, differences, allocations })
}

function inProcess<Answer>(task: Task, name: WorkName, execArgv: string[] = []): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = fork(here('harness/run-work.ts'), [task, name, JSON.stringify(options)], {
      execArgv: [...process.execArgv, ...execArgv],
    })
    let answer: Answer | undefined
    child.on('message', message => {
      answer = message as Answer
    })
    child.on('error', reject)
    child.on('exit', code => {
      if (answer !== undefined && code === 0) resolve(answer)
      else reject(new Error(`${name}: its process ended with ${code} and no figures`))
    })
  })
}
