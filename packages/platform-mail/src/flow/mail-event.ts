import { type MailEvent, truncateEvent } from '@signalbox/mail-flow/contract'
import type { PendingInvocation } from '../store/mail-store.ts'

/** The version of the event's summary: docs/contract/mail-flow.md#event.summaryVersion. */
const summaryVersion = '2019-07-28'

/** The event about a mail in two forms. */
export interface EventOfMail {
  /** The event for the function, truncated to the size limits. */
  readonly sent: MailEvent
  /** The event with all recipients, which is needed to read the response. */
  readonly whole: MailEvent
}

/** Returns the event of an invocation, which is the same in every attempt. */
export function mailEvent({ id, of: mail, rule, recipients }: PendingInvocation): EventOfMail {
  const event: MailEvent = {
    summaryVersion,
    envelope: {
      mailFrom: { address: mail.from },
      recipients: recipients.map(({ address }) => ({ address })),
    },
    sender: { address: mail.author },
    subject: mail.subject,
    messageId: mail.id,
    invocationId: id,
    flowDirection: rule.direction,
    truncated: false,
  }
  const sent = truncateEvent(event)
  // The response can also decide on recipients that the truncated event omits.
  return { sent, whole: { ...event, truncated: sent.truncated } }
}
