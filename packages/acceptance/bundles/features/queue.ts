import assert from 'node:assert/strict'
import middy from '@middy/core'
import { fromJson } from '@signalbox/codec'
import { memoryStore, signalbox, systemClock } from '@signalbox/core'
import { sqliteStore } from '@signalbox/core/sqlite-store'
import { invocationContext, manualClock } from '@signalbox/core/testing'
import {
  BatchFailedError,
  DiscardError,
  discard,
  eachMessage,
  failureCollector,
  InvalidMessageError,
  type Message,
  MessageInProgressError,
  once,
  partialFailures,
  queue,
  queueFamily,
  queueNormalizer,
  queueValidator,
  UnhandledMessageError,
  UnknownMessageError,
} from '@signalbox/queue'
import { batchVerdict } from '@signalbox/queue/contract'
import { fifoEvent, queueEvent, queueEventMutators, queueRecord } from '@signalbox/queue/testing'
import * as t from 'io-ts'
import * as z from 'zod'
import type { Features } from '../features.ts'

const Order = t.type({ order: t.string, status: t.union([t.literal('paid'), t.literal('cancelled')]) })
const paid = (order: string) => ({ order, status: 'paid' })
const quiet = { log: false as const }
const failedOf = (result: { readonly batchItemFailures: readonly { readonly itemIdentifier: string }[] }) =>
  result.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)

