import { describe, expect, it } from '@jest/globals'
import { mailSetup, until } from './testing/mail-setup.ts'

const [bob, carol] = ['bob@office.example', 'carol@office.example']
const minute = 60_000

describe('retries of a failed synchronous invocation', () => {
  it('have growing intervals up to a rule timeout of 240 minutes, and then the fallback applies', async () => {
    const at: number[] = []
    const start = 1_700_000_000_000
    await using setup = await mailSetup(
      () => {
        at.push((setup.clock.now() - start) / minute)
        throw new Error('broken')
      },
      { inbound: { timeout: 240, fallback: 'BOUNCE' }, relay: 'keep' },
    )
    const id = await setup.send({ to: [bob!, carol!] })
    await setup.pass(239)
    expect(at).toEqual([0, 1, 3, 7, 15, 31, 63, 127])
    expect(await setup.recipientReports(id)).toMatchObject({
      [bob!]: {
        state: 'undecided',
        why: 'the function failed with error broken',
        attempts: 8,
        nextAt: start + 240 * minute,
      },
    })
    await setup.pass(1)
    expect(await setup.recipientStates(id)).toEqual({ [bob!]: 'bounced', [carol!]: 'bounced' })
    expect((await setup.recipientReports(id))[bob!]!.why).toBe(
      'sort failed 8 times (the function failed with error broken): the fallback, BOUNCE, applies',
    )
    expect(await setup.inbox('ann@far.example')).toHaveLength(1)
    expect(at).toHaveLength(8)
  })

  it('are also made after timeouts of 15 seconds, before the fallback applies', async () => {
    await using setup = await mailSetup(() => new Promise(() => {}), {
      inbound: { timeout: 1, fallback: 'DROP' },
    })
    const id = await setup.send()
    const failed = setup.clock.now() + 15_000
    await setup.clock.advance(15_000)
    await setup.calm()
    expect(await setup.recipientReports(id)).toMatchObject({
      [bob!]: { state: 'undecided', attempts: 1, nextAt: failed + minute },
    })
    await setup.clock.advance(minute)
    expect(setup.events).toHaveLength(2)
    expect(await setup.recipientStates(id)).toEqual({ [bob!]: 'undecided' })
    await setup.clock.advance(15_000)
    await setup.calm()
    expect(await setup.recipientReports(id)).toMatchObject({
      [bob!]: { state: 'dropped', why: expect.stringContaining('sort failed 2 times') },
    })
  })

  it('pass the same event with the same invocation id', async () => {
    await using setup = await mailSetup(
      () => {
        throw new Error('broken')
      },
      { inbound: { timeout: 7 } },
    )
    await setup.send()
    await setup.pass(7)
    expect(setup.events).toHaveLength(4)
    expect(new Set(setup.events.map(event => JSON.stringify(event))).size).toBe(1)
    const invocations = await setup.platform.invocationLog.list()
    expect(invocations.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4])
    expect(new Set(invocations.map(({ requestId }) => requestId))).toEqual(
      new Set([setup.events[0]!.invocationId]),
    )
  })

  it('end with the first attempt that succeeds', async () => {
    let calls = 0
    await using setup = await mailSetup(
      () =>
        ++calls < 3 ? { actions: [] } : { actions: [{ action: { type: 'DROP' }, allRecipients: true }] },
      { inbound: { timeout: 240 } },
    )
    const id = await setup.send()
    await setup.pass(2)
    expect(await setup.recipientStates(id)).toEqual({ [bob!]: 'undecided' })
    await setup.pass(1)
    expect(await setup.recipientStates(id)).toEqual({ [bob!]: 'dropped' })
    await setup.pass(10)
    expect(calls).toBe(3)
  })

  it('do not delay the delivery to recipients in the other direction', async () => {
    await using setup = await mailSetup(
      ({ flowDirection }) => {
        if (flowDirection === 'OUTBOUND') throw new Error('broken')
        return { actions: [{ action: { type: 'DEFAULT' }, allRecipients: true }] }
      },
      { outbound: { timeout: 3, fallback: 'DROP' }, relay: 'keep' },
    )
    const id = await setup.send({ to: [bob!, 'dora@elsewhere.example'] })
    await setup.calm()
    expect(await setup.recipientStates(id)).toEqual({
      [bob!]: 'delivered',
      'dora@elsewhere.example': 'undecided',
    })
    await setup.pass(3)
    expect(await setup.recipientStates(id)).toEqual({
      [bob!]: 'delivered',
      'dora@elsewhere.example': 'dropped',
    })
    expect(await setup.inbox(bob!)).toHaveLength(1)
  })

  it('of several mails run in parallel, but only on as many instances as the function has', async () => {
    const releases: (() => void)[] = []
    const handler = () =>
      new Promise(resolve =>
        releases.push(() => resolve({ actions: [{ action: { type: 'DROP' }, allRecipients: true }] })),
      )
    await using setup = await mailSetup(() => {}, {
      functions: { few: { handler, instances: 2, timeout: 20 } },
      rules: [{ direction: 'INBOUND', function: 'few' }],
    })
    for (let number = 0; number < 3; number++) await setup.send()
    expect(releases).toHaveLength(2)
    releases[0]!()
    await until(() => releases.length === 3)
    for (const release of releases) release()
    await setup.calm()
  })
})
