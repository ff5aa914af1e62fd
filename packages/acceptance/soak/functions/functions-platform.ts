// One process of a platform: `node functions-platform.ts FOLDER LANGUAGES`, with the languages as JSON. It prints the
// address of its queues. After SIGHUP it loads the functions again, and after SIGTERM it stops.
import { join } from 'node:path'
import { createPlatform } from '@signalbox/platform'
import { deadQueue, faultTimes, type Language } from './language.ts'

const [folder, given] = process.argv.slice(2)
const languages = JSON.parse(given!) as readonly Language[]

const platform = createPlatform(
  {
    functions: Object.fromEntries(
      languages.map(({ name, code }) => [
        name,
        {
          ...code,
          dialect: 'aws',
          instances: 2,
          timeout: faultTimes.timeout,
          env: {
            HANDLED: join(folder!, 'handled.txt'),
            LATE: `${faultTimes.late}`,
            CHILD: `${faultTimes.child}`,
            SOAK: process.env.SOAK!,
          },
        },
      ]),
    ),
    queues: {
      [deadQueue]: {},
      ...Object.fromEntries(
        languages.map(({ name, batchSize }) => [
          name,
          {
            function: name,
            batchSize,
            reportBatchItemFailures: true,
            visibilityTimeout: faultTimes.visibilityTimeout,
            deadLetter: { queue: deadQueue, maxReceiveCount: 6 },
          },
        ]),
      ),
    },
    queueListener: { port: 0 },
    dataDir: join(folder!, 'data'),
  },
  { root: folder! },
)
process.on('SIGHUP', () => platform.reload())
process.on('SIGTERM', () => void platform.stop().then(() => process.exit(0)))
const [address] = await platform.start()
process.stdout.write(`${address!.url}\n`)
