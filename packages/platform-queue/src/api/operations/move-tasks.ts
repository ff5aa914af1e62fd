import type { Location } from '@signalbox/platform-runtime'
import { queueOfResourceName, sqsResourceName } from '../../resource-name.ts'
import type { MoveTask, OwnQueueStore } from '../../store/own-queue-store.ts'
import { invalidValue, QueueStoreError, type QueueStoreErrorCode } from '../../store/queue-store-error.ts'
import { storeErrorNames } from '../../wire/wire-error.ts'
import { type Input, required, within } from './inputs.ts'

export async function startMoveTask(
  store: OwnQueueStore,
  { SourceArn, DestinationArn, MaxNumberOfMessagesPerSecond }: Input<'StartMessageMoveTask'>,
  location: Location,
): Promise<object> {
  const source = queueOf(required(SourceArn, 'SourceArn'), 'SourceArn')
  const task = await store.startMove(source, {
    destination: DestinationArn === undefined ? undefined : queueOf(DestinationArn, 'DestinationArn'),
    perSecond: MaxNumberOfMessagesPerSecond,
  })
  return { TaskHandle: writeHandle(source, task, location) }
}

export async function listMoveTasks(
  store: OwnQueueStore,
  { SourceArn, MaxResults }: Input<'ListMessageMoveTasks'>,
  location: Location,
): Promise<object> {
  const source = queueOf(required(SourceArn, 'SourceArn'), 'SourceArn')
  const most = within(MaxResults, 'MaxResults', 1, 10) ?? 1
  const tasks = await store.moves(source)
  return { Results: tasks.slice(0, most).map(each => writeTask(source, each, location)) }
}

export async function cancelMoveTask(
  store: OwnQueueStore,
  { TaskHandle }: Input<'CancelMessageMoveTask'>,
): Promise<object> {
  const { source, task } = readHandle(required(TaskHandle, 'TaskHandle'))
  return { ApproximateNumberOfMessagesMoved: await store.cancelMove(source, task) }
}

function writeTask(source: string, row: MoveTask, location: Location): object {
  const { task, destination, perSecond, failure, status } = row
  return {
    Status: status,
    SourceArn: sqsResourceName(source, location),
    ApproximateNumberOfMessagesMoved: row.moved,
    ApproximateNumberOfMessagesToMove: row.toMove,
    StartedTimestamp: row.startedAt,
    // Only a running task can be cancelled.
    ...(status === 'RUNNING' && { TaskHandle: writeHandle(source, task, location) }),
    ...(destination !== null && { DestinationArn: sqsResourceName(destination, location) }),
    ...(perSecond !== null && { MaxNumberOfMessagesPerSecond: perSecond }),
    ...(failure !== null && {
      FailureReason: storeErrorNames[failure as QueueStoreErrorCode]?.[1] ?? 'InternalFailure',
    }),
  }
}

/** Writes the handle of a task. It has the same contents as on AWS. */
function writeHandle(source: string, taskId: string, location: Location): string {
  return Buffer.from(JSON.stringify({ taskId, sourceArn: sqsResourceName(source, location) })).toString(
    'base64',
  )
}

/** Returns the queue from which a task moves messages. Returns undefined if the handle is not valid. */
export function taskSource(handle: string | undefined): string | undefined {
  try {
    return handle === undefined ? undefined : readHandle(handle).source
  } catch {
    return undefined
  }
}

function readHandle(handle: string): { readonly source: string; readonly task: string } {
  let read: { readonly taskId?: unknown; readonly sourceArn?: unknown } | null = null
  try {
    read = JSON.parse(Buffer.from(handle, 'base64').toString())
  } catch {
    // The code below refuses an unreadable handle.
  }
  const source = typeof read?.sourceArn === 'string' ? queueOfResourceName(read.sourceArn) : undefined
  if (source === undefined || typeof read?.taskId !== 'string')
    throw new QueueStoreError('INVALID_PARAMETER', 'Value for parameter TaskHandle is invalid.')
  return { source, task: read.taskId }
}

function queueOf(resource: string, parameter: string): string {
  const queue = queueOfResourceName(resource)
  if (queue !== undefined) return queue
  throw invalidValue(
    resource,
    parameter,
    'You must use this format: arn:<partition>:<service>:<region>:<account-id>:<resource-id>',
  )
}
