import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { compile } from '@signalbox/codec'
import { eventSizeLimit, MailEvent } from '@signalbox/mail-flow/contract'
import { createTransport } from 'nodemailer'
import { mailSetup } from './testing/mail-setup.ts'

const byDefault = () => ({ actions: [{ action: { type: 'DEFAULT' }, allRecipients: true }] })

const head = 'From: "Ann, of Far" <ann.from@far.example>\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Returns the events of one mail to two inbound recipients and one outbound recipient. */
async function eventsOfOneMail() {
  await using setup = await mailSetup(byDefault, { outbound: {}, relay: 'keep' })
  const id = await setup.send({
    from: 'bounces@far.example',
    to: ['bob@office.example', 'carol@elsewhere.example', 'dora@office.example'],
    raw: `${head}\r\nHi!\r\n`,
  })
  await setup.calm()
  const inbound = setup.events.find(({ flowDirection }) => flowDirection === 'INBOUND')!
  const outbound = setup.events.find(({ flowDirection }) => flowDirection === 'OUTBOUND')!
  return { setup, id, inbound, outbound }
}

it('the event of a mail has no user, whichever user and password a program of this machine sent', async () => {
  await using setup = await mailSetup(byDefault)
  for (const auth of [undefined, { user: 'admin', pass: 'secret' }]) {
    const smtp = createTransport({
      ...{ host: '127.0.0.1', port: setup.port, ignoreTLS: true },
      ...(auth && { auth }),
    })
    const envelope = { from: 'ann@far.example', to: ['bob@office.example'] }
    await smtp.sendMail({ envelope, raw: `${head}\r\nHi!\r\n` })
    smtp.close()
    await setup.calm()
  }
  const [without, withUser] = setup.events.map(event => {
    const { messageId: _, invocationId: __, ...rest } = event
    return rest
  })
  expect(withUser).toEqual(without)
  expect(JSON.stringify(withUser)).not.toContain('admin')
})

