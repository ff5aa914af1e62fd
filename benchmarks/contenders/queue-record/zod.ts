import * as z from 'zod'
import { isDigits } from './by-hand.ts'

const digits = z.string().refine(isDigits)

export const ZodRecord = z.object({
  messageId: z.string().min(1),
  receiptHandle: z.string(),
  body: z.string(),
  attributes: z.object({
    ApproximateReceiveCount: digits,
    SentTimestamp: digits,
    ApproximateFirstReceiveTimestamp: digits,
    SenderId: z.string(),
    CloudTraceHeader: z.string().nullish(),
    SequenceNumber: z.string().nullish(),
    MessageGroupId: z.string().nullish(),
    MessageDeduplicationId: z.string().nullish(),
    DeadLetterQueueSourceArn: z.string().nullish(),
  }),
  messageAttributes: z.record(
    z.string(),
    z.object({
      dataType: z.string(),
      stringValue: z.string().nullish(),
      binaryValue: z.string().nullish(),
    }),
  ),
  md5OfBody: z.string(),
  eventSource: z.literal('cloud:queue'),
  eventSourceARN: z.string(),
  cloudRegion: z.string(),
  md5OfMessageAttributes: z.string().nullish(),
})
