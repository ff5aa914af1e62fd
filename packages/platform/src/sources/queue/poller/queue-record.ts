import { eventSource, type QueueRecord } from '@signalbox/queue/contract'
import { md5OfAttributes, md5OfBody } from '../digests.ts'
import type { ReceivedMessage } from '../store/queue-store.ts'

/** Where the queues of a box are, in resource names and events. */
export const region = 'local'

/** The account that the queues of a box belong to. */
export const account = '000000000000'

/** The resource name of a queue, in the contract's words. */
function resourceName(queue: string): string {
  return `arn:cloud:queue:${region}:${account}:${queue}`
}

/** A message as the record of an event. Contract B. */
export function queueRecord(queue: string, message: ReceivedMessage): QueueRecord {
  const digest = md5OfAttributes(message.attributes)
  return {
    messageId: message.messageId,
    receiptHandle: message.receipt,
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
      ...present(
        'DeadLetterQueueSourceArn',
        message.deadLetterSource && resourceName(message.deadLetterSource),
      ),
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
    eventSourceARN: resourceName(queue),
    cloudRegion: region,
  }
}

function present<K extends string>(key: K, value: string | undefined): { readonly [name in K]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [name in K]?: string }
}
