import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type InvocationContext, memoryStore, type Store, signalbox } from '@signalbox/core'
import { invocationContext, manualClock } from '@signalbox/core/testing'
import fc from 'fast-check'
import { raceProperty } from './decider.fuzz.ts'
import { mailFlow } from './mail-flow.ts'
import type { Note } from './notes.ts'
import { once } from './once.ts'
import type { Decide, MailFlowOptions } from './options.ts'
import { mailEvent } from './testing/index.ts'

const event = mailEvent({ recipients: ['ann@office.example'] })
const everyone = { actions: [{ action: { type: 'DEFAULT' }, allRecipients: true }] }
const dropped = { actions: [{ action: { type: 'DROP' }, allRecipients: true }] }
const never: Decide = () => new Promise(() => {})

/** The outcome as it stands: undefined as long as there is none. */
function start(
  handler: (event: unknown, context?: InvocationContext) => Promise<unknown>,
  context?: InvocationContext,
) {
  const outcome: { response?: unknown; error?: unknown } = {}
  handler(event, context).then(
    response => Object.assign(outcome, { response }),
    error => Object.assign(outcome, { error }),
  )
  return outcome
}

function play(decide: Decide, options: MailFlowOptions = {}, timeout?: number) {
  const clock = manualClock()
  const handler = signalbox(mailFlow(decide, { clock, ...options }), { clock })
  const context = timeout === undefined ? undefined : invocationContext({ timeout, clock })
  return { clock, outcome: start(handler, context) }
}

describe('the deadline', () => {
  it('Function must respond within 15 seconds, less half a second for getting the answer out', async () => {
    const { clock, outcome } = play(never)
    await clock.advance(14_499)
    expect(outcome).toEqual({})
    await clock.advance(1)
    expect(outcome.error).toMatchObject({ name: 'DecisionTimeoutError', code: 'DECISION_TIMEOUT' })
    expect(clock.waiting).toBe(0)
  })

  it('keeps back the reserve that it is told to', async () => {
    const { clock, outcome } = play(never, { reserve: 5000 })
    await clock.advance(9999)
    expect(outcome).toEqual({})
    await clock.advance(1)
    expect(outcome.error).toMatchObject({ name: 'DecisionTimeoutError' })
  })

  it('is earlier when the function itself has less time', async () => {
    const { clock, outcome } = play(never, {}, 3000)
    await clock.advance(2500)
    expect(outcome.error).toMatchObject({ name: 'DecisionTimeoutError' })
  })

  it('is there at once when there is no time at all', async () => {
    const { clock, outcome } = play(async () => {}, {}, 100)
    await clock.advance(0)
    expect(outcome.error).toMatchObject({ name: 'DecisionTimeoutError' })
  })

  it('aborts the signal of the decision', async () => {
    const seen: boolean[] = []
    const { clock } = play(async (_mail, _actions, { signal }) => {
      seen.push(signal.aborted)
      signal.addEventListener('abort', () => seen.push(signal.aborted))
      await never(_mail, _actions, { signal })
    })
    await clock.advance(14_499)
    expect(seen).toEqual([false])
    await clock.advance(1)
    expect(seen).toEqual([false, true])
  })

  it('lets onTimeout decide, with a builder of its own', async () => {
    const onTimeout: MailFlowOptions['onTimeout'] = (mail, actions) => actions.drop([...mail.recipients])
    const decide: Decide = (mail, actions, invocation) => never(mail, actions.default(), invocation)
    const { clock, outcome } = play(decide, { onTimeout })
    await clock.advance(14_500)
    expect(outcome.response).toEqual({
      actions: [{ action: { type: 'DROP' }, recipients: ['ann@office.example'] }],
    })
  })

  it('takes nothing from onTimeout for DEFAULT, and fails with what it throws', async () => {
    const nothing = play(never, { onTimeout: () => {} })
    await nothing.clock.advance(14_500)
    expect(nothing.outcome.response).toEqual(everyone)
    const throwing = play(never, { onTimeout: (_, actions) => actions.drop().default() })
    await throwing.clock.advance(14_500)
    expect(throwing.outcome.error).toMatchObject({ name: 'ConflictingActionsError' })
    const invalid = play(never, { onTimeout: () => ({ actions: [] }) })
    await invalid.clock.advance(14_500)
    expect(invalid.outcome.error).toMatchObject({ name: 'InvalidResponseError' })
  })

  it('does not care what a late decision comes to, a failure included', async () => {
    const { clock, outcome } = play(
      async (_mail, _actions, { signal }) => {
        await new Promise(resolve => signal.addEventListener('abort', resolve))
        throw new Error('late')
      },
      { onTimeout: (_, actions) => actions.drop() },
    )
    await clock.advance(20_000)
    expect(outcome.response).toEqual(dropped)
  })

  it('leaves no timer behind', async () => {
    const decisions: Decide[] = [
      () => {},
      async () => {},
      (_mail, _actions, { signal }) => void signal.aborted,
      (_mail, _actions, { signal }) => {
        throw new Error(`${signal.aborted}`)
      },
      async () => {
        throw new Error('no')
      },
    ]
    for (const decide of decisions) {
      const { clock, outcome } = play(decide, {}, 10_000)
      await clock.advance(0)
      expect(Object.keys(outcome)).toHaveLength(1)
      expect(clock.waiting).toBe(0)
    }
  })

  it('is on the clock of the machine unless another is given', async () => {
    const handler = signalbox(mailFlow(async () => {}, { reserve: 14_000 }))
    expect(await handler(event)).toEqual(everyone)
    expect(await handler(event, { getRemainingTimeInMillis: () => 60_000 })).toEqual(everyone)
  })
})

