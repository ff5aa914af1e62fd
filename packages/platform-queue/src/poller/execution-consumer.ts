import type { OpenContext, StartedExecution } from '@signalbox/platform-runtime'
import type { QueueEvent } from '@signalbox/queue/contract'
import { recordFilter } from '../filter/record-filter.ts'
import { attributeBounds } from '../store/queue-attributes.ts'
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
  /** When the message was received with this handle, in milliseconds since the epoch. */
  receivedAt: number
  /** Ends the wait for the execution. */
  readonly lost: AbortController
  /** Whether the platform is about to delete the message. */
  isDone: boolean
  readonly ended: Promise<boolean>
}

/** The longest time in milliseconds for which a received message can be hidden. */
const longestHold = attributeBounds.visibilityTimeout[1]

/** Milliseconds after which messages are hidden again if the queue could not be reached. */
const repeatedHold = 2000

/**
 * Returns a function that gets each message as an execution. The name of the execution is the message id, so that a
 * platform that receives the message again, after a restart or at another machine, finds its execution. A message stays
 * hidden while its execution runs, or for as long as the queue allows it, and is then received again.
 */
export function executionConsumer(
  settings: ConsumerSettings,
  how: ExecutionPerMessage & { readonly visibilityTimeout: number; readonly batchWindow: number },
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
  const { deleteAt, onFailure, visibilityTimeout, batchWindow } = how
  const { queue } = source
  const name = `queue ${queue}`
  const recordOf = (message: ReceivedMessage) => queueRecord({ ...source, resourceForm }, message)
  const matches = filter && recordFilter(filter)
  const pauses = backoff(clock)
  const held = new Map<string, Held>()
  const stopped = new AbortController()
  /** Messages that were received, and are about to be held. */
  const arriving = new Set<Promise<unknown>>()
  let cancelHide: (() => void) | undefined
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
      verdict: (payload, failure) => (failure === undefined ? startedOf(payload) : undefined),
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

  /** Keeps the held messages hidden for as long as the queue allows it. Calls itself while there are any. */
  const hide = async (timer: () => void): Promise<void> => {
    const all = [...held.entries()].map(([messageId, each]) => {
      const passed = Math.floor((clock.now() - each.receivedAt) / 1000) * 1000
      const timeout = Math.min(visibilityTimeout, longestHold - batchWindow - passed)
      return { messageId, each, receiptHandle: each.handle, timeout }
    })
    // The queue shows these again, and another platform has received them: otherwise this one had their new handles.
    for (const { each, timeout } of all) if (timeout <= 0) each.lost.abort()
    const open = all.filter(({ timeout }) => timeout > 0)
    const errors = await (open.length === 0
      ? []
      : store
          .changeVisibility(
            queue,
            open.map(({ receiptHandle, timeout }) => ({ receiptHandle, timeout })),
          )
          .catch(() => undefined))
    for (const [position, { messageId, each, receiptHandle }] of open.entries()) {
      if (errors?.[position] === undefined || each.handle !== receiptHandle || each.isDone) continue
      notice(
        `${name}: the message ${messageId} is gone, or was received elsewhere, while its execution runs. The execution goes on.`,
      )
      each.lost.abort()
    }
    if (cancelHide === timer)
      hideAfter(errors === undefined ? Math.min(repeatedHold, visibilityTimeout / 2) : visibilityTimeout / 2)
  }
  const hideAfter = (delay: number) => {
    const timer = clock.after(delay, () => void hide(timer))
    cancelHide = timer
  }

  /** Takes a message through its execution. Returns whether it was deleted. */
  const take = async (message: ReceivedMessage): Promise<boolean> => {
    const { messageId } = message
    const before = held.get(messageId)
    if (before !== undefined) {
      before.handle = message.receiptHandle
      before.receivedAt = clock.now()
      return before.ended
    }
    const lost = new AbortController()
    const signal = AbortSignal.any([stopped.signal, lost.signal])
    const work = async (): Promise<boolean> => {
      const started = await startExecution(message)
      if (started === undefined) {
        pauses.failed()
        return false
      }
      pauses.succeeded()
      if (deleteAt === 'end' && !(await waitForEnd(started.id, signal))) return false
      const own = held.get(messageId)!
      own.isDone = true
      const [late] = await store.deleteMessages(queue, [own.handle])
      return late === undefined
    }
    const ended = work()
      .catch((error: unknown) => {
        // The execution goes on. Whoever receives the message again waits for it.
        if (!signal.aborted) notice(`${name}: ${error instanceof Error ? error.message : String(error)}`)
        return false
      })
      .finally(() => {
        held.delete(messageId)
        if (held.size > 0) return
        cancelHide?.()
        cancelHide = undefined
      })
    held.set(messageId, {
      handle: message.receiptHandle,
      receivedAt: clock.now(),
      lost,
      isDone: false,
      ended,
    })
    if (cancelHide === undefined) hideAfter(visibilityTimeout / 2)
    return ended
  }

  return {
    get batchSize() {
      return Math.max(1, Math.min(settings.batchSize, free()))
    },
    wants: message => matches === undefined || matches(recordOf(message)),
    recordOf,
    async ready(signal) {
      while (arriving.size > 0) await Promise.race(arriving)
      while (free() <= 0 && !signal.aborted) await Promise.race([...held.values()].map(({ ended }) => ended))
      await pauses.pause(signal)
    },
    reset: pauses.reset,
    stop: () => stopped.abort(),
    async invoke(hold) {
      // This begins synchronously, so that the next caller of `ready` waits until these messages count.
      const work = hold().then(batch => batch.map(each => ({ ...each, deleted: take(each) })))
      const arrival = work.then(
        () => {},
        () => {},
      )
      arriving.add(arrival)
      void arrival.then(() => arriving.delete(arrival))
      const batch = await work
      const deleted = await Promise.all(batch.map(each => each.deleted))
      const rest = batch.filter((_, position) => !deleted[position])
      // Another platform can go on waiting at once. It finds the executions by their names.
      if (stopped.signal.aborted && rest.length > 0)
        await store
          .changeVisibility(
            queue,
            rest.map(({ receiptHandle }) => ({ receiptHandle, timeout: 0 })),
          )
          .catch(() => {})
      return new Set(rest.map(({ messageId }) => messageId))
    },
  }
}

/** Returns the execution that a payload names. Undefined for the payload of a function that is not durable. */
function startedOf(payload: string): StartedExecution | undefined {
  const started = JSON.parse(payload || 'null') as Partial<StartedExecution> | null
  return typeof started?.id === 'string' ? (started as StartedExecution) : undefined
}
