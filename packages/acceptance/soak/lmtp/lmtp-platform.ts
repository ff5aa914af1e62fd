// One process of a platform that takes mail over LMTP: `node lmtp-platform.ts FOLDER`. It prints the address.
import { setTimeout as delay } from 'node:timers/promises'
import type { MailEvent } from '@signalbox/mail-flow/contract'
import { createPlatform } from '@signalbox/platform'
import { actionFor } from './recipients.ts'

const [dataDir = ''] = process.argv.slice(2)
const seen = new Set<string>()

/** Decides by the local parts of the recipients. For a shaky recipient, the first call in a process fails. */
async function sort({ invocationId, envelope }: MailEvent): Promise<unknown> {
  // This delay ensures that some decisions are pending whenever the platform is killed.
  await delay(Math.random() * 5)
  const isFirst = !seen.has(invocationId)
  seen.add(invocationId)
  if (isFirst && envelope.recipients.some(({ address }) => address.startsWith('shaky')))
    throw new Error('Not yet.')
  return {
    actions: envelope.recipients.map(({ address }) => ({
      action: { type: actionFor(address) },
      recipients: [address],
    })),
  }
}

const rule = { direction: 'INBOUND', function: 'sort', timeout: 60, fallback: 'DROP' } as const
const platform = createPlatform(
  {
    functions: { sort: { handler: sort as never, timeout: 15 } },
    mail: {
      ...{ port: 0, lmtp: { port: 0 }, domains: { 'office.example': { to: 'mailboxes' } }, relay: 'keep' },
      rules: [rule, { ...rule, recipients: ['shaky@office.example'] }],
    },
    control: { port: 0 },
    dataDir,
  },
  { onNotice: text => process.stderr.write(`${text}\n`) },
)
const addresses = await platform.start()
process.stdout.write(`${addresses.find(({ source }) => source === 'mail over LMTP')!.url}\n`)
