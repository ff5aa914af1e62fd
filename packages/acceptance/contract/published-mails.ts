import assert from 'node:assert/strict'
import { signalbox } from '@signalbox/core'
import { type Mail, mailFlow } from '@signalbox/mail-flow'
import type { MailEvent } from '@signalbox/mail-flow/contract'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { type MailSetupOptions, mailSetup } from '@signalbox/platform-mail/testing/mail-setup'
import { otherServer } from '@signalbox/platform-mail/testing/other-server'
import { smtpReplies } from '@signalbox/platform-mail/testing/smtp-dialogue'
import {
  bob,
  carol,
  concludes,
  decision,
  letOut,
  outbound,
  type RecipientStates,
  response,
} from './cases/mail-answers.ts'
import type { Sides } from './contract-case.ts'
import type { Samples } from './published-sides.ts'

const usual = response(decision('DEFAULT'))
const far = outbound.to[0]!

/** Returns what a function reads in the content of a mail. */
async function readIn(raw: Buffer, look: (mail: Mail) => unknown): Promise<unknown> {
  let seen: unknown
  const handler = signalbox(
    mailFlow(
      async mail => {
        seen = await look(mail)
      },
      { fetchMessage: () => raw },
    ),
  )
  assert.deepEqual(await handler(mailEvent({ recipients: outbound.to, outbound: true })), usual)
  return seen
}

/** Returns checks that a function reads this subject, and that the relay gets the mail with the same bytes. */
function passesOn(raw: Buffer, subject: string): Sides {
  return {
    function: async () =>
      assert.equal(await readIn(raw, async mail => (await mail.parsed()).subject), subject),
    async platform() {
      await using next = await otherServer()
      const relay = { host: '127.0.0.1', port: next.port }
      await using setup = await mailSetup(() => usual, { outbound: {}, relay })
      const id = await setup.send({ to: far, raw })
      await setup.calm()
      assert.deepEqual(await setup.recipientStates(id), { [far]: 'relayed' })
      assert.equal(setup.events[0]!.subject, subject)
      const [{ data, session }] = next.taken as [(typeof next.taken)[0]]
      assert.ok(data.includes(raw), 'the bytes differ')
      assert.deepEqual([session.bodyType, session.smtpUtf8], ['8bitmime', false])
    },
  }
}

/** Returns checks that a function lets an outbound mail go, and that it reaches this state at a relay. */
function overTls(tls: 'verify' | 'opportunistic' | undefined, state: string, why: RegExp): Sides {
  return {
    function: concludes(usual, { [far]: 'delivered' }, outbound).function,
    async platform() {
      // This server has a certificate that nobody signed.
      await using next = await otherServer({ hideSTARTTLS: false })
      const relay = { host: '127.0.0.1', port: next.port, ...(tls && { tls }) }
      await using setup = await mailSetup(() => usual, { outbound: {}, relay })
      const id = await setup.send({ to: far })
      await setup.calm()
      const report = (await setup.recipientReports(id))[far]!
      assert.equal(report.state, state)
      assert.match(report.why ?? '', why)
    },
  }
}

/** Returns checks that an answer for a recipient as it was written leads to these states, and this mailbox. */
function inDomains(
  to: string,
  answer: object,
  options: MailSetupOptions,
  states: RecipientStates,
  mailbox?: string,
): Sides {
  return {
    async function() {
      const event = mailEvent({ recipients: [to] })
      assert.deepEqual(await letOut(event, answer), answer)
    },
    async platform() {
      await using setup = await mailSetup(() => answer, options)
      const id = await setup.send({ to })
      await setup.calm()
      assert.deepEqual(await setup.recipientStates(id), states)
      assert.deepEqual(setup.events[0]?.envelope.recipients, [{ address: to }])
      if (mailbox !== undefined)
        assert.deepEqual(
          (await setup.platform.mail.inbox()).map(({ address }) => address),
          [mailbox],
        )
    },
  }
}

/** Returns checks that this function, and not the function for all other mail, decides. */
function decidedByOther(rule: { senders?: string[]; recipients?: string[] }, isOther: boolean): Sides {
  const drop = response(decision('DROP'))
  return {
    function: concludes(isOther ? drop : usual, { [bob]: isOther ? 'dropped' : 'delivered' }).function,
    async platform() {
      await using setup = await mailSetup(() => usual, {
        functions: { other: { handler: () => drop } },
        rules: [
          { direction: 'INBOUND', function: 'sort' },
          { direction: 'INBOUND', function: 'other', ...rule },
        ],
      })
      const id = await setup.send()
      await setup.calm()
      assert.deepEqual(await setup.recipientStates(id), { [bob]: isOther ? 'dropped' : 'delivered' })
    },
  }
}

/**
 * Returns checks that the mail server does not take an address, and that it is not added to a mail. A function may name it,
 * because other servers have such mailboxes.
 */
