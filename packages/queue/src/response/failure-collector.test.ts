import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { batchVerdict } from '../contract/verdict.ts'
import { failureCollector, UnknownMessageError } from '../index.ts'
import { arbitraryQueueEvent } from '../testing/arbitrary.ts'
import { fifoEvent, queueEvent, queueRecord } from '../testing/index.ts'

const event = queueEvent({ bodies: ['a', 'b', 'c'] })
const [a, b, c] = event.Records.map(({ messageId }) => messageId)
const listing = (...ids: unknown[]) => ({
  batchItemFailures: ids.map(itemIdentifier => ({ itemIdentifier })),
})

describe('a failure collector', () => {
  it('lists the added messages in the order of the batch', () => {
    const failures = failureCollector(event)
    expect(failures.response()).toEqual(listing())
    failures.add(event.Records[2]!, 'late')
    failures.add(a!)
    expect(failures.response()).toEqual(listing(a, c))
  })

  it('accepts a message, its record or its id', () => {
    const failures = failureCollector(event)
    failures.add(a!)
    failures.add({ messageId: b! })
    failures.add({ id: c! })
    expect([a!, { messageId: b! }, { id: c! }].map(failures.has)).toEqual([true, true, true])
    expect(failures.response()).toEqual(listing(a, b, c))
  })

  it('has reasons that fail the batch when a function returns them instead of the response', () => {
    const failures = failureCollector(event)
    failures.add(a!, 'late')
    const payload = JSON.stringify(failures.reasons)
    expect(payload).toBe(JSON.stringify([[a, 'late']]))
    expect(batchVerdict(payload, event).kind).toBe('failure')
  })

  it('keeps only the first reason for a message, and reports its id only once', () => {
    const failures = failureCollector(event)
    failures.add(a!, 'first')
    failures.add(a!, 'second')
    failures.add(b!)
    expect([...failures.reasons]).toEqual([
      [a, 'first'],
      [b, undefined],
    ])
    expect(failures.response()).toEqual(listing(a, b))
  })

  it.each(['zzz', '', 'constructor'])(
    'refuses the id %j, which is not in the batch, because it would fail the whole batch',
    id => {
      const failures = failureCollector(event)
      expect(() => failures.add(id)).toThrow(UnknownMessageError)
      expect(() => failures.add({ messageId: id })).toThrow(`The batch has no message "${id}".`)
      expect(failures.has(id)).toBe(false)
      expect(failures.response()).toEqual(listing())
    },
  )

  it.each([undefined, null, 5, {}, { id: undefined }, { messageId: 5 }, Symbol('x'), []])(
    'refuses %p, which does not refer to a message',
    reference => {
      const failures = failureCollector(event)
      expect(() => failures.add(reference as never)).toThrow(UnknownMessageError)
      expect(() => failures.add(reference as never)).toThrow('expects a message, its record or its id')
      expect(failures.has(reference as never)).toBe(false)
    },
  )

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['an object without Records', {}],
    ['a list of records', event.Records],
  ])('refuses %s as an event', (_, given) => {
    expect(() => failureCollector(given as never)).toThrow('expects the event of a batch')
  })

  it('reports an id only once when two records share the id', () => {
    const twins = { Records: [{ messageId: 'x' }, { messageId: 'y' }, { messageId: 'x' }] }
    const failures = failureCollector(twins)
    failures.add('x')
    expect(failures.response()).toEqual(listing('x'))
  })

  it('also reports the messages after a failed message of the same group in a FIFO queue', () => {
    const fifo = fifoEvent([
      ['g', 1],
      ['h', 2],
      ['g', 3],
      ['h', 4],
      ['g', 5],
    ])
    const failures = failureCollector(fifo)
    failures.add(fifo.Records[2]!)
    expect(failures.response()).toEqual(listing(fifo.Records[2]!.messageId, fifo.Records[4]!.messageId))
    expect(failures.has(fifo.Records[4]!)).toBe(false)
  })

  it('reports only the added message in a standard queue, even when records have a group', () => {
    const attributes = { MessageGroupId: 'tenant' }
    const records = ['a', 'b'].map(messageId => queueRecord('text', { messageId, attributes }))
    const standard = queueEvent({ records })
    const failures = failureCollector(standard)
    failures.add(standard.Records[0]!)
    expect(failures.response().batchItemFailures.length).toBe(1)
  })

  it('never makes a response that fails the whole batch', () => {
    fc.assert(
      fc.property(arbitraryQueueEvent, fc.infiniteStream(fc.boolean()), (batch, flips) => {
        const failures = failureCollector(batch)
        for (const record of batch.Records) if (flips.next().value) failures.add(record)
        const verdict = batchVerdict(JSON.stringify(failures.response()), batch)
        expect(verdict.kind).toBe(failures.reasons.size === 0 ? 'success' : 'partial')
        if (verdict.kind === 'partial')
          for (const id of failures.reasons.keys()) expect(verdict.failed).toContain(id)
      }),
    )
  })
})
