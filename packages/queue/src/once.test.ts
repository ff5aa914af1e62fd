import { describe, expect, it } from '@jest/globals'
import { memoryStore, type Store, signalbox } from '@signalbox/core'
import { type ManualClock, manualClock } from '@signalbox/core/testing'
import { discard, type Message, MessageInProgressError, type OnceOptions, once, queue } from './index.ts'
import { fifoRecord, queueEvent, queueRecord } from './testing/index.ts'

const minutes = 60 * 1000

/** Makes a queue handler that runs `run` for each message and records handled messages and failures. */
function setUp({
  run = () => undefined,
  clock = manualClock(Date.UTC(2026, 0, 15, 9, 31)),
  store = memoryStore({ clock }),
  ...options
}: { run?: (message: Message) => unknown; clock?: ManualClock; store?: Store } & Omit<
  Partial<OnceOptions>,
  'store'
> = {}) {
  const handled: string[] = []
  const reasons: unknown[] = []
  const handler = signalbox(
    queue({
      clock,
      onMessage: once({ store, ...options })((message: Message) => {
        handled.push(message.body)
        return run(message)
      }),
      onFailure: (_, reason) => void reasons.push(reason),
    }),
  )
  const send = async (...records: ReturnType<typeof queueRecord>[]) => {
    const answer = await handler(queueEvent({ records }))
    return answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)
  }
  return { handler, send, handled, reasons, clock, store }
}

const first = queueRecord('first', { messageId: 'm1' })
const second = queueRecord('second', { messageId: 'm2' })

