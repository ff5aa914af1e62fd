import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { responseSizeLimit } from '@signalbox/mail-flow/contract'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { type MailAnswer, mailSetup } from './testing/mail-setup.ts'

const bob = 'bob@office.example'
const toAll = (type: string) => ({ actions: [{ action: { type }, allRecipients: true }] })
const broken = () => {
  throw new Error('broken')
}

/** A function whose process ends during its first event. */
const mortal = `
import { existsSync, writeFileSync } from 'node:fs'
const died = new URL('died', import.meta.url)
export function handler() {
  if (existsSync(died)) return { actions: [{ action: { type: 'MOVE_TO_JUNK' }, allRecipients: true }] }
  writeFileSync(died, '')
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}
`

describe('a synchronous function', () => {
  it('fails when it does not respond within 15 seconds, and the fallback applies', async () => {
    await using setup = await mailSetup(() => new Promise(() => {}), { inbound: { fallback: 'DROP' } })
    const id = await setup.send()
    await setup.clock.advance(14_999)
    expect(await setup.recipientStates(id)).toEqual({ [bob]: 'undecided' })
    await setup.clock.advance(1)
    await setup.calm()
    expect(await setup.recipientReports(id)).toMatchObject({
      [bob]: {
        state: 'dropped',
        why: 'sort failed once (the function did not respond within 15 seconds): the fallback, DROP, applies',
      },
    })
  })

  it('fails after its configured timeout if that is shorter than 15 seconds, and the reason names the timeout', async () => {
    await using setup = await mailSetup(() => {}, {
      functions: { hasty: { handler: () => new Promise(() => {}), timeout: 2 } },
      rules: [{ direction: 'INBOUND', function: 'hasty', fallback: 'DROP' }],
    })
    const id = await setup.send()
    await setup.clock.advance(2000)
    await setup.calm()
    expect((await setup.recipientReports(id))[bob]).toMatchObject({
      state: 'dropped',
      why: 'hasty failed once (the function failed with error hasty timed out after 2000 ms): the fallback, DROP, applies',
    })
  })

  it('can respond after 14.999 seconds', async () => {
    let answer = (_: unknown) => {}
    const slow = () =>
      new Promise(resolve => {
        answer = resolve
      })
    await using setup = await mailSetup(slow, { inbound: { fallback: 'DROP' } })
    const id = await setup.send()
    await setup.clock.advance(14_999)
    answer(toAll('DEFAULT'))
    await setup.calm()
    expect(await setup.recipientStates(id)).toEqual({ [bob]: 'delivered' })
  })

  it('can return 10 different actions, and the fallback applies to the recipients of further actions', async () => {
    const recipients = Array.from({ length: 12 }, (_, number) => `${number}@office.example`)
    const actions = recipients.map((address, number) => ({
      action: { type: 'BOUNCE', parameters: { bounceMessage: `No ${number}` } },
      recipients: [address],
    }))
    await using setup = await mailSetup(() => ({ actions }), { inbound: { fallback: 'DROP' }, relay: 'keep' })
    const id = await setup.send({ to: recipients })
    await setup.calm()
    const recipientStates = await setup.recipientStates(id)
    expect(recipients.filter(who => recipientStates[who] === 'bounced')).toEqual(recipients.slice(0, 10))
    expect(recipients.filter(who => recipientStates[who] === 'dropped')).toEqual(recipients.slice(10))
    const [report] = await setup.inbox('ann@far.example')
    expect(report!.text).toContain('No 9')
    expect(report!.text).not.toContain('No 10')
  })
})

