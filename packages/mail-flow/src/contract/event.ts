import * as t from 'io-ts'
import { describedBy, type Fields } from './fields.ts'
import { subjectLimit } from './limits.ts'
import { dateShaped, textUpTo } from './text.ts'

/** The directions a mail can flow in (contract C, `flowDirection`). */
export const flowDirections = { INBOUND: null, OUTBOUND: null } as const

// Its `address` is empty where the mail names none.
const address = describedBy('object with an address', { address: { type: t.string, required: true } })

/** The fields of `envelope` (contract C): sender and recipients as said to the mail server. */
export const envelopeFields = {
  mailFrom: { type: address, required: true },
  // An address may occur twice.
  recipients: { type: t.readonlyArray(address, 'list of objects with an address'), required: true },
} as const satisfies Fields

/** The fields of a mail-flow event (contract C). */
export const mailEventFields = {
  // Version of the message summary.
  summaryVersion: { type: dateShaped, required: true },
  envelope: { type: describedBy('envelope', envelopeFields), required: true },
  sender: { type: address, required: true },
  subject: { type: textUpTo(subjectLimit), required: true },
  // For fetching the mail.
  messageId: { type: t.string, required: true },
  // The same in retries of the invocation; the correlation id.
  invocationId: { type: t.string, required: true },
  flowDirection: { type: t.keyof(flowDirections), required: true },
  // Whether a field was cut to keep the size limits.
  truncated: { type: t.boolean, required: true },
} as const satisfies Fields

/** The event of one mail (contract C). Unknown fields are kept. */
export const MailEvent = describedBy('mail-flow event', mailEventFields)
export interface MailEvent extends t.TypeOf<typeof MailEvent> {}
