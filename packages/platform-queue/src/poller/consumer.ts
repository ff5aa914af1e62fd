import { readPayload } from '@signalbox/core/payload'
import type { Location, SourceContext } from '@signalbox/platform-runtime'
import { type BatchVerdict, batchVerdict, type QueueEvent, type QueueRecord } from '@signalbox/queue/contract'
import type { FilterPattern } from '../filter/filter-pattern.ts'
import { recordFilter } from '../filter/record-filter.ts'
import { describeBatchVerdict } from '../queue-family.ts'
import type { ResourceForm } from '../resource-name.ts'
import { isFifoName } from '../store/queue-name.ts'
import type { QueueStore, ReceivedMessage } from '../store/queue-store.ts'
import { backoff } from './backoff.ts'
import { outOfOrderGroups } from './out-of-order-groups.ts'
import { queueRecord } from './queue-record.ts'

/** How a function gets messages of a queue. */
export interface ConsumerSettings {
  readonly functionName: string
  /** Of which one is enough; undefined for every message. */
  readonly filter: readonly FilterPattern[] | undefined
  /** Messages in a batch at most. */
  readonly batchSize: number
  /** Batches that may be worked on at a time. */
  readonly maximumConcurrency: number
  /** Whether the function says which messages failed. When it does not, a batch succeeds or fails as a whole. */
  readonly reportBatchItemFailures: boolean
  /** How events name the queue. */
  readonly resourceForm: ResourceForm
}

/** A function of a queue. */
export interface Consumer {
  readonly batchSize: number
  readonly wants: (message: ReceivedMessage) => boolean
  /** A message as its events have it. */
  readonly recordOf: (message: ReceivedMessage) => QueueRecord
  /** Resolves when it may have a batch. While it fails, that is one at a time, after pauses that grow. */
  readonly ready: (signal: AbortSignal) => Promise<void>
  /**
   * Invokes the function, and deletes what succeeded, all of it at once. Answers the ids of what failed, which comes
   * back when its visibility timeout is over. Never rejects.
   * @param hold is asked for the batch when it is the function's turn
   */
  readonly invoke: (hold: () => Promise<readonly ReceivedMessage[]>) => Promise<ReadonlySet<string>>
}

export function consumer(
  settings: ConsumerSettings,
  queue: string,
  location: Location,
  store: QueueStore,
  { dispatch, clock, notice }: SourceContext,
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

  const conclude = (payload: string, event: QueueEvent): BatchVerdict => {
    const answer = readPayload(payload)
    if (reportBatchItemFailures || answer.kind === 'error') return batchVerdict(payload, event)
    if (answer.kind === 'value' && namesFailures(answer.value) && !isUnread) {
      isUnread = true
      notice(
        `${functionName} answers batchItemFailures to ${name}, which are not read: set reportBatchItemFailures, or what it reports is deleted.`,
      )
    }
    return { kind: 'success', why: 'the function returned, and does not report single failures' }
  }

  const invoke = async (batch: readonly ReceivedMessage[]): Promise<ReadonlySet<string>> => {
    const event: QueueEvent = { Records: batch.map(recordOf) }
    const { verdict } = await dispatch({
      functionName,
      event,
      family: 'queue',
      source: name,
      attempt: Math.max(...batch.map(({ receiveCount }) => receiveCount)),
      verdict: payload => conclude(payload, event),
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
        `${functionName} reported a failed message of group ${JSON.stringify(group)} in ${name}, but not every later one: they are deleted, and the group is out of order.`,
      )
    const succeeded = batch.filter(({ messageId }) => !failed.has(messageId))
    const answers = await store.deleteMessages(
      queue,
      succeeded.map(({ receiptHandle }) => receiptHandle),
    )
    const late = answers.filter(answer => answer !== undefined).length
    if (late > 0)
      notice(`${late} messages of ${name} took longer than their visibility timeout, and come again.`)
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

    async invoke(hold) {
      // At once when it may: who looks next whether it is ready must see that it works.
      while (isBusy()) await Promise.race(running)
      let batch: readonly ReceivedMessage[] = []
      const work = (async () => {
        batch = await hold()
        return batch.length === 0 ? new Set<string>() : await invoke(batch)
      })().catch(error => {
        pauses.failed()
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
