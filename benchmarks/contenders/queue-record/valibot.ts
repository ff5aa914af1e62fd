import * as v from 'valibot'
import { isDigits } from './by-hand.ts'

const digits = v.pipe(
  v.string(),
  v.check(text => isDigits(text)),
)
// Valibot accepts an array as an object. The other schemas here do not.
const plain = v.custom<object>(u => !Array.isArray(u))

export const ValibotRecord = v.object({
  messageId: v.pipe(v.string(), v.minLength(1)),
  receiptHandle: v.string(),
  body: v.string(),
  attributes: v.object({
    ApproximateReceiveCount: digits,
    SentTimestamp: digits,
    ApproximateFirstReceiveTimestamp: digits,
    SenderId: v.string(),
    CloudTraceHeader: v.nullish(v.string()),
    SequenceNumber: v.nullish(v.string()),
    MessageGroupId: v.nullish(v.string()),
    MessageDeduplicationId: v.nullish(v.string()),
    DeadLetterQueueSourceArn: v.nullish(v.string()),
  }),
  messageAttributes: v.pipe(
    plain,
    v.record(
      v.string(),
      v.object({
        dataType: v.string(),
        stringValue: v.nullish(v.string()),
        binaryValue: v.nullish(v.string()),
      }),
    ),
  ),
  md5OfBody: v.string(),
  eventSource: v.literal('cloud:queue'),
  eventSourceARN: v.string(),
  cloudRegion: v.string(),
  md5OfMessageAttributes: v.nullish(v.string()),
})
