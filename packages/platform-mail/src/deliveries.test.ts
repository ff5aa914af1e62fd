import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { freePort } from '@signalbox/platform-runtime/testing/free-port'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { mailSetup, until } from './testing/mail-setup.ts'
import { no, otherServer, scriptedServer } from './testing/other-server.ts'
import { smtpDialogue } from './testing/smtp-dialogue.ts'

const byDefault = () => ({ actions: [{ action: { type: 'DEFAULT' }, allRecipients: true }] })
const minute = 60_000

/** Connects as a client, and collects the replies. */
async function converse(url: string, said: string[]): Promise<string[]> {
  await using client = await smtpDialogue(url)
  said.push('greeted')
  for (let count = 0; count < 3; count++) said.push((await client.say('NOOP'))!.slice(0, 9))
  return said
}

describe('outbound mail', () => {
  it('goes to the relay in one transaction, and the sender gets a report on refused recipients', async () => {
    await using far = await mailSetup(byDefault, {
      domains: { 'far.example': { to: 'mailboxes', recipients: ['eve', 'finn'] } },
    })
    await using setup = await mailSetup(byDefault, { relay: { host: '127.0.0.1', port: far.port } })
    const [eve, finn, nobody] = ['eve@far.example', 'finn@far.example', 'nobody@far.example']
    const id = await setup.send({ from: 'bob@office.example', to: [eve, nobody, finn, 'bob@office.example'] })
    await setup.calm()
    expect(await setup.recipientStates(id)).toEqual({
      [eve]: 'relayed',
      [nobody]: 'bounced',
      [finn]: 'relayed',
      'bob@office.example': 'delivered',
    })
    expect((await setup.recipientReports(id))[nobody]!.why).toContain('5.1.1')
    await far.calm()
    expect(await far.states()).toHaveLength(1)
    expect(far.events[0]!.envelope.recipients).toEqual([{ address: eve }, { address: finn }])
    const report = (await setup.inbox('bob@office.example')).find(({ text }) =>
      text.includes('Return-Path: <>'),
    )
    expect(report!.text).toMatch(/^Status: 5\.1\.1/im)
    expect(report!.text.match(/^Final-Recipient/gim)).toHaveLength(1)
  })

  it.each([
    ['', { smtpUtf8: false, bodyType: '8bitmime' }],
    [' SMTPUTF8', { smtpUtf8: true, bodyType: '8bitmime' }],
  ])('with non-ASCII headers reaches the relay after MAIL with the parameters "%s"', async (said, taken) => {
    await using far = await otherServer()
    await using setup = await mailSetup(byDefault, { relay: { host: '127.0.0.1', port: far.port } })
    await using client = await smtpDialogue(`smtp://127.0.0.1:${setup.port}`)
    const envelope = [`MAIL FROM:<bob@office.example>${said}`, 'RCPT TO:<eve@far.example>']
    for (const line of ['EHLO client.example', ...envelope, 'DATA']) await client.say(line)
    expect(await client.say('Subject: Frösche\r\n\r\nHi!\r\n.')).toMatch(/^250/)
    await setup.calm()
    expect(far.taken.map(({ session }) => session)).toMatchObject([taken])
  })

  it('goes by default to a server on this machine whose certificate nobody knows', async () => {
    await using far = await otherServer({ hideSTARTTLS: false, ...certificate })
    await using setup = await mailSetup(byDefault, { relay: { host: '127.0.0.1', port: far.port } })
    await setup.send({ from: 'bob@office.example', to: 'eve@far.example' })
    await setup.calm()
    expect(far.taken).toHaveLength(1)
  })

  it('waits when the relay does not fit the setting `tls`, and its status names this setting', async () => {
    await using far = await otherServer()
    const relay = { host: '127.0.0.1', port: far.port, tls: 'verify' } as const
    await using setup = await mailSetup(byDefault, { relay })
    const id = await setup.send({ from: 'bob@office.example', to: 'eve@far.example' })
    await setup.calm()
    expect((await setup.recipientReports(id))['eve@far.example']).toMatchObject({
      state: 'delivering',
      why: expect.stringMatching(/does not offer STARTTLS\. mail\.relay\.tls is 'verify'/),
    })
  })

  it('causes a report with a permanent status if the relay refuses the mail without an enhanced status code', async () => {
    await using far = await otherServer({ onRcptTo: (_address, _session, done) => done(no(550, 'No')) })
    await using setup = await mailSetup(byDefault, { relay: { host: '127.0.0.1', port: far.port } })
    await setup.send({ from: 'bob@office.example', to: 'eve@far.example' })
    await setup.calm()
    expect((await setup.inbox('bob@office.example'))[0]!.text).toMatch(
      /^Status: 5\.0\.0\r\nDiagnostic-Code: smtp; 550 No\r$/m,
    )
  })

  it('is retried at growing intervals after temporary refusals', async () => {
    await using far = await otherServer({
      onRcptTo: (_address, _session, done) => done(no(451, '4.2.0 Later')),
    })
    await using setup = await mailSetup(byDefault, { relay: { host: '127.0.0.1', port: far.port } })
    const id = await setup.send({ from: 'bob@office.example', to: 'eve@far.example' })
    await setup.calm()
    const now = setup.clock.now()
    expect(await setup.recipientReports(id)).toMatchObject({
      'eve@far.example': { state: 'delivering', attempts: 1, nextAt: now + minute },
    })
    await setup.pass(1)
    expect(await setup.recipientReports(id)).toMatchObject({
      'eve@far.example': { attempts: 2, nextAt: now + 6 * minute },
    })
  })

  it('is retried, not bounced, when the relay replies to the final dot without a code', async () => {
    const replies = ['Thank you', '250 OK']
    await using far = await scriptedServer({
      get '.'() {
        return replies.shift()!
      },
    })
    await using setup = await mailSetup(byDefault, { relay: { host: '127.0.0.1', port: far.port } })
    const id = await setup.send({ from: 'bob@office.example', to: 'eve@far.example' })
    await setup.calm()
    expect(await setup.recipientReports(id)).toMatchObject({
      'eve@far.example': { state: 'delivering', attempts: 1, nextAt: setup.clock.now() + minute },
    })
    await setup.pass(1)
    expect(await setup.recipientStates(id)).toEqual({ 'eve@far.example': 'relayed' })
    expect(await setup.reports()).toEqual([])
  })

  it('is sent after 15 minutes even if connections to a very slow relay occupy all slots', async () => {
    const slots = 4
    let contents = 0
    await using far = await scriptedServer({
      get '.'() {
        return ++contents <= slots ? '250-still here' : '250 OK'
      },
    })
    await using setup = await mailSetup(byDefault, { relay: { host: '127.0.0.1', port: far.port } })
    const send = () => setup.send({ from: 'bob@office.example', to: 'eve@far.example' })
    for (let count = 0; count < slots; count++) await send()
    await until(() => contents === slots)
    const last = await send()
    const stateOfLast = async () => (await setup.recipientStates(last))['eve@far.example']
    await setup.clock.advance(14 * minute)
    expect([contents, await stateOfLast()]).toEqual([slots, 'delivering'])
    await setup.clock.advance(minute + 1000)
    await until(async () => (await stateOfLast()) === 'relayed')
  })

  it('is sent within a minute after an unreachable relay comes back', async () => {
    const port = await freePort()
    await using setup = await mailSetup(byDefault, { relay: { host: '127.0.0.1', port } })
    const ids: string[] = []
    for (let count = 0; count < 6; count++)
      ids.push(await setup.send({ from: 'bob@office.example', to: 'eve@far.example' }))
    await setup.pass(180)
    await using far = await mailSetup(byDefault, { domains: { 'far.example': { to: 'mailboxes' } }, port })
    await setup.pass(1)
    for (const id of ids) expect(await setup.recipientStates(id)).toEqual({ 'eve@far.example': 'relayed' })
    await far.calm()
    expect(await far.inbox('eve@far.example')).toHaveLength(6)
  })

  it('is retried at short intervals if the relay comes back but refuses the mail temporarily', async () => {
    const port = await freePort()
    await using setup = await mailSetup(byDefault, { relay: { host: '127.0.0.1', port } })
    const id = await setup.send({ from: 'bob@office.example', to: 'eve@far.example' })
    await setup.pass(180)
    const onRcptTo = (_address: unknown, _session: unknown, done: (error: Error) => void) =>
      done(no(451, '4.2.0 Later'))
    await using far = await otherServer({ onRcptTo }, {}, port)
    const pauses: number[] = []
    for (const pass of [1, 1, 5]) {
      await setup.pass(pass)
      const { why, nextAt } = (await setup.recipientReports(id))['eve@far.example']!
      expect(why).toContain('4.2.0 Later')
      pauses.push((nextAt! - setup.clock.now()) / minute)
    }
    expect(pauses).toEqual([1, 5, 15])
    expect(far.taken).toEqual([])
  })

  it('is converted for a relay without 8BITMIME while other clients are served', async () => {
    let others: Promise<string[]> | undefined
    const said: string[] = []
    let converted = () => {}
    const isConverted = new Promise<void>(resolve => (converted = resolve))
    await using far = await scriptedServer({
      get EHLO() {
        others = converse(`smtp://127.0.0.1:${setup.port}`, said)
        return '250 far'
      },
      get 'MAIL FROM'() {
        said.push('converted')
        converted()
        return '250 OK'
      },
    })
    await using setup = await mailSetup(byDefault, { relay: { host: '127.0.0.1', port: far.port } })
    const head = 'MIME-Version: 1.0\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n'
    const raw = Buffer.from(`${head}${'ü\r\n'.repeat(1_000_000)}`)
    await setup.send({ from: 'bob@office.example', to: 'eve@far.example', raw })
    await isConverted
    await others
    expect(said).toEqual(['greeted', '250 2.0.0', '250 2.0.0', '250 2.0.0', 'converted'])
  })

  it('is given up after five days, and the sender gets a report unless it is the null sender', async () => {
    const port = await freePort()
    await using setup = await mailSetup(byDefault, { relay: { host: '127.0.0.1', port, giveUp: 0.25 } })
    const id = await setup.send({ from: 'bob@office.example', to: 'eve@far.example' })
    const anonymous = await setup.send({ from: '', to: 'eve@far.example' })
    await setup.pass(359)
    expect(await setup.recipientStates(id)).toEqual({ 'eve@far.example': 'delivering' })
    await setup.pass(1)
    expect((await setup.recipientReports(id))['eve@far.example']).toMatchObject({
      state: 'bounced',
      why: expect.stringContaining('delivery was given up'),
    })
    expect(await setup.recipientStates(anonymous)).toEqual({ 'eve@far.example': 'failed' })
    const reports = await setup.inbox('bob@office.example')
    expect(reports).toHaveLength(1)
    expect(reports[0]!.text).toMatch(/^Status: 4\.4\.7/im)
  })

  it('waits while the configuration has no relay', async () => {
    using folder = temporaryFolder()
    const clock = manualClock(1_700_000_000_000)
    const port = await freePort()
    const first = await mailSetup(byDefault, {
      clock,
      dataDir: folder.path,
      relay: { host: '127.0.0.1', port },
    })
    const id = await first.send({ to: 'eve@far.example' })
    await first.calm()
    await first[Symbol.asyncDispose]()
    await using second = await mailSetup(byDefault, { clock, dataDir: folder.path })
    await second.pass(1)
    expect(await second.recipientReports(id)).toMatchObject({
      'eve@far.example': { state: 'delivering', attempts: 2, why: 'there is no relay any more' },
    })
  })
})

