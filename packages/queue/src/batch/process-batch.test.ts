import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { fromJson } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import fc from 'fast-check'
import * as t from 'io-ts'
import {
  type BatchHandler,
  discard,
  InvalidMessageError,
  queue,
  UnhandledMessageError,
  UnknownMessageError,
} from '../index.ts'
import { fifoEvent, queueEvent, queueRecord } from '../testing/index.ts'

// Messages fail on purpose here, and their log would fill the terminal.
const { error } = console
beforeAll(() => {
  console.error = () => {}
})
afterAll(() => {
  console.error = error
})

const event = queueEvent({ bodies: [0, 1, 2] })
const idOf = (position: number, batch = event) => batch.Records[position]!.messageId
const listing = (...ids: unknown[]) => ({
  batchItemFailures: ids.map(itemIdentifier => ({ itemIdentifier })),
})

async function answerOf(
  onBatch: BatchHandler<number>,
  batch: unknown = event,
  options: object = {},
  context = {},
) {
  const told: [string, unknown][] = []
  const answer = await signalbox(
    queue({
      body: fromJson(t.number),
      onBatch,
      onFailure: ({ id }, reason) => void told.push([id, reason]),
      ...options,
    }),
  )(batch, context)
  return { answer, told }
}

describe('onBatch', () => {
  it('succeeds regardless of the value that it returns', async () => {
    const seen: number[] = []
    const { answer } = await answerOf(async messages => {
      seen.push(...messages.map(({ body }) => body))
      return listing()
    })
    expect(seen).toEqual([0, 1, 2])
    expect(answer).toEqual(listing())
    expect((await answerOf(() => undefined)).answer).toEqual(listing())
  })

  it('fails all messages when it returns batchItemFailures, which would be ignored', async () => {
    const { answer, told } = await answerOf(async () => listing(idOf(0)))
    expect(answer).toEqual(listing(idOf(0), idOf(1), idOf(2)))
    expect(String(told[0]![1])).toContain(
      '/batchItemFailures: expected nothing: call failures.add(…) for each',
    )
  })

  it('fails the messages that it adds to failures, and onFailure gets their reasons', async () => {
    const { answer, told } = await answerOf((messages, failures) => {
      failures.add(messages[1]!, 'no room')
      failures.add(messages[2]!.record)
    })
    expect(answer).toEqual(listing(idOf(1), idOf(2)))
    expect(told).toEqual([
      [idOf(1), 'no room'],
      [idOf(2), undefined],
    ])
  })

  it.each([
    [
      'throws',
      () => {
        throw undefined
      },
    ],
    ['rejects', () => Promise.reject(undefined)],
  ])('fails all messages when it %s', async (_what, onBatch) => {
    const { answer, told } = await answerOf(onBatch)
    expect(answer).toEqual(listing(idOf(0), idOf(1), idOf(2)))
    expect(told.length).toBe(3)
  })

  it('fails the invocation when all messages fail and throwWhenAllFail is set', async () => {
    const failing = answerOf(() => Promise.reject(new Error('no database')), event, {
      throwWhenAllFail: true,
    })
    await expect(failing).rejects.toMatchObject({ cause: new Error('no database') })
  })

  it('fails all messages with an UnknownMessageError when it adds an unknown id to failures', async () => {
    const { answer, told } = await answerOf((_, failures) => failures.add('zzz'))
    expect(answer.batchItemFailures.length).toBe(3)
    expect(told[0]![1]).toBeInstanceOf(UnknownMessageError)
  })

  it('discards all messages when it calls discard()', async () => {
    const heard: unknown[] = []
    const onDiscard = (_: unknown, reason: unknown) => heard.push(reason)
    expect((await answerOf(() => discard('obsolete'), event, { onDiscard })).answer).toEqual(listing())
    expect(heard).toEqual(['obsolete', 'obsolete', 'obsolete'])
  })

  it('does not get unreadable messages, which have already failed', async () => {
    const batch = queueEvent({ bodies: [0, '{', 2] })
    const seen: number[] = []
    const { answer, told } = await answerOf(
      messages => void seen.push(...messages.map(({ body }) => body)),
      batch,
    )
    expect(seen).toEqual([0, 2])
    expect(answer).toEqual(listing(idOf(1, batch)))
    expect(told).toEqual([[idOf(1, batch), expect.any(InvalidMessageError)]])
  })

  it('is not called for an empty batch', async () => {
    let calls = 0
    const onBatch = () => void calls++
    expect((await answerOf(onBatch, { Records: [] })).answer).toEqual(listing())
    const unreadable = queueEvent({ bodies: ['{', 'x'] })
    expect((await answerOf(onBatch, unreadable)).answer.batchItemFailures.length).toBe(2)
    expect(calls).toBe(0)
  })

  it('reports an id only once when two records share it', async () => {
    const twins = queueEvent({ bodies: [0, 1], records: [queueRecord('2', { messageId: idOf(0) })] })
    const { answer } = await answerOf((messages, failures) => failures.add(messages[2]!), twins)
    expect(answer).toEqual(listing(idOf(0, twins)))
  })
})

