import { type MailEvent, truncateEvent } from '@signalbox/mail-flow/contract'
import type { MailRule } from '../config/mail-settings.ts'
import type { StoredMail } from '../store/mail-store.ts'

/** The version of the event's summary: docs/contract/mail-flow.md#event.summaryVersion. */
const summaryVersion = '2019-07-28'

/** The maximum number of characters of an address (RFC 5321, 4.5.3.1). A longer string is not an address. */
export const longestAddress = 320

/** The event about a mail in two forms. */
export interface EventOfMail {
  /** The event for the function, truncated to the size limits. */
  readonly sent: MailEvent
  /** The event with all recipients, which is needed to read the response. */
  readonly whole: MailEvent
}

/** A mail, and the recipients to which a rule applies. */
export interface InvokedMail {
  /** The id of the invocation. */
  readonly id: string
  readonly of: Pick<StoredMail, 'id' | 'from' | 'author' | 'subject' | 'facts'>
  readonly rule: MailRule
  readonly recipients: readonly { readonly address: string }[]
}

/** Returns the event of an invocation, which is the same in every attempt. */
export function mailEvent({ id, of: mail, rule, recipients }: InvokedMail): EventOfMail {
  const { trace: _, ...facts } = mail.facts ?? {}
  const isTooLong = mail.author.length > longestAddress
  const event: MailEvent = {
    summaryVersion,
    envelope: {
      mailFrom: { address: mail.from },
      recipients: recipients.map(({ address }) => ({ address })),
    },
    sender: { address: isTooLong ? '' : mail.author },
    subject: mail.subject,
    messageId: mail.id,
    invocationId: id,
    flowDirection: rule.direction,
    truncated: isTooLong,
    ...facts,
  }
  const sent = truncateEvent(event)
  // The response can also decide on recipients that the truncated event omits.
  return { sent, whole: { ...event, truncated: sent.truncated } }
}
