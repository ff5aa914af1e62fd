import type { AwsEvent } from '../aws-names.ts'
import { completeRecords } from '../complete-records.ts'
import { toAws } from '../to-aws.ts'

/**
 * Turns an event from a Signalbox builder into the event that AWS sends, with AWS field names and ARNs: an SQS batch,
 * a Cognito trigger, a load-balancer request or a WorkMail event. Use it to test handlers that `aws()` returns.
 * @example
 * ```ts
 * import { awsEvent } from '@signalbox/aws/testing'
 * import { queueEvent } from '@signalbox/queue/testing'
 *
 * const event = awsEvent(queueEvent({ bodies: [{ id: '1' }] }))
 * event.Records[0]?.eventSource // 'aws:sqs'
 * ```
 */
export function awsEvent<Event extends object>(event: Event): AwsEvent<Event> {
  return awsResourceNames(completeRecords(toAws(event))) as AwsEvent<Event>
}

/** Replaces the contract's resource names of queues with SQS ARNs. Other values stay unchanged. */
function awsResourceNames(event: unknown): unknown {
  const { Records: records } = event as { readonly Records?: unknown }
  if (!Array.isArray(records)) return event
  return { ...(event as object), Records: records.map(withAwsResourceName) }
}

function withAwsResourceName(record: { readonly eventSourceARN?: unknown }): unknown {
  const { eventSourceARN: name } = record
  return typeof name === 'string'
    ? { ...record, eventSourceARN: name.replace(/^arn:cloud:queue:/, 'arn:aws:sqs:') }
    : record
}
