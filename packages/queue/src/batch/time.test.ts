import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Clock, type InvocationContext, signalbox } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import * as t from 'io-ts'
import { eachMessage, type Message, queue, type UnhandledMessageError } from '../index.ts'
import { fifoEvent, queueEvent } from '../testing/index.ts'

// Messages fail on purpose here, and their log would fill the terminal.
const { error } = console
beforeAll(() => {
  console.error = () => {}
})
afterAll(() => {
  console.error = error
})

const granted = (clock: Clock, ms: number): InvocationContext => {
  const end = clock.now() + ms
  return { getRemainingTimeInMillis: () => end - clock.now() }
}

/** Makes a queue handler with its own clock. A message takes as many milliseconds as its body says. */
function setUp(options: object = {}) {
  const clock = manualClock()
  const started: number[] = []
  const told: [number, string][] = []
  let answeredAt = Number.NaN
  const handler = signalbox(
    queue({
      clock,
      onMessage({ body }: Message) {
        started.push(clock.now())
        return new Promise<void>(resolve => void clock.after(Number(body), resolve))
      },
      onFailure: ({ body }, reason) => void told.push([Number(body), (reason as UnhandledMessageError).why]),
      ...options,
    }),
  )
  return {
    clock,
    started,
    told,
    answeredAt: () => answeredAt,
    async send(event: ReturnType<typeof queueEvent>, timeout?: number) {
      const answer = handler(event, timeout === undefined ? {} : granted(clock, timeout))
      const failed = answer.then(({ batchItemFailures }) => {
        answeredAt = clock.now()
        return batchItemFailures.map(({ itemIdentifier }) =>
          event.Records.findIndex(({ messageId }) => messageId === itemIdentifier),
        )
      })
      await clock.advance(100_000)
      return failed
    },
  }
}

const batchOf = (...times: number[]) => queueEvent({ bodies: times.map(String) })
const hang = 1_000_000

describe('concurrency', () => {
  it('is ten by default', async () => {
    const { send, started, answeredAt } = setUp()
    expect(await send(batchOf(...Array(25).fill(100)))).toEqual([])
    expect(started.map(at => at / 100)).toEqual([
      ...Array(10).fill(0),
      ...Array(10).fill(1),
      ...Array(5).fill(2),
    ])
    expect(answeredAt()).toBe(300)
  })

  it('lets the next message start as soon as a running message ends', async () => {
    const { send, started } = setUp({ concurrency: 2 })
    await send(batchOf(50, 10, 10, 10, 10, 10))
    expect(started).toEqual([0, 0, 10, 20, 30, 40])
  })

  it('can be infinite for a standard queue', async () => {
    const { send, answeredAt } = setUp({ concurrency: Number.POSITIVE_INFINITY })
    await send(batchOf(...Array(500).fill(7)))
    expect(answeredAt()).toBe(7)
  })

  it('does not apply within a FIFO group, whose messages are handled one at a time in order', async () => {
    const { send, answeredAt, started } = setUp({ concurrency: 50 })
    const messages = Array.from({ length: 1000 }, (_, at) => [`group ${at % 50}`, '1'] as const)
    expect(await send(fifoEvent(messages))).toEqual([])
    expect(answeredAt()).toBe(20)
    expect(started.filter(at => at === 7).length).toBe(50)
  })

  it('limits the number of groups that are handled at once in a FIFO queue', async () => {
    const { send, started } = setUp({ concurrency: 2 })
    await send(
      fifoEvent([
        ['a', '10'],
        ['b', '25'],
        ['c', '10'],
        ['a', '10'],
        ['d', '10'],
      ]),
    )
    // At 10 ms, the second message of group a starts. At 20 ms, group c replaces a, and at 25 ms, d replaces b.
    expect(started).toEqual([0, 0, 10, 20, 25])
  })
})

