import { readPayload } from '@signalbox/core/payload'
import type { Failure, Location, SourceContext } from '@signalbox/platform-runtime'
import { invocationSpan, runInSpan } from '@signalbox/platform-runtime/traces'
import { type BatchVerdict, batchVerdict, type QueueEvent, type QueueRecord } from '@signalbox/queue/contract'
import type { FilterPattern } from '../filter/filter-pattern.ts'
import { recordFilter } from '../filter/record-filter.ts'
import { describeBatchVerdict } from '../queue-family.ts'
import type { ResourceForm } from '../resource-name.ts'
import { isFifoName } from '../store/queue-name.ts'
import type { QueueStore, ReceivedMessage } from '../store/queue-store.ts'
import { backoff } from './backoff.ts'
import { batchCause } from './batch-cause.ts'
import { outOfOrderGroups } from './out-of-order-groups.ts'
import { queueRecord } from './queue-record.ts'

/** The settings for delivering the messages of a queue to a function. */
export interface ConsumerSettings {
  readonly functionName: string
  /** The filter patterns. A message must match one of them. Undefined means that every message matches. */
  readonly filter: readonly FilterPattern[] | undefined
  /** The maximum number of messages in a batch. */
  readonly batchSize: number
  /** The maximum number of batches that are processed at the same time. */
  readonly maximumConcurrency: number
  /** Whether the function reports each failed message. Otherwise a batch succeeds or fails as a whole. */
  readonly reportBatchItemFailures: boolean
  /** The form of the queue's resource name in events. */
  readonly resourceForm: ResourceForm
}

/** A function that gets messages of a queue. */
export interface Consumer {
  readonly batchSize: number
  readonly wants: (message: ReceivedMessage) => boolean
  /** Returns the message as a record of the function's events. */
  readonly recordOf: (message: ReceivedMessage) => QueueRecord
  /**
   * Resolves when the function can get a batch. While the function fails, it gets only one batch at a time, after
   * growing delays.
   */
  readonly ready: (signal: AbortSignal) => Promise<void>
  /** Forgets that the function failed. */
  readonly reset: () => void
  /** Ends waits for what goes on without this platform. Absent for a consumer that has none. */
  readonly stop?: () => void
  /**
   * Invokes the function. Deletes the successful messages in one call, and returns the ids of the failed messages,
   * which become visible after their visibility timeout. Never rejects.
   * @param hold returns the batch; called when the function can take it
   */
  readonly invoke: (hold: () => Promise<readonly ReceivedMessage[]>) => Promise<ReadonlySet<string>>
}

export function consumer(
  settings: ConsumerSettings,
  queue: string,
  location: Location,
  store: QueueStore,
  { dispatch, clock, notice, traces }: SourceContext,
): Consumer {
  const { functionName, filter, batchSize, maximumConcurrency, reportBatchItemFailures } = settings
  const source = { queue, location, resourceForm: settings.resourceForm }
  const recordOf = (message: ReceivedMessage) => queueRecord(source, message)
  const name = `queue ${queue}`
  const matches = filter && recordFilter(filter)
  const pauses = backoff(clock)
  const running = new Set<Promise<unknown>>()
  let isUnread = false

  const isBusy = () => running.size >= (pauses.isFailing() ? 1 : maximumConcurrency)

  const conclude = (payload: string, event: QueueEvent, failure: Failure | undefined): BatchVerdict => {
    // Whatever the payload is: no message of an invocation that failed is deleted.
    if (failure !== undefined) return { kind: 'failure', why: `the invocation failed: ${failure.message}` }
    const answer = readPayload(payload)
    if (reportBatchItemFailures || answer.kind === 'error') return batchVerdict(payload, event)
    if (answer.kind === 'value' && namesFailures(answer.value) && !isUnread) {
      isUnread = true
      notice(
        `${functionName} returned batchItemFailures for ${name}, but reportBatchItemFailures is off, so the reported messages are deleted. Set it to true to keep them.`,
      )
    }
    return { kind: 'success', why: 'the function returned, and reportBatchItemFailures is off' }
  }

  const invoke = async (batch: readonly ReceivedMessage[]): Promise<ReadonlySet<string>> => {
    const event: QueueEvent = { Records: batch.map(recordOf) }
    const cause = batchCause(batch, queue, traces)
    const attempt = Math.max(...batch.map(({ receiveCount }) => receiveCount))
    const { verdict, requestId } = await dispatch({
      functionName,
      event,
      cause,
      family: 'queue',
      source: name,
      attempt,
      verdict: (payload, failure) => conclude(payload, event, failure),
      describe: describeBatchVerdict,
    })
    if (verdict.kind === 'failure') {
      pauses.failed()
      return new Set(batch.map(({ messageId }) => messageId))
    }
    pauses.succeeded()
    const failed = new Set(verdict.kind === 'partial' ? verdict.failed : [])
    for (const group of isFifoName(queue) ? outOfOrderGroups(batch, failed) : [])
      notice(
        `${functionName} reported a failed message of group ${JSON.stringify(group)} in ${name}, but not all later messages of the group: those are deleted, and the group loses its order.`,
      )
    const succeeded = batch.filter(({ messageId }) => !failed.has(messageId))
    const remove = () =>
      store.deleteMessages(
        queue,
        succeeded.map(({ receiptHandle }) => receiptHandle),
      )
    const answers = await (traces === undefined
      ? remove()
      : runInSpan(invocationSpan(requestId, attempt, cause, traces.sample), remove))
    const late = answers.filter(answer => answer !== undefined).length
    if (late > 0)
      notice(`${late} messages of ${name} took longer than the visibility timeout and will be redelivered.`)
    return failed
  }

  return {
    batchSize,
    wants: message => matches === undefined || matches(recordOf(message)),
    recordOf,

    async ready(signal) {
      while (isBusy()) await Promise.race(running)
      await pauses.pause(signal)
    },

    reset: pauses.reset,

    async invoke(hold) {
      // If the function is ready, this runs synchronously, so that the next caller of `ready` sees that the function
      // is busy.
      while (isBusy()) await Promise.race(running)
      let batch: readonly ReceivedMessage[] = []
      const work = (async () => {
        batch = await hold()
        return batch.length === 0 ? new Set<string>() : await invoke(batch)
      })().catch(error => {
        pauses.failed(error)
        notice(`${name}: ${error instanceof Error ? error.message : String(error)}`)
        return new Set(batch.map(({ messageId }) => messageId))
      })
      running.add(work)
      const failed = await work
      running.delete(work)
      return failed
    },
  }
}

function namesFailures(value: unknown): boolean {
  const failures = (value as { readonly batchItemFailures?: unknown } | null | undefined)?.batchItemFailures
  return Array.isArray(failures) && failures.length > 0
}
