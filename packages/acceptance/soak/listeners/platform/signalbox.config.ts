// The platform of `npm run soak -- listeners`. On SIGUSR2, it collects garbage and prints the number of bytes in use.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { defineConfig } from '@signalbox/platform'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
let printed = 0
process.on('SIGUSR2', () => {
  collect()
  // Garbage is collected a second time, because finalizers have released more objects by now.
  setImmediate(() => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    process.stdout.write(`memory ${++printed}: ${heapUsed + external} bytes\n`)
  })
})

const queue = { visibilityTimeout: 5 }

export const config = defineConfig({
  functions: {
    shop: { module: './functions.ts', export: 'shop', timeout: 10, wait: 20 },
    work: { module: './functions.ts', export: 'work', timeout: 5, instances: 2 },
    sort: { module: './wild.ts', timeout: 5, instances: 3 },
    wild: { module: './wild.ts', timeout: 1, instances: 2, memory: 64 },
  },
  loadBalancers: {
    shop: { port: 0, function: 'shop' },
    wild: { port: 0, function: 'wild' },
  },
  queues: {
    'honest-0': queue,
    'honest-1': queue,
    hostile: { retentionPeriod: 60 },
    worked: { function: 'work', deadLetter: { queue: 'worked-dead', maxReceiveCount: 5 } },
    'worked-dead': {},
    wild: { function: 'wild', batchSize: 1, deadLetter: { queue: 'wild-dead', maxReceiveCount: 2 } },
    'wild-dead': { retentionPeriod: 60 },
  },
  queueListener: { port: 0, open: true },
  mail: {
    port: 0,
    domains: { 'office.example': { to: 'mailboxes' } },
    rules: [{ direction: 'INBOUND', function: 'sort' }],
    relay: 'keep',
  },
  control: { port: 0, open: true },
  dataDir: process.env.SOAK_FOLDER ?? '.signalbox',
  grace: 5,
})
