import type { Location } from '@signalbox/platform-runtime'
import { eventSource, type QueueRecord } from '@signalbox/queue/contract'
import { md5OfAttributes, md5OfBody } from '../digests.ts'
import { type ResourceForm, resourceName } from '../resource-name.ts'
import type { ReceivedMessage } from '../store/queue-store.ts'

/** A queue, and the form that its resource name has in events. */
export interface RecordSource {
  readonly queue: string
  readonly location: Location
  readonly resourceForm: ResourceForm
}

/** Converts a message to a record of an event. See docs/contract/queue.md#record. */
export function queueRecord(
  { queue, location, resourceForm }: RecordSource,
  message: ReceivedMessage,
): QueueRecord {
  const nameOf = (each: string) => resourceName(resourceForm, location, each)
  const digest = md5OfAttributes(message.attributes)
  return {
    messageId: message.messageId,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(message.receiveCount),
      SentTimestamp: String(message.sentAt),
      SenderId: message.sender,
      ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
      ...present('CloudTraceHeader', message.traceHeader),
      ...present('SequenceNumber', message.sequenceNumber),
      ...present('MessageGroupId', message.group),
      ...present('MessageDeduplicationId', message.deduplicationId),
      ...present('DeadLetterQueueSourceArn', message.deadLetterSource && nameOf(message.deadLetterSource)),
    },
    messageAttributes: Object.fromEntries(
      Object.entries(message.attributes).map(([name, { dataType, stringValue, binaryValue }]) => [
        name,
        { ...present('stringValue', stringValue), ...present('binaryValue', binaryValue), dataType },
      ]),
    ),
    md5OfBody: md5OfBody(message.body),
    ...present('md5OfMessageAttributes', digest),
    eventSource,
    eventSourceARN: nameOf(queue),
    cloudRegion: location.region,
  }
}

function present<K extends string>(key: K, value: string | undefined): { readonly [name in K]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [name in K]?: string }
}
