import { describe, expect, it } from '@jest/globals'
import { memoryStore, type Store, signalbox } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
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
function start(handler: (event: unknown) => Promise<unknown>) {
  const outcome: { response?: unknown; error?: unknown } = {}
  handler(event).then(
    response => Object.assign(outcome, { response }),
    error => Object.assign(outcome, { error }),
  )
  return outcome
}

describe('mailFlow with once', () => {
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
