import { partsOf } from '../address-pattern.ts'
import type { MailSettings } from '../config/mail-settings.ts'
import type { Direction } from '../store/mail-store.ts'

/** What the mail server says about a mail and one of its recipients. */
export interface Circumstances {
  /** Whether the client has authenticated, or is one of those that the configuration trusts. */
  readonly isOwnClient: boolean
  /** The mailer or transport that gets the mail, such as `virtual` or `smtp`. Undefined if the server does not say it. */
  readonly mailer: string | undefined
}

/** The mailers of Postfix and Sendmail that deliver on the machine of the server. */
const deliveringMailers = new Set(['local', 'virtual', 'lmtp', 'cyrusv2', 'prog', '*file*', '*include*'])

/**
 * Returns the direction of a mail for one recipient. Mail of the server's own clients is outbound, mail to the domains
 * of the configuration is inbound, and the mailer decides on the rest. The configuration comes before the mailer,
 * because a gateway passes the mail of its domains on by SMTP.
 */
export function directionFor(
  address: string,
  { isOwnClient, mailer }: Circumstances,
  { domains }: Pick<MailSettings, 'domains'>,
): Direction {
  if (isOwnClient) return 'OUTBOUND'
  if (domains.has(partsOf(address).domain)) return 'INBOUND'
  return mailer !== undefined && deliveringMailers.has(mailer.toLowerCase()) ? 'INBOUND' : 'OUTBOUND'
}