describe('when only the reserved time is left', () => {
  it('no more messages are started', async () => {
    const { send, started, told } = setUp({ concurrency: 1 })
    expect(await send(batchOf(250, 250, 250, 250, 250), 1000)).toEqual([3, 4])
    expect(started).toEqual([0, 250, 500])
    expect(told).toEqual([
      [250, 'out of time'],
      [250, 'out of time'],
    ])
  })

  it('the signal of every message is aborted, and messages that are still running 125 ms later fail', async () => {
    const { send, told, answeredAt, clock } = setUp()
    const [stubborn, quick] = [hang, 100]
    expect(await send(batchOf(stubborn, quick), 1000)).toEqual([0])
    expect(told).toEqual([[stubborn, 'not finished in time']])
    expect(answeredAt()).toBe(875)
    expect(clock.waiting).toBe(1)
  })

  it('a message that ends between the abort and the response keeps its result', async () => {
    const { send, answeredAt } = setUp()
    expect(await send(batchOf(800), 1000)).toEqual([])
    expect(answeredAt()).toBe(800)
  })

  it('a message whose handler rejects on abort is reported immediately, with the rejection as its reason', async () => {
    const reasons: unknown[] = []
    const { send, answeredAt } = setUp({
      onMessage: ({ signal }: Message) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      onFailure: (_: unknown, reason: unknown) => reasons.push((reason as Error).name),
    })
    expect(await send(batchOf(1, 2), 1000)).toEqual([0, 1])
    expect(reasons).toEqual(['TimeoutError', 'TimeoutError'])
    expect(answeredAt()).toBe(750)
  })

  it('the option reserve replaces the default of 250 ms', async () => {
    const { send, answeredAt } = setUp({ reserve: 100 })
    expect(await send(batchOf(hang), 1000)).toEqual([0])
    expect(answeredAt()).toBe(950)
  })

  it('a running message is reported together with the later messages of its group', async () => {
    const { send, told } = setUp()
    const event = fifoEvent([
      ['a', String(hang)],
      ['b', '5'],
      ['a', '1'],
      ['b', '5'],
    ])
    expect(await send(event, 1000)).toEqual([0, 2])
    expect(told).toEqual([
      [hang, 'not finished in time'],
      [1, 'out of time'],
    ])
  })

  it('all messages are reported as failed if none of them has started', async () => {
    const { send, started, answeredAt } = setUp()
    expect(await send(batchOf(1, 2), 200)).toEqual([0, 1])
    expect(started).toEqual([])
    expect(answeredAt()).toBe(0)
  })

  it('a hook that never ends does not delay the response', async () => {
    const { send, answeredAt } = setUp({
      onMessage: () => Promise.reject(new Error('x')),
      onFailure: () => new Promise(() => undefined),
    })
    expect(await send(batchOf(1), 1000)).toEqual([0])
    expect(answeredAt()).toBe(875)
  })

  it('a hook that never ends does not delay other messages', async () => {
    const { send, started } = setUp({
      concurrency: 1,
      onMessage({ body }: Message) {
        if (body === '1') throw new Error('x')
        started.push(Number(body))
      },
      onFailure: () => new Promise(() => undefined),
    })
    expect(await send(batchOf(1, 2, 3), 1000)).toEqual([0])
    expect(started).toEqual([2, 3])
  })

  it('a message that ends after the response does not affect a later invocation', async () => {
    const { send, clock } = setUp()
    expect(await send(batchOf(5000, 10), 1000)).toEqual([0])
    expect(clock.waiting).toBe(0)
    expect(await send(batchOf(5, 10), 1000)).toEqual([])
  })

  it('no other message is passed to a synchronous handler', async () => {
    let now = 0
    const clock: Clock = { now: () => now, wall: () => now, after: () => () => undefined }
    const started: number[] = []
    const handler = signalbox(
      queue({
        clock,
        onMessage({ body }) {
          started.push(now)
          now += Number(body)
        },
      }),
    )
    const standard = await handler(batchOf(400, 400, 400), granted(clock, 1000))
    expect(standard.batchItemFailures.length).toBe(1)
    now = 0
    const fifo = fifoEvent(['400', '400', '400'].map(body => ['g', body] as const))
    expect((await handler(fifo, granted(clock, 1000))).batchItemFailures.length).toBe(1)
    expect(started).toEqual([0, 400, 0, 400])
  })
})

describe('queue()', () => {
  const counting = () => {
    let timers = 0
    const clock: Clock = {
      now: () => 0,
      wall: () => 0,
      after() {
        timers++
        return () => undefined
      },
    }
    return { clock, timers: () => timers }
  }

  it('sets no timer for synchronous handlers', async () => {
    const { clock, timers } = counting()
    const handler = signalbox(queue({ clock, onMessage: () => undefined }))
    await handler(batchOf(1, 2, 3), { getRemainingTimeInMillis: () => 1000 })
    expect(timers()).toBe(0)
  })

  it('sets no timer when the context has no deadline', async () => {
    const { clock, timers } = counting()
    await signalbox(queue({ clock, onMessage: async () => undefined }))(batchOf(1, 2, 3))
    expect(timers()).toBe(0)
  })

  it('sets one timer per batch for asynchronous handlers, and a second timer if a handler reads the signal', async () => {
    const { clock, timers } = counting()
    const context = { getRemainingTimeInMillis: () => 1000 }
    await signalbox(queue({ clock, onMessage: async () => undefined }))(batchOf(1, 2, 3), context)
    expect(timers()).toBe(1)
    await signalbox(queue({ clock, onMessage: async ({ signal }) => signal.aborted }))(
      batchOf(1, 2, 3),
      context,
    )
    expect(timers()).toBe(3)
  })
})

it('eachMessage() responds before the deadline, as queue() does', async () => {
  const clock = manualClock()
  const handler = eachMessage(t.string, () => new Promise(() => undefined), { clock })
  const answer = handler(batchOf(1), granted(clock, 1000))
  await clock.advance(875)
  expect((await answer).batchItemFailures.length).toBe(1)
})

it('a batch of ten thousand records does not overflow the stack in a standard queue or in a FIFO queue', async () => {
  const bodies = Array.from({ length: 10_000 }, (_, position) => String(position))
  const events = [queueEvent({ bodies }), fifoEvent(bodies.map(body => ['g', body] as const))]
  const handlers = [
    () => undefined,
    async () => undefined,
    () => new Promise(resolve => setImmediate(resolve)),
  ]
  for (const event of events) {
    for (const onMessage of handlers) {
      expect(await signalbox(queue({ onMessage }))(event)).toEqual({ batchItemFailures: [] })
    }
    const failing = signalbox(queue({ onMessage: () => Promise.reject(), onFailure: async () => undefined }))
    expect((await failing(event)).batchItemFailures.length).toBe(10_000)
  }
})
