import type { Operation } from '../api/operations/inputs.ts'

/** A right over a queue. */
export type QueueRight = 'send' | 'receive' | 'administer'

const anyRight = ['send', 'receive', 'administer'] as const

/**
 * The rights over its queue of which each operation needs one, as docs/access.md states them. This table is not made of
 * the operations, so that tests find a wrong right there. ListQueues has no queue: every identity may call it.
 */
export const operationRights: { readonly [O in Operation]: readonly QueueRight[] } = {
  CreateQueue: ['administer'],
  GetQueueUrl: anyRight,
  ListQueues: [],
  ListDeadLetterSourceQueues: ['administer'],
  DeleteQueue: ['administer'],
  PurgeQueue: ['administer'],
  GetQueueAttributes: anyRight,
  SetQueueAttributes: ['administer'],
  TagQueue: ['administer'],
  UntagQueue: ['administer'],
  ListQueueTags: ['administer'],
  AddPermission: ['administer'],
  RemovePermission: ['administer'],
  SendMessage: ['send'],
  SendMessageBatch: ['send'],
  ReceiveMessage: ['receive'],
  DeleteMessage: ['receive'],
  DeleteMessageBatch: ['receive'],
  ChangeMessageVisibility: ['receive'],
  ChangeMessageVisibilityBatch: ['receive'],
  StartMessageMoveTask: ['administer'],
  ListMessageMoveTasks: ['administer'],
  CancelMessageMoveTask: ['administer'],
}
