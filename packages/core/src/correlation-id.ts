import type { InvocationContext } from './plugin.ts'

const traceHeader = 'x-cloud-trace-id'

/**
 * What ties together everything that is logged about one thing: for a mail its `invocationId` (contract C), for
 * an HTTP request the `x-cloud-trace-id` header from either header map (D), for a queue record its
 * `CloudTraceHeader` or else its `messageId` (B). Events that carry none, such as user-pool triggers and whole
 * batches, have the function's own request id. Never throws on any JSON.
 */
export function correlationId(eventOrRecord: unknown, context?: InvocationContext): string | undefined {
  const subject = asObject(eventOrRecord)
  if (subject === undefined) return context?.requestId
  return (
    text(subject.invocationId) ??
    text(asObject(subject.headers)?.[traceHeader]) ??
    firstText(asObject(subject.multiValueHeaders)?.[traceHeader]) ??
    text(asObject(subject.attributes)?.CloudTraceHeader) ??
    recordId(subject) ??
    context?.requestId
  )
}

function recordId(subject: Record<string, unknown>): string | undefined {
  return 'receiptHandle' in subject ? text(subject.messageId) : undefined
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function firstText(value: unknown): string | undefined {
  return Array.isArray(value) ? text(value[0]) : undefined
}
