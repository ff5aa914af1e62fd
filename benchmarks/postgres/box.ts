// A process with a platform that handles the messages of a queue. Its parent process starts and stops the platform, and
// gets the number of handled messages. The arguments are the URL of the server, the schema, and the number of
// milliseconds for which the function waits.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createPlatform } from '@signalbox/platform'

const [url, schema, pause] = process.argv.slice(2) as [string, string, string]
const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
process.once('exit', () => rmSync(dataDir, { recursive: true }))

const handler = async ({ Records }: { readonly Records: readonly unknown[] }) => {
  if (pause !== '0') await delay(Number(pause))
  process.send!(Records.length)
  return null
}
const make = () =>
  createPlatform({
    functions: { work: { handler } },
    queues: { orders: { function: 'work', batchSize: 10, maximumConcurrency: 2 } },
    queueListener: { port: 0 },
    storage: { postgres: { url, schema } },
    dataDir,
  })
let platform: ReturnType<typeof make> | undefined
process.on('message', async asked => {
  if (asked === 'start') {
    platform = make()
    await platform.start()
  } else await platform?.stop()
  process.send!('done')
})
process.on('disconnect', () => process.exit())
