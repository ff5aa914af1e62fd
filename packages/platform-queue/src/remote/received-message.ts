import type { Message } from '@aws-sdk/client-sqs'
import { queueOfResourceName } from '../resource-name.ts'
import type { ReceivedMessage } from '../store/queue-store.ts'

/** Converts a message from the AWS client into a message of the store. */
export function receivedMessage({
  Attributes: system = {},
  MessageAttributes: own = {},
  ...message
}: Message): ReceivedMessage {
  const source = system.DeadLetterQueueSourceArn
  return {
    messageId: message.MessageId!,
    receiptHandle: message.ReceiptHandle!,
    body: message.Body ?? '',
    attributes: Object.fromEntries(
      Object.entries(own).map(([name, { DataType, StringValue, BinaryValue }]) => [
        name,
        {
          dataType: DataType!,
          ...(StringValue !== undefined && { stringValue: StringValue }),
          ...(BinaryValue !== undefined && { binaryValue: Buffer.from(BinaryValue).toString('base64') }),
        },
      ]),
    ),
    receiveCount: Number(system.ApproximateReceiveCount ?? 1),
    sentAt: Number(system.SentTimestamp ?? 0),
    firstReceivedAt: Number(system.ApproximateFirstReceiveTimestamp ?? 0),
    sender: system.SenderId ?? 'anonymous',
    traceHeader: system.AWSTraceHeader,
    group: system.MessageGroupId,
    deduplicationId: system.MessageDeduplicationId,
    sequenceNumber: system.SequenceNumber,
    deadLetterSource: source && queueOfResourceName(source),
  }
}
