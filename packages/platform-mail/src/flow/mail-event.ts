import { type MailEvent, truncateEvent } from '@signalbox/mail-flow/contract'
import type { PendingInvocation } from '../store/mail-store.ts'

/** The version of the summary that events are. Contract, versioning. */
const summaryVersion = '2019-07-28'

/** An event about a mail. Contract C. */
export interface EventOfMail {
  /** What the function gets, held to the limits. */
  readonly sent: MailEvent
  /** The same with everyone whom it concerns, against which the answer is read. */
  readonly whole: MailEvent
}

/** The event of an invocation, the same in every attempt. */
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
  // Recipients that were cut get what the answer says of them too.
  return { sent, whole: { ...event, truncated: sent.truncated } }
}