function isNotTaken(address: string): Sides {
  const named = response(decision('DEFAULT', { recipients: [address] }), decision('DROP'))
  return {
    function: concludes(named, { [far]: 'dropped', [address]: 'delivered' }, outbound).function,
    async platform() {
      await using setup = await mailSetup(() => named, { outbound: {}, relay: 'keep' })
      const lines = ['EHLO client', 'MAIL FROM:<>', `RCPT TO:<${address}>`]
      const replies = await smtpReplies(`smtp://127.0.0.1:${setup.port}`, ...lines)
      assert.equal(replies.at(-1), '501 5.1.3 Invalid address: misplaced dot')
      const id = await setup.send({ to: far })
      await setup.calm()
      assert.deepEqual(await setup.recipientStates(id), { [far]: 'dropped', [address]: 'failed' })
    },
  }
}

const bare = 'From: ann@far.example\r\nSubject: Beans\r\n\r\nHi!\r\n'
const legacy = (subject: string) =>
  Buffer.from(`Date: Sat, 28 Nov 2026 10:00:00 +0000\r\nSubject: ${subject}\r\n\r\nHi!\r\n`, 'latin1')
const addressed = (whom: string) => response(decision('DEFAULT', { recipients: [whom] }), decision('DROP'))
const mailboxes = {
  'office.example': { to: 'mailboxes', recipients: ['bob', 'carol'], aliases: { info: 'carol' } },
} as const
const shop = { 'shop.example': { to: 'relay' } } as const
const utf8 = Buffer.from('Größe').toString('latin1')

/** Mails and settings of mail, in the manner of reports. */
export const mailSamples: Samples = {
  'a subject of raw bytes in UTF-8': passesOn(legacy(utf8), 'Größe'),
  'a raw byte within an encoded word': passesOn(legacy('=?iso-8859-1?q?Gr\xf6=DFe?='), 'Größe'),
  'a relay on this machine, whose certificate nobody signed': overTls(undefined, 'relayed', /./),
  'the same relay, which is to be verified': overTls('verify', 'delivering', /mail\.relay\.tls is 'verify'/),
  'a rule for the domain of a sender': decidedByOther({ senders: ['far.example'] }, true),
  'a rule for a pattern of senders': decidedByOther({ senders: ['ann@*.example'] }, true),
  'a rule for another sender': decidedByOther({ senders: ['eve@far.example'] }, false),
  'a rule for a recipient': decidedByOther({ recipients: [bob] }, true),
  'a rule for another recipient': decidedByOther({ recipients: [carol] }, false),
  'a subaddress': inDomains(
    'bob+beans@office.example',
    addressed('bob+beans@office.example'),
    { domains: mailboxes },
    { 'bob+beans@office.example': 'delivered' },
    bob,
  ),
  'an alias': inDomains(
    'info@office.example',
    addressed('info@office.example'),
    { domains: mailboxes },
    { 'info@office.example': 'delivered' },
    carol,
  ),
  'an action that names the mailbox of an alias, which is no recipient': inDomains(
    'info@office.example',
    response(decision('DROP', { recipients: [carol] }), decision('DEFAULT')),
    { domains: mailboxes },
    { 'info@office.example': 'delivered' },
    carol,
  ),
  'a domain whose mail another server keeps': {
    function: inDomains('kay@shop.example', response(decision('MOVE_TO_JUNK')), {}, {}).function,
    async platform() {
      await using next = await otherServer()
      const relay = { host: '127.0.0.1', port: next.port }
      await inDomains(
        'kay@shop.example',
        response(decision('MOVE_TO_JUNK')),
        { domains: shop, relay },
        { 'kay@shop.example': 'relayed' },
      ).platform()
      assert.match(String(next.taken[0]!.data), /^X-Spam-Flag: YES\r$/m)
    },
  },
  'a mail without Date and Message-ID': {
    function: async () =>
      assert.deepEqual(
        await readIn(Buffer.from(bare), async mail => {
          const { date, headers } = await mail.parsed()
          return [date, headers.find(({ key }) => key === 'message-id')?.value]
        }),
        [undefined, undefined],
      ),
    async platform() {
      await using setup = await mailSetup(() => usual, { outbound: {}, relay: 'keep' })
      const id = await setup.send({ to: far, raw: bare })
      await setup.calm()
      assert.deepEqual(await setup.recipientStates(id), { [far]: 'delivered' })
      const [{ text }] = (await setup.inbox(far)) as unknown as [{ text: string }]
      assert.match(text, /^Date: /m)
      assert.match(text, /^Message-ID: <.+@.+>\r$/m)
    },
  },
  'an automatic reply, which has the null sender': {
    async function() {
      const event = mailEvent({ recipients: outbound.to, outbound: true, from: '' })
      const fromNobody = (mail: MailEvent) => (mail.envelope.mailFrom.address === '' ? usual : {})
      assert.deepEqual(await letOut(event, fromNobody), usual)
    },
    async platform() {
      await using setup = await mailSetup(() => usual, { outbound: {}, relay: 'keep' })
      const id = await setup.send({ from: '', to: far })
      await setup.calm()
      assert.equal(setup.events[0]!.envelope.mailFrom.address, '')
      assert.deepEqual(await setup.recipientStates(id), { [far]: 'delivered' })
    },
  },
  'an address that begins with a dot': isNotTaken('.dora@far.example'),
  'an address with a dot before the at sign': isNotTaken('dora.@far.example'),
  'an address with two dots': isNotTaken('do..ra@far.example'),
}
