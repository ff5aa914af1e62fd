import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { temporaryFolder } from '../../platform-runtime/src/testing/temporary-folder.ts'
import { mailBox } from './testing/mail-box.ts'

const bob = 'bob@office.example'
const toAll = (type: string) => ({ actions: [{ action: { type }, allRecipients: true }] })

/** A function that answers when it is told to. */
function patientFunction() {
  const answers: ((answer: unknown) => void)[] = []
  return { answers, answer: () => new Promise(resolve => answers.push(resolve)) }
}

describe('a box that stops', () => {
  it('lets an invocation finish within grace, and stores what comes of it', async () => {
    using folder = temporaryFolder()
    const clock = manualClock(1_700_000_000_000)
    const first = await mailBox(() => {}, {
      clock,
      dataDir: folder.path,
      functions: { slow: { handler: () => pause.answer(), timeout: 20 } },
      rules: [{ direction: 'INBOUND', function: 'slow' }],
    })
    const pause = patientFunction()
    const id = await first.send()
    const stopped = first.platform.stop()
    await clock.advance(500)
    pause.answers[0]!(toAll('DROP'))
    await clock.advance(0)
    await first[Symbol.asyncDispose]()
    await stopped

    await using second = await mailBox(() => toAll('DEFAULT'), { clock, dataDir: folder.path })
    expect(await second.outcome(id)).toEqual({ [bob]: 'dropped' })
    expect(second.events).toEqual([])
  })

  it('makes an attempt that did not finish again, as the same attempt; a verdict that comes too late does nothing', async () => {
    using folder = temporaryFolder()
    const clock = manualClock(1_700_000_000_000)
    const { answers, answer } = patientFunction()
    const first = await mailBox(answer, { clock, dataDir: folder.path })
    const id = await first.send()
    await first[Symbol.asyncDispose]()
    answers[0]!(toAll('DROP'))
    await clock.advance(0)
    expect(first.notices).toEqual([])

    await using second = await mailBox(() => toAll('DEFAULT'), { clock, dataDir: folder.path })
    await second.calm()
    expect(second.events).toEqual(first.events)
    expect(second.platform.journal.list().at(-1)).toMatchObject({
      attempt: 1,
      requestId: first.events[0]!.invocationId,
    })
    expect(await second.outcome(id)).toEqual({ [bob]: 'delivered' })
    expect(await second.inbox(bob)).toHaveLength(1)
  })

  it('goes on with retries where they were', async () => {
    using folder = temporaryFolder()
    const clock = manualClock(1_700_000_000_000)
    const broken = () => {
      throw new Error('broken')
    }
    const options = { clock, dataDir: folder.path, inbound: { timeout: 240, fallback: 'DROP' } } as const
    const first = await mailBox(broken, options)
    const id = await first.send()
    await first.pass(4)
    await first[Symbol.asyncDispose]()

    await using second = await mailBox(broken, options)
    const due = 1_700_000_000_000 + 7 * 60_000
    expect(await second.fates(id)).toMatchObject({ [bob]: { attempts: 3, nextAt: due } })
    await clock.advance(due - clock.now() - 1)
    expect(second.events).toHaveLength(0)
    await clock.advance(1)
    expect(second.events).toHaveLength(1)
  })

  it.each([
    ['succeeds', () => toAll('DEFAULT'), 'delivered'],
    ['fails', () => ({ actions: [] }), 'dropped'],
  ])(
    'makes the retry that fell due meanwhile once, though the rule time-out is over: it %s',
    async (_, answer, state) => {
      using folder = temporaryFolder()
      const clock = manualClock(1_700_000_000_000)
      const options = { clock, dataDir: folder.path, inbound: { timeout: 10, fallback: 'DROP' } } as const
      const first = await mailBox(() => ({ actions: [] }), options)
      const id = await first.send()
      await first.calm()
      await first[Symbol.asyncDispose]()
      await clock.advance(60 * 60_000)

      await using second = await mailBox(answer, options)
      await second.calm()
      expect(await second.outcome(id)).toEqual({ [bob]: state })
      expect(second.events).toHaveLength(1)
    },
  )
})

describe('a mail ends by the rule under which it came', () => {
  it('also when the configuration has another by then', async () => {
    using folder = temporaryFolder()
    const clock = manualClock(1_700_000_000_000)
    const first = await mailBox(patientFunction().answer, {
      clock,
      dataDir: folder.path,
      inbound: { fallback: 'DROP' },
    })
    const id = await first.send()
    await first[Symbol.asyncDispose]()

    await using second = await mailBox(() => ({ actions: [] }), {
      clock,
      dataDir: folder.path,
      inbound: { fallback: 'BOUNCE', timeout: 240 },
    })
    await second.calm()
    expect(await second.outcome(id)).toEqual({ [bob]: 'dropped' })
  })

  it('also when there is no such function any more', async () => {
    using folder = temporaryFolder()
    const clock = manualClock(1_700_000_000_000)
    const first = await mailBox(patientFunction().answer, {
      clock,
      dataDir: folder.path,
      functions: { gone: { handler: patientFunction().answer } },
      rules: [{ direction: 'INBOUND', function: 'gone', fallback: 'DROP' }],
    })
    const id = await first.send()
    await first[Symbol.asyncDispose]()

    await using second = await mailBox(() => toAll('DEFAULT'), { clock, dataDir: folder.path })
    await second.calm()
    expect(await second.fates(id)).toMatchObject({
      [bob]: {
        state: 'dropped',
        why: 'gone failed once (the configuration does not have it any more): the fallback, DROP, applies',
      },
    })
    expect(second.events).toEqual([])
  })
})
