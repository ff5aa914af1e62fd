import type { MailSettings } from '../config/mail-settings.ts'
import { isAscii } from '../message/is-ascii.ts'
import { directionOf, hasMailbox } from '../routing.ts'
import { pathCommand } from './path-command.ts'
import type { Reply } from './reply.ts'
import { needsUtf8 } from './sender.ts'

/** Who asks for a mail to be taken. */
export interface Client {
  /** Whether mail for elsewhere is taken from it. */
  readonly trusted: boolean
  /** Whether it has said SMTPUTF8 for this mail. */
  readonly utf8: boolean
}

/** Reads `RCPT TO:<…>` and decides whether mail for that address is taken. Answers the address. */
export function readRecipient(
  line: Buffer,
  client: Client,
  settings: Pick<MailSettings, 'mailboxes' | 'relay'>,
): string | Reply {
  const command = pathCommand(line, '5.1.3')
  if ('code' in command) return command
  if (command.parameters.size > 0)
    return { code: 555, text: '5.5.4 There is a parameter that is not known here' }
  const address = withDomain(command.address, settings)
  if (!isAscii(address) && !client.utf8) return needsUtf8
  if (directionOf(address, settings) === 'INBOUND')
    return hasMailbox(address, settings)
      ? address
      : { code: 550, text: '5.1.1 There is no such mailbox here' }
  if (!client.trusted) return { code: 550, text: '5.7.1 Mail for elsewhere is not taken from you' }
  if (settings.relay === undefined)
    return { code: 550, text: '5.7.1 No relay is configured for mail for elsewhere' }
  return address
}

/** Postmaster alone is the one of this server: RFC 5321, 4.5.1. */
function withDomain(address: string, { mailboxes }: Pick<MailSettings, 'mailboxes'>): string {
  if (address.includes('@')) return address
  const [first = 'localhost'] = mailboxes.keys()
  return `${address}@${first}`
}