describe('the limits of a mail rule', () => {
  it.each([
    ['allow a response of 256 KB', responseSizeLimit, 'dropped'],
    ['make an invocation fail if its response is above 256 KB', responseSizeLimit + 1, 'delivered'],
  ])('%s', async (_, size, state) => {
    const empty = JSON.stringify({ ...toAll('DROP'), filler: '' }).length
    await using setup = await mailSetup(() => ({ ...toAll('DROP'), filler: 'x'.repeat(size - empty) }))
    const id = await setup.send()
    await setup.calm()
    expect(await setup.recipientStates(id)).toEqual({ [bob]: state })
  })

  it('allow 500 outbound recipients', async () => {
    const to = Array.from({ length: 500 }, (_each, number) => `${number}@elsewhere.example`)
    const answer: MailAnswer = ({ envelope }) => ({
      actions: [{ action: { type: 'DROP' }, recipients: envelope.recipients.map(({ address }) => address) }],
    })
    await using setup = await mailSetup(answer, {
      outbound: { fallback: 'BOUNCE' },
      relay: 'keep',
    })
    const id = await setup.send({ to, from: bob })
    await setup.calm()
    expect(new Set(Object.values(await setup.recipientStates(id)))).toEqual(new Set(['dropped']))
    expect(setup.events[0]!.envelope.recipients).toHaveLength(500)
  })

  it.each(['DEFAULT', 'DROP', 'BOUNCE'] as const)(
    'lead to the fallback %s without a retry if the rule timeout is 0',
    async fallback => {
      await using setup = await mailSetup(broken, { inbound: { fallback }, relay: 'keep' })
      const id = await setup.send({ to: [bob, 'carol@office.example'] })
      await setup.calm()
      const state = { DEFAULT: 'delivered', DROP: 'dropped', BOUNCE: 'bounced' }[fallback]
      expect(await setup.recipientStates(id)).toEqual({ [bob]: state, 'carol@office.example': state })
      await setup.pass(5)
      expect(setup.events).toHaveLength(1)
      const reports = (await setup.inbox('ann@far.example')).map(
        ({ text }) => /^Status: (.*)\r$/m.exec(text)![1],
      )
      expect(reports).toEqual(fallback === 'BOUNCE' ? ['5.3.0'] : [])
    },
  )
})

describe('the fallback applies when', () => {
  it.each<[string, MailAnswer, string]>([
    ['nothing', () => undefined, 'the response breaks the contract'],
    ['null', () => null, 'the response breaks the contract'],
    ['text', () => 'DROP', 'the response breaks the contract'],
    ['no actions', () => ({ actions: [] }), 'list of at least 1 element'],
    [
      'an action without a type',
      () => ({ actions: [{ action: {}, allRecipients: true }] }),
      '/actions/0/action',
    ],
    ['an unknown action', () => toAll('EXPLODE'), 'EXPLODE'],
    [
      'recipients that are not a list',
      () => ({ actions: [{ action: { type: 'DROP' }, recipients: bob }] }),
      '/actions/0/recipients',
    ],
    ['an error', broken, 'the function failed with error broken'],
  ])('the function returns %s', async (_, answer, why) => {
    await using setup = await mailSetup(answer, { inbound: { fallback: 'DROP' } })
    const id = await setup.send()
    await setup.calm()
    const report = (await setup.recipientReports(id))[bob]!
    expect(report.state).toBe('dropped')
    expect(report.why).toMatch(/^sort failed once \(.*\): the fallback, DROP, applies$/)
    expect(report.why).toContain(why)
  })

  it.each<[string, object]>([
    ['an action for inbound mail', toAll('MOVE_TO_JUNK')],
    [
      'a recipient that the mail does not have',
      { actions: [{ action: { type: 'DROP' }, recipients: [bob] }] },
    ],
  ])('the response to outbound mail names %s', async (_, answer) => {
    await using setup = await mailSetup(() => answer, { outbound: { fallback: 'DROP' }, relay: 'keep' })
    const id = await setup.send({ to: 'carol@elsewhere.example' })
    await setup.calm()
    expect((await setup.recipientReports(id))['carol@elsewhere.example']).toMatchObject({
      state: 'dropped',
      why: expect.stringContaining('sort failed once'),
    })
  })

  it('the process of the function ends, unless the retry in a new instance succeeds', async () => {
    using folder = temporaryFolder()
    const module = join(folder.path, 'mortal.mjs')
    writeFileSync(module, mortal)
    await using setup = await mailSetup(() => {}, {
      functions: { mortal: { module, timeout: 20 } },
      rules: [{ direction: 'INBOUND', function: 'mortal', timeout: 5, fallback: 'DROP' }],
    })
    const id = await setup.send()
    await setup.calm()
    expect(await setup.recipientReports(id)).toMatchObject({
      [bob]: {
        state: 'undecided',
        attempts: 1,
        why: expect.stringContaining('the function failed with error'),
      },
    })
    await setup.pass(1)
    expect(await setup.inbox(bob)).toMatchObject([{ folder: 'junk' }])
    expect((await setup.platform.invocationLog.list()).map(({ failure }) => failure?.kind)).toEqual([
      'crash',
      undefined,
    ])
  })
})
