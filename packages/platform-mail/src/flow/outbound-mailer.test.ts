import { expect, it } from '@jest/globals'
import type { IncomingMail } from '../api/incoming-mail.ts'
import { mailDomains } from '../testing/mail-listener.ts'
import { outboundMailer } from './outbound-mailer.ts'

const settings = {
  name: 'mail.example',
  domains: mailDomains({ 'office.example': ['ann'] }),
  relay: undefined,
} as const
const mail = {
  id: 'one',
  from: 'Staff <staff@office.example>',
  to: 'ann@office.example',
  subject: 'Zugang für Ann',
  text: 'Ihr Code: 123456',
  isHtml: false,
}

function mailer(relay?: 'keep') {
  const accepted: IncomingMail[] = []
  const accept = async (taken: IncomingMail) => void accepted.push(taken)
  return {
    accepted,
    ...outboundMailer({ ...settings, relay }, accept, { now: () => 1_700_000_000_000, traces: undefined }),
  }
}

it('the outbound mailer composes a mail from its parts', async () => {
  const { accepted, submit } = mailer()
  expect(await submit(mail)).toBe(true)
  const [{ id, from, recipients, raw }] = accepted as [IncomingMail]
  expect({ id, from, recipients }).toEqual({
    id: 'one',
    from: 'staff@office.example',
    recipients: ['ann@office.example'],
  })
  const text = raw.toString('latin1')
  for (const line of [
    'From: Staff <staff@office.example>',
    'To: ann@office.example',
    'Subject: =?UTF-8?Q?Zugang_f=C3=BCr_Ann?=',
    'Message-ID: <one@mail.example>',
    'Date: Tue, 14 Nov 2023 22:13:20 +0000',
    'Auto-Submitted: auto-generated',
    'Content-Type: text/plain; charset=utf-8',
  ])
    expect(text).toContain(`${line}\r\n`)
  expect(text).toMatch(/\r\n\r\nIhr Code: 123456/)
})

it('the outbound mailer composes an HTML mail, and uses its own sender address by default', async () => {
  const { accepted, submit } = mailer()
  await submit({ ...mail, from: undefined, isHtml: true, text: '<b>123456</b>' })
  expect(accepted[0]!.from).toBe('no-reply@mail.example')
  expect(accepted[0]!.raw.toString()).toContain('Content-Type: text/html; charset=utf-8\r\n')
})

it('the outbound mailer adds no header if the subject contains a line break', async () => {
  const { accepted, submit } = mailer()
  await submit({ ...mail, subject: 'Hello\r\nBcc: eve@far.example' })
  expect(accepted[0]!.raw.toString()).not.toMatch(/^Bcc:/m)
})

it('the outbound mailer refuses recipients without a mailbox or a relay', async () => {
  const { accepted, submit } = mailer()
  expect(await submit({ ...mail, to: 'bob@office.example' })).toBe(false)
  expect(await submit({ ...mail, to: 'bob@far.example' })).toBe(false)
  expect(accepted).toEqual([])
  expect(await mailer('keep').submit({ ...mail, to: 'bob@far.example' })).toBe(true)
})
