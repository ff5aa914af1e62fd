// The platform of `npm run soak -- boxes`. Each box has a number and a proxy to the database server.
import { join } from 'node:path'
import { defineConfig } from '@signalbox/platform'
import { plannedMail } from '../../mail/noted-calls.ts'
import { staffPool } from '../../users/staff-pool.ts'
import { visibilityTimeout } from '../visibility-timeout.ts'

const queue = {
  function: 'work',
  visibilityTimeout: visibilityTimeout / 1000,
  maximumConcurrency: 1,
} as const
const module = './functions.ts'

export const config = defineConfig({
  functions: {
    work: { module, export: 'work', timeout: 5, instances: 2, wait: 5 },
    sort: { module, export: 'sort', timeout: 15, instances: 2, wait: 15 },
    watch: { module, export: 'watch', timeout: 15, instances: 1, wait: 15 },
    challenge: { module, export: 'challenge', timeout: 5, instances: 2, wait: 5 },
  },
  queues: { standard: queue, 'ordered.fifo': queue },
  queueListener: { port: 0, open: true },
  mail: plannedMail,
  control: { port: 0, open: true },
  ...staffPool,
  dataDir: join(process.env.SOAK_FOLDER!, `box-${process.env.SOAK_BOX}`),
  grace: 10,
})
