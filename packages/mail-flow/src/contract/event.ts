import * as t from 'io-ts'
import { describedBy, type Fields } from './fields.ts'
import { subjectLimit } from './limits.ts'
import { dateShaped, textUpTo } from './text.ts'

/** The directions a mail can flow in (contract C, `flowDirection`). */
export const flowDirections = { INBOUND: null, OUTBOUND: null } as const

const address = describedBy('object with an address', {
  address: { type: t.string, required: true, meaning: 'Mail address; empty where the mail names none' },
})

/** The fields of `envelope` (contract C). */
export const envelopeFields = {
  mailFrom: { type: address, required: true, meaning: 'Who the mail is from, as said to the mail server' },
  recipients: {
    type: t.readonlyArray(address, 'list of objects with an address'),
    required: true,
    meaning: 'Whom the mail is for, as said to the mail server; an address may occur twice',
  },
} as const satisfies Fields

/** The fields of a mail-flow event (contract C). */
export const mailEventFields = {
  summaryVersion: { type: dateShaped, required: true, meaning: 'Version of the message summary' },
  envelope: {
    type: describedBy('envelope', envelopeFields),
    required: true,
    meaning: 'Sender and recipients as said to the mail server',
  },
  sender: { type: address, required: true, meaning: 'Sender mail address' },
  subject: {
    type: textUpTo(subjectLimit),
    required: true,
    meaning: 'Mail subject, truncated to the first 256 characters',
  },
  messageId: { type: t.string, required: true, meaning: 'Message id, for fetching the mail' },
  invocationId: {
    type: t.string,
    required: true,
    meaning: 'Id of the invocation, the same in its retries; the correlation id',
  },
  flowDirection: { type: t.keyof(flowDirections), required: true, meaning: 'INBOUND or OUTBOUND' },
  truncated: { type: t.boolean, required: true, meaning: 'Whether a field was cut to keep the size limits' },
} as const satisfies Fields

/** The event of one mail (contract C). Unknown fields are kept. */
export const MailEvent = describedBy('mail-flow event', mailEventFields)
export interface MailEvent extends t.TypeOf<typeof MailEvent> {}
