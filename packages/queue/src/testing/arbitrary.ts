import fc from 'fast-check'
import type { QueueEvent } from '../contract/event.ts'
import type { QueueRecord, SystemAttributes, WireMessageAttribute } from '../contract/record.ts'
import { fifoRecord, queueRecord } from './queue-record.ts'

const digits = fc.bigInt({ min: 0n, max: 10n ** 15n }).map(String)
const orNothing = <A>(values: fc.Arbitrary<A>) => fc.option(values, { freq: 4 })

const systemAttributes: fc.Arbitrary<SystemAttributes> = fc.record(
  {
    ApproximateReceiveCount: fc.integer({ min: 1, max: 1000 }).map(String),
    SentTimestamp: digits,
    SenderId: fc.string(),
    ApproximateFirstReceiveTimestamp: digits,
    CloudTraceHeader: orNothing(fc.string()),
    MessageGroupId: orNothing(fc.string()),
    DeadLetterQueueSourceArn: orNothing(fc.string()),
  },
  {
    requiredKeys: [
      'ApproximateReceiveCount',
      'SentTimestamp',
      'SenderId',
      'ApproximateFirstReceiveTimestamp',
    ],
  },
)

const label = fc.option(fc.stringMatching(/^[a-z]{1,8}$/), { nil: undefined })
const labelled = (type: string) => label.map(name => (name === undefined ? type : `${type}.${name}`))

const messageAttribute: fc.Arbitrary<WireMessageAttribute> = fc.oneof(
  fc.record({ dataType: labelled('String'), stringValue: fc.string() }),
  fc.record({
    dataType: labelled('Number'),
    stringValue: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  }),
  fc.record({
    dataType: labelled('Binary'),
    binaryValue: fc.uint8Array().map(bytes => Buffer.from(bytes).toString('base64')),
  }),
)

const extras = fc.dictionary(
  fc.constantFrom('extra', 'awsRegion', 'constructor', 'toString', 'note'),
  fc.jsonValue(),
  { maxKeys: 2 },
)

/** Generates any valid record of a standard queue, including unknown fields. */
export const arbitraryQueueRecord: fc.Arbitrary<QueueRecord> = fc
  .record({
    messageId: fc.uuid(),
    receiptHandle: fc.string(),
    body: fc.oneof(fc.string(), fc.json()),
    attributes: systemAttributes,
    messageAttributes: fc.dictionary(fc.string(), messageAttribute, { maxKeys: 3 }),
    md5OfMessageAttributes: orNothing(fc.string()),
    extra: extras,
  })
  .map(({ body, extra, attributes, ...rest }) => ({
    ...extra,
    ...queueRecord(body, rest),
    attributes,
  }))

/** Generates any valid batch of a standard queue in which no id occurs twice. */
export const arbitraryStandardEvent: fc.Arbitrary<QueueEvent> = fc
  .uniqueArray(arbitraryQueueRecord, { selector: ({ messageId }) => messageId, maxLength: 12 })
  .map(Records => ({ Records }))

/** Generates any valid batch of a FIFO queue in which no id occurs twice and sequence numbers increase. */
export const arbitraryFifoEvent: fc.Arbitrary<QueueEvent> = fc
  .record({
    records: fc.uniqueArray(arbitraryQueueRecord, { selector: ({ messageId }) => messageId, maxLength: 12 }),
    groups: fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 12, maxLength: 12 }),
    first: fc.bigInt({ min: 10n ** 19n, max: 9n * 10n ** 19n }),
  })
  .map(({ records, groups, first }) => ({
    Records: records.map((standard, position) => {
      const { eventSourceARN } = fifoRecord('')
      return {
        ...standard,
        eventSourceARN,
        attributes: {
          ...standard.attributes,
          SequenceNumber: String(first + BigInt(position)),
          MessageGroupId: groups[position]!,
          MessageDeduplicationId: `deduplication-${position}`,
        },
      }
    }),
  }))

/** Generates any valid batch. */
export const arbitraryQueueEvent: fc.Arbitrary<QueueEvent> = fc.oneof(
  arbitraryStandardEvent,
  arbitraryFifoEvent,
)
