// One process of a platform: `node queue-platform.ts FOLDER`. It prints its address, and records the handled messages.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createPlatform } from '@signalbox/platform'
import { visibilityTimeout } from './visibility-timeout.ts'

const folder = process.argv[2]!
const written = join(folder, 'handled.txt')

async function handler(event: {
  readonly Records: readonly { readonly messageId: string; readonly body: string }[]
}): Promise<null> {
  const now = Date.now()
  const lines = event.Records.map(({ messageId, body }) => `${now} ${process.pid} ${messageId} ${body}\n`)
  appendFileSync(written, lines.join(''))
  // This delay ensures that some batches are in progress whenever the platform is killed.
  await delay(Math.random() * 5)
  return null
}

const queue = { function: 'work', visibilityTimeout: visibilityTimeout / 1000, maximumConcurrency: 4 }
const platform = createPlatform({
  functions: { work: { handler, timeout: 2, wait: 0 } },
  queues: { standard: queue, 'ordered.fifo': queue, probe: {} },
  queueListener: { port: 0 },
  dataDir: join(folder, 'data'),
})
const [address] = await platform.start()
process.stdout.write(`${address!.url}\n`)
