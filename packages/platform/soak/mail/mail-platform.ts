// One process of a platform: `node mail-platform.ts FOLDER EPOCH`. It prints its address, and records the events of its
// functions.
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { MailEvent } from '@signalbox/mail-flow/contract'
import { createPlatform } from '../../src/platform.ts'
import { acceleratedClock } from './accelerated-clock.ts'
import { answerTo } from './plan.ts'

const [folder = '', epoch] = process.argv.slice(2)
const written = join(folder, 'invocations.txt')
appendFileSync(written, '')
const seen = new Set(readFileSync(written, 'utf8').split('\n'))

function writeDown({ messageId, invocationId, flowDirection }: MailEvent): boolean {
  const line = `${messageId} ${flowDirection} ${invocationId}`
  const before = seen.has(line)
  appendFileSync(written, `${line}\n`)
  seen.add(line)
  return before
}

async function sort(event: MailEvent): Promise<unknown> {
  const before = writeDown(event)
  // This delay ensures that some decisions are pending whenever the platform is killed.
  await delay(Math.random() * 5)
  return answerTo(event, before)
}

const platform = createPlatform(
  {
    functions: {
      sort: { handler: sort as never, timeout: 15 },
      watch: { handler: event => void writeDown(event), timeout: 15 },
    },
    mail: {
      port: 0,
      mailboxes: { 'office.example': '*' },
      rules: [
        { direction: 'INBOUND', function: 'sort', timeout: 7, fallback: 'BOUNCE' },
        { direction: 'OUTBOUND', function: 'watch', mode: 'async' },
      ],
      relay: 'keep',
    },
    control: { port: 0 },
    dataDir: join(folder, 'data'),
  },
  { clock: acceleratedClock(Number(epoch)), onNotice: text => process.stderr.write(`${text}\n`) },
)
const addresses = await platform.start()
process.stdout.write(`${addresses.find(({ source }) => source === 'mail')!.url}\n`)