describe('once()', () => {
  it('skips a message whose id was already handled, and reports success', async () => {
    const { send, handled } = setUp()
    expect(await send(first, second)).toEqual([])
    expect(await send(first)).toEqual([])
    expect(handled).toEqual(['first', 'second'])
  })

  it('handles a message again after five minutes, the deduplication interval of SQS', async () => {
    const { send, handled, clock } = setUp()
    await send(first)
    await clock.advance(5 * minutes - 1)
    await send(first)
    expect(handled).toEqual(['first'])
    await clock.advance(1)
    await send(first)
    expect(handled).toEqual(['first', 'first'])
  })

  it('handles a message again when its ttl has passed', async () => {
    const { send, handled, clock } = setUp({ ttl: 1000 })
    await send(first)
    await clock.advance(1001)
    await send(first)
    expect(handled).toEqual(['first', 'first'])
  })

  it('skips a FIFO message whose deduplication id was already handled in its group and queue', async () => {
    const { send, handled } = setUp()
    const attributes = { MessageGroupId: 'g', MessageDeduplicationId: 'd' }
    await send(fifoRecord('one', { messageId: 'm1', attributes }))
    await send(fifoRecord('its copy', { messageId: 'm2', attributes }))
    await send(
      fifoRecord('other id', { messageId: 'm1', attributes: { ...attributes, MessageDeduplicationId: 'e' } }),
    )
    await send(
      fifoRecord('other group', { messageId: 'm1', attributes: { ...attributes, MessageGroupId: 'h' } }),
    )
    await send(fifoRecord('other queue', { messageId: 'm1', attributes, eventSourceARN: 'arn:x:other.fifo' }))
    expect(handled).toEqual(['one', 'other id', 'other group', 'other queue'])
  })

  it('identifies a message of a standard queue by its message id alone', async () => {
    const { send, handled } = setUp()
    const attributes = { MessageGroupId: 'g', MessageDeduplicationId: 'd' }
    await send(queueRecord('one', { messageId: 'm1', attributes }))
    await send(queueRecord('two', { messageId: 'm2', attributes }))
    await send(queueRecord('a copy of two', { messageId: 'm2', attributes }))
    expect(handled).toEqual(['one', 'two'])
  })

  it('handles one of the messages with the same key, which another queue may have, too', async () => {
    const { send, handled } = setUp({ key: ({ body }: Message) => body.slice(0, 1) })
    const other = 'arn:x:other'
    await send(queueRecord('a1', { messageId: 'm1' }), queueRecord('b1', { messageId: 'm2' }))
    expect(await send(queueRecord('a2', { messageId: 'm3' }))).toEqual([])
    await send(queueRecord('a3', { messageId: 'm4', eventSourceARN: other }))
    const attributes = { MessageGroupId: 'g', MessageDeduplicationId: 'd' }
    await send(fifoRecord('a4', { messageId: 'm5', eventSourceARN: `${other}.fifo`, attributes }))
    await send(
      fifoRecord('c1', { messageId: 'm6', eventSourceARN: `${other}.fifo`, attributes }),
      fifoRecord('a5', { messageId: 'm7', eventSourceARN: `${other}.fifo`, attributes }),
    )
    expect(handled).toEqual(['a1', 'b1', 'a3', 'a4', 'c1'])
  })

  it.each([[''], [undefined], [7]])('fails a message whose key is %j', async key => {
    const { send, handled, reasons } = setUp({ key: () => key as string })
    expect(await send(first)).toEqual(['m1'])
    expect(handled).toEqual([])
    expect(reasons).toEqual([expect.objectContaining({ message: expect.stringContaining('key returned') })])
  })

  it('treats an empty deduplication id as absent', async () => {
    const { send, handled } = setUp()
    const attributes = { MessageDeduplicationId: '' }
    await send(fifoRecord('one', { messageId: 'm1', attributes }))
    await send(fifoRecord('two', { messageId: 'm2', attributes }))
    expect(handled).toEqual(['one', 'two'])
  })

  it('fails every message when its result is used directly as onMessage', async () => {
    const store = memoryStore()
    const reasons: unknown[] = []
    const forgotten = once({ store }) as unknown as (message: Message) => unknown
    const onFailure = (_: unknown, reason: unknown) => void reasons.push(reason)
    const handler = signalbox(queue({ onMessage: forgotten, onFailure }))
    const event = queueEvent({ records: [first, second] })
    expect((await handler(event)).batchItemFailures.length).toBe(2)
    expect(reasons[0]).toMatchObject({ message: expect.stringContaining('once({ store })(handler)') })
  })

  it('stores whole milliseconds, because some databases accept only integers', async () => {
    const leases: number[] = []
    const kept = memoryStore()
    const store: Store = {
      ...kept,
      setIfAbsent(key, value, ttl) {
        leases.push(ttl)
        return kept.setIfAbsent(key, value, ttl)
      },
    }
    const { handler } = setUp({ store })
    await handler(queueEvent({ records: [first] }), { getRemainingTimeInMillis: () => 3000.25 })
    expect(leases).toEqual([3751])
  })

  it('deletes its entry even when the handler throws a Proxy that throws when it is inspected', async () => {
    const refuse = () => {
      throw new Error('trapped')
    }
    let fails = true
    const { send, handled } = setUp({
      run() {
        if (fails) throw new Proxy({}, { getPrototypeOf: refuse })
      },
    })
    expect(await send(first)).toEqual(['m1'])
    fails = false
    expect(await send(first)).toEqual([])
    expect(handled.length).toBe(2)
  })

  it('handles a FIFO message whose deduplication id is reused after the interval', async () => {
    const { send, handled, clock } = setUp()
    const sent = (ms: number) => ({ MessageDeduplicationId: 'd', SentTimestamp: String(clock.now() + ms) })
    await send(fifoRecord('sent four minutes ago', { messageId: 'm1', attributes: sent(-4 * minutes) }))
    await clock.advance(2 * minutes)
    await send(fifoRecord('sent six minutes after it', { messageId: 'm2', attributes: sent(0) }))
    expect(handled).toEqual(['sent four minutes ago', 'sent six minutes after it'])
    await send(fifoRecord('a copy of that', { messageId: 'm2', attributes: sent(0) }))
    expect(handled.length).toBe(2)
  })

  it('stores an entry for a FIFO message that reuses an old deduplication id', async () => {
    let finish: (() => void) | undefined
    const { send, handled, clock } = setUp({
      run: () => finish && new Promise<void>(resolve => (finish = resolve)),
    })
    const sent = (ms: number) => ({ MessageDeduplicationId: 'd', SentTimestamp: String(clock.now() + ms) })
    await send(fifoRecord('first', { attributes: sent(-5 * minutes) }))
    finish = () => undefined
    const again = fifoRecord('again', { messageId: 'm', attributes: sent(0) })
    const slow = send(again)
    await new Promise(resolve => setImmediate(resolve))
    expect(await send(again)).toEqual(['m'])
    finish()
    expect(await slow).toEqual([])
    expect(handled).toEqual(['first', 'again'])
  })

  it('handles a failed message again', async () => {
    let fails = true
    const { send, handled } = setUp({
      run: async () => {
        if (fails) throw new Error('no database')
      },
    })
    expect(await send(first)).toEqual(['m1'])
    fails = false
    expect(await send(first)).toEqual([])
    expect(await send(first)).toEqual([])
    expect(handled).toEqual(['first', 'first'])
  })

  it('skips a discarded message', async () => {
    const { send, handled } = setUp({ run: () => discard('unwanted') })
    expect(await send(first)).toEqual([])
    expect(await send(first)).toEqual([])
    expect(handled).toEqual(['first'])
  })

  it('fails a duplicate while the first copy is being handled, so that the duplicate is redelivered', async () => {
    let finish: (() => void) | undefined
    const { send, handled, reasons } = setUp({ run: () => new Promise<void>(resolve => (finish = resolve)) })
    const slow = send(first)
    await new Promise(resolve => setImmediate(resolve))
    expect(await send(first)).toEqual(['m1'])
    expect(reasons).toEqual([expect.any(MessageInProgressError)])
    finish!()
    expect(await slow).toEqual([])
    expect(await send(first)).toEqual([])
    expect(handled).toEqual(['first'])
  })

  it('handles only one of two copies in the same batch', async () => {
    const { send, handled } = setUp({ run: () => new Promise(resolve => setImmediate(resolve)) })
    expect(await send(first, first)).toEqual(['m1'])
    expect(handled).toEqual(['first'])
  })

  it('handles a message again when its lease has expired because the invocation was killed', async () => {
    const { handler, handled, clock, send } = setUp({ run: () => new Promise(() => undefined) })
    void handler(queueEvent({ records: [first] }), { getRemainingTimeInMillis: () => 3000 })
    await new Promise(resolve => setImmediate(resolve))
    expect(await send(first)).toEqual(['m1'])
    await clock.advance(2750 + 999)
    expect(await send(first)).toEqual(['m1'])
    await clock.advance(1)
    void send(first)
    await new Promise(resolve => setImmediate(resolve))
    expect(handled).toEqual(['first', 'first'])
  })

  it('never deletes the entry of another invocation', async () => {
    const ends: (() => void)[] = []
    const { send, handled, clock } = setUp({
      lease: 1000,
      run: () => new Promise<void>((_, reject) => ends.push(() => reject(new Error('too late')))),
    })
    const turn = () => new Promise(resolve => setImmediate(resolve))
    const slow = send(first)
    await turn()
    await clock.advance(1000)
    void send(first)
    await turn()
    expect(handled.length).toBe(2)
    ends[0]!()
    expect(await slow).toEqual(['m1'])
    expect(await send(first)).toEqual(['m1'])
    expect(handled.length).toBe(2)
  })
})