/** The features in the README of `@signalbox/queue`. */
export const features: Features = {
  async 'messages, discarded and failed ones'() {
    const done: string[] = []
    const lines: unknown[] = []
    const reasons: unknown[] = []
    const handler = signalbox(
      queue({
        body: fromJson(Order),
        onMessage({ body }) {
          if (body.status === 'cancelled') discard('cancelled by the customer')
          if (body.order === '3') throw new Error('not today')
          done.push(body.order)
        },
        log: text => void lines.push(text),
        onFailure: (_, reason) => void reasons.push(reason),
        onDiscard: (_, reason) => void reasons.push(reason),
      }),
    )
    const bodies = ['no order', paid('1'), { order: '2', status: 'cancelled' }, paid('3')]
    const event = queueEvent({ bodies })
    const result = await handler(event)
    const ids = event.Records.map(({ messageId }) => messageId)
    assert.deepEqual(failedOf(result), [ids[0], ids[3]])
    assert.deepEqual(done, ['1'])
    assert.equal(lines.length, 2)
    assert.ok(reasons.some(reason => reason instanceof InvalidMessageError && reason.problems.length > 0))
    assert.ok(reasons.includes('cancelled by the customer'))
    assert.deepEqual(batchVerdict(JSON.stringify(result), event), {
      ...batchVerdict(JSON.stringify(result), event),
      kind: 'partial',
      failed: [ids[0], ids[3]],
    })
    assert.throws(() => discard('why'), DiscardError)
  },
  async 'the fields of a message'() {
    const seen: unknown[] = []
    const handler = signalbox(
      queue({
        onMessage: message => {
          const { body, record, id, attempt, sentAt, firstReceivedAt, group, deduplicationId } = message
          const { sequence, attributes, correlationId, signal, remaining, context } = message
          seen.push([body, record.body, id === record.messageId, attempt, sentAt, firstReceivedAt])
          seen.push([group, deduplicationId, sequence, attributes.amount, typeof correlationId])
          seen.push([signal.aborted, remaining > 0, context.awsRequestId])
        },
      }),
    )
    const messageAttributes = { amount: { stringValue: '12', dataType: 'Number.eur' } }
    await handler({ Records: [queueRecord('a', { messageAttributes })] }, { awsRequestId: 'r1' })
    assert.deepEqual(seen[0], ['a', 'a', true, 1, (seen[0] as Date[])[4], (seen[0] as Date[])[5]])
    assert.deepEqual((seen[1] as object[])[3], { type: 'Number', label: 'eur', value: 12 })
    assert.deepEqual(seen[2], [false, true, 'r1'])
  },
  async 'the order of a FIFO queue'() {
    const done: unknown[] = []
    const handler = signalbox(
      queue({
        ...quiet,
        concurrency: Number.POSITIVE_INFINITY,
        onMessage({ body, group, sequence, deduplicationId }) {
          if (body === 'b') throw new Error('no')
          done.push([body, group, typeof sequence, typeof deduplicationId])
        },
      }),
    )
    const event = fifoEvent([
      ['g1', 'a'],
      ['g1', 'b'],
      ['g1', 'c'],
      ['g2', 'd'],
    ])
    assert.deepEqual(failedOf(await handler(event)), [
      event.Records[1]!.messageId,
      event.Records[2]!.messageId,
    ])
    assert.deepEqual(done.map(each => (each as string[])[0]).sort(), ['a', 'd'])
  },
  async 'the deadline, with reserve and clock'() {
    const clock = manualClock()
    const reasons: unknown[] = []
    const handler = signalbox(
      queue({
        ...quiet,
        clock,
        concurrency: 1,
        reserve: 500,
        onFailure: (_, reason) => void reasons.push(reason),
        onMessage: () => clock.advance(9_600),
      }),
    )
    const context = invocationContext({ timeout: 10_000, clock })
    assert.equal(failedOf(await handler(queueEvent({ bodies: ['a', 'b'] }), context)).length, 1)
    assert.ok(reasons[0] instanceof UnhandledMessageError && typeof reasons[0].why === 'string')
    assert.equal(typeof systemClock.now(), 'number')
  },
  async 'verify and throwWhenAllFail'() {
    const handler = signalbox(queue({ ...quiet, verify: 'md5', throwWhenAllFail: true, onMessage() {} }))
    const Records = [queueRecord('a', { md5OfBody: 'd41d8cd98f00b204e9800998ecf8427e' })]
    await assert.rejects(handler({ Records }), BatchFailedError)
  },
  async 'a batch at once, with onBatch'() {
    const handler = signalbox(
      queue({
        ...quiet,
        onBatch: (messages, failures) => failures.add(messages[1]!, 'refused by the warehouse'),
      }),
    )
    const event = queueEvent({ bodies: ['a', 'b'] })
    assert.deepEqual(failedOf(await handler(event)), [event.Records[1]!.messageId])
  },
  async 'schemas of zod, also asynchronous ones'() {
    const seen: unknown[] = []
    const body = fromJson(z.object({ n: z.number().refine(async n => n < 3) }))
    const handler = signalbox(queue({ ...quiet, body, onMessage: message => void seen.push(message.body) }))
    assert.equal(failedOf(await handler(queueEvent({ bodies: [{ n: 1 }, { n: 4 }, { n: '1' }] }))).length, 2)
    assert.deepEqual(seen, [{ n: 1 }])
  },
  async 'once()'() {
    let calls = 0
    const store = memoryStore()
    const handler = signalbox(
      queue({ onMessage: once({ store, ttl: 60_000, lease: 1000 })(() => void calls++) }),
    )
    const event = queueEvent({ bodies: ['a'] })
    await handler(event)
    await handler(event)
    assert.equal(calls, 1)
    const key = ({ body }: Message) => body
    const keyed = signalbox(
      queue({ onMessage: once({ store: sqliteStore(':memory:'), key })(() => void calls++) }),
    )
    await keyed(event)
    await keyed(queueEvent({ bodies: ['a'] }))
    assert.equal(calls, 2)
    let end = () => {}
    const waiting = new Promise<void>(resolve => {
      end = resolve
    })
    const reasons: unknown[] = []
    const slow = signalbox(
      queue({
        ...quiet,
        onMessage: once({ store: memoryStore() })(() => waiting),
        onFailure: (_, reason) => void reasons.push(reason),
      }),
    )
    const first = slow(event)
    await slow(event)
    end()
    await first
    assert.ok(reasons[0] instanceof MessageInProgressError)
  },
  async 'the pieces in a middy stack'() {
    const seen: number[] = []
    const handler = middy()
      .use([queueNormalizer(), queueValidator(), partialFailures()])
      .handler(eachMessage(fromJson(t.number), ({ body }) => void seen.push(body), quiet))
    const event = queueEvent({ bodies: [1, 'x', 2] })
    assert.deepEqual(failedOf((await handler(event, {} as never)) as never), [event.Records[1]!.messageId])
    assert.deepEqual(seen, [1, 2])
    const settled = middy()
      .use(partialFailures())
      .handler((batch: typeof event) =>
        Promise.allSettled(batch.Records.map(({ body }) => (body === 'x' ? Promise.reject(body) : body))),
      )
    assert.deepEqual(failedOf((await settled(event, {} as never)) as never), [event.Records[1]!.messageId])
    const collector = failureCollector(event)
    collector.add(event.Records[0]!.messageId)
    assert.throws(() => collector.add('unknown'), UnknownMessageError)
  },
  'its family, and builders of events'() {
    assert.ok(queueFamily.recognizes(queueEvent({ bodies: ['a'] })))
    assert.ok(queueEventMutators.length > 0)
  },
  'an unknown option'() {
    assert.throws(() => queue({ onMesage() {} } as never), /queue\(\) has no option "?onMesage"?/)
  },
}
