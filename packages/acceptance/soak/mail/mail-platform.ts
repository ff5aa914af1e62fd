// One process of a platform: `node mail-platform.ts FOLDER EPOCH`. It prints its address, and records the events of its
// functions.
import { join } from 'node:path'
import { createPlatform } from '@signalbox/platform'
import { acceleratedClock } from './accelerated-clock.ts'
import { notedCalls, plannedMail } from './noted-calls.ts'

const [folder = '', epoch] = process.argv.slice(2)
const { sort, watch } = notedCalls(join(folder, 'invocations.txt'))

const platform = createPlatform(
  {
    functions: { sort: { handler: sort as never, timeout: 15 }, watch: { handler: watch, timeout: 15 } },
    mail: plannedMail,
    control: { port: 0 },
    dataDir: join(folder, 'data'),
  },
  { clock: acceleratedClock(Number(epoch)), onNotice: text => process.stderr.write(`${text}\n`) },
)
const addresses = await platform.start()
process.stdout.write(`${addresses.find(({ source }) => source === 'mail')!.url}\n`)
