import type { Demand } from '@signalbox/platform-runtime/access'
import { queueRights } from '../../config/queue-rights.ts'
import { queueOfResourceName } from '../../resource-name.ts'
import { queueAt } from '../queue-url.ts'
import type { Input, Operation } from './inputs.ts'
import { taskSource } from './move-tasks.ts'

type Demands<O extends Operation> = (input: Input<O>) => readonly Demand[]

/** Any of these rights to a queue lets a client know that the queue exists. */
const toKnow = queueRights.names

/**
 * Returns a demand for rights to a queue.
 * @param queue undefined if the input does not name a queue; the list is then empty, and the operation refuses the
 * input
 */
function on(rights: readonly string[], queue: string | undefined): readonly Demand[] {
  return queue === undefined ? [] : [{ rights, resource: queue }]
}

const atUrl =
  (...rights: readonly string[]) =>
  ({ QueueUrl }: { readonly QueueUrl?: string | undefined }) =>
    on(rights, QueueUrl === undefined ? undefined : queueAt(QueueUrl))

const resourceOf = (name: string | undefined) => (name === undefined ? undefined : queueOfResourceName(name))

/** Returns the dead-letter queue that a redrive policy names. */
function deadLetterTarget(attributes: { readonly [name: string]: string } | undefined): string | undefined {
  try {
    const { deadLetterTargetArn } = JSON.parse(attributes?.RedrivePolicy || '{}') as {
      readonly deadLetterTargetArn?: unknown
    }
    return typeof deadLetterTargetArn === 'string' ? resourceOf(deadLetterTargetArn) : undefined
  } catch {
    return undefined
  }
}

/**
 * The rights that each operation needs. Every identity may call an operation with an empty list, because the operation
 * either fails for a missing parameter or shows only what the identity may see.
 */
const demands: { readonly [O in Operation]: Demands<O> } = {
  CreateQueue: ({ QueueName, Attributes }) => [
    ...on(['administer'], QueueName),
    ...on(['send', 'administer'], deadLetterTarget(Attributes)),
  ],
  GetQueueUrl: ({ QueueName }) => on(toKnow, QueueName),
  ListQueues: () => [],
  ListDeadLetterSourceQueues: atUrl('administer'),
  DeleteQueue: atUrl('administer'),
  PurgeQueue: atUrl('administer'),
  GetQueueAttributes: atUrl(...toKnow),
  SetQueueAttributes: input => [
    ...atUrl('administer')(input),
    ...on(['send', 'administer'], deadLetterTarget(input.Attributes)),
  ],
  TagQueue: atUrl('administer'),
  UntagQueue: atUrl('administer'),
  ListQueueTags: atUrl('administer'),
  AddPermission: atUrl('administer'),
  RemovePermission: atUrl('administer'),
  SendMessage: atUrl('send'),
  SendMessageBatch: atUrl('send'),
  ReceiveMessage: atUrl('receive'),
  DeleteMessage: atUrl('receive'),
  DeleteMessageBatch: atUrl('receive'),
  ChangeMessageVisibility: atUrl('receive'),
  ChangeMessageVisibilityBatch: atUrl('receive'),
  // Without a destination, messages return to their source queues.
  StartMessageMoveTask: ({ SourceArn, DestinationArn }) => [
    ...on(['administer'], resourceOf(SourceArn)),
    ...on(['send', 'administer'], resourceOf(DestinationArn)),
  ],
  ListMessageMoveTasks: ({ SourceArn }) => on(['administer'], resourceOf(SourceArn)),
  CancelMessageMoveTask: ({ TaskHandle }) => on(['administer'], taskSource(TaskHandle)),
}

/** Returns the rights that an operation with this input needs. */
export function demandsOf(operation: Operation, input: object): readonly Demand[] {
  return (demands[operation] as (input: object) => readonly Demand[])(input)
}
