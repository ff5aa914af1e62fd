import type { MailEvent } from './event.ts'
import { eventSizeLimit, subjectLimit } from './limits.ts'

/**
 * Truncates an event to the limits: keeps the first 256 characters of the subject, and drops recipients from the end
 * until the JSON has at most 128 KB. Sets `truncated` to true when something was dropped. An event within the limits is
 * returned unchanged. See docs/contract/mail-flow.md#limits.eventSize.
 */
export function truncateEvent(event: MailEvent): MailEvent {
  const subject = firstCharacters(event.subject, subjectLimit)
  const cut = subject === event.subject ? event : { ...event, subject, truncated: true }
  if (sizeOf(cut) <= eventSizeLimit) return cut
  const { envelope } = cut
  const withRecipients = (recipients: MailEvent['envelope']['recipients']): MailEvent => ({
    ...cut,
    envelope: { ...envelope, recipients },
    truncated: true,
  })
  let size = sizeOf(withRecipients([]))
  const overflow = envelope.recipients.findIndex((recipient, index) => {
    size += sizeOf(recipient) + (index === 0 ? 0 : 1)
    return size > eventSizeLimit
  })
  return withRecipients(envelope.recipients.slice(0, overflow === -1 ? undefined : overflow))
}

function firstCharacters(text: string, count: number): string {
  return text.length <= count ? text : Array.from(text).slice(0, count).join('')
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