describe('the event of a mail that arrived over SMTP', () => {
  let seen: Awaited<ReturnType<typeof eventsOfOneMail>>
  beforeAll(async () => {
    seen = await eventsOfOneMail()
  })

  it.each<[string, string, (event: MailEvent, id: string) => void]>([
    [
      'summaryVersion',
      'Version of the message summary (date-shaped string)',
      ({ summaryVersion }) => expect(summaryVersion).toBe('2019-07-28'),
    ],
    [
      'envelope',
      '`mailFrom` (Object with `address`) and `recipients` (List of Object, each with `address`)',
      ({ envelope }) =>
        expect(envelope).toEqual({
          mailFrom: { address: 'bounces@far.example' },
          recipients: [{ address: 'bob@office.example' }, { address: 'dora@office.example' }],
        }),
    ],
    [
      'sender',
      'Holds `address` (sender email address)',
      ({ sender }) => expect(sender).toEqual({ address: 'ann.from@far.example' }),
    ],
    [
      'subject',
      'Email subject, truncated to the first 256 characters',
      ({ subject }) => expect(subject).toBe('Grüße'),
    ],
    [
      'messageId',
      'Message id, used for retrieval through the mail-flow API',
      ({ messageId }, id) => expect(messageId).toBe(id),
    ],
    [
      'invocationId',
      'Id of this invocation; it is the correlation id',
      ({ invocationId, messageId }) => {
        expect(invocationId).toMatch(uuid)
        expect(invocationId).not.toBe(messageId)
      },
    ],
    [
      'flowDirection',
      '`INBOUND` or `OUTBOUND`',
      ({ flowDirection }) => expect(flowDirection).toBe('INBOUND'),
    ],
    [
      'truncated',
      'True if any field was truncated because of size limits',
      ({ truncated }) => expect(truncated).toBe(false),
    ],
  ])('has the field "%s" as the contract describes it', (_name, _meaning, check) => {
    const { inbound, id } = seen
    expect(compile(MailEvent)(inbound)).toBe(true)
    check(inbound, id)
  })

  it('exists once for each direction, with the recipients in that direction and a separate invocation id', () => {
    const { setup, inbound, outbound } = seen
    expect(setup.events).toHaveLength(2)
    expect(outbound.envelope.recipients).toEqual([{ address: 'carol@elsewhere.example' }])
    expect(outbound.messageId).toBe(inbound.messageId)
    expect(outbound.invocationId).not.toBe(inbound.invocationId)
  })

  it('keeps the letter case of addresses, which does not affect the direction', async () => {
    await using setup = await mailSetup(byDefault)
    const socket = connect(setup.port, '127.0.0.1')
    socket.end(
      'EHLO x\r\nMAIL FROM:<Ann@FAR.example>\r\nRCPT TO:<Dora@OFFICE.example>\r\nDATA\r\nSubject: x\r\n\r\n.\r\nQUIT\r\n',
    )
    for await (const _ of socket);
    expect(setup.events).toMatchObject([
      {
        envelope: {
          mailFrom: { address: 'Ann@FAR.example' },
          recipients: [{ address: 'Dora@OFFICE.example' }],
        },
        flowDirection: 'INBOUND',
      },
    ])
    await setup.calm()
    expect(await setup.inbox('Dora@office.example')).toHaveLength(1)
  })

  it('has an empty address for the null sender and for a missing From header', async () => {
    await using setup = await mailSetup(byDefault)
    await setup.send({ from: '', raw: 'Subject: =?utf-8?q?nul=00l?=\r\n\r\nHi!\r\n' })
    await setup.calm()
    expect(setup.events).toMatchObject([{ envelope: { mailFrom: { address: '' } }, sender: { address: '' } }])
  })

  it.each([
    [320, false],
    [321, true],
  ])('has an address of %d characters from the From header, or is truncated: %p', async (length, cut) => {
    const address = `${'x'.repeat(length - 12)}@far.example`
    await using setup = await mailSetup(byDefault)
    await setup.send({ raw: `From: <${address}>\r\n\r\nHi!\r\n` })
    await setup.calm()
    expect(setup.events).toMatchObject([{ sender: { address: cut ? '' : address }, truncated: cut }])
  })

  it('has the same message id as the reply to DATA and the Received line of the fetched mail', async () => {
    await using setup = await mailSetup(byDefault)
    const raw = Buffer.from('Subject: bytes\r\n\r\n\xff\xfe \x01\r\nlast', 'latin1')
    const id = await setup.send({ raw })
    await setup.calm()
    expect(setup.events[0]!.messageId).toBe(id)
    const fetched = await setup.platform.mail.fetch(id)
    expect(/^Received: [^;]* id (\S+);/.exec(String(fetched))?.[1]).toBe(id)
    expect(fetched!.includes(raw)).toBe(true)
  })

  it.each([256, 257])(
    'contains the first 256 characters of a subject with %d characters, and is not truncated for it',
    async length => {
      await using setup = await mailSetup(byDefault)
      await setup.send({ subject: `=?utf-8?b?${Buffer.from('🙂'.repeat(length)).toString('base64')}?=` })
      await setup.calm()
      expect(setup.events).toMatchObject([{ subject: '🙂'.repeat(256), truncated: false }])
    },
  )

  it('is truncated to 128 KB, and the response can decide on omitted recipients, too', async () => {
    const domain = `${`${'y'.repeat(60)}.`.repeat(3)}example`
    const who = (number: number) => `${number}.${'x'.repeat(58)}@${domain}`
    const recipients = Array.from({ length: 500 }, (_, number) => who(number))
    const listed = new Set<string>()
    const answer = ({ envelope }: MailEvent) => {
      for (const { address } of envelope.recipients) listed.add(address)
      return {
        actions: [
          // The event is truncated, so the response can name addresses that are not in the event.
          { action: { type: 'DEFAULT' }, recipients: [who(499), 'unlisted@far.example'] },
          { action: { type: 'DROP' }, allRecipients: true },
        ],
      }
    }
    await using setup = await mailSetup(answer, {
      outbound: {},
      relay: 'keep',
    })
    const id = await setup.send({ to: recipients })
    await setup.calm()
    const [event] = setup.events
    expect(event!.truncated).toBe(true)
    const size = Buffer.byteLength(JSON.stringify(event))
    expect(size).toBeLessThanOrEqual(eventSizeLimit)
    expect(size).toBeGreaterThan(eventSizeLimit - 300)
    expect(listed.size).toBeLessThan(500)
    expect(listed).not.toContain(who(499))
    const recipientReports = await setup.recipientReports(id)
    expect(recipientReports[who(499)]).toMatchObject({ state: 'delivered' })
    expect(recipientReports[who(498)]).toMatchObject({ state: 'dropped' })
  })
})