describe('asynchronous mode', () => {
  const before = process.env.NODE_ENV
  beforeEach(() => {
    process.env.NODE_ENV = 'production'
  })
  afterEach(() => {
    process.env.NODE_ENV = before
  })
  const pointless = [
    ['a builder', (_: unknown, actions: { drop(): unknown }) => actions.drop()],
    ['a promise of a builder', async (_: unknown, actions: { drop(): unknown }) => actions.drop()],
    ['a plain response', () => dropped],
    [
      'nothing after actions were asked of the builder',
      (_: unknown, actions: { drop(): unknown }) => void actions.drop(),
    ],
  ] as const

  it('sends nothing back', async () => {
    for (const decide of [() => {}, async () => {}])
      expect(await signalbox(mailFlow(decide, { mode: 'async' }))(event)).toBeUndefined()
  })

  it.each(pointless)('takes %s for an error in development, and ignores it otherwise', async (_, decide) => {
    const handler = signalbox(mailFlow(decide as never, { mode: 'async' }))
    expect(await handler(event)).toBeUndefined()
    process.env.NODE_ENV = 'development'
    await expect(handler(event)).rejects.toThrow('what an asynchronous invocation answers has no effect')
  })

  it('has the time that the function has, without a limit of fifteen seconds', async () => {
    const clock = manualClock()
    const handler = signalbox(
      mailFlow(() => new Promise<undefined>(() => {}), { mode: 'async', clock }),
      { clock },
    )
    const unlimited = start(handler)
    const limited = start(handler, invocationContext({ timeout: 60_000, clock }))
    await clock.advance(59_499)
    expect([unlimited, limited]).toEqual([{}, {}])
    await clock.advance(1)
    expect(unlimited).toEqual({})
    expect(limited.error).toMatchObject({ name: 'DecisionTimeoutError' })
  })
})

