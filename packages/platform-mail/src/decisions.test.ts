import { createServer } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import { freePort } from '@signalbox/platform-runtime/testing/free-port'
import { type MailSetupOptions, mailSetup, until } from './testing/mail-setup.ts'

const action = (type: string, more: object = { allRecipients: true }, parameters?: object) => ({
  action: { type, ...(parameters && { parameters }) },
  ...more,
})
const [bob, carol, dora] = ['bob@office.example', 'carol@office.example', 'dora@office.example']

describe('the response of a synchronous function', () => {
  it('with DEFAULT delivers the mail', async () => {
    await using setup = await mailSetup(() => ({ actions: [action('DEFAULT')] }))
    const id = await setup.send({ subject: 'Lunch' })
    await setup.calm()
    expect(await setup.recipientReports(id)).toMatchObject({
      [bob]: { state: 'delivered', why: 'in the inbox of bob@office.example', attempts: 1 },
    })
    const [mail, ...more] = await setup.inbox(bob)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ folder: 'inbox', address: bob })
    expect(mail!.text).toMatch(/^Return-Path: <ann@far\.example>\r?\nDelivered-To: bob@office\.example\r?\n/)
    expect(mail!.text).toContain('Subject: Lunch')
  })

  it('with DROP discards the mail, without a report', async () => {
    await using setup = await mailSetup(() => ({ actions: [action('DROP')] }), { relay: 'keep' })
    const id = await setup.send()
    await setup.calm()
    expect(await setup.recipientReports(id)).toMatchObject({
      [bob]: { state: 'dropped', why: 'action 1 (DROP) is for all recipients' },
    })
    expect(await setup.platform.mail.inbox()).toEqual([])
    expect(await setup.states()).toHaveLength(1)
  })

  it('with BOUNCE sends one report with the bounceMessage to the sender', async () => {
    const parameters = { bounceMessage: 'Left the company in May.' }
    await using setup = await mailSetup(
      () => ({
        actions: [action('BOUNCE', { recipients: [bob] }, parameters), action('BOUNCE')],
      }),
      { relay: 'keep' },
    )
    const id = await setup.send({ to: [bob, carol], subject: 'Anybody there?' })
    await setup.calm()
    expect(await setup.recipientStates(id)).toEqual({ [bob]: 'bounced', [carol]: 'bounced' })
    const [report, ...more] = await setup.inbox('ann@far.example')
    expect(more).toEqual([])
    expect(report!.text).toMatch(/^Return-Path: <>/)
    expect(report!.text).toMatch(/content-type: multipart\/report;[\s\S]*report-type=delivery-status/i)
    expect(report!.text).toContain('Left the company in May.')
    expect(report!.text.match(/^Final-Recipient: .*$/gim)).toEqual([
      expect.stringContaining(bob),
      expect.stringContaining(carol),
    ])
    expect(report!.text).toMatch(/^Status: 5\.7\.1/im)
    expect(report!.text).toContain('Subject: Anybody there?')
    expect(await setup.reports()).toMatchObject([
      { from: '', recipients: [{ address: 'ann@far.example', state: 'delivered' }] },
    ])
  })

  it('with BOUNCE drops mail from the null sender', async () => {
    await using setup = await mailSetup(() => ({ actions: [action('BOUNCE')] }), { relay: 'keep' })
    const id = await setup.send({ from: '' })
    await setup.calm()
    expect(await setup.recipientReports(id)).toMatchObject({
      [bob]: { state: 'dropped', why: expect.stringContaining('the null sender') },
    })
    expect(await setup.reports()).toEqual([])
  })

  it.each([
    ['the sender is in another domain, and there is no relay', 'ann@far.example', {}],
    [
      'the sender has no mailbox',
      'nobody@office.example',
      { relay: 'keep', domains: { 'office.example': { to: 'mailboxes', recipients: ['bob'] } } } as const,
    ],
  ])('with BOUNCE causes an undeliverable report when %s', async (why, from, mail) => {
    await using setup = await mailSetup(() => ({ actions: [action('BOUNCE')] }), mail)
    await setup.send({ from })
    await setup.calm()
    expect(await setup.reports()).toMatchObject([{ recipients: [{ address: from, state: 'failed', why }] }])
    expect(await setup.platform.mail.inbox()).toEqual([])
  })

  it('applies an action to its recipients, ignoring the case of domains', async () => {
    await using setup = await mailSetup(() => ({
      actions: [action('DROP', { recipients: ['bob@OFFICE.example'] }), action('DEFAULT')],
    }))
    const id = await setup.send({ to: [bob, carol] })
    await setup.calm()
    expect(await setup.recipientStates(id)).toEqual({ [bob]: 'dropped', [carol]: 'delivered' })
  })

  it('applies an action with "allRecipients" to recipients that no other action lists', async () => {
    await using setup = await mailSetup(() => ({
      actions: [action('DROP'), action('DEFAULT', { recipients: [dora] })],
    }))
    const id = await setup.send({ to: [bob, carol, dora] })
    await setup.calm()
    expect(await setup.recipientStates(id)).toEqual({
      [bob]: 'dropped',
      [carol]: 'dropped',
      [dora]: 'delivered',
    })
  })

  it('adds recipients of its own domains to inbound mail, and says which ones the platform refused', async () => {
    const recipients = ['carol@office.example', 'far@else.example', 'no address']
    await using setup = await mailSetup(
      () => ({
        actions: [
          action('DEFAULT', { recipients }),
          action('BOUNCE', { recipients: ['dora@office.example'] }),
          action('DROP'),
        ],
      }),
      { relay: 'keep' },
    )
    const id = await setup.send()
    await setup.calm()
    expect(await setup.recipientReports(id)).toMatchObject({
      [bob]: { state: 'dropped' },
      [carol]: { state: 'delivered' },
      'far@else.example': {
        state: 'failed',
        why: 'action 1 (DEFAULT) adds this recipient, but inbound mail can only be given to recipients of the domains of this platform',
      },
      'no address': {
        state: 'failed',
        why: 'action 1 (DEFAULT) adds this recipient, but it is not an address',
      },
    })
    expect(await setup.recipientReports(id)).not.toHaveProperty('dora@office.example')
    expect(await setup.inbox(carol)).toHaveLength(1)
    expect(await setup.platform.mail.inbox()).toHaveLength(1)
    const [invocation] = await setup.platform.invocationLog.list()
    expect(invocation!.verdict?.text ?? '').toContain(
      'carol@office.example: added, far@else.example: action 1',
    )
  })

  it('adds any recipient to outbound mail, once', async () => {
    await using setup = await mailSetup(
      () => ({
        actions: [
          action('DEFAULT', { recipients: ['archive@else.example', bob, 'gil@far.example'] }),
          action('DEFAULT'),
        ],
      }),
      { relay: 'keep', outbound: {} },
    )
    const id = await setup.send({ to: ['gil@far.example'] })
    await setup.calm()
    expect(await setup.recipientStates(id)).toEqual({
      'gil@far.example': 'delivered',
      'archive@else.example': 'delivered',
      [bob]: 'delivered',
    })
    for (const address of ['gil@far.example', 'archive@else.example', bob])
      expect(await setup.inbox(address)).toHaveLength(1)
  })

  it('applies the fallback to recipients that no action covers', async () => {
    await using setup = await mailSetup(() => ({ actions: [action('DEFAULT', { recipients: [bob] })] }), {
      inbound: { fallback: 'DROP', timeout: 240 },
    })
    const id = await setup.send({ to: [bob, carol] })
    await setup.calm()
    expect(await setup.recipientStates(id)).toEqual({ [bob]: 'delivered', [carol]: 'dropped' })
    expect((await setup.recipientReports(id))[carol!]!.why).toBe('no action is for this recipient')
  })

  it.each([
    ['DEFAULT', 'YES', 'junk'],
    ['DEFAULT', 'NO', 'inbox'],
    ['BYPASS_SPAM_CHECK', 'YES', 'inbox'],
    ['MOVE_TO_JUNK', 'NO', 'junk'],
  ])('with %s delivers mail with "X-Spam-Flag: %s" to the folder "%s"', async (type, flag, folder) => {
    await using setup = await mailSetup(() => ({ actions: [action(type)] }))
    await setup.send({ raw: `X-Spam-Flag: ${flag}\r\nSubject: x\r\n\r\nHi!\r\n` })
    await setup.calm()
    expect(await setup.inbox(bob!)).toMatchObject([{ folder }])
  })
})