describe('mail for a mailbox that cannot be written to', () => {
  it('is retried until the delivery succeeds', async () => {
    using folder = temporaryFolder()
    await using setup = await mailSetup(byDefault, { dataDir: folder.path })
    const mailbox = join(folder.path, 'mailboxes', 'office.example', 'bob')
    mkdirSync(dirname(mailbox), { recursive: true })
    writeFileSync(mailbox, 'no folder')
    const id = await setup.send({ to: ['bob@office.example', 'carol@office.example'] })
    await setup.calm()
    expect(await setup.recipientReports(id)).toMatchObject({
      'bob@office.example': {
        state: 'delivering',
        attempts: 1,
        why: expect.stringContaining('cannot be written to'),
        nextAt: setup.clock.now() + minute,
      },
      'carol@office.example': { state: 'delivered' },
    })
    rmSync(mailbox)
    await setup.pass(1)
    expect(await setup.recipientStates(id)).toMatchObject({ 'bob@office.example': 'delivered' })
    expect(await setup.inbox('carol@office.example')).toHaveLength(1)
    expect(existsSync(mailbox)).toBe(true)
  })

  it('is given up after five days, with a report that contains no file path', async () => {
    using folder = temporaryFolder()
    await using setup = await mailSetup(byDefault, { dataDir: folder.path, relay: 'keep' })
    const mailbox = join(folder.path, 'mailboxes', 'office.example', 'bob')
    mkdirSync(dirname(mailbox), { recursive: true })
    writeFileSync(mailbox, 'no folder')
    const id = await setup.send()
    for (let hours = 0; hours <= 5 * 24; hours += 2) await setup.pass(120)
    expect(await setup.recipientReports(id)).toMatchObject({
      'bob@office.example': {
        state: 'bounced',
        why: expect.stringMatching(
          /^delivery was given up: the mailbox cannot be written to: .*\/office\.example/,
        ),
      },
    })
    const [report] = await setup.inbox('ann@far.example')
    expect(report!.text).toContain('delivery was given up: the mailbox cannot be written to')
    expect(report!.text).not.toContain(folder.path)
    expect(report!.text).not.toContain('ENOTDIR')
  })
})

