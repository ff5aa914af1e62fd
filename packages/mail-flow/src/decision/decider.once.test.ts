import { describe, expect, it } from '@jest/globals'
import { memoryStore, type Store, signalbox } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import fc from 'fast-check'
import { mailFlow } from '../mail-flow.ts'
import { once } from '../response/once.ts'
import type { Decide, MailFlowOptions } from '../response/options.ts'
import type { ResponseWarning } from '../response/warnings.ts'
import { mailEvent } from '../testing/index.ts'
import { raceProperty } from './decider.fuzz.ts'

const event = mailEvent({ recipients: ['ann@office.example'] })
const everyone = { actions: [{ action: { type: 'DEFAULT' }, allRecipients: true }] }
const dropped = { actions: [{ action: { type: 'DROP' }, allRecipients: true }] }
const never: Decide = () => new Promise(() => {})

/** Calls the handler. Returns an empty object, which gets the response or the error when the call ends. */
function start(handler: (event: unknown) => Promise<unknown>) {
  const result: { response?: unknown; error?: unknown } = {}
  handler(event).then(
    response => Object.assign(result, { response }),
    error => Object.assign(result, { error }),
  )
  return result
}

describe('mailFlow with the "once" option', () => {
  const counting = (decide: Decide) => {
    const calls: string[] = []
    const counted: Decide = (mail, ...rest) => {
      calls.push(mail.correlationId)
      return decide(mail, ...rest)
    }
    return { calls, counted }
  }

  it('stores no decision that comes with a changed mail, because a retry would not change the mail', async () => {
    const { calls, counted } = counting(mail => mail.replace('Subject: changed\r\n\r\n'))
    const replaceMessage = () => {}
    const handler = signalbox(mailFlow(counted, { once: once({ store: memoryStore() }), replaceMessage }))
    await handler(event)
    await handler(event)
    expect(calls).toHaveLength(2)
  })

  it('stores no late decision that comes with a changed mail', async () => {
    const clock = manualClock(0)
    const store = memoryStore()
    const handler = signalbox(
      mailFlow(
        async (mail, ...rest) => {
          await mail.replace('Subject: changed\r\n\r\n')
          return never(mail, ...rest)
        },
        {
          ...{ clock, once: once({ store }), replaceMessage: () => {} },
          onTimeout: (_, actions) => actions.drop(),
        },
      ),
    )
    const result = start(handler as never)
    await clock.advance(14_500)
    expect(result).toEqual({ response: dropped })
    expect(await once({ store }).recall(event.invocationId)).toBeUndefined()
  })

  it('returns the stored decision in a retry without calling decide', async () => {
    let word = 'first'
    const { calls, counted } = counting((_, actions) => actions.bounce(word))
    const store = memoryStore()
    const handler = signalbox(mailFlow(counted, { once: once({ store }) }))
    const first = await handler(event)
    word = 'second'
    // This is another handler with the same store, as after a restart.
    const retry = await signalbox(mailFlow(counted, { once: once({ store }) }))(event)
    expect(retry).toEqual(first)
    expect(retry.actions[0]?.action.parameters).toEqual({ bounceMessage: 'first' })
    expect(calls).toEqual([event.invocationId])
    await handler(mailEvent({ invocationId: 'another' }))
    expect(calls).toEqual([event.invocationId, 'another'])
  })

  it('calls decide again after a failed invocation or an invalid response', async () => {
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

  it('returns the first decision to both of two concurrent invocations', async () => {
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

  it('stores a decision that comes after the deadline, for the retry', async () => {
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

  it.each([
    ['onTimeout', () => dropped],
    ['an asynchronous onTimeout', async () => dropped],
  ])('stores the decision of %s', async (_, onTimeout) => {
    const clock = manualClock()
    const { calls, counted } = counting(never)
    const options = { clock, once: once({ store: memoryStore({ clock }) }), onTimeout: onTimeout as never }
    const handler = signalbox(mailFlow(counted, options), { clock })
    start(handler)
    await clock.advance(14_500)
    const retry = start(handler)
    await clock.advance(0)
    expect(retry.response).toEqual(dropped)
    expect(calls).toHaveLength(1)
  })

  it('stores nothing when onTimeout returns an invalid response', async () => {
    const clock = manualClock()
    const store = memoryStore({ clock })
    const options = { clock, once: once({ store }), onTimeout: () => ({ actions: [] }) }
    const result = start(signalbox(mailFlow(never, options), { clock }))
    await clock.advance(14_500)
    expect(result.error).toMatchObject({ name: 'InvalidResponseError' })
    expect(await store.get(`mail-flow:${event.invocationId}`)).toBeUndefined()
  })

  it('records in asynchronous mode that the mail was handled', async () => {
    let calls = 0
    const decide = () => void calls++
    const handler = signalbox(mailFlow(decide, { mode: 'async', once: once({ store: memoryStore() }) }))
    expect([await handler(event), await handler(event), calls]).toEqual([undefined, undefined, 1])
  })

  it('stores nothing for an empty invocation id, which many invocations could have', async () => {
    const { calls, counted } = counting(() => {})
    const handler = signalbox(mailFlow(counted, { once: once({ store: memoryStore() }) }))
    await handler(mailEvent({ invocationId: '' }))
    await handler(mailEvent({ invocationId: '' }))
    expect(calls).toHaveLength(2)
  })

  it('fails when the store cannot be read, because the store may hold a decision', async () => {
    const store: Store = { ...memoryStore(), get: () => Promise.reject(new Error('store is down')) }
    const { calls, counted } = counting(() => {})
    await expect(signalbox(mailFlow(counted, { once: once({ store }) }))(event)).rejects.toThrow(
      'store is down',
    )
    expect(calls).toEqual([])
  })

  it('returns the decision with a warning when storing it takes too long', async () => {
    const clock = manualClock()
    const store: Store = { ...memoryStore({ clock }), setIfAbsent: () => new Promise(() => {}) }
    const warnings: ResponseWarning[] = []
    const result = start(
      signalbox(
        mailFlow((_, actions) => actions.drop(), {
          clock,
          once: once({ store }),
          onTimeout: (_, actions) => actions.bounce('Too late'),
          onWarnings: told => warnings.push(...told),
        }),
        { clock },
      ),
    )
    await clock.advance(14_499)
    expect(result).toEqual({})
    await clock.advance(1)
    expect(result.response).toEqual(dropped)
    expect(warnings.map(({ message }) => message)).toEqual([
      'The decision about this mail could not be stored: the store did not respond in time',
    ])
  })

  it('calls decide when the store only has a record of an asynchronous invocation', async () => {
    const remembers = once({ store: memoryStore() })
    await signalbox(mailFlow(() => {}, { mode: 'async', once: remembers }))(event)
    const { calls, counted } = counting((_, actions) => actions.drop())
    const handler = signalbox(mailFlow(counted, { once: remembers }))
    expect(await handler(event)).toEqual(dropped)
    expect(calls).toHaveLength(1)
  })

  it.each([
    ['a string', 'store is full', '"store is full"'],
    ['undefined', undefined, 'undefined'],
    ['an object that cannot become text', Object.create(null), 'an object'],
  ])('returns the decision when the store rejects with %s', async (_, reason, words) => {
    const store: Store = { ...memoryStore(), setIfAbsent: () => Promise.reject(reason) }
    const warnings: ResponseWarning[] = []
    const options: MailFlowOptions = { once: once({ store }), onWarnings: told => warnings.push(...told) }
    expect(await signalbox(mailFlow((_, actions) => actions.drop(), options))(event)).toEqual(dropped)
    expect(warnings[0]?.message).toBe(`The decision about this mail could not be stored: ${words}`)
  })

  it('returns a decision that cannot be stored, and adds a warning', async () => {
    const store: Store = { ...memoryStore(), setIfAbsent: () => Promise.reject(new Error('store is full')) }
    const warnings: ResponseWarning[] = []
    const options: MailFlowOptions = { once: once({ store }), onWarnings: told => warnings.push(...told) }
    expect(await signalbox(mailFlow((_, actions) => actions.drop(), options))(event)).toEqual(dropped)
    expect(warnings).toEqual([
      {
        kind: 'forgotten',
        recipients: [],
        message: 'The decision about this mail could not be stored: Error: store is full',
      },
    ])
  })
})

it('concurrent invocations for one mail end in time, with the same response if the store works', async () => {
  const figures = { agreed: 0, late: 0, failed: 0 }
  await fc.assert(raceProperty(figures), { numRuns: 200 })
  for (const figure of Object.values(figures)) expect(figure).toBeGreaterThan(2)
})
