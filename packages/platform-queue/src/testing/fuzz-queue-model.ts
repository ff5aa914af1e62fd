import { deepStrictEqual } from 'node:assert/strict'
import type { CaseCosts } from '@signalbox/platform-runtime/testing/case-costs'
import fc from 'fast-check'
import type { OwnQueueStore } from '../store/own-queue-store.ts'
import { QueueStoreError } from '../store/queue-store-error.ts'
import { moveAll } from './move-all.ts'
import type { OwnStoreUnderTest } from './own-queue-suite.ts'
import { type ModelSettings, queueModel } from './queue-model.ts'

const minute = 60_000

const settings: fc.Arbitrary<ModelSettings> = fc.record({
  fifo: fc.boolean(),
  visibilityTimeout: fc.constantFrom(0, 1000, 30_000),
  delay: fc.constantFrom(0, 0, 2000),
  retentionPeriod: fc.constantFrom(minute, 10 * minute),
  contentBasedDeduplication: fc.boolean(),
  deduplicationScope: fc.constantFrom('queue', 'messageGroup'),
  maxReceiveCount: fc.constantFrom(undefined, 1, 2),
})

const which = fc.constantFrom('queue', 'queue', 'queue', 'dead')
const pick = fc.nat({ max: 30 })

const step = fc.oneof(
  fc.record({
    do: fc.constant('send' as const),
    group: fc.constantFrom('a', 'b', 'c'),
    isGrouped: fc.boolean(),
    // Only a few bodies are possible, so that some messages are duplicates. Undefined stands for a unique body.
    twin: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
  }),
  fc.record({
    do: fc.constant('receive' as const),
    which,
    max: fc.integer({ min: 1, max: 5 }),
    timeout: fc.option(fc.constantFrom(0, 500, 5000), { nil: undefined }),
    attempt: fc.option(fc.constantFrom('p', 'q'), { nil: undefined }),
  }),
  fc.record({ do: fc.constant('remove' as const), which, pick }),
  fc.record({
    do: fc.constant('hide' as const),
    which,
    pick,
    timeout: fc.constantFrom(0, 700, 40_000, 12 * 60 * minute),
  }),
  fc.record({
    do: fc.constant('wait' as const),
    time: fc.constantFrom(0, 300, 1000, 5000, minute, 5 * minute),
  }),
  fc.record({ do: fc.constantFrom('redrive' as const, 'purge' as const, 'rescope' as const) }),
)

/**
 * Runs any sequence of operations on queues of a store and on the model, and compares every result.
 * @param hold runs each case and can measure it
 * @returns the number of operations
 * @throws Error with the shortest sequence whose results differ
 */
