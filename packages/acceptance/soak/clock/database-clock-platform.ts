// A platform that never ends an invocation, and runs one at a time: `node database-clock-platform.ts FOLDER POSTGRES-URL`.
// It prints its address. The first invocation creates the file `is-called` in the folder.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPlatform } from '@signalbox/platform'

const platform = createPlatform({
  functions: {
    order: {
      async handler() {
        writeFileSync(join(process.argv[2]!, 'is-called'), '')
        await new Promise(() => {})
      },
      instances: 1,
      durable: { timeout: 10 * 24 * 3600 },
    },
  },
  invoke: { port: 0 },
  dataDir: ':memory:',
  storage: { postgres: { url: process.argv[3]! } },
})
const [address] = await platform.start()
process.stdout.write(`${address!.url}\n`)
