import type { MailEvent } from './event.ts'
import { eventSizeLimit, subjectLimit } from './limits.ts'

/**
 * Truncates an event to the limits: keeps the first 256 characters of the subject, and makes the JSON at most 128 KB
 * long. For that, it first empties senders that are too long to be an address, and then drops recipients from the end.
 * Sets `truncated` to true when something was dropped for the size of the event. A subject always ends after 256
 * characters, so this does not count. An event within the limits is returned unchanged. Ids and unknown
 * fields are always kept. See docs/contract/mail-flow.md#limits.eventSize.
 * @example
 * ```ts
 * import { truncateEvent } from '@signalbox/mail-flow/contract'
 * import { mailEvent } from '@signalbox/mail-flow/testing'
 *
 * truncateEvent(mailEvent({ subject: 'a'.repeat(300) })).subject.length // 256
 * ```
 */
export function truncateEvent(event: MailEvent): MailEvent {
  const subject = firstCharacters(event.subject, subjectLimit)
  const cut = subject === event.subject ? event : { ...event, subject }
  if (sizeOf(cut) <= eventSizeLimit) return cut
  const { envelope, sender } = cut
  const mailFrom = withoutLongAddress(envelope.mailFrom)
  const withRecipients = (recipients: MailEvent['envelope']['recipients']): MailEvent => ({
    ...cut,
    envelope: { ...envelope, mailFrom, recipients },
    sender: withoutLongAddress(sender),
    truncated: true,
  })
  let size = sizeOf(withRecipients([]))
  const overflow = envelope.recipients.findIndex((recipient, index) => {
    size += sizeOf(recipient) + (index === 0 ? 0 : 1)
    return size > eventSizeLimit
  })
  return withRecipients(envelope.recipients.slice(0, overflow === -1 ? undefined : overflow))
}

/** The maximum number of characters of an address (RFC 5321, 4.5.3.1). */
const longestAddress = 320

function withoutLongAddress<S extends MailEvent['sender']>(sender: S): S {
  return sender.address.length > longestAddress ? { ...sender, address: '' } : sender
}

function firstCharacters(text: string, count: number): string {
  return text.length <= count ? text : Array.from(text).slice(0, count).join('')
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
