import { machine, versions } from '../harness/machine.ts'
import { tablePage } from '../harness/markdown.ts'
import type { Table } from '../harness/results.ts'
import { writePart } from '../harness/write-part.ts'
import { consoleApi } from './console.ts'
import { executions } from './executions.ts'
import { fairQueue } from './fair-queue.ts'
import { instances } from './instances.ts'
import { masking } from './masking.ts'
import { memory } from './memory.ts'
import { queue } from './queue.ts'
import { rules } from './rules.ts'
import { signed } from './signed.ts'
import { start } from './start.ts'
import { throughput } from './throughput.ts'
import { users } from './users.ts'

const parts: { readonly [name: string]: () => Promise<Table> } = {
  'load-balancer': throughput,
  rules,
  instances,
  queue,
  'fair-queue': fairQueue,
  executions,
  signed,
  users,
  masking,
  console: consoleApi,
  start,
  memory,
}

const asked = process.argv.slice(2)
const unknown = asked.find(name => !Object.hasOwn(parts, name))
if (unknown !== undefined)
  throw new Error(`There is no ${unknown}. There are ${Object.keys(parts).join(', ')}.`)

const tables: Table[] = []
for (const name of asked.length === 0 ? Object.keys(parts) : asked) {
  process.stderr.write(`${name}…\n`)
  const table = await parts[name]!()
  tables.push(table)
  console.log(tablePage(table))
}
if (asked.length === 0) {
  writePart('platform', {
    date: new Date().toISOString().slice(0, 10),
    command: 'npm run bench:platform',
    machine: machine(),
    versions: versions(['autocannon', 'cognito-local']),
    tables,
  })
}
