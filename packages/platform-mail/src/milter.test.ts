import { expect, it } from '@jest/globals'
import type { MailEvent } from '@signalbox/mail-flow/contract'
import { type MailAnswer, type MailSetupOptions, mailSetup, until } from './testing/mail-setup.ts'
import { type AskedMail, milterClient } from './testing/milter-client.ts'

const [bob, carol] = ['bob@office.example', 'carol@office.example'] as const
const toAll = (type: string) => ({ actions: [{ action: { type }, allRecipients: true }] })
/** Decides as the local parts of the recipients say. */
const byName = ({ envelope }: MailEvent) => ({
  actions: envelope.recipients.map(({ address }) => ({
    action: address === bob ? { type: 'BOUNCE', parameters: { bounceMessage: 'Left' } } : { type: 'DEFAULT' },
    recipients: [address],
  })),
})

const milterSetup = (answer: MailAnswer, options: MailSetupOptions = {}) =>
  mailSetup(answer, { relay: 'keep', milter: { port: 0 }, ...options })

type Setup = Awaited<ReturnType<typeof mailSetup>>

/** Asks about a mail on a connection of its own. */
async function ask({ urls }: Pick<Setup, 'urls'>, mail: AskedMail = {}): Promise<string> {
  await using client = await milterClient(urls.milter)
  const { changes, reply } = await client.ask({
    headers: [
      ['From', ' Ann <ann@far.example>'],
      ['Subject', ' =?utf-8?q?Gr=C3=BC=C3=9Fe?='],
      ['Message-ID', ' <1@far.example>'],
    ],
    ...mail,
  })
  return [...changes, reply].join(', ')
}
const both: AskedMail = { to: [`<${bob}>`, `<${carol}>`] }

it('a mail server that asks gets the decision of the function, and keeps the mail', async () => {
  let raw: Promise<Buffer | undefined> | undefined
  await using setup = await milterSetup(event => {
    raw = setup.platform.mail.fetch(event.messageId)
    return toAll('DROP')
  })
  expect(setup.urls.milter).toMatch(/^milter:\/\/127\.0\.0\.1:\d+$/)
  expect(await ask(setup)).toBe('d')
  expect(setup.events).toMatchObject([
    {
      envelope: { mailFrom: { address: 'ann@far.example' }, recipients: [{ address: bob }] },
      ...{ sender: { address: 'ann@far.example' }, subject: 'Grüße', flowDirection: 'INBOUND' },
      client: { address: '192.0.2.7', name: 'client.example', helo: 'client.example' },
    },
  ])
  expect(String(await raw)).toBe(
    'From: Ann <ann@far.example>\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nMessage-ID: <1@far.example>\r\n\r\nHi!\r\n',
  )
  expect(await setup.platform.mail.fetch(setup.events[0]!.messageId)).toBeUndefined()
  expect(await setup.states()).toEqual([])
})

it('a mail that a mail server asks about again has the same decision, until it has other recipients', async () => {
  let count = 0
  await using setup = await milterSetup(() => toAll(count++ === 0 ? 'DROP' : 'DEFAULT'))
  expect(await ask(setup)).toBe('d')
  expect(await ask(setup)).toBe('d')
  expect(await ask(setup, both)).toBe('c')
  expect(setup.events).toHaveLength(2)
})

it('a failing function makes the client of a mail server come again until the timeout of the rule', async () => {
  await using setup = await milterSetup(
    () => {
      throw new Error('broken')
    },
    { inbound: { timeout: 10, fallback: 'MOVE_TO_JUNK' } },
  )
  expect(await ask(setup)).toMatch(/^y 451 4\.3\.0 /)
  await setup.clock.advance(10 * 60_000)
  expect(await ask(setup)).toBe('i 0 X-Spam-Flag: YES, c')
})

it('the direction that a mail server gives decides on the rule', async () => {
  await using setup = await milterSetup(
    ({ flowDirection }) => toAll(flowDirection === 'OUTBOUND' ? 'DROP' : 'DEFAULT'),
    {
      outbound: {},
    },
  )
  expect(await ask(setup)).toBe('c')
  expect(await ask(setup, { macros: { sender: { '{auth_authen}': 'carol' } } })).toBe('d')
  expect(await ask(setup, { to: ['<rita@far.example>'] })).toBe('d')
  const recipient = () => ({ '{rcpt_mailer}': 'virtual' })
  expect(await ask(setup, { to: ['<rita@shop.example>'], macros: { recipient } })).toBe('c')
  expect(setup.events.map(({ flowDirection }) => flowDirection)).toEqual([
    ...['INBOUND', 'OUTBOUND', 'OUTBOUND', 'INBOUND'],
  ])
})

it('a mail that is bounced for some recipients is refused for all, and nobody gets a report', async () => {
  await using setup = await milterSetup(byName)
  expect(await ask(setup, both)).toBe(
    'y 550-5.7.1 The mail was not delivered to anyone, because it is refused for some recipients:\r\n' +
      `550 5.7.1 ${bob}: Left`,
  )
  expect(await ask(setup, { from: ['<>'] })).toBe('y 550 5.7.1 Left')
  expect(await setup.states()).toEqual([])
})

it('with mixed: "report", the sender of a mail that is bounced for some recipients gets one report', async () => {
  await using setup = await milterSetup(byName, { mixed: 'report' })
  expect(await ask(setup, both)).toBe(`- <${bob}>, c`)
  expect(await ask(setup, both)).toBe(`- <${bob}>, c`)
  await setup.calm()
  const reports = await setup.inbox('ann@far.example')
  expect(reports).toHaveLength(1)
  expect(reports[0]!.text).toMatch(/^Final-Recipient: rfc822; ?bob@office\.example/m)
  expect(await setup.inbox(carol)).toEqual([])
  const [mail] = (await setup.states()).filter(({ report }) => !report)
  expect(mail!.recipients).toMatchObject([{ address: bob, state: 'bounced' }])
  // The null sender gets no report, because it is that of reports.
  expect(await ask(setup, { ...both, from: ['<>'] })).toBe(`- <${bob}>, c`)
  await setup.calm()
  expect(await setup.inbox('ann@far.example')).toHaveLength(1)
})

it('an asynchronous function gets the mail that a mail server accepts, and can fetch it afterwards', async () => {
  await using setup = await milterSetup(() => null, { inbound: { mode: 'async' } })
  expect(await ask(setup)).toBe('c')
  await setup.calm()
  await until(() => setup.events.length === 1)
  const [{ messageId, client }] = setup.events as [MailEvent]
  expect(client).toMatchObject({ address: '192.0.2.7' })
  expect(String(await setup.platform.mail.fetch(messageId))).toMatch(/^From: Ann/)
  expect(await setup.recipientReports(messageId)).toMatchObject({
    [bob]: { state: 'relayed', why: 'the mail server that asked has it' },
  })
  expect(await setup.inbox(bob)).toEqual([])
})

it('a platform that stops makes the client of a mail server come again', async () => {
  await using setup = await milterSetup(() => new Promise(() => {}))
  const answer = ask(setup)
  await until(() => setup.events.length === 1)
  const stopped = setup.platform.stop()
  expect(await answer).toMatch(/^y 451 4\.3\.0 /)
  await setup.clock.advance(60_000)
  await stopped
})
