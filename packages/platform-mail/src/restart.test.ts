import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { mailSetup, until } from './testing/mail-setup.ts'
import { scriptedServer } from './testing/other-server.ts'

const bob = 'bob@office.example'
const toAll = (type: string) => ({ actions: [{ action: { type }, allRecipients: true }] })

/** Returns a function under test, and the callbacks with which a test makes it respond. */
function waitingFunction() {
  const answers: ((answer: unknown) => void)[] = []
  return { answers, answer: () => new Promise(resolve => answers.push(resolve)) }
}

describe('a platform that stops', () => {
  it('waits for a running invocation during the grace period, and stores its result', async () => {
    using folder = temporaryFolder()
    const clock = manualClock(1_700_000_000_000)
    const first = await mailSetup(() => {}, {
      clock,
      dataDir: folder.path,
      functions: { slow: { handler: () => pause.answer(), timeout: 20 } },
      rules: [{ direction: 'INBOUND', function: 'slow' }],
    })
    const pause = waitingFunction()
    const id = await first.send()
    const stopped = first.platform.stop()
    await clock.advance(500)
    pause.answers[0]!(toAll('DROP'))
    await clock.advance(0)
    await first[Symbol.asyncDispose]()
    await stopped

    await using second = await mailSetup(() => toAll('DEFAULT'), { clock, dataDir: folder.path })
    expect(await second.recipientStates(id)).toEqual({ [bob]: 'dropped' })
    expect(second.events).toEqual([])
  })

  it('repeats an interrupted invocation after its restart, and ignores the late response', async () => {
    using folder = temporaryFolder()
    const clock = manualClock(1_700_000_000_000)
    const { answers, answer } = waitingFunction()
    const first = await mailSetup(answer, { clock, dataDir: folder.path })
    const id = await first.send()
    await first[Symbol.asyncDispose]()
    answers[0]!(toAll('DROP'))
    await clock.advance(0)
    expect(first.notices).toEqual([])

    await using second = await mailSetup(() => toAll('DEFAULT'), { clock, dataDir: folder.path })
    await second.calm()
    expect(second.events).toEqual(first.events)
    expect((await second.platform.invocationLog.list()).at(-1)).toMatchObject({
      attempt: 1,
      requestId: first.events[0]!.invocationId,
    })
    expect(await second.recipientStates(id)).toEqual({ [bob]: 'delivered' })
    expect(await second.inbox(bob)).toHaveLength(1)
  })

  it('continues the retries of an invocation after its restart', async () => {
    using folder = temporaryFolder()
    const clock = manualClock(1_700_000_000_000)
    const broken = () => {
      throw new Error('broken')
    }
    const options = { clock, dataDir: folder.path, inbound: { timeout: 240, fallback: 'DROP' } } as const
    const first = await mailSetup(broken, options)
    const id = await first.send()
    await first.pass(4)
    await first[Symbol.asyncDispose]()

    await using second = await mailSetup(broken, options)
    const due = 1_700_000_000_000 + 7 * 60_000
    expect(await second.recipientReports(id)).toMatchObject({ [bob]: { attempts: 3, nextAt: due } })
    await clock.advance(due - clock.now() - 1)
    expect(second.events).toHaveLength(0)
    await clock.advance(1)
    expect(second.events).toHaveLength(1)
  })

  it.each([
    ['succeeds', () => toAll('DEFAULT'), 'delivered'],
    ['fails', () => ({ actions: [] }), 'dropped'],
  ])(
    'makes a single retry for all missed retries after its restart, even after the rule timeout, and this retry %s',
    async (_, answer, state) => {
      using folder = temporaryFolder()
      const clock = manualClock(1_700_000_000_000)
      const options = { clock, dataDir: folder.path, inbound: { timeout: 10, fallback: 'DROP' } } as const
      const first = await mailSetup(() => ({ actions: [] }), options)
      const id = await first.send()
      await first.calm()
      await first[Symbol.asyncDispose]()
      await clock.advance(60 * 60_000)

      await using second = await mailSetup(answer, options)
      await second.calm()
      expect(await second.recipientStates(id)).toEqual({ [bob]: state })
      expect(second.events).toHaveLength(1)
    },
  )
})

