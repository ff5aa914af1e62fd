import type { Location } from '@signalbox/platform-runtime'
import { md5OfAttributes, md5OfBody } from '../../digests.ts'
import { sqsResourceName } from '../../resource-name.ts'
import type { MessageAttributes, NewMessage, ReceivedMessage, SentMessage } from '../../store/queue-store.ts'
import { QueueStoreError } from '../../store/queue-store-error.ts'
import { type MessageInput, required } from './inputs.ts'

type AttributesInput = NonNullable<MessageInput['MessageAttributes']>

/** What a message has from the request that sends it. */
export interface Sender {
  readonly sender: string
  /** The trace header of the request. */
  readonly trace: string | undefined
}

/** Reads a message from a client. */
export function readMessage(input: MessageInput, { sender, trace }: Sender): NewMessage {
  const { DelaySeconds: delay } = input
  return {
    body: required(input.MessageBody, 'MessageBody'),
    attributes: readMessageAttributes(input.MessageAttributes),
    delay: delay === undefined ? undefined : delay * 1000,
    group: input.MessageGroupId,
    deduplicationId: input.MessageDeduplicationId,
    traceHeader: readTraceHeader(input.MessageSystemAttributes) ?? trace,
    sender,
  }
}

/** Writes the response for a sent message. */
export function writeSent(
  { messageId, sequenceNumber }: SentMessage,
  input: MessageInput,
  message: NewMessage,
) {
  return {
    MessageId: messageId,
    MD5OfMessageBody: md5OfBody(message.body),
    MD5OfMessageAttributes: md5OfAttributes(message.attributes ?? {}),
    MD5OfMessageSystemAttributes: md5OfAttributes(readMessageAttributes(input.MessageSystemAttributes)),
    SequenceNumber: sequenceNumber,
  }
}

/** Writes a received message for the response to ReceiveMessage. */
export function writeMessage(
  message: ReceivedMessage,
  system: readonly string[],
  names: readonly string[],
  location: Location,
): { readonly [name: string]: unknown } {
  const wanted = Object.entries(message.attributes).filter(([name]) =>
    names.some(each => matches(each, name)),
  )
  const attributes = Object.fromEntries(wanted)
  const all: { readonly [name: string]: string | undefined } = {
    SenderId: message.sender,
    SentTimestamp: String(message.sentAt),
    ApproximateReceiveCount: String(message.receiveCount),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    SequenceNumber: message.sequenceNumber,
    MessageDeduplicationId: message.deduplicationId,
    MessageGroupId: message.group,
    AWSTraceHeader: message.traceHeader,
    DeadLetterQueueSourceArn: message.deadLetterSource && sqsResourceName(message.deadLetterSource, location),
  }
  const asked = Object.entries(all).filter(([name]) => system.includes('All') || system.includes(name))
  return {
    MessageId: message.messageId,
    ReceiptHandle: message.receiptHandle,
    Body: message.body,
    MD5OfBody: md5OfBody(message.body),
    ...(asked.length > 0 && { Attributes: Object.fromEntries(asked) }),
    ...(wanted.length > 0 && {
      MD5OfMessageAttributes: md5OfAttributes(attributes),
      MessageAttributes: Object.fromEntries(
        wanted.map(([name, { dataType, stringValue, binaryValue }]) => [
          name,
          { DataType: dataType, StringValue: stringValue, BinaryValue: binaryValue },
        ]),
      ),
    }),
  }
}

function readMessageAttributes(input: AttributesInput = {}): MessageAttributes {
  return Object.fromEntries(
    Object.entries(input).map(([name, { DataType, StringValue, BinaryValue, ...lists }]) => {
      if (lists.StringListValues?.length || lists.BinaryListValues?.length)
        throw new QueueStoreError('UNSUPPORTED', 'Message attribute list values are not supported.')
      return [name, { dataType: DataType, stringValue: StringValue, binaryValue: BinaryValue }]
    }),
  )
}

/** Reads the trace header, which is the only system attribute that a client may set. */
function readTraceHeader(input: AttributesInput = {}): string | undefined {
  for (const [name, { DataType, StringValue }] of Object.entries(input)) {
    if (name !== 'AWSTraceHeader')
      throw new QueueStoreError('INVALID_PARAMETER', `Message system attribute name '${name}' is invalid.`)
    if (DataType !== 'String' || !StringValue)
      throw new QueueStoreError(
        'INVALID_PARAMETER',
        `The message system attribute '${name}' must be a String with a non-empty StringValue.`,
      )
  }
  return input.AWSTraceHeader?.StringValue
}

/** Returns whether a name matches a pattern: `All`, `*`, `.*`, a name, or a prefix such as `order.*`. */
function matches(pattern: string, name: string): boolean {
  if (pattern === 'All' || pattern === '*' || pattern === '.*') return true
  return pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -2)) : name === pattern
}
