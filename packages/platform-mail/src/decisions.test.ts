import { describe, expect, it } from '@jest/globals'
import { mailBox } from './testing/mail-box.ts'

const action = (type: string, more: object = { allRecipients: true }, parameters?: object) => ({
  action: { type, ...(parameters && { parameters }) },
  ...more,
})
const [bob, carol, dora] = ['bob@office.example', 'carol@office.example', 'dora@office.example']

describe('contract C, what a synchronous function answers', () => {
  it('`DEFAULT`: the mail is delivered', async () => {
    await using box = await mailBox(() => ({ actions: [action('DEFAULT')] }))
    const id = await box.send({ subject: 'Lunch' })
    await box.calm()
    expect(await box.fates(id)).toMatchObject({
      [bob]: { state: 'delivered', why: 'in the inbox of bob@office.example', attempts: 1 },
    })
    const [mail, ...more] = await box.inbox(bob)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ folder: 'inbox', address: bob })
    expect(mail!.text).toMatch(/^Return-Path: <ann@far\.example>\r?\nDelivered-To: bob@office\.example\r?\n/)
    expect(mail!.text).toContain('Subject: Lunch')
  })

  it('`DROP`: the mail ends there, and nobody is told', async () => {
    await using box = await mailBox(() => ({ actions: [action('DROP')] }), { relay: 'keep' })
    const id = await box.send()
    await box.calm()
    expect(await box.fates(id)).toMatchObject({
      [bob]: { state: 'dropped', why: 'action 1, DROP, is for all recipients' },
    })
    expect(await box.platform.mail.inbox()).toEqual([])
    expect(await box.states()).toHaveLength(1)
  })

  it('`BOUNCE`, may hold `bounceMessage` (text placed in the bounce mail): the sender gets one report, from the null sender', async () => {
    const parameters = { bounceMessage: 'Left the company in May.' }
    await using box = await mailBox(
      () => ({
        actions: [action('BOUNCE', { recipients: [bob] }, parameters), action('BOUNCE')],
      }),
      { relay: 'keep' },
    )
    const id = await box.send({ to: [bob, carol], subject: 'Anybody there?' })
    await box.calm()
    expect(await box.outcome(id)).toEqual({ [bob]: 'bounced', [carol]: 'bounced' })
    const [report, ...more] = await box.inbox('ann@far.example')
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
    expect(await box.reports()).toMatchObject([
      { from: '', recipients: [{ address: 'ann@far.example', state: 'delivered' }] },
    ])
  })

  it('mail from the null sender never goes back: it is dropped', async () => {
    await using box = await mailBox(() => ({ actions: [action('BOUNCE')] }), { relay: 'keep' })
    const id = await box.send({ from: '' })
    await box.calm()
    expect(await box.fates(id)).toMatchObject({
      [bob]: { state: 'dropped', why: expect.stringContaining('the null sender') },
    })
    expect(await box.reports()).toEqual([])
  })

  it.each([
    ['the sender is in another domain, and there is no relay', 'ann@far.example', {}],
    [
      'the sender has no mailbox',
      'nobody@office.example',
      { relay: 'keep', mailboxes: { 'office.example': ['bob'] } } as const,
    ],
  ])('a report that cannot be delivered is written down as failed: %s', async (why, from, mail) => {
    await using box = await mailBox(() => ({ actions: [action('BOUNCE')] }), mail)
    await box.send({ from })
    await box.calm()
    expect(await box.reports()).toMatchObject([{ recipients: [{ address: from, state: 'failed', why }] }])
    expect(await box.platform.mail.inbox()).toEqual([])
  })

  it('actions[].recipients: recipients the action applies to, whatever the case of their domains', async () => {
    await using box = await mailBox(() => ({
      actions: [action('DROP', { recipients: ['bob@OFFICE.example'] }), action('DEFAULT')],
    }))
    const id = await box.send({ to: [bob, carol] })
    await box.calm()
    expect(await box.outcome(id)).toEqual({ [bob]: 'dropped', [carol]: 'delivered' })
  })

  it('actions[].allRecipients: whether the action applies to all recipients, of those that no other names', async () => {
    await using box = await mailBox(() => ({
      actions: [action('DROP'), action('DEFAULT', { recipients: [dora] })],
    }))
    const id = await box.send({ to: [bob, carol, dora] })
    await box.calm()
    expect(await box.outcome(id)).toEqual({ [bob]: 'dropped', [carol]: 'dropped', [dora]: 'delivered' })
  })

  it('an action for somebody whom the mail is not for does nothing', async () => {
    const unlisted = ['DEFAULT', 'BOUNCE'].map(type =>
      action(type, { recipients: [`${type}@office.example`] }),
    )
    await using box = await mailBox(() => ({ actions: [...unlisted, action('DROP')] }), { relay: 'keep' })
    const id = await box.send()
    await box.calm()
    expect(await box.outcome(id)).toEqual({ [bob]: 'dropped' })
    expect(await box.platform.mail.inbox()).toEqual([])
  })

  it('recipients that no action covers get the fallback', async () => {
    await using box = await mailBox(() => ({ actions: [action('DEFAULT', { recipients: [bob] })] }), {
      inbound: { fallback: 'DROP', timeout: 240 },
    })
    const id = await box.send({ to: [bob, carol] })
    await box.calm()
    expect(await box.outcome(id)).toEqual({ [bob]: 'delivered', [carol]: 'dropped' })
    expect((await box.fates(id))[carol!]!.why).toBe('no action is for it')
  })

  it.each([
    ['DEFAULT', 'YES', 'junk'],
    ['DEFAULT', 'NO', 'inbox'],
    ['BYPASS_SPAM_CHECK', 'YES', 'inbox'],
    ['MOVE_TO_JUNK', 'NO', 'junk'],
  ])('%s delivers mail whose X-Spam-Flag says %s into the %s', async (type, flag, folder) => {
    await using box = await mailBox(() => ({ actions: [action(type)] }))
    await box.send({ raw: `X-Spam-Flag: ${flag}\r\nSubject: x\r\n\r\nHi!\r\n` })
    await box.calm()
    expect(await box.inbox(bob!)).toMatchObject([{ folder }])
  })
})

