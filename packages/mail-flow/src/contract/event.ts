import { boolean, list, oneOf, required, string } from '@signalbox/codec/wire'
import type { TypeOf } from 'io-ts'
import { describedBy } from './fields.ts'
import { subjectLimit } from './limits.ts'
import { dateShaped, textUpTo } from './text.ts'

/** The directions a mail can flow in (contract C, `flowDirection`). */
export const flowDirections = { INBOUND: null, OUTBOUND: null } as const

// Its `address` is empty where the mail names none.
const address = describedBy('object with an address', { address: required(string) })

/** The fields of `envelope` (contract C): sender and recipients as said to the mail server. */
export const envelopeFields = {
  mailFrom: required(address),
  // An address may occur twice.
  recipients: required(list(address, 'list of objects with an address')),
}

/** The fields of a mail-flow event (contract C). */
export const mailEventFields = {
  // Version of the message summary.
  summaryVersion: required(dateShaped),
  envelope: required(describedBy('envelope', envelopeFields)),
  sender: required(address),
  subject: required(textUpTo(subjectLimit)),
  // For fetching the mail.
  messageId: required(string),
  // The same in retries of the invocation; the correlation id.
  invocationId: required(string),
  flowDirection: required(oneOf(...(Object.keys(flowDirections) as (keyof typeof flowDirections)[]))),
  // Whether a field was cut to keep the size limits.
  truncated: required(boolean),
}

/** The event of one mail (contract C). Unknown fields are kept. */
export const MailEvent = describedBy('mail-flow event', mailEventFields)
export interface MailEvent extends TypeOf<typeof MailEvent> {}
