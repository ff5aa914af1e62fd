import { orderText } from './orders.ts'

export interface Wire {
  readonly Records: readonly Record<string, unknown>[]
}

/**
 * Returns a batch of messages with these bodies. If `groups` is given, the batch comes from a FIFO queue with
 * this number of message groups.
 */
export function batchOf(bodies: readonly string[], groups?: number): Wire {
  const fifo = groups !== undefined
  const text = JSON.stringify({
    Records: bodies.map((body, position) => ({
      messageId: `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`,
      receiptHandle: `receipt-${position}-MessageReceiptHandle`,
      body,
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: '1545082649183',
        SenderId: 'AIDAIENQZJOLO23YVJ4VO',
        ApproximateFirstReceiveTimestamp: '1545082649185',
        ...(fifo
          ? {
              SequenceNumber: String(18849496460467696128n + BigInt(position)),
              MessageGroupId: `group-${position % groups}`,
              MessageDeduplicationId: `deduplication-${position}`,
            }
          : {}),
      },
      messageAttributes: {},
      md5OfBody: '098f6bcd4621d373cade4e832627b4f6',
      eventSource: 'cloud:queue',
      eventSourceARN: `cloud:queue:region-1:123456789012:orders${fifo ? '.fifo' : ''}`,
      cloudRegion: 'region-1',
    })),
  })
  return JSON.parse(text) as Wire
}

export function orders(count: number, groups?: number): Wire {
  return batchOf(
    Array.from({ length: count }, (_, number) => orderText(number)),
    groups,
  )
}

/** Returns records with valid bodies, each of which breaks the contract in one place. */
export function oddRecords(): Wire {
  const broken: ((record: Record<string, unknown>) => void)[] = [
    record => delete record.receiptHandle,
    record => Object.assign(record, { body: null }),
    record => Object.assign(record, { attributes: {} }),
    record => Object.assign(record.attributes as object, { SentTimestamp: 'yesterday' }),
    record => Object.assign(record.attributes as object, { SenderId: ['a'] }),
    record => Object.assign(record.attributes as object, { CloudTraceHeader: ['Root=1'] }),
    record => Object.assign(record, { messageAttributes: { trace: 'text' } }),
    record => Object.assign(record, { messageAttributes: { trace: { stringValue: 'text' } } }),
    record => Object.assign(record, { messageAttributes: { n: { dataType: 'Number', stringValue: '7' } } }),
    record => Object.assign(record, { eventSourceARN: 7 }),
    record => Object.assign(record, { unknown: 'kept' }),
  ]
  const batch = orders(broken.length)
  for (const [position, breakIt] of broken.entries()) breakIt(batch.Records[position]!)
  return batch
}
