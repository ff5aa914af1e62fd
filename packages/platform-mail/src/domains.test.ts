import { describe, expect, it } from '@jest/globals'
import type { MailEvent } from '@signalbox/mail-flow/contract'
import { mailSetup } from './testing/mail-setup.ts'
import { otherServer } from './testing/other-server.ts'
import { smtpReplies } from './testing/smtp-dialogue.ts'

const everyone = (type: string) => ({ actions: [{ action: { type }, allRecipients: true }] })

/** Decides by the subject of a mail. */
const bySubject = ({ subject }: MailEvent) => everyone(subject)

describe('a domain with the destination relay', () => {
  const domains = {
    'office.example': { to: 'mailboxes' },
    'shop.example': { to: 'relay', recipients: ['ann', 'bob'] },
  } as const

  it('has inbound mail, which a function decides on before the relay gets it', async () => {
    await using next = await otherServer()
    const relay = { host: '127.0.0.1', port: next.port }
    await using setup = await mailSetup(bySubject, { domains, relay })
    const to = ['ann@shop.example', 'bob@office.example']
    const ids = [await setup.send({ to, subject: 'DEFAULT' }), await setup.send({ to, subject: 'DROP' })]
    await setup.calm()
    expect(await Promise.all(ids.map(setup.recipientStates))).toEqual([
      { 'ann@shop.example': 'relayed', 'bob@office.example': 'delivered' },
      { 'ann@shop.example': 'dropped', 'bob@office.example': 'dropped' },
    ])
    expect(
      setup.events.map(({ flowDirection, envelope }) => [flowDirection, envelope.recipients.length]),
    ).toEqual([
      ['INBOUND', 2],
      ['INBOUND', 2],
    ])
    expect(next.taken.map(({ session }) => session.rcptTo.map(({ address }) => address))).toEqual([
      ['ann@shop.example'],
    ])
  })

  it('says to the next server where a mail belongs, in the header X-Spam-Flag', async () => {
    await using next = await otherServer()
    const relay = { host: '127.0.0.1', port: next.port }
    await using setup = await mailSetup(bySubject, { domains, relay })
    const flagged = ['X-Spam-Flag: YES\r\n', '']
    for (const subject of ['DEFAULT', 'MOVE_TO_JUNK', 'BYPASS_SPAM_CHECK'])
      for (const flag of flagged) {
        await setup.send({ to: 'ann@shop.example', raw: `${flag}Subject: ${subject}\r\n\r\nHi!\r\n` })
        await setup.calm()
      }
    expect(
      next.taken.map(({ data }) => [
        /^Subject: (.*)\r$/m.exec(String(data))![1],
        (String(data).match(/^X-Spam-Flag: YES\r$/gm) ?? []).length,
      ]),
    ).toEqual([
      ['DEFAULT', 1],
      ['DEFAULT', 0],
      ['MOVE_TO_JUNK', 1],
      ['MOVE_TO_JUNK', 1],
      ['BYPASS_SPAM_CHECK', 0],
      ['BYPASS_SPAM_CHECK', 0],
    ])
  })

  it('separates recipients of one mail whose folders differ', async () => {
    await using next = await otherServer()
    const relay = { host: '127.0.0.1', port: next.port }
    const decide = () => ({
      actions: [
        { action: { type: 'MOVE_TO_JUNK' }, recipients: ['ann@shop.example'] },
        { action: { type: 'DEFAULT' }, allRecipients: true },
      ],
    })
    await using setup = await mailSetup(decide, { domains, relay })
    const id = await setup.send({ to: ['ann@shop.example', 'bob@shop.example'] })
    await setup.calm()
    expect(await setup.recipientStates(id)).toEqual({
      'ann@shop.example': 'relayed',
      'bob@shop.example': 'relayed',
    })
    expect(
      next.taken.map(({ session, data }) => [
        session.rcptTo[0]!.address,
        String(data).includes('X-Spam-Flag'),
      ]),
    ).toEqual([
      ['bob@shop.example', false],
      ['ann@shop.example', true],
    ])
  })

  it('refuses recipients that are not listed, and accepts subaddresses and the postmaster', async () => {
    await using next = await otherServer()
    const relay = { host: '127.0.0.1', port: next.port }
    await using setup = await mailSetup(bySubject, { domains, relay })
    const to = ['eve', 'ann+x', 'Postmaster', 'eve+ann'].map(name => `RCPT TO:<${name}@shop.example>`)
    const url = `smtp://127.0.0.1:${setup.port}`
    const replies = await smtpReplies(url, 'EHLO client', 'MAIL FROM:<>', ...to)
    expect(replies.slice(-4)).toEqual([
      '550 5.1.1 No such mailbox',
      '250 2.1.5 Recipient accepted',
      '250 2.1.5 Recipient accepted',
      '550 5.1.1 No such mailbox',
    ])
  })

  it('keeps its mail here when the relay is `keep`', async () => {
    await using setup = await mailSetup(bySubject, { domains, relay: 'keep' })
    const id = await setup.send({ to: 'ann@shop.example', subject: 'MOVE_TO_JUNK' })
    await setup.calm()
    expect(await setup.recipientStates(id)).toEqual({ 'ann@shop.example': 'delivered' })
    expect(await setup.inbox('ann@shop.example')).toMatchObject([{ folder: 'junk' }])
  })
})

