import { measureTables } from '../harness/measure-tables.ts'
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

await measureTables({
  part: 'platform',
  command: 'npm run bench:platform',
  packages: ['autocannon', 'cognito-local'],
  tables: {
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
  },
})