describe('onBatch with a FIFO queue', () => {
  const fifo = fifoEvent([
    ['g', 0],
    ['h', 1],
    ['g', 2],
    ['h', '{'],
    ['g', 4],
    ['h', 5],
  ])

  it('is not given the messages that follow an unreadable message in their group, and those messages fail, too', async () => {
    const seen: number[] = []
    const { answer, told } = await answerOf(
      messages => void seen.push(...messages.map(({ body }) => body)),
      fifo,
    )
    expect(seen).toEqual([0, 1, 2, 4])
    expect(answer).toEqual(listing(idOf(3, fifo), idOf(5, fifo)))
    expect(told.map(([id]) => id)).toEqual([idOf(3, fifo), idOf(5, fifo)])
    expect(told[1]![1]).toMatchObject({ why: 'group stopped' })
  })

  it('reports a failed message together with the later messages of its group', async () => {
    const { answer, told } = await answerOf((messages, failures) => failures.add(messages[2]!, 'x'), fifo)
    expect(answer).toEqual(listing(idOf(2, fifo), idOf(3, fifo), idOf(4, fifo), idOf(5, fifo)))
    expect(told.find(([id]) => id === idOf(4, fifo))![1]).toBeInstanceOf(UnhandledMessageError)
  })
})

describe('onBatch', () => {
  const message = fc.record({
    group: fc.constantFrom('g', 'h', 'i', ''),
    becomes: fc.constantFrom('done', 'done', 'marked', 'unreadable'),
  })

  it('reports exactly the messages that failed, are unreadable, or follow such a message in their group', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 12 }), fc.boolean(), async (messages, fifo) => {
        const bodies = messages.map(({ becomes }, position) => (becomes === 'unreadable' ? '{' : position))
        const batch = fifo
          ? fifoEvent(bodies.map((body, position) => [messages[position]!.group, body]))
          : queueEvent({ bodies })
        const seen: number[] = []
        const { answer, told } = await answerOf((given, failures) => {
          for (const one of given) {
            seen.push(one.body)
            if (messages[one.body]!.becomes === 'marked') failures.add(one)
          }
        }, batch)
        const unread = new Set<string>()
        const stopped = new Set<string>()
        const expected = { seen: [] as number[], failed: [] as string[] }
        for (const [position, { group, becomes }] of messages.entries()) {
          const sequence = fifo ? group : String(position)
          if (becomes === 'unreadable') unread.add(sequence)
          if (!unread.has(sequence)) expected.seen.push(position)
          if (becomes !== 'done') stopped.add(sequence)
          if (stopped.has(sequence)) expected.failed.push(idOf(position, batch))
        }
        expect(seen).toEqual(expected.seen)
        expect(answer).toEqual(listing(...expected.failed))
        expect(new Set(told.map(([id]) => id))).toEqual(new Set(expected.failed))
        expect(told.length).toBe(expected.failed.length)
      }),
      { numRuns: 300 },
    )
  })
})

describe('hooks that never end', () => {
  const hang = () => new Promise(() => undefined)

  it('do not delay onBatch or change which messages are reported as failed', async () => {
    const clock = manualClock()
    const mixed = fifoEvent([
      ['g', '{'],
      ['h', 1],
      ['i', 2],
      ['h', 3],
    ])
    const seen: number[] = []
    const answering = answerOf(
      (messages, failures) => {
        seen.push(...messages.map(({ body }) => body))
        failures.add(messages[0]!)
      },
      mixed,
      { clock, onFailure: hang },
      { getRemainingTimeInMillis: () => 1000 - clock.now() },
    )
    await clock.advance(875)
    expect((await answering).answer).toEqual(listing(idOf(0, mixed), idOf(1, mixed), idOf(3, mixed)))
    expect(seen).toEqual([1, 2, 3])
  })
})

describe('onBatch at the deadline', () => {
  const context = (clock: { now(): number }, ms: number) => {
    const end = clock.now() + ms
    return { getRemainingTimeInMillis: () => end - clock.now() }
  }

  it('fails all messages when it is still running', async () => {
    const clock = manualClock()
    let aborted = false
    const answering = answerOf(
      ([message]) => {
        message!.signal.addEventListener('abort', () => {
          aborted = true
        })
        return new Promise(() => undefined)
      },
      event,
      { clock },
      context(clock, 1000),
    )
    await clock.advance(750)
    expect(aborted).toBe(true)
    await clock.advance(125)
    const { answer, told } = await answering
    expect(answer.batchItemFailures.length).toBe(3)
    expect(told.map(([, reason]) => (reason as UnhandledMessageError).why)).toEqual(
      Array(3).fill('not finished in time'),
    )
  })

  it('is not called when the deadline has already passed', async () => {
    const clock = manualClock()
    let called = false
    const onBatch = () => {
      called = true
    }
    const { answer, told } = await answerOf(onBatch, event, { clock }, context(clock, 200))
    expect(called).toBe(false)
    expect(answer.batchItemFailures.length).toBe(3)
    expect(told[0]![1]).toMatchObject({ why: 'out of time' })
  })
})