describe('a domain with mailboxes', () => {
  const domains = {
    'office.example': {
      to: 'mailboxes',
      recipients: ['ann', 'bob', 'bob+own'],
      aliases: { info: 'ann', Sales: 'Bob@Office.example', far: 'eve@home.example' },
    },
    'home.example': { to: 'mailboxes' },
    'plain.example': { to: 'mailboxes', recipients: ['ann'], subaddresses: false },
  } as const

  it.each([
    ['ann+shop@office.example', 'ann@office.example'],
    ['Ann+Shop+More@office.example', 'ann@office.example'],
    ['info@office.example', 'ann@office.example'],
    ['info+shop@office.example', 'ann@office.example'],
    ['sales@office.example', 'bob@office.example'],
    ['far@office.example', 'eve@home.example'],
    ['bob+own@office.example', 'bob+own@office.example'],
    ['kim+shop@home.example', 'kim@home.example'],
    ['+kim@home.example', '+kim@home.example'],
    ['postmaster+x@office.example', 'postmaster@office.example'],
  ])('keeps mail to %s in the mailbox of %s, and the function sees the recipient', async (to, mailbox) => {
    await using setup = await mailSetup(bySubject, { domains })
    const id = await setup.send({ to, subject: 'DEFAULT' })
    await setup.calm()
    expect(await setup.recipientStates(id)).toEqual({ [to]: 'delivered' })
    const [mail, ...others] = await setup.inbox(mailbox)
    expect(others).toEqual([])
    expect(mail!.text).toContain(`Delivered-To: ${mailbox}\r\n`)
    expect(mail!.text.includes(`X-Original-To: ${to}\r\n`)).toBe(to !== mailbox)
    expect(setup.events[0]!.envelope.recipients).toEqual([{ address: to }])
    expect(await setup.inbox(to)).toHaveLength(1)
  })

  it('keeps one copy of a mail to several addresses of one mailbox', async () => {
    await using setup = await mailSetup(bySubject, { domains })
    await setup.send({
      to: ['ann@office.example', 'info@office.example', 'ann+x@office.example'],
      subject: 'DEFAULT',
    })
    await setup.calm()
    expect(await setup.platform.mail.inbox()).toHaveLength(1)
  })

  it('refuses addresses that are neither recipients, nor aliases, nor their subaddresses', async () => {
    await using setup = await mailSetup(bySubject, { domains })
    const to = [
      'eve@office.example',
      'eve+ann@office.example',
      '"ann+x"@plain.example',
      'ann+x@plain.example',
    ]
    const lines = to.map(address => `RCPT TO:<${address}>`)
    const replies = await smtpReplies(
      `smtp://127.0.0.1:${setup.port}`,
      'EHLO client',
      'MAIL FROM:<>',
      ...lines,
    )
    expect(replies.slice(-4)).toEqual(Array(4).fill('550 5.1.1 No such mailbox'))
  })
})
