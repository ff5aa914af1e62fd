import type { MoveOptions, MoveTask } from './own-queue-store.ts'
import { isFifoName } from './queue-name.ts'
import { invalidValue, QueueStoreError } from './queue-store-error.ts'

const perSecondBounds = [1, 500] as const

/** The maximum number of messages that move in one transaction, because other requests have to wait for it. */
export const movedAtOnce = 1000

/** The number of recent tasks that the store remembers for each queue. */
export const rememberedMoves = 10

/** The facts that the rules need to know about queues. */
interface Facts {
  /** Whether any queue uses the source as its dead-letter queue. */
  readonly isDeadLetterQueue: boolean
  readonly hasDestination: boolean
  readonly hasRunningTask: boolean
}

/**
 * Refuses a message move task, as SQS does.
 * @throws QueueStoreError
 */
export function refuseMove(
  source: string,
  { destination, perSecond }: MoveOptions,
  { isDeadLetterQueue, hasDestination, hasRunningTask }: Facts,
): void {
  if (!isDeadLetterQueue)
    throw new QueueStoreError('INVALID_PARAMETER', 'Source queue must be configured as a Dead Letter Queue.')
  if (destination !== undefined) {
    if (!hasDestination) throw resourceNotFound('DestinationArn')
    if (destination === source)
      throw invalidValue(destination, 'DestinationArn', 'It must not be the source queue.')
    if (isFifoName(destination) !== isFifoName(source))
      throw invalidValue(destination, 'DestinationArn', 'It must be of the same type as the source queue.')
  }
  const [least, most] = perSecondBounds
  if (perSecond !== undefined && !(perSecond >= least && perSecond <= most))
    throw invalidValue(
      perSecond,
      'MaxNumberOfMessagesPerSecond',
      `Must be between ${least} and ${most}, if provided.`,
    )
  if (hasRunningTask)
    throw new QueueStoreError(
      'INVALID_PARAMETER',
      'There is already a task running. Only one active task is allowed for a source queue arn at a given time.',
    )
}

/**
 * Refuses to cancel a task that is not running.
 * @throws QueueStoreError
 */
export function refuseCancel(task: Pick<MoveTask, 'status'> | undefined): void {
  if (task === undefined) throw new QueueStoreError('RESOURCE_NOT_FOUND', 'Task does not exist.')
  if (task.status !== 'RUNNING')
    throw new QueueStoreError(
      'INVALID_PARAMETER',
      `Value for parameter TaskHandle is invalid. Reason: Only a running task can be cancelled, and this one is ${task.status}.`,
    )
}

/** Returns the error for a parameter that names no resource. */
export function resourceNotFound(parameter: string): QueueStoreError {
  return new QueueStoreError(
    'RESOURCE_NOT_FOUND',
    `The resource that you specified for the ${parameter} parameter doesn't exist.`,
  )
}