describe('once', () => {
  const counting = (decide: Decide) => {
    const calls: string[] = []
    const counted: Decide = (mail, ...rest) => {
      calls.push(mail.correlationId)
      return decide(mail, ...rest)
    }
    return { calls, counted }
  }

  it('a retry of an invocation that decided already returns the same decision without deciding again', async () => {
    let word = 'first'
    const { calls, counted } = counting((_, actions) => actions.bounce(word))
    const store = memoryStore()
    const handler = signalbox(mailFlow(counted, { once: once({ store }) }))
    const first = await handler(event)
    word = 'second'
    // As after a restart: another handler over the same store.
    const retry = await signalbox(mailFlow(counted, { once: once({ store }) }))(event)
    expect(retry).toEqual(first)
    expect(retry.actions[0]?.action.parameters).toEqual({ bounceMessage: 'first' })
    expect(calls).toEqual([event.invocationId])
    await handler(mailEvent({ invocationId: 'another' }))
    expect(calls).toEqual([event.invocationId, 'another'])
  })

  it('decides again after an invocation that failed, or that answered something invalid', async () => {
    let attempt = 0
    const { calls, counted } = counting(() => {
      attempt++
      if (attempt === 1) throw new Error('no')
      return attempt === 2 ? { actions: [] } : undefined
    })
    const handler = signalbox(mailFlow(counted, { once: once({ store: memoryStore() }) }))
    await expect(handler(event)).rejects.toThrow('no')
    await expect(handler(event)).rejects.toMatchObject({ name: 'InvalidResponseError' })
    expect(await handler(event)).toEqual(everyone)
    expect(calls).toHaveLength(3)
  })

  it('gives two that decide at the same time the decision of the first to finish', async () => {
    const clock = manualClock()
    const wait = (ms: number) => new Promise<void>(resolve => clock.after(ms, resolve))
    const delays = [2000, 1000]
    const { calls, counted } = counting(async (_, actions) => {
      const delay = delays.shift()!
      await wait(delay)
      return actions.bounce(`${delay}`)
    })
    const handler = signalbox(mailFlow(counted, { clock, once: once({ store: memoryStore({ clock }) }) }), {
      clock,
    })
    const [slow, fast] = [start(handler), start(handler)]
    await clock.advance(2000)
    expect(calls).toHaveLength(2)
    expect(fast.response).toEqual(slow.response)
    expect(slow.response).toMatchObject({ actions: [{ action: { parameters: { bounceMessage: '1000' } } }] })
  })

  it('remembers a decision that came too late, for the retry', async () => {
    const clock = manualClock()
    const { calls, counted } = counting(async (_, actions) => {
      await new Promise<void>(resolve => clock.after(20_000, resolve))
      return actions.drop()
    })
    const handler = signalbox(mailFlow(counted, { clock, once: once({ store: memoryStore({ clock }) }) }), {
      clock,
    })
    const first = start(handler)
    await clock.advance(21_000)
    expect(first.error).toMatchObject({ name: 'DecisionTimeoutError' })
    const retry = start(handler)
    await clock.advance(0)
    expect(retry.response).toEqual(dropped)
    expect(calls).toHaveLength(1)
  })

  it('remembers what onTimeout decided', async () => {
    const clock = manualClock()
    const { calls, counted } = counting(never)
    const options = {
      clock,
      once: once({ store: memoryStore({ clock }) }),
      onTimeout: () => dropped as never,
    }
    const handler = signalbox(mailFlow(counted, options), { clock })
    start(handler)
    await clock.advance(14_500)
    const retry = start(handler)
    await clock.advance(0)
    expect(retry.response).toEqual(dropped)
    expect(calls).toHaveLength(1)
  })

  it('remembers nothing when onTimeout answers something invalid', async () => {
    const clock = manualClock()
    const store = memoryStore({ clock })
    const options = { clock, once: once({ store }), onTimeout: () => ({ actions: [] }) }
    const outcome = start(signalbox(mailFlow(never, options), { clock }))
    await clock.advance(14_500)
    expect(outcome.error).toMatchObject({ name: 'InvalidResponseError' })
    expect(await store.get(`mail-flow:${event.invocationId}`)).toBeUndefined()
  })

  it('remembers in asynchronous mode that the mail was seen', async () => {
    let calls = 0
    const decide = () => void calls++
    const handler = signalbox(mailFlow(decide, { mode: 'async', once: once({ store: memoryStore() }) }))
    expect([await handler(event), await handler(event), calls]).toEqual([undefined, undefined, 1])
  })

  it('takes no notice of an empty invocation id, which would be the id of many', async () => {
    const { calls, counted } = counting(() => {})
    const handler = signalbox(mailFlow(counted, { once: once({ store: memoryStore() }) }))
    await handler(mailEvent({ invocationId: '' }))
    await handler(mailEvent({ invocationId: '' }))
    expect(calls).toHaveLength(2)
  })

  it('fails when the store cannot be asked, since nobody knows then whether it was decided', async () => {
    const store: Store = { ...memoryStore(), get: () => Promise.reject(new Error('store is down')) }
    const { calls, counted } = counting(() => {})
    await expect(signalbox(mailFlow(counted, { once: once({ store }) }))(event)).rejects.toThrow(
      'store is down',
    )
    expect(calls).toEqual([])
  })

  it('answers what was decided when the store does not take it in time, and says so', async () => {
    const clock = manualClock()
    const store: Store = { ...memoryStore({ clock }), setIfAbsent: () => new Promise(() => {}) }
    const notes: Note[] = []
    const outcome = start(
      signalbox(
        mailFlow((_, actions) => actions.drop(), {
          clock,
          once: once({ store }),
          onTimeout: (_, actions) => actions.bounce('Too late'),
          onNotes: told => notes.push(...told),
        }),
        { clock },
      ),
    )
    await clock.advance(14_499)
    expect(outcome).toEqual({})
    await clock.advance(1)
    expect(outcome.response).toEqual(dropped)
    expect(notes.map(({ message }) => message)).toEqual([
      'The decision about this mail could not be remembered: the store did not answer in time',
    ])
  })

  it('decides in spite of the mark that an asynchronous invocation left', async () => {
    const remembers = once({ store: memoryStore() })
    await signalbox(mailFlow(() => {}, { mode: 'async', once: remembers }))(event)
    const { calls, counted } = counting((_, actions) => actions.drop())
    const handler = signalbox(mailFlow(counted, { once: remembers }))
    expect(await handler(event)).toEqual(dropped)
    expect(calls).toHaveLength(1)
  })

  it.each([
    ['a text', 'store is full', '"store is full"'],
    ['nothing', undefined, 'undefined'],
    ['what has no text', Object.create(null), 'an object'],
  ])('answers all the same when the store fails with %s', async (_, reason, words) => {
    const store: Store = { ...memoryStore(), setIfAbsent: () => Promise.reject(reason) }
    const notes: Note[] = []
    const options: MailFlowOptions = { once: once({ store }), onNotes: told => notes.push(...told) }
    expect(await signalbox(mailFlow((_, actions) => actions.drop(), options))(event)).toEqual(dropped)
    expect(notes[0]?.message).toBe(`The decision about this mail could not be remembered: ${words}`)
  })

  it('answers all the same when the decision cannot be remembered, and says so', async () => {
    const store: Store = { ...memoryStore(), setIfAbsent: () => Promise.reject(new Error('store is full')) }
    const notes: Note[] = []
    const options: MailFlowOptions = { once: once({ store }), onNotes: told => notes.push(...told) }
    expect(await signalbox(mailFlow((_, actions) => actions.drop(), options))(event)).toEqual(dropped)
    expect(notes).toEqual([
      {
        kind: 'forgotten',
        recipients: [],
        message: 'The decision about this mail could not be remembered: Error: store is full',
      },
    ])
  })
})

it('invocations that race for one decision all end in time, and agree', async () => {
  const figures = { agreed: 0, late: 0, failed: 0 }
  await fc.assert(raceProperty(figures), { numRuns: 200 })
  for (const figure of Object.values(figures)) expect(figure).toBeGreaterThan(10)
})

it('two overlapping invocations share nothing', async () => {
  const clock = manualClock()
  const handler = signalbox(
    mailFlow(
      async (mail, actions) => {
        actions.bounce(mail.subject, mail.recipients)
        await new Promise<void>(resolve => clock.after(mail.subject === 'a' ? 2000 : 1000, resolve))
        return actions.default()
      },
      { clock },
    ),
    { clock },
  )
  const both = Promise.all(
    ['a', 'b'].map(subject => handler(mailEvent({ subject, recipients: [`${subject}@office.example`] }))),
  )
  await clock.advance(2000)
  const texts = (await both).map(({ actions }) => [actions[0]?.recipients, actions[0]?.action.parameters])
  expect(texts).toEqual([
    [['a@office.example'], { bounceMessage: 'a' }],
    [['b@office.example'], { bounceMessage: 'b' }],
  ])
})
