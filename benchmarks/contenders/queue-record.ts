import * as t from 'io-ts'
import * as z from 'zod'
import { isObject } from './token-generation.ts'

/** A record as contract B has it. */
export interface WireRecord {
  readonly messageId: string
  readonly body: string
  readonly attributes: { readonly MessageGroupId?: string | null }
}

/** The limit: what the schemas below ask. */
export function isRecord(u: unknown): u is WireRecord {
  if (!isObject(u)) return false
  const { attributes, messageAttributes } = u
  return (
    typeof u.messageId === 'string' &&
    u.messageId !== '' &&
    typeof u.receiptHandle === 'string' &&
    typeof u.body === 'string' &&
    typeof u.md5OfBody === 'string' &&
    u.eventSource === 'cloud:queue' &&
    typeof u.eventSourceARN === 'string' &&
    typeof u.cloudRegion === 'string' &&
    isTextOrNothing(u.md5OfMessageAttributes) &&
    isObject(attributes) &&
    isDigits(attributes.ApproximateReceiveCount) &&
    isDigits(attributes.SentTimestamp) &&
    isDigits(attributes.ApproximateFirstReceiveTimestamp) &&
    typeof attributes.SenderId === 'string' &&
    isTextOrNothing(attributes.CloudTraceHeader) &&
    isTextOrNothing(attributes.SequenceNumber) &&
    isTextOrNothing(attributes.MessageGroupId) &&
    isTextOrNothing(attributes.MessageDeduplicationId) &&
    isTextOrNothing(attributes.DeadLetterQueueSourceArn) &&
    isAttributeMap(messageAttributes)
  )
}

function isTextOrNothing(u: unknown): boolean {
  return u == null || typeof u === 'string'
}

function isDigits(u: unknown): boolean {
  if (typeof u !== 'string') return false
  for (let i = 0; i < u.length; i++) {
    const code = u.charCodeAt(i)
    if (code < 48 || code > 57) return false
  }
  return u.length > 0
}

function isAttributeMap(u: unknown): boolean {
  if (!isObject(u)) return false
  for (const name in u) {
    const value = u[name]
    if (
      !isObject(value) ||
      typeof value.dataType !== 'string' ||
      !isTextOrNothing(value.stringValue) ||
      !isTextOrNothing(value.binaryValue)
    )
      return false
  }
  return true
}

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