export async function fuzzQueueModel(
  open: () => Promise<OwnStoreUnderTest>,
  runs: number,
  seed: number,
  hold: CaseCosts['hold'] = async (_what, run) => run(),
): Promise<number> {
  let steps = 0
  await fc.assert(
    fc.asyncProperty(settings, fc.array(step, { maxLength: 60, size: 'max' }), (made, sequence) =>
      hold(
        () => JSON.stringify({ made, sequence }),
        async () => {
          steps += sequence.length
          const test = await open()
          try {
            await play(test, made, sequence)
          } finally {
            await test.end()
          }
        },
      ),
    ),
    { numRuns: runs, seed },
  )
  return steps
}

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function play(
  { store, pass }: OwnStoreUnderTest,
  made: ModelSettings,
  sequence: readonly Step[],
): Promise<void> {
  const ending = made.fifo ? '.fifo' : ''
  const names = { queue: `queue${ending}`, dead: `dead${ending}` }
  const { visibilityTimeout, delay, retentionPeriod, maxReceiveCount } = made
  const contentBasedDeduplication = made.fifo && made.contentBasedDeduplication
  let deduplicationScope = made.fifo ? made.deduplicationScope : 'queue'
  const attributes = {
    visibilityTimeout,
    retentionPeriod,
    contentBasedDeduplication,
    deduplicationScope,
  } as const
  let now = 1_700_000_000_000
  await store.createQueue(names.dead, attributes)
  const deadLetter = maxReceiveCount === undefined ? undefined : { queue: names.dead, maxReceiveCount }
  await store.createQueue(names.queue, { ...attributes, delay, deadLetter })
  const model = queueModel({ ...made, contentBasedDeduplication, deduplicationScope })

  const ids: string[] = []
  const receiptHandles: { readonly which: 'queue' | 'dead'; readonly receiptHandle: string }[] = []
  let number = 0

  for (const each of sequence) {
    switch (each.do) {
      case 'send': {
        const body = each.twin ?? `body-${number++}`
        const deduplicationId = !made.fifo || contentBasedDeduplication ? undefined : body
        const group = made.fifo || each.isGrouped ? each.group : undefined
        const [sent] = await store.send(names.queue, [{ body, group, deduplicationId }])
        if (sent instanceof QueueStoreError) throw sent
        const key = model.send(body, group, deduplicationId, now)
        ids[key] ??= sent!.messageId
        deepStrictEqual(sent!.messageId, ids[key])
        break
      }
      case 'receive': {
        const { max, timeout: visibilityTimeout } = each
        const attemptId = made.fifo ? each.attempt : undefined
        const got = await store.receive(names[each.which], {
          max,
          wait: 0,
          visibilityTimeout,
          attemptId,
        })
        const expected = model.receive(each.which, max, now, visibilityTimeout, attemptId)
        deepStrictEqual(
          got.map(({ messageId, body, receiveCount, firstReceivedAt, sentAt }) => ({
            key: ids.indexOf(messageId),
            body,
            receiveCount,
            firstReceivedAt,
            sentAt,
          })),
          expected,
        )
        for (const { receiptHandle } of got) {
          const isKnown = receiptHandles.some(known => known.receiptHandle === receiptHandle)
          if (!isKnown) receiptHandles.push({ which: each.which, receiptHandle })
        }
        break
      }
      case 'remove':
      case 'hide':
        if (receiptHandles.length > 0) await hideOrDelete(store, model, names, receiptHandles, each, now)
        break
      case 'wait':
        now += each.time
        await pass(each.time)
        break
      case 'redrive': {
        if (maxReceiveCount === undefined)
          deepStrictEqual(await refuses(() => store.startMove(names.dead)), true)
        else deepStrictEqual(await moveAll(store, names.dead), model.redrive(now))
        break
      }
      case 'rescope':
        if (!made.fifo) break
        deduplicationScope = deduplicationScope === 'queue' ? 'messageGroup' : 'queue'
        await store.setAttributes(names.queue, { deduplicationScope })
        model.rescope(deduplicationScope)
        break
      case 'purge':
        deepStrictEqual(await refuses(() => store.purge(names.queue)), model.purge(now))
    }
    for (const which of ['queue', 'dead'] as const)
      deepStrictEqual(await store.depth(names[which]), model.depth(which, now))
  }
}

async function hideOrDelete(
  store: OwnQueueStore,
  model: ReturnType<typeof queueModel>,
  names: { readonly queue: string; readonly dead: string },
  receiptHandles: readonly { readonly which: 'queue' | 'dead'; readonly receiptHandle: string }[],
  each: Step & { readonly do: 'remove' | 'hide' },
  now: number,
): Promise<void> {
  const number = each.pick % receiptHandles.length
  const { which, receiptHandle } = receiptHandles[number]!
  if (each.do === 'hide') {
    const [error] = await store.changeVisibility(names[which], [{ receiptHandle, timeout: each.timeout }])
    deepStrictEqual(error !== undefined, model.changeVisibility(number, each.timeout, now))
    return
  }
  const [error] = await store.deleteMessages(names[which], [receiptHandle])
  // A FIFO queue refuses an old receipt handle while the message exists.
  if (error !== undefined && !model.isKnown(number)) deepStrictEqual(error.code, 'RECEIPT_HANDLE_EXPIRED')
  else deepStrictEqual(error !== undefined, model.remove(number, now))
}

async function refuses(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return false
  } catch {
    return true
  }
}