describe('a platform whose clock was set back while it was stopped', () => {
  const time = 1_700_000_000_000
  const setBack = () => manualClock(time - 60 * 60_000)

  it('starts due work at once', async () => {
    using folder = temporaryFolder()
    const first = await mailSetup(waitingFunction().answer, { dataDir: folder.path })
    const id = await first.send()
    await first[Symbol.asyncDispose]()

    await using second = await mailSetup(() => toAll('DEFAULT'), { clock: setBack(), dataDir: folder.path })
    await until(async () => (await second.recipientStates(id))[bob] === 'delivered')
    const late = await second.send()
    await until(async () => (await second.recipientStates(late))[bob] === 'delivered')
    expect((await second.states()).map(mail => mail.id)).toEqual([late, id])
  })

  it('keeps the intervals between retries of a function', async () => {
    using folder = temporaryFolder()
    const options = { dataDir: folder.path, inbound: { timeout: 240, fallback: 'DROP' } } as const
    const first = await mailSetup(() => ({ actions: [] }), options)
    const id = await first.send()
    await first.pass(4)
    expect(await first.recipientReports(id)).toMatchObject({
      [bob]: { attempts: 3, nextAt: time + 7 * 60_000 },
    })
    await first[Symbol.asyncDispose]()

    const clock = setBack()
    await using second = await mailSetup(() => toAll('DEFAULT'), { ...options, clock })
    // The latest stored time is the time of the third attempt, three minutes after the first attempt.
    await clock.advance(4 * 60_000 - 1)
    expect(second.events).toEqual([])
    await clock.advance(1)
    await until(async () => (await second.recipientStates(id))[bob] === 'delivered')
  })

  it('keeps the intervals between delivery attempts', async () => {
    using folder = temporaryFolder()
    let answer = '451 4.3.0 Not now'
    await using server = await scriptedServer({
      get 'RCPT TO'() {
        return answer
      },
    })
    const options = {
      dataDir: folder.path,
      rules: [],
      domains: {},
      relay: { host: '127.0.0.1', port: server.port },
    } as const
    const to = 'eve@else.example'
    const first = await mailSetup(() => {}, options)
    const id = await first.send({ to })
    await until(async () => (await first.recipientReports(id))[to]!.attempts === 1)
    await first[Symbol.asyncDispose]()

    answer = '250 OK'
    const clock = setBack()
    await using second = await mailSetup(() => {}, { ...options, clock })
    await clock.advance(60_000)
    await until(async () => (await second.recipientReports(id))[to]!.attempts === 2)
    expect(await second.recipientStates(id)).toEqual({ [to]: 'relayed' })
  })

  it('uses the current time when no work was pending', async () => {
    using folder = temporaryFolder()
    const first = await mailSetup(() => toAll('DEFAULT'), { dataDir: folder.path })
    const before = await first.send()
    await until(async () => (await first.recipientStates(before))[bob] === 'delivered')
    await first[Symbol.asyncDispose]()

    const second = await mailSetup(waitingFunction().answer, { clock: setBack(), dataDir: folder.path })
    const id = await second.send()
    await second[Symbol.asyncDispose]()
    await using third = await mailSetup(() => toAll('DEFAULT'), { clock: setBack(), dataDir: folder.path })
    await until(async () => (await third.recipientStates(id))[bob] === 'delivered')
    const now = await third.send()
    expect((await third.states()).find(mail => mail.id === now)).toMatchObject({
      receivedAt: time - 60 * 60_000,
    })
  })
})

describe('a mail keeps the rule that applied when it arrived', () => {
  it('even if the configuration now has another rule', async () => {
    using folder = temporaryFolder()
    const clock = manualClock(1_700_000_000_000)
    const first = await mailSetup(waitingFunction().answer, {
      clock,
      dataDir: folder.path,
      inbound: { fallback: 'DROP' },
    })
    const id = await first.send()
    await first[Symbol.asyncDispose]()

    await using second = await mailSetup(() => ({ actions: [] }), {
      clock,
      dataDir: folder.path,
      inbound: { fallback: 'BOUNCE', timeout: 240 },
    })
    await second.calm()
    expect(await second.recipientStates(id)).toEqual({ [bob]: 'dropped' })
  })

  it('even if the configuration no longer has the function', async () => {
    using folder = temporaryFolder()
    const clock = manualClock(1_700_000_000_000)
    const first = await mailSetup(waitingFunction().answer, {
      clock,
      dataDir: folder.path,
      functions: { gone: { handler: waitingFunction().answer } },
      rules: [{ direction: 'INBOUND', function: 'gone', fallback: 'DROP' }],
    })
    const id = await first.send()
    await first[Symbol.asyncDispose]()

    await using second = await mailSetup(() => toAll('DEFAULT'), { clock, dataDir: folder.path })
    await second.calm()
    expect(await second.recipientReports(id)).toMatchObject({
      [bob]: {
        state: 'dropped',
        why: 'gone failed once (the configuration no longer has it): the fallback, DROP, applies',
      },
    })
    expect(second.events).toEqual([])
  })
})