describe('retention', () => {
  it('deletes old completed mails, but no pending mail and no mail in a mailbox', async () => {
    const answer = ({ subject }: { subject: string }) => {
      if (subject === 'later') throw new Error('broken')
      return byDefault()
    }
    await using setup = await mailSetup(answer, {
      inbound: { timeout: 240 },
      retention: 2 / 24,
    })
    const [kept, gone] = [await setup.send({ subject: 'later' }), await setup.send({ subject: 'now' })]
    await setup.pass(119)
    expect(await setup.states()).toHaveLength(2)
    expect(await setup.platform.mail.fetch(gone)).toBeDefined()
    await setup.pass(61)
    expect((await setup.states()).map(({ id }) => id)).toEqual([kept])
    expect(await setup.platform.mail.fetch(gone)).toBeUndefined()
    expect(await setup.platform.mail.fetch(kept)).toBeDefined()
    await setup.pass(60)
    expect(await setup.inbox('bob@office.example')).toHaveLength(2)
    await setup.pass(60)
    expect(await setup.states()).toEqual([])
  })

  it('deletes many old mails in several steps', async () => {
    await using setup = await mailSetup(byDefault, { rules: [], retention: 1 / 24 })
    const raw = Buffer.alloc(3 * 1024 * 1024, 'x')
    for (let count = 0; count < 3; count++) await setup.send({ raw })
    await setup.calm()
    await setup.clock.advance(60 * 60_000)
    expect(await setup.states()).toHaveLength(2)
    await setup.clock.advance(100)
    expect(await setup.states()).toEqual([])
  })

  it('keeps a mail that waits for the relay', async () => {
    const port = await freePort()
    await using setup = await mailSetup(byDefault, { relay: { host: '127.0.0.1', port }, retention: 1 / 24 })
    const id = await setup.send({ to: 'eve@far.example' })
    await setup.pass(120)
    expect(await setup.recipientStates(id)).toEqual({ 'eve@far.example': 'delivering' })
    expect(await setup.platform.mail.fetch(id)).toBeDefined()
  })
})
