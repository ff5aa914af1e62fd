import type { MailSettings } from '../../config/mail-settings.ts'
import { isAscii } from '../../message/is-ascii.ts'
import { directionOf, isRecipient } from '../../routing.ts'
import type { Reply } from '../reply.ts'
import { pathCommand, unknownParameter } from './path-command.ts'
import { requiresUtf8 } from './sender.ts'

/** The client that names a recipient. */
export interface Client {
  /** Whether the client may send mail to other domains. */
  readonly trusted: boolean
  /** Whether the client used SMTPUTF8 for this mail. */
  readonly utf8: boolean
}

/** Reads `RCPT TO:<…>`. Returns the address, or the reply that refuses it. */
export function readRecipient(
  line: Buffer,
  client: Client,
  settings: Pick<MailSettings, 'domains' | 'relay'>,
): string | Reply {
  const command = pathCommand(line, '5.1.3')
  if ('code' in command) return command
  if (command.parameters.size > 0) return unknownParameter
  const address = withDomain(command.address, settings)
  if (!isAscii(address) && !client.utf8) return requiresUtf8
  if (directionOf(address, settings) === 'INBOUND')
    return isRecipient(address, settings) ? address : { code: 550, text: '5.1.1 No such mailbox' }
  if (!client.trusted) return { code: 550, text: '5.7.1 Relaying denied' }
  if (settings.relay === undefined)
    return { code: 550, text: '5.7.1 No relay is configured for other domains' }
  return address
}

/** Adds a domain of this server to an address without a domain, such as `Postmaster` (RFC 5321, 4.5.1). */
function withDomain(address: string, { domains }: Pick<MailSettings, 'domains'>): string {
  if (address.includes('@')) return address
  const [first = 'localhost'] = domains.keys()
  return `${address}@${first}`
}
