import assert from 'node:assert/strict'
import { memoryStore, signalbox } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import { queuePlatform } from '@signalbox/platform-queue/testing/queue-platform'
import { once, queue } from '@signalbox/queue'
import {
  batchVerdict,
  deduplicationInterval,
  defaultBatchSize,
  type QueueEvent,
} from '@signalbox/queue/contract'
import { fifoEvent, queueEvent } from '@signalbox/queue/testing'
import { breaks, type ContractCase, keeps } from '../contract-case.ts'
import { comesBack, isRefused, letOut, listed, returning } from './queue-answers.ts'
import { batchRules } from './queue-batches.ts'

/** Returns the cases for the verdict rules and the limits. */
export function queueRules(): readonly ContractCase[] {
  return [...answerRules(), ...batchRules(), ...fifoRules(), ...limitRules()]
}

/** Returns a function that reports one failure, which `make` creates from the id of the first record. */
const entry = (make: (id: string) => unknown) => (event: QueueEvent) => ({
  batchItemFailures: [make(event.Records[0]!.messageId)],
})

const fails = () => {
  throw new Error('broken')
}

function answerRules(): readonly ContractCase[] {
  const one = comesBack(listed('a'), ['a'])
  const wrongEntries = [
    ['verdict.empty-identifier', 'an empty id', () => ({ itemIdentifier: '' })],
    ['verdict.null-identifier', 'null', () => ({ itemIdentifier: null })],
    ['verdict.wrong-key', 'the key messageId', (messageId: string) => ({ messageId })],
    ['verdict.unknown-identifier', 'an id of another batch', () => ({ itemIdentifier: 'unknown' })],
  ] as const
  return [
    keeps(
      'verdict.empty-list',
      'an empty list',
      comesBack(() => ({ batchItemFailures: [] }), []),
    ),
    // The plugin refuses null, because a function must return an empty list to report success.
    keeps(
      'verdict.empty-list',
      'null for a list',
      isRefused(() => ({ batchItemFailures: null }), []),
    ),
    breaks('verdict.empty-list', 'a list with an entry', one),
    keeps(
      'verdict.empty-response',
      'nothing',
      isRefused(() => undefined, []),
    ),
    keeps(
      'verdict.empty-response',
      'null',
      isRefused(() => null, []),
    ),
    keeps(
      'verdict.empty-response',
      'an empty object',
      isRefused(() => ({}), []),
    ),
    breaks('verdict.empty-response', 'a response with a failure', one),
    keeps('verdict.listed', 'two of three messages', comesBack(listed('a', 'c'), ['a', 'c'])),
    keeps('verdict.listed', 'all messages', comesBack(listed('a', 'b', 'c'), ['a', 'b', 'c'])),
    breaks(
      'verdict.listed',
      'a list with one id that does not exist',
      isRefused(event => {
        const { batchItemFailures } = listed('a')(event)
        return { batchItemFailures: [...batchItemFailures, { itemIdentifier: 'unknown' }] }
      }),
    ),
    keeps(
      'verdict.invalid-json',
      'an answer that JSON cannot carry',
      isRefused(() => ({ batchItemFailures: 1n })),
    ),
    keeps('verdict.invalid-json', 'a text that is cut off', {
      function: () => assert.equal(batchVerdict('{"batchItemFailures":[', queueEvent()).kind, 'failure'),
      platform: async () => assert.equal((await returning(() => 1n)).length, 3),
    }),
    breaks(
      'verdict.invalid-json',
      'an answer in JSON',
      comesBack(() => ({ batchItemFailures: [] }), []),
    ),
    ...wrongEntries.flatMap(([row, name, make]) => [
      keeps(row, name, isRefused(entry(make))),
      breaks(
        row,
        'the id of a message',
        comesBack(
          entry(itemIdentifier => ({ itemIdentifier })),
          ['a'],
        ),
      ),
    ]),
    ...([7, 'text', true, [{}], { batchItemFailures: 'a' }, { batchItemFailures: {} }] as const).map(answer =>
      keeps(
        'verdict.not-an-object',
        JSON.stringify(answer),
        isRefused(() => answer),
      ),
    ),
    breaks('verdict.not-an-object', 'an object with a list', one),
    keeps('verdict.failed-invocation', 'a function that throws', isRefused(fails)),
    breaks('verdict.failed-invocation', 'a function that returns', one),
  ]
}

