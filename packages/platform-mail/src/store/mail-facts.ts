import type { MailEvent } from '@signalbox/mail-flow/contract'

/** What is known about the client and the sender of a mail. The event of the mail has it: docs/contract/mail-flow.md#client. */
export interface MailFacts extends Pick<MailEvent, 'client' | 'authentication'> {
  /** The span that accepted the mail, as the value of a header `traceparent`. Events do not have it. */
  readonly trace?: string | undefined
}

/** Returns the facts as a text for a store, or null if nothing is known. */
export function factsText(facts: MailFacts | undefined): string | null {
  return facts === undefined ? null : JSON.stringify(facts)
}

/** Returns the facts in the text of a store. Mails of earlier layouts have none. */
export function factsIn(text: unknown): MailFacts | undefined {
  return typeof text === 'string' ? JSON.parse(text) : undefined
}
