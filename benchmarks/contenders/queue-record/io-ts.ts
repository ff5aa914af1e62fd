import * as t from 'io-ts'
import { isDigits } from './by-hand.ts'

const absentOr = <C extends t.Mixed>(codec: C) => t.union([codec, t.null, t.undefined])
const Digits = t.refinement(t.string, isDigits)

export const IoTsRecord = t.intersection([
  t.type({
    messageId: t.refinement(t.string, id => id !== ''),
    receiptHandle: t.string,
    body: t.string,
    attributes: t.intersection([
      t.type({
        ApproximateReceiveCount: Digits,
        SentTimestamp: Digits,
        ApproximateFirstReceiveTimestamp: Digits,
        SenderId: t.string,
      }),
      t.partial({
        CloudTraceHeader: absentOr(t.string),
        SequenceNumber: absentOr(t.string),
        MessageGroupId: absentOr(t.string),
        MessageDeduplicationId: absentOr(t.string),
        DeadLetterQueueSourceArn: absentOr(t.string),
      }),
    ]),
    messageAttributes: t.record(
      t.string,
      t.intersection([
        t.type({ dataType: t.string }),
        t.partial({ stringValue: absentOr(t.string), binaryValue: absentOr(t.string) }),
      ]),
    ),
    md5OfBody: t.string,
    eventSource: t.literal('cloud:queue'),
    eventSourceARN: t.string,
    cloudRegion: t.string,
  }),
  t.partial({ md5OfMessageAttributes: absentOr(t.string) }),
])