const inOrder = signalbox(
  queue({
    onMessage: ({ body }) => {
      if (body === 'a1') throw new Error('broken')
    },
  }),
)

function fifoRules(): readonly ContractCase[] {
  const messages = ['a1', 'a2', 'b1']
  const event = () => fifoEvent(messages.map(body => [body[0]!, body] as const))
  const named = (answer: unknown, { Records }: QueueEvent) => {
    const { batchItemFailures } = answer as { batchItemFailures: { itemIdentifier: string }[] }
    return Records.filter(({ messageId }) =>
      batchItemFailures.some(({ itemIdentifier }) => itemIdentifier === messageId),
    ).map(({ body }) => body)
  }
  return [
    keeps('verdict.fifo-order', 'the first message of a group fails', {
      function: async () => assert.deepEqual(named(await inOrder(event()), event()), ['a1', 'a2']),
      platform: async () =>
        assert.deepEqual(await returning(inOrder as never, messages, 'orders.fifo'), ['a1', 'a2']),
    }),
    breaks('verdict.fifo-order', 'a list without the later messages of the group', {
      function: async () =>
        assert.deepEqual(
          named(await letOut(event(), listed('a1')), event()),
          ['a1', 'a2'],
          'it is not completed',
        ),
      // The platform deletes messages that are not in the list.
      platform: async () => assert.deepEqual(await returning(listed('a1'), messages, 'orders.fifo'), ['a1']),
    }),
  ]
}

function limitRules(): readonly ContractCase[] {
  const numbered = (count: number) => Array.from({ length: count }, (_, number) => `${number}`)
  const sizes = async (count: number) => {
    await using setup = await queuePlatform(() => ({ batchItemFailures: [] }), { batchWindow: 1 })
    for (let at = 0; at < count; at += 10) await setup.send(...numbered(count).slice(at, at + 10))
    await setup.pass(3)
    return setup.events.map(({ Records }) => Records.length)
  }
  return [
    keeps('limits.batchSize', `${defaultBatchSize} messages`, {
      function: () => assert.equal(defaultBatchSize, 10),
      platform: async () => assert.deepEqual(await sizes(10), [10]),
    }),
    breaks('limits.batchSize', `${defaultBatchSize + 1} messages`, {
      function: () => assert.equal(defaultBatchSize, 10),
      platform: async () => assert.deepEqual((await sizes(11)).sort(), [1, 10]),
    }),
    keeps('limits.deduplicationInterval', 'sent again within five minutes', {
      function: async () => assert.equal(await handledAfter(deduplicationInterval - 1000), 1),
      platform: async () => assert.equal(await deliveredAfter(deduplicationInterval - 1000), 1),
    }),
    breaks('limits.deduplicationInterval', 'sent again after five minutes', {
      function: async () => assert.equal(await handledAfter(deduplicationInterval + 1000), 2),
      platform: async () => assert.equal(await deliveredAfter(deduplicationInterval + 1000), 2),
    }),
  ]
}

/** Returns how many times `once` handles a message that arrives again after `ms` milliseconds. */
async function handledAfter(ms: number): Promise<number> {
  const clock = manualClock(1_700_000_000_000)
  let handled = 0
  const count = () => {
    handled++
  }
  const handler = signalbox(queue({ onMessage: once({ store: memoryStore({ clock }) })(count) }))
  for (const later of [0, ms]) {
    await clock.advance(later)
    const event = fifoEvent([['a', 'hello']])
    const [record] = event.Records
    const attributes = { ...record!.attributes, SentTimestamp: String(clock.now()) }
    await handler({ Records: [{ ...record, attributes }] })
  }
  return handled
}

/** Returns how many times a FIFO queue delivers a message that is sent again after `ms` milliseconds. */
async function deliveredAfter(ms: number): Promise<number> {
  await using setup = await queuePlatform(() => ({ batchItemFailures: [] }), {}, 'orders.fifo')
  await setup.send('a1')
  await setup.clock.advance(ms)
  await setup.send('a1')
  return setup.batches.length
}
