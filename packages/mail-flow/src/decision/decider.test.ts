import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type InvocationContext, signalbox } from '@signalbox/core'
import { invocationContext, manualClock } from '@signalbox/core/testing'
import { mailFlow } from '../mail-flow.ts'
import type { MailActions } from '../response/actions.ts'
import type { Decide, MailFlowOptions } from '../response/options.ts'
import { mailEvent } from '../testing/index.ts'

const event = mailEvent({ recipients: ['ann@office.example'] })
const everyone = { actions: [{ action: { type: 'DEFAULT' }, allRecipients: true }] }
const dropped = { actions: [{ action: { type: 'DROP' }, allRecipients: true }] }
const never: Decide = () => new Promise(() => {})

/** Calls the handler. Returns an empty object, which gets the response or the error when the call ends. */
function start(
  handler: (event: unknown, context?: InvocationContext) => Promise<unknown>,
  context?: InvocationContext,
) {
  const result: { response?: unknown; error?: unknown } = {}
  handler(event, context).then(
    response => Object.assign(result, { response }),
    error => Object.assign(result, { error }),
  )
  return result
}

function play(decide: Decide, options: MailFlowOptions = {}, timeout?: number) {
  const clock = manualClock()
  const handler = signalbox(mailFlow(decide, { clock, ...options }), { clock })
  const context = timeout === undefined ? undefined : invocationContext({ timeout, clock })
  return { clock, result: start(handler, context) }
}

it.each<[string, object]>([
  ['object', {}],
  ['function', () => {}],
])(
  'a decision can be any %s with a method then, as promises of other libraries are',
  async (_kind, answer) => {
    Object.defineProperty(answer, 'then', { value: (done: (value: unknown) => void) => done(dropped) })
    expect(await signalbox(mailFlow(() => answer as never))(event)).toEqual(dropped)
  },
)

describe('the deadline of a decision', () => {
  it('comes after 14.5 seconds by default', async () => {
    const { clock, result } = play(never)
    await clock.advance(14_499)
    expect(result).toEqual({})
    await clock.advance(1)
    expect(result.error).toMatchObject({ name: 'DecisionTimeoutError', code: 'DECISION_TIMEOUT' })
    expect(clock.waiting).toBe(0)
  })

  it('comes after 15 seconds minus the "reserve" option', async () => {
    const { clock, result } = play(never, { reserve: 5000 })
    await clock.advance(9999)
    expect(result).toEqual({})
    await clock.advance(1)
    expect(result.error).toMatchObject({ name: 'DecisionTimeoutError' })
  })

  it('comes earlier when the function has less time left', async () => {
    const { clock, result } = play(never, {}, 3000)
    await clock.advance(2500)
    expect(result.error).toMatchObject({ name: 'DecisionTimeoutError' })
  })

  it('has already passed when no time is left', async () => {
    const { clock, result } = play(async () => {}, {}, 100)
    await clock.advance(0)
    expect(result.error).toMatchObject({ name: 'DecisionTimeoutError' })
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

  it('calls onTimeout with a new builder', async () => {
    const onTimeout: MailFlowOptions['onTimeout'] = (mail, actions) => actions.drop([...mail.recipients])
    const decide: Decide = (mail, actions, invocation) => never(mail, actions.default(), invocation)
    const { clock, result } = play(decide, { onTimeout })
    await clock.advance(14_500)
    expect(result.response).toEqual({
      actions: [{ action: { type: 'DROP' }, recipients: ['ann@office.example'] }],
    })
  })

  it('causes DEFAULT when onTimeout returns nothing, and a failure when onTimeout throws', async () => {
    const nothing = play(never, { onTimeout: () => {} })
    await nothing.clock.advance(14_500)
    expect(nothing.result.response).toEqual(everyone)
    const throwing = play(never, { onTimeout: (_, actions) => actions.drop().default() })
    await throwing.clock.advance(14_500)
    expect(throwing.result.error).toMatchObject({ name: 'ConflictingActionsError' })
    const invalid = play(never, { onTimeout: () => ({ actions: [] }) })
    await invalid.clock.advance(14_500)
    expect(invalid.result.error).toMatchObject({ name: 'InvalidResponseError' })
  })

  it('fails when an asynchronous onTimeout adds actions and returns nothing', async () => {
    const forgotten = async (_: unknown, actions: MailActions) => {
      actions.drop()
    }
    const { clock, result } = play(never, { onTimeout: forgotten as never })
    await clock.advance(14_500)
    expect(result.error).toMatchObject({ name: 'InvalidResponseError' })
    const returned = play(never, { onTimeout: (async (_, actions) => actions.drop()) as Decide as never })
    await returned.clock.advance(14_500)
    expect(returned.result.response).toEqual(dropped)
  })

  it('is final, so that a later decision or failure has no effect', async () => {
    const { clock, result } = play(
      async (_mail, _actions, { signal }) => {
        await new Promise(resolve => signal.addEventListener('abort', resolve))
        throw new Error('late')
      },
      { onTimeout: (_, actions) => actions.drop() },
    )
    await clock.advance(20_000)
    expect(result.response).toEqual(dropped)
  })

  it('leaves no timer running', async () => {
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
      const { clock, result } = play(decide, {}, 10_000)
      await clock.advance(0)
      expect(Object.keys(result)).toHaveLength(1)
      expect(clock.waiting).toBe(0)
    }
  })

  it('is measured with the system clock by default', async () => {
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
      'undefined after decide has added actions',
      (_: unknown, actions: { drop(): unknown }) => void actions.drop(),
    ],
  ] as const

  it('makes the handler return undefined', async () => {
    for (const decide of [() => {}, async () => {}])
      expect(await signalbox(mailFlow(decide, { mode: 'async' }))(event)).toBeUndefined()
  })

  it.each(pointless)('fails only in development when decide returns %s', async (_, decide) => {
    const handler = signalbox(mailFlow(decide as never, { mode: 'async' }))
    expect(await handler(event)).toBeUndefined()
    process.env.NODE_ENV = 'development'
    await expect(handler(event)).rejects.toThrow('because asynchronous responses have no effect')
  })

  it('is limited by the deadline of the invocation, but not to fifteen seconds', async () => {
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

it('concurrent invocations of mailFlow do not share state', async () => {
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
