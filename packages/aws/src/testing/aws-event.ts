import { toAws } from '../to-aws.ts'

/** The keys that AWS names differently. */
interface AwsKeys {
  cloudRegion: 'awsRegion'
  CloudTraceHeader: 'AWSTraceHeader'
  cloudSdkVersion: 'awsSdkVersion'
  cloudSdk: 'awsSdk'
}

type AwsKey<K> = K extends keyof AwsKeys ? AwsKeys[K] : K

/** An event of the contract in the form that AWS sends. */
export type AwsEvent<T> = T extends 'cloud:queue'
  ? 'aws:sqs'
  : T extends readonly (infer Item)[]
    ? AwsEvent<Item>[]
    : T extends object
      ? { -readonly [K in keyof T as AwsKey<K>]: AwsEvent<Exclude<T[K], null | undefined>> }
      : T

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
  return awsResourceNames(toAws(event)) as AwsEvent<Event>
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