describe('once()', () => {
  const broken = (...methods: (keyof Store)[]): Store => {
    const store = memoryStore()
    const fail = () => Promise.reject(new Error('store down'))
    return { ...store, ...Object.fromEntries(methods.map(method => [method, fail])) }
  }

  it('fails a message without handling it when the store cannot be read', async () => {
    const { send, handled, reasons } = setUp({ store: broken('setIfAbsent') })
    expect(await send(first)).toEqual(['m1'])
    expect(handled).toEqual([])
    expect(reasons).toEqual([new Error('store down')])
  })

  it('reports success even when the store cannot record the success', async () => {
    const { send } = setUp({ store: broken('set') })
    expect(await send(first)).toEqual([])
    for (const set of [
      () => undefined as never,
      () => {
        throw new Error('store down')
      },
    ])
      expect(await setUp({ store: { ...memoryStore(), set } }).send(second)).toEqual([])
  })

  it('reports the reason for a failure even when the store cannot delete the entry', async () => {
    const run = () => {
      throw new Error('the reason')
    }
    for (const method of ['get', 'delete'] as const) {
      const { send, reasons } = setUp({ store: broken(method), run })
      expect(await send(first)).toEqual(['m1'])
      expect(reasons).toEqual([new Error('the reason')])
    }
  })

  it('fails a message when the store loses its entry between two reads', async () => {
    const store: Store = { ...memoryStore(), setIfAbsent: async () => false }
    const { send, reasons } = setUp({ store })
    expect(await send(first)).toEqual(['m1'])
    expect(reasons).toEqual([expect.any(MessageInProgressError)])
  })
})

describe('once() refuses', () => {
  const store = memoryStore()
  const invalid: readonly [options: object, message: string][] = [
    [{}, 'store is missing'],
    [{ store: new Map() }, 'store has no setIfAbsent(), expected a Store such as memoryStore()'],
    [{ store: null }, 'store has no get()'],
    [{ store: { ...store, delete: undefined } }, 'store has no delete()'],
    [{ store, key: 'id' }, 'key is "id", expected a function of a message'],
    [{ store, ttl: 0 }, 'ttl is 0, expected milliseconds, 1 or more'],
    [{ store, ttl: Number.POSITIVE_INFINITY }, 'ttl is Infinity'],
    [{ store, lease: Number.NaN }, 'lease is NaN'],
    [{ store, tll: 5 }, 'once() has no option "tll". Did you mean ttl?'],
  ]
  it.each(invalid.map(([options, message]) => [message, options]))(
    'invalid options with the error `%s`',
    (message, options) => {
      expect(() => once(options as OnceOptions)).toThrow(message)
    },
  )
})
