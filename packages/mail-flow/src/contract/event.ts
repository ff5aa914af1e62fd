import { boolean, extension, list, oneOf, optional, required, string } from '@signalbox/codec/wire'
import type { TypeOf } from 'io-ts'
import { MailAuthentication, MailClient } from './facts.ts'
import { describedBy } from './fields.ts'
import { dateShaped, subjectText } from './text.ts'

/** The values of `flowDirection`: docs/contract/mail-flow.md#event.flowDirection. */
export const flowDirections = { INBOUND: null, OUTBOUND: null } as const

// The address is empty when the mail has no sender.
const address = describedBy('object with an address', { address: required(string) })

/** The fields of `envelope`: docs/contract/mail-flow.md#envelope. */
export const envelopeFields = {
  /** Object whose `address` is the sender of the envelope. The address is empty when the mail has no sender. */
  mailFrom: required(address),
  /** A list of objects, each with an `address`. */
  recipients: required(list(address, 'list of objects with an address')),
}

/** The fields of a mail-flow event: docs/contract/mail-flow.md#event. */
export const mailEventFields = {
  /** Version of the message summary. */
  summaryVersion: required(dateShaped),
  /** The sender and the recipients that were given to the mail server. */
  envelope: required(describedBy('envelope', envelopeFields)),
  /** Object whose `address` is the address of the sender. */
  sender: required(address),
  /** Subject of the mail, cut to its first 256 characters. */
  subject: required(subjectText),
  /** Identifies the mail. The function fetches the mail with this id. */
  messageId: required(string),
  /** Identifies this invocation, and is the same for its retries. It is the correlation id. */
  invocationId: required(string),
  /** Whether the mail is incoming or outgoing. */
  flowDirection: required(oneOf(...(Object.keys(flowDirections) as (keyof typeof flowDirections)[]))),
  /** Whether a field was cut because of the size limits. */
  truncated: required(boolean),
  /** The client that gave the mail to the mail server. Absent for mail without a client, and on platforms that do not say it. */
  client: extension(optional(MailClient)),
  /** The results of SPF, DKIM and DMARC. Absent for mail that was not checked. */
  authentication: extension(optional(MailAuthentication)),
}

/** The event of one mail. Unknown fields are kept. */
export const MailEvent = describedBy('mail-flow event', mailEventFields)
export interface MailEvent extends TypeOf<typeof MailEvent> {}