describe('a mail without a rule', () => {
  it('is delivered, and no function hears of it', async () => {
    await using box = await mailBox(() => ({ actions: [action('DROP')] }), { rules: [] })
    const id = await box.send()
    await box.calm()
    expect(await box.outcome(id)).toEqual({ [bob]: 'delivered' })
    expect(box.events).toEqual([])
  })
})

describe('asynchronous mode does not affect delivery', () => {
  it('delivers at once, whatever the function says, and calls it once, with as much time as it likes', async () => {
    const hurdle: (() => void)[] = []
    await using box = await mailBox(
      () => new Promise(resolve => hurdle.push(() => resolve({ actions: [action('DROP')] }))),
      { inbound: { mode: 'async', timeout: 240, fallback: 'DROP' } },
    )
    const id = await box.send()
    await box.calm()
    expect(await box.outcome(id)).toEqual({ [bob]: 'delivered' })
    await box.clock.advance(16_000)
    hurdle[0]!()
    await box.clock.advance(0)
    expect(await box.platform.invocationLog.list()).toMatchObject([
      { source: 'mail inbound', attempt: 1, failure: undefined, verdict: { kind: 'ignored', ok: true } },
    ])
    await box.pass(5)
    expect(box.events).toHaveLength(1)
  })

  it('is called no second time when it fails', async () => {
    await using box = await mailBox(
      () => {
        throw new Error('broken')
      },
      { inbound: { mode: 'async', timeout: 240 } },
    )
    const id = await box.send()
    await box.pass(10)
    expect(box.events).toHaveLength(1)
    expect(await box.outcome(id)).toEqual({ [bob]: 'delivered' })
  })
})
