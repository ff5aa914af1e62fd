import type { NewMail, NewRecipient } from '../../store/mail-store.ts'

/** The rule of the function `sort`. */
export const rule = {
  direction: 'INBOUND',
  functionName: 'sort',
  mode: 'sync',
  timeout: 5,
  fallback: 'DROP',
} as const

/** The disposition of a recipient while the mail waits for its delivery. */
export const delivering = { state: 'delivering', destination: 'inbox', why: 'no rule matches it' } as const
/** The disposition of a recipient while the mail waits for a function. */
export const undecided = { state: 'undecided', why: 'sort has not decided yet' } as const

/** A recipient of a mail. By default, the mail waits for its delivery. */
export const recipient = (
  name: string,
  disposition: Omit<NewRecipient, 'address' | 'direction'> = delivering,
) => ({
  address: `${name}@office.example`,
  direction: 'INBOUND' as const,
  ...disposition,
})

/** Returns a mail for bob that waits for its delivery. */
export const newMail = (id: string, more: Partial<NewMail> = {}): NewMail => ({
  id,
  receivedAt: 1000,
  from: 'ann@far.example',
  author: 'ann@far.example',
  subject: 'Hello',
  spam: false,
  report: false,
  utf8: false,
  raw: Buffer.from('Subject: Hello\r\n\r\nHi!\r\n'),
  recipients: [recipient('bob')],
  invocations: [],
  ...more,
})

/** Returns a mail that waits for a function. */
export const undecidedMail = (id: string, more: Partial<NewMail> = {}): NewMail => {
  const invocation = `invocation of ${id}`
  const mail = newMail(id, {
    recipients: [recipient('bob', undecided)],
    invocations: [{ id: invocation, rule }],
    ...more,
  })
  return { ...mail, recipients: mail.recipients.map(each => ({ invocation, ...each })) }
}
