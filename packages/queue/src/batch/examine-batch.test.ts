import { describe, expect, it } from '@jest/globals'
import {
  InvalidEventError,
  type Invocation,
  type InvocationContext,
  type Request,
  signalbox,
  UnknownEventError,
} from '@signalbox/core'
import fc from 'fast-check'
import type { QueueEvent } from '../contract/event.ts'
import { queueFamily } from '../family.ts'
import { queue, queueNormalizer, queueValidator } from '../queue.ts'
import { isFifo } from '../response/fifo.ts'
import { arbitraryQueueEvent } from '../testing/arbitrary.ts'
import { fifoRecord, queueEvent, queueEventMutators, queueRecord } from '../testing/index.ts'
import { type ExaminedBatch, examineBatch } from './examine-batch.ts'

const sequenced = (body: string) =>
  queueRecord(body, { attributes: { SequenceNumber: '1', MessageGroupId: 'g' } })

type Before = (request: Partial<Request>) => unknown

/** Runs hooks on an event. Returns the event, the problems that a hook reports, or the name of another error. */
async function result(event: unknown, hooks: readonly { readonly before?: unknown }[]): Promise<unknown> {
  try {
    for (const { before } of hooks) await (before as Before)({ event, context: {}, internal: {} })
    return event
  } catch (error) {
    return error instanceof InvalidEventError ? error.problems : (error as Error).name
  }
}

// Values for the fields of a record, including values of a wrong type.
const scalars = fc.constantFrom<unknown>('text', '', '7', 7, true, null, [], {}, ['a'], { stringValue: 7 })
const attributes = fc.oneof(
  scalars,
  fc.dictionary(fc.constantFrom('SentTimestamp', 'SenderId', 'Unknown'), scalars, { maxKeys: 3 }),
)
const messageAttributes = fc.oneof(
  scalars,
  fc.dictionary(
    fc.constantFrom('a', 'b'),
    fc.oneof(scalars, fc.dictionary(fc.constantFrom('stringValue', 'dataType'), scalars, { maxKeys: 2 })),
  ),
)
// Each invalid record differs from a valid one in only one field, so that the effect of that field is visible.
const fine = { messageId: 'a', attributes: { SenderId: 'text' }, messageAttributes: {} }
const oddRecord: fc.Arbitrary<unknown> = fc.oneof(
  scalars.map(messageId => ({ ...fine, messageId })),
  attributes.map(attributes => ({ ...fine, attributes })),
  messageAttributes.map(messageAttributes => ({ ...fine, messageAttributes })),
)
const oddEvent = fc.record({
  Records: fc.array(fc.oneof({ weight: 9, arbitrary: oddRecord }, scalars), { maxLength: 3 }),
})
const broken = fc
  .tuple(arbitraryQueueEvent, fc.constantFrom(...queueEventMutators))
  .map(([event, { mutate }]) => mutate(structuredClone(event)))
const events = fc.oneof(arbitraryQueueEvent as fc.Arbitrary<unknown>, broken, oddEvent, fc.jsonValue())

/** Runs the receiver of `queue()` on an event as if its handler came directly after it. */
function received(event: unknown): Promise<unknown> {
  const { handler, middlewares } = queue({ onMessage: () => {} })
  const { before } = middlewares.find(each => each.before)!
  const direct = { before: (request: never) => before!(request, handler) }
  return result(event, [direct])
}

describe('the receiver of queue()', () => {
  it('has the same result as recognition, the normalizer and the validator', async () => {
    await fc.assert(
      fc.asyncProperty(events, async event => {
        expect(await received(structuredClone(event))).toEqual(
          queueFamily.recognizes(event)
            ? await result(structuredClone(event), [queueNormalizer(), queueValidator()])
            : UnknownEventError.name,
        )
      }),
      { numRuns: 1000 },
    )
  })
})

describe('examineBatch()', () => {
  const found = (event: unknown) => {
    const batch: ExaminedBatch = { records: 'those of the event before', isFifo: false }
    expect(examineBatch(event, batch)).toBe(batch.records !== undefined)
    return batch
  }
  const unreadable = {
    get Records() {
      throw new Error('no')
    },
  }

  it('accepts any valid batch that is normalized, and says whether it is of a FIFO queue', () => {
    fc.assert(
      fc.property(arbitraryQueueEvent, event => {
        queueFamily.normalize(event)
        const records = event.Records
        const hasNull = records.some(({ attributes }) => Object.values(attributes).includes(null))
        expect(found(event)).toMatchObject(
          hasNull ? { records: undefined } : { records, isFifo: isFifo(records) },
        )
      }),
    )
  })

  it.each([
    ['by its name', [fifoRecord('a'), queueRecord('b')], true],
    ['because all records are in a sequence', [sequenced('a'), sequenced('b')], true],
    ['only if all records are in a sequence', [sequenced('a'), queueRecord('b')], false],
    ['only if there is a record', [], false],
  ])('knows a FIFO queue %s', (_, records, fifo) => {
    expect(found({ Records: records })).toEqual({ records, isFifo: fifo })
  })

  it('accepts only batches of valid records that the normalizer leaves unchanged', () => {
    fc.assert(
      fc.property(events, event => {
        if (found(event).records === undefined) return
        const before = JSON.stringify(event)
        queueFamily.normalize(event)
        expect(JSON.stringify(event)).toBe(before)
        expect(queueFamily.recognizes(event)).toBe(true)
        expect(queueFamily.event.is(event)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    ['null', null],
    ['an event whose getter throws', unreadable],
    ['a list that is not a list of records', { Records: { length: 0 } }],
  ])('refuses %s', (_, event) => {
    expect(found(event).records).toBeUndefined()
  })
})

describe('the handler of queue()', () => {
  const plugin = () => queue({ log: false, onMessage: () => {} })
  const breakRecord = (event: QueueEvent) => Object.assign(event.Records[1]!, { body: 7 })
  const breaks = { before: ({ event }: Request<QueueEvent>) => void breakRecord(event) }
  const wrapped = (inner = plugin()) => ({
    ...inner,
    handler: (event: never, context: InvocationContext, invocation: Invocation) => {
      breakRecord(event)
      return inner.handler(event, context, invocation)
    },
  })
  const extended = (inner = plugin()) => ({ ...inner, middlewares: [...inner.middlewares, breaks] })

  it.each([
    ['a middleware', () => signalbox(plugin()).use(breaks)],
    ['a middleware of an extended plugin', () => signalbox(extended())],
    ['a handler around it', () => signalbox(wrapped())],
    ['a middleware, under the hooks of middy', () => signalbox(plugin(), { afterHandler() {} }).use(breaks)],
  ])('checks the records again when %s can have changed them', async (_, handler) => {
    const event = queueEvent({ bodies: ['a', 'b', 'c'] })
    expect(await handler()(event)).toEqual({
      batchItemFailures: [{ itemIdentifier: event.Records[1]!.messageId }],
    })
  })

  it('checks the records of an event again when the same event arrives once more', async () => {
    const event = queueEvent({ bodies: ['a', 'b', 'c'] })
    const handler = signalbox(plugin())
    expect(await handler(event)).toEqual({ batchItemFailures: [] })
    breakRecord(event)
    expect(await handler(event)).toMatchObject({ batchItemFailures: [{}] })
  })
})
