import type { OpenContext, StartedExecution } from '@signalbox/platform-runtime'
import type { QueueEvent } from '@signalbox/queue/contract'
import { recordFilter } from '../filter/record-filter.ts'
import type { QueueStore, ReceivedMessage } from '../store/queue-store.ts'
import { backoff } from './backoff.ts'
import { batchCause } from './batch-cause.ts'
import type { Consumer, ConsumerSettings } from './consumer.ts'
import { queueRecord, type RecordSource } from './queue-record.ts'

/** How each message becomes an execution of its function. */
export interface ExecutionPerMessage {
  /** Whether the message is deleted when its execution has succeeded, or as soon as it exists. */
  readonly deleteAt: 'end' | 'start'
  /** The queue for documents about executions that failed. Their messages are deleted. */
  readonly onFailure: string | undefined
}

/** A message whose execution runs. */
interface Held {
  /** The latest handle of the message. */
  handle: string
  readonly ended: Promise<boolean>
}

/**
 * Returns a function that gets each message as an execution. The name of the execution is the message id, so that a
 * platform that receives the message again, after a restart or at another machine, finds its execution. A message stays
 * hidden while its execution runs, or for as long as the queue allows it, and is then received again.
 */
export function executionConsumer(
  settings: ConsumerSettings,
  how: ExecutionPerMessage & { readonly visibilityTimeout: number },
  source: Omit<RecordSource, 'resourceForm'>,
  store: QueueStore,
  {
    dispatch,
    clock,
    notice,
    services,
    traces,
  }: Pick<OpenContext, 'dispatch' | 'clock' | 'notice' | 'services' | 'traces'>,
): Consumer {
  const { functionName, filter, maximumConcurrency, reportBatchItemFailures, resourceForm } = settings
  const { deleteAt, onFailure, visibilityTimeout } = how
  const { queue } = source
  const name = `queue ${queue}`
  const recordOf = (message: ReceivedMessage) => queueRecord({ ...source, resourceForm }, message)
  const matches = filter && recordFilter(filter)
  const pauses = backoff(clock)
  const held = new Map<string, Held>()
  const stopped = new AbortController()
  const free = () => maximumConcurrency - held.size

  const startExecution = async (message: ReceivedMessage): Promise<StartedExecution | undefined> => {
    const event: QueueEvent = { Records: [recordOf(message)] }
    const { verdict } = await dispatch<StartedExecution | undefined>({
      functionName,
      event,
      cause: batchCause([message], queue, traces),
      family: 'queue',
      source: name,
      attempt: message.receiveCount,
      execution: {
        name: message.messageId,
        repeatsFailed: deleteAt === 'end' && onFailure === undefined,
        takesItemFailures: reportBatchItemFailures,
        onFailure,
      },
      verdict: (payload, failure) => (failure === undefined ? JSON.parse(payload) : undefined),
      describe: started =>
        started === undefined
          ? { kind: 'failure', ok: false, text: 'failure: no execution was started' }
          : { kind: 'execution', ok: true, text: `execution ${started.arn}` },
    })
    return verdict
  }

  /** Waits until the execution of a message has ended. Returns whether the message is done. */
  const waitForEnd = async (id: string, signal: AbortSignal): Promise<boolean> => {
    const { status } = await services.executions!.end(id, signal)
    return status === 'SUCCEEDED' || onFailure !== undefined
  }

  /** Keeps a message hidden. Calls `lost` when the queue shows it again. Returns a function that ends this. */
  const keepHidden = (handleOf: () => string, lost: () => void): (() => void) => {
    let cancel = () => {}
    let isOver = false
    const extend = async () => {
      const receiptHandle = handleOf()
      const changes = [{ receiptHandle, timeout: visibilityTimeout }]
      const [error] = await store.changeVisibility(queue, changes).catch(() => [undefined])
      if (isOver) return
      if (error !== undefined && handleOf() === receiptHandle) lost()
      else next()
    }
    const next = () => {
      cancel = clock.after(visibilityTimeout / 2, () => void extend())
    }
    next()
    return () => {
      isOver = true
      cancel()
    }
  }

  /** Takes a message through its execution. Returns whether it was deleted. */
  const take = async (message: ReceivedMessage): Promise<boolean> => {
    const { messageId } = message
    const before = held.get(messageId)
    if (before !== undefined) {
      before.handle = message.receiptHandle
      return before.ended
    }
    const lost = new AbortController()
    const signal = AbortSignal.any([stopped.signal, lost.signal])
    const show = keepHidden(
      () => held.get(messageId)?.handle ?? message.receiptHandle,
      () => lost.abort(),
    )
    const work = async (): Promise<boolean> => {
      const started = await startExecution(message)
      if (started === undefined) {
        pauses.failed()
        return false
      }
      pauses.succeeded()
      if (deleteAt === 'end' && !(await waitForEnd(started.id, signal))) return false
      const [late] = await store.deleteMessages(queue, [held.get(messageId)!.handle])
      return late === undefined
    }
    const ended = work()
      .catch((error: unknown) => {
        // The execution goes on. Whoever receives the message again waits for it.
        if (!signal.aborted) notice(`${name}: ${error instanceof Error ? error.message : String(error)}`)
        return false
      })
      .finally(() => {
        show()
        held.delete(messageId)
      })
    held.set(messageId, { handle: message.receiptHandle, ended })
    return ended
  }

  return {
    get batchSize() {
      return Math.max(1, Math.min(settings.batchSize, free()))
    },
    wants: message => matches === undefined || matches(recordOf(message)),
    recordOf,
    async ready(signal) {
      while (free() <= 0 && !signal.aborted) await Promise.race([...held.values()].map(({ ended }) => ended))
      await pauses.pause(signal)
    },
    reset: pauses.reset,
    stop: () => stopped.abort(),
    async invoke(hold) {
      const batch = await hold()
      const deleted = await Promise.all(batch.map(take))
      return new Set(batch.filter((_, position) => !deleted[position]).map(({ messageId }) => messageId))
    },
  }
}
