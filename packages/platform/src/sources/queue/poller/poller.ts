import { readPayload } from '@signalbox/core/payload'
import { type BatchVerdict, batchVerdict, type QueueEvent } from '@signalbox/queue/contract'
import type { SourceContext } from '../../source.ts'
import { messageSize } from '../store/message-rules.ts'
import { isFifoName, type QueueStore, type ReceivedMessage } from '../store/queue-store.ts'
import { batchConclusion } from './batch-conclusion.ts'
import { overtakenGroups } from './overtaken.ts'
import { queueRecord } from './queue-record.ts'

/** How messages of a queue get to a function. Times in milliseconds. */
export interface PollerSettings {
  readonly queue: string
  readonly functionName: string
  /** Messages in a batch at most. */
  readonly batchSize: number
  /** For how long a batch that is not full waits for more. */
  readonly batchWindow: number
  /** Batches that may be worked on at a time. */
  readonly maximumConcurrency: number
  /** For which a batch stays hidden while it is worked on. */
  readonly visibilityTimeout: number
  /** Whether the function says which messages failed. When it does not, a batch succeeds or fails as a whole. */
  readonly reportBatchItemFailures: boolean
}

/** Takes messages to a function until it is stopped. */
export interface Poller {
  readonly start: () => void
  /** Receives nothing more, and resolves when what was received has had its effect, or after `grace` milliseconds. */
  readonly stop: (grace: number) => Promise<void>
}

/**
 * Bytes of a batch, roughly. A larger one goes in parts, as on stock services: ten thousand messages of a megabyte are
 * more than a function has memory for.
 */
const sizeLimit = 6 * 1024 * 1024

/** The longest that one receive waits; then it is asked again. */
const longestWait = 20_000

/** Milliseconds to wait after a first failure; they double with each further one. */
const firstPause = 250
const longestPause = 30_000

/**
 * Receives batches, invokes the function with them, and deletes what succeeded, all of it at once; what failed comes
 * back when its visibility timeout is over. Contract B. While the function fails, one batch is tried at a time,
 * with pauses that grow.
 */
export function poller(settings: PollerSettings, store: QueueStore, context: SourceContext): Poller {
  const { queue, functionName, batchSize, batchWindow, maximumConcurrency } = settings
  const { visibilityTimeout, reportBatchItemFailures } = settings
  const { dispatch, clock, notice } = context
  const name = `queue ${queue}`
  const stop = new AbortController()
  const { signal } = stop
  const running = new Set<Promise<void>>()
  let failures = 0
  let polling: Promise<void> | undefined

  const gather = async (): Promise<readonly ReceivedMessage[]> => {
    const batch: ReceivedMessage[] = []
    let bytes = sizeLimit
    const receive = async (wait: number) => {
      const max = batchSize - batch.length
      for (const message of await store.receive(queue, { max, bytes, wait, visibilityTimeout, signal })) {
        batch.push(message)
        bytes -= messageSize(message)
      }
    }
    await receive(longestWait)
    if (batch.length === 0 || batchWindow === 0) return batch
    const deadline = clock.now() + batchWindow
    try {
      while (batch.length < batchSize && bytes > 0 && clock.now() < deadline && !signal.aborted)
        await receive(Math.min(longestWait, deadline - clock.now()))
    } catch (error) {
      // What was received before counts as tried already.
      report(error)
    }
    return batch
  }

  const report = (error: unknown) => {
    failures++
    notice(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }

  const conclude = (payload: string, event: QueueEvent): BatchVerdict =>
    reportBatchItemFailures || readPayload(payload).kind === 'error'
      ? batchVerdict(payload, event)
      : { kind: 'success', why: 'the function returned, and does not report single failures' }

  const settle = async (batch: readonly ReceivedMessage[], verdict: BatchVerdict) => {
    if (verdict.kind === 'failure') return
    const failed = new Set(verdict.kind === 'partial' ? verdict.failed : [])
    const done = batch.filter(({ messageId }) => !failed.has(messageId))
    for (const group of isFifoName(queue) ? overtakenGroups(batch, failed) : [])
      notice(
        `${functionName} reported a failed message of group ${JSON.stringify(group)} in ${name}, but not every later one: they are deleted, and the group is out of order.`,
      )
    const answers = await store.remove(
      queue,
      done.map(({ receipt }) => receipt),
    )
    const late = answers.filter(answer => answer !== undefined).length
    if (late > 0)
      notice(`${late} messages of ${name} took longer than their visibility timeout, and come again.`)
  }

  const handle = async (batch: readonly ReceivedMessage[]) => {
    const event: QueueEvent = { Records: batch.map(message => queueRecord(queue, message)) }
    const { verdict } = await dispatch({
      functionName,
      event,
      family: 'queue',
      source: name,
      attempt: Math.max(...batch.map(({ receiveCount }) => receiveCount)),
      verdict: payload => conclude(payload, event),
      describe: batchConclusion,
    })
    failures = verdict.kind === 'failure' ? failures + 1 : 0
    await settle(batch, verdict)
  }

  const pause = () =>
    new Promise<void>(resolve => {
      const cancel = clock.after(Math.min(longestPause, firstPause * 2 ** (failures - 1)), done)
      signal.addEventListener('abort', done)
      function done() {
        cancel()
        signal.removeEventListener('abort', done)
        resolve()
      }
    })

  const poll = async () => {
    while (!signal.aborted) {
      while (running.size >= (failures > 0 ? 1 : maximumConcurrency)) await Promise.race(running)
      if (failures > 0) await pause()
      let batch: readonly ReceivedMessage[]
      try {
        batch = await gather()
      } catch (error) {
        report(error)
        continue
      }
      // What was received when the signal came, too: to give it back would have it count as tried.
      if (batch.length === 0) continue
      const work = handle(batch)
        .catch(report)
        .finally(() => running.delete(work))
      running.add(work)
    }
  }

  return {
    start: () => {
      polling ??= poll()
    },
    stop: grace =>
      new Promise(resolve => {
        stop.abort()
        const cancel = clock.after(grace, resolve)
        void (async () => {
          await polling
          await Promise.all(running)
          cancel()
          resolve()
        })()
      }),
  }
}