describe('a mail without a rule', () => {
  it('is delivered without an invocation', async () => {
    await using setup = await mailSetup(() => ({ actions: [action('DROP')] }), { rules: [] })
    const id = await setup.send()
    await setup.calm()
    expect(await setup.recipientStates(id)).toEqual({ [bob]: 'delivered' })
    expect(setup.events).toEqual([])
  })
})

describe('an asynchronous function', () => {
  it('does not affect delivery, and can take longer than 15 seconds', async () => {
    const hurdle: (() => void)[] = []
    await using setup = await mailSetup(
      () => new Promise(resolve => hurdle.push(() => resolve({ actions: [action('DROP')] }))),
      { inbound: { mode: 'async', timeout: 240, fallback: 'DROP' } },
    )
    const id = await setup.send()
    await setup.calm()
    expect(await setup.recipientStates(id)).toEqual({ [bob]: 'delivered' })
    await setup.clock.advance(16_000)
    hurdle[0]!()
    await setup.clock.advance(0)
    expect(await setup.platform.invocationLog.list()).toMatchObject([
      { source: 'mail inbound', attempt: 1, failure: undefined, verdict: { kind: 'ignored', ok: true } },
    ])
    await setup.pass(5)
    expect(setup.events).toHaveLength(1)
  })

  it('is not retried', async () => {
    await using setup = await mailSetup(
      () => {
        throw new Error('broken')
      },
      { inbound: { mode: 'async', timeout: 240 } },
    )
    const id = await setup.send()
    await setup.pass(10)
    expect(setup.events).toHaveLength(1)
    expect(await setup.recipientStates(id)).toEqual({ [bob]: 'delivered' })
  })

  it('that cannot be called is called later', async () => {
    const port = await freePort()
    await using setup = await mailSetup(() => null, awayOn(port))
    const id = await setup.send()
    await setup.pass(2)
    expect(await setup.recipientStates(id)).toEqual({ [bob]: 'delivered' })
    const called: unknown[] = []
    const server = createServer(async (request, response) => {
      called.push(JSON.parse((await request.setEncoding('utf8').toArray()).join('')))
      response.end('null')
    }).listen(port, '127.0.0.1')
    await setup.pass(10)
    await until(() => called.length > 0)
    await setup.pass(10)
    server.close()
    server.closeAllConnections()
    expect(called).toMatchObject([{ messageId: id }])
    expect(setup.notices).toEqual([])
  })

  it('that cannot be called for 6 hours is not called any more, with a notice', async () => {
    const port = await freePort()
    await using setup = await mailSetup(() => null, awayOn(port))
    const id = await setup.send()
    await until(async () => {
      await setup.pass(5)
      return setup.notices.length > 0
    })
    expect(setup.notices).toEqual([
      expect.stringMatching(
        `^mail: away could not be called for mail ${id} within 6 hours: .* cannot be reached`,
      ),
    ])
    const { length } = await setup.platform.invocationLog.list()
    await setup.pass(30)
    expect(await setup.platform.invocationLog.list()).toHaveLength(length)
  })
})

/** Returns options with an asynchronous rule, whose function is behind a port of this machine. */
function awayOn(port: number): MailSetupOptions {
  return {
    functions: { away: { url: `http://127.0.0.1:${port}/`, timeout: 5 } },
    rules: [{ direction: 'INBOUND', function: 'away', mode: 'async' }],
  }
}
