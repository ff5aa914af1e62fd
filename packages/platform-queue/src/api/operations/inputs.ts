import * as t from 'io-ts'
import { invalidValue, QueueStoreError } from '../../store/queue-store-error.ts'

const integer = new t.Type<number, number, unknown>(
  'integer',
  (value): value is number => Number.isInteger(value),
  (value, context) => (Number.isInteger(value) ? t.success(value as number) : t.failure(value, context)),
  t.identity,
)
const strings = t.array(t.string)
const textMap = t.record(t.string, t.string)

const AttributeInput = t.intersection([
  t.type({ DataType: t.string }),
  t.partial({
    StringValue: t.string,
    BinaryValue: t.string,
    StringListValues: strings,
    BinaryListValues: strings,
  }),
])
const AttributesInput = t.record(t.string, AttributeInput)

const message = {
  MessageBody: t.string,
  DelaySeconds: integer,
  MessageAttributes: AttributesInput,
  MessageSystemAttributes: AttributesInput,
  MessageDeduplicationId: t.string,
  MessageGroupId: t.string,
}
const queue = { QueueUrl: t.string }

export const MessageInput = t.partial(message)
export type MessageInput = t.TypeOf<typeof MessageInput>

const visibility = { ReceiptHandle: t.string, VisibilityTimeout: integer }

/**
 * The input of each operation. Every field is optional here, and each operation checks the fields that it
 * requires.
 */
export const inputs = {
  CreateQueue: t.partial({ QueueName: t.string, Attributes: textMap, tags: textMap }),
  GetQueueUrl: t.partial({ QueueName: t.string, QueueOwnerAWSAccountId: t.string }),
  ListQueues: t.partial({ QueueNamePrefix: t.string, MaxResults: integer, NextToken: t.string }),
  DeleteQueue: t.partial(queue),
  PurgeQueue: t.partial(queue),
  GetQueueAttributes: t.partial({ ...queue, AttributeNames: strings }),
  SetQueueAttributes: t.partial({ ...queue, Attributes: textMap }),
  SendMessage: t.partial({ ...queue, ...message }),
  SendMessageBatch: t.partial({ ...queue, Entries: t.array(t.partial({ Id: t.string, ...message })) }),
  ReceiveMessage: t.partial({
    ...queue,
    AttributeNames: strings,
    MessageSystemAttributeNames: strings,
    MessageAttributeNames: strings,
    MaxNumberOfMessages: integer,
    VisibilityTimeout: integer,
    WaitTimeSeconds: integer,
    ReceiveRequestAttemptId: t.string,
  }),
  DeleteMessage: t.partial({ ...queue, ReceiptHandle: t.string }),
  DeleteMessageBatch: t.partial({
    ...queue,
    Entries: t.array(t.partial({ Id: t.string, ReceiptHandle: t.string })),
  }),
  ChangeMessageVisibility: t.partial({ ...queue, ...visibility }),
  ChangeMessageVisibilityBatch: t.partial({
    ...queue,
    Entries: t.array(t.partial({ Id: t.string, ...visibility })),
  }),
  ListDeadLetterSourceQueues: t.partial({ ...queue, MaxResults: integer, NextToken: t.string }),
  TagQueue: t.partial({ ...queue, Tags: textMap }),
  UntagQueue: t.partial({ ...queue, TagKeys: strings }),
  ListQueueTags: t.partial(queue),
  AddPermission: t.partial({ ...queue, Label: t.string, AWSAccountIds: strings, Actions: strings }),
  RemovePermission: t.partial({ ...queue, Label: t.string }),
  StartMessageMoveTask: t.partial({
    SourceArn: t.string,
    DestinationArn: t.string,
    MaxNumberOfMessagesPerSecond: integer,
  }),
  ListMessageMoveTasks: t.partial({ SourceArn: t.string, MaxResults: integer }),
  CancelMessageMoveTask: t.partial({ TaskHandle: t.string }),
} as const

export type Operation = keyof typeof inputs
export type Input<O extends Operation> = t.TypeOf<(typeof inputs)[O]>

/**
 * Returns a required parameter.
 * @throws QueueStoreError if it is missing
 */
export function required<T>(value: T | undefined, name: string): T {
  if (value !== undefined) return value
  throw new QueueStoreError('MISSING_PARAMETER', `The request must contain the parameter ${name}.`)
}

/**
 * Checks the bounds of an optional parameter.
 * @throws QueueStoreError if the value is out of bounds
 */
export function within(
  value: number | undefined,
  name: string,
  least: number,
  most: number,
  reason = `Must be between ${least} and ${most}, if provided.`,
): number | undefined {
  if (value === undefined || (value >= least && value <= most)) return value
  throw invalidValue(value, name, reason)
}
