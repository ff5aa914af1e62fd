import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPlatform } from '@signalbox/platform'
import { putContent } from '@signalbox/platform-mail/testing/put-content'

/** The event, as far as the function reads it. */
interface Event {
  readonly subject: string
  readonly messageId: string
  readonly flowDirection: string
  readonly client?: object
  readonly envelope: { readonly recipients: readonly { readonly address: string }[] }
}

/**
 * A platform that another mail server asks, with its data in the folder of the first argument. The second argument is the
 * port, and the third one has further options of `mail`. Subjects and recipients say what the function does. It writes
 * the subject and the client of each mail into files, so that a test sees each invocation.
 */
const [folder = '', port = '0', options = '{}'] = process.argv.slice(2)

/** The URL of the message API, once it is there. */
let control = ''

const decisions: { readonly [name: string]: object } = {
  drop: { type: 'DROP' },
  junk: { type: 'MOVE_TO_JUNK' },
  bounce: { type: 'BOUNCE', parameters: { bounceMessage: 'Größe 100 % sure\r\n250 OK' } },
}

/** Returns the content that a mail has in its body, in base64. */
const contentIn = (raw: string) =>
  Buffer.from(raw.slice(raw.indexOf('\r\n\r\n')), 'base64').toString('latin1')

async function sort({ subject, messageId, envelope, client }: Event): Promise<object> {
  appendFileSync(join(folder, 'invocations'), `${subject}\n`)
  appendFileSync(join(folder, 'clients'), `${JSON.stringify({ subject, client })}\n`)
  if (subject === 'fail') throw new Error('The function fails')
  if (subject === 'hang') await new Promise(() => {})
  if (subject === 'become') {
    const problem = await putContent(control, messageId, contentIn)
    if (problem !== undefined) throw new Error(problem)
  }
  if (subject === 'wait') await new Promise(resolve => setTimeout(resolve, 700))
  return {
    actions: envelope.recipients.map(({ address }) => ({
      action: decisions[address.split('@')[0]!] ?? { type: 'DEFAULT' },
      recipients: [address],
    })),
  }
}

const platform = createPlatform({
  functions: { sort: { handler: sort as never, timeout: 1 } },
  mail: {
    port: 0,
    milter: { port: Number(port), junkSubaddress: 'junk' },
    domains: { 'office.example': { to: 'mailboxes' } },
    rules: [
      { direction: 'INBOUND', function: 'sort', timeout: 30 },
      { direction: 'OUTBOUND', function: 'sort', fallback: 'BOUNCE' },
    ],
    relay: 'keep',
    ...(JSON.parse(options) as object),
  },
  control: { port: 0 },
  dataDir: join(folder, 'platform'),
})
const addresses = await platform.start()
control = addresses.find(({ source }) => source === 'control')!.url
console.log(addresses.find(({ source }) => source === 'mail')!.url)
