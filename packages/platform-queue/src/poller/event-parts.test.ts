import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ReceivedMessage } from '../store/queue-store.ts'
import { eventParts, eventSizeLimit } from './event-parts.ts'
import { queueRecord } from './queue-record.ts'

const location = { region: 'local', account: '000000000000' }
const recordOf = (message: ReceivedMessage) =>
  queueRecord({ queue: 'orders', location, resourceForm: 'cloud' as never }, message)

function received(body: string, position: number): ReceivedMessage {
  return {
    messageId: `m${position}`,
    receiptHandle: `r${position}`,
    body,
    attributes: { note: { dataType: 'String', stringValue: '"' } },
    receiveCount: 1,
    sentAt: 1,
    firstReceivedAt: 1,
    sender: 'anonymous',
    traceHeader: undefined,
    group: undefined,
    deduplicationId: undefined,
    sequenceNumber: undefined,
    deadLetterSource: undefined,
  }
}

const bytesOf = (part: readonly ReceivedMessage[]) =>
  Buffer.byteLength(JSON.stringify({ Records: part.map(recordOf) }))

it('eventParts() splits messages, in order, into as few parts of at most 6 MB as possible', () => {
  const body = fc
    .tuple(fc.constantFrom('a', '"', '\n', 'é', '漢', '😀', '\u0001'), fc.nat(1_000_000))
    .map(([character, length]) => character.repeat(length / character.length))
  fc.assert(
    fc.property(fc.array(body, { maxLength: 12 }), bodies => {
      const messages = bodies.map(received)
      const all = eventParts(messages, recordOf)
      expect(all.flat().map(({ messageId }) => messageId)).toEqual(messages.map(({ messageId }) => messageId))
      for (const [position, part] of all.entries()) {
        if (part.length > 1) expect(bytesOf(part)).toBeLessThanOrEqual(eventSizeLimit)
        const next = all[position + 1]
        if (next) expect(bytesOf([...part, next[0]!])).toBeGreaterThan(eventSizeLimit)
      }
    }),
    { numRuns: 15 },
  )
})

it('eventParts() makes one part if the event has exactly the maximum size, and splits larger events', () => {
  const messages = (length: number) => ['a'.repeat(5_000_000), 'b'.repeat(length)].map(received)
  const fitting = eventSizeLimit - bytesOf(messages(0))
  expect(eventParts(messages(fitting), recordOf).map(part => part.length)).toEqual([2])
  expect(eventParts(messages(fitting + 1), recordOf).map(part => part.length)).toEqual([1, 1])
})

it('eventParts() puts a message that is larger than the limit into a separate part', () => {
  const messages = ['a', '\u0001'.repeat(2_000_000), 'b'].map(received)
  expect(eventParts(messages, recordOf).map(part => part.length)).toEqual([1, 1, 1])
})
