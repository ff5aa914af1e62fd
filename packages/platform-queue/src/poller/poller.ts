import type { Location, OpenContext, SourceContext } from '@signalbox/platform-runtime'
import { messageSize } from '../store/message-rules.ts'
import { isFifoName } from '../store/queue-name.ts'
import type { QueueStore, ReceivedMessage } from '../store/queue-store.ts'
import { backoff } from './backoff.ts'
import { type Consumer, type ConsumerSettings, consumer } from './consumer.ts'
import { eventParts, eventSizeLimit } from './event-parts.ts'
import { type ExecutionPerMessage, executionConsumer } from './execution-consumer.ts'
import { fifoRounds, type MessagesByConsumer } from './fifo-rounds.ts'

/** The settings for polling a queue. Times are in milliseconds. */
export interface PollerSettings {
  readonly queue: string
  readonly location: Location
  readonly functions: readonly ConsumerSettings[]
  /** The time for which an incomplete batch waits for more messages. */
  readonly batchWindow: number
  /** The time for which a batch stays hidden while it is processed. */
  readonly visibilityTimeout: number
  /** How each message becomes an execution. Default: functions get batches. */
  readonly executionPerMessage?: ExecutionPerMessage | undefined
  /** The maximum time that one receive request waits for the first message of a batch. Default: 20 seconds. */
  readonly idleWait?: number
}

/** Polls a queue and invokes its functions until it is stopped. */
export interface Poller {
  readonly start: () => void
  /** Stops receiving. Resolves when all received messages are processed, or after `grace` milliseconds. */
  readonly stop: (grace: number) => Promise<void>
  /** Forgets that functions failed, and the delays that follow from it. */
  readonly reset: () => void
}

/**
 * The maximum size of a message in bytes. A batch with less free space might have no room for another
 * message.
 */
const largestMessage = 1024 * 1024

/** The maximum time that one receive request waits for messages, in milliseconds. */
const longestWait = 20_000

/** The received messages in the order of the queue, each with its function. */
type Batch = (readonly [message: ReceivedMessage, to: Consumer])[]

/**
 * Receives batches and gives each message to one function whose filter matches it. Functions with matching filters take
 * turns, batch by batch; with an execution for each message, the first of them gets it. Messages that match the filter of no function are deleted. The poller receives only when every
 * function can take a batch, so that received messages do not wait. See docs/contract/queue.md#verdict.
 */
export function poller(
  settings: PollerSettings,
  store: QueueStore,
  context: SourceContext & Pick<OpenContext, 'services'>,
): Poller {
  const { queue, location, batchWindow, visibilityTimeout, idleWait = longestWait } = settings
  const { executionPerMessage: how } = settings
  const { clock, machineClock, notice } = context
  const consumers = settings.functions.map(each =>
    how === undefined
      ? consumer(each, queue, location, store, context)
      : executionConsumer(
          each,
          { ...how, visibilityTimeout, batchWindow },
          { queue, location },
          store,
          context,
        ),
  )
  const pauses = backoff(machineClock)
  const stop = new AbortController()
  const { signal } = stop
  const running = new Set<Promise<void>>()
  let polling: Promise<void> | undefined
  let isGraceOver = false

  const report = (error: unknown) => {
    pauses.failed(error)
    notice(`queue ${queue}: ${error instanceof Error ? error.message : String(error)}`)
  }

  const receiveBatch = async (): Promise<Batch> => {
    const batch: Batch = []
    let bytes = eventSizeLimit
    const remaining = new Map(consumers.map(each => [each, each.batchSize]))
    const capacity = () => Math.min(...remaining.values())
    const receive = async (wait: number) => {
      const options = { max: capacity(), bytes, wait, visibilityTimeout, signal }
      const messages = await store.receive(queue, options)
      pauses.succeeded()
      const unwanted: ReceivedMessage[] = []
      for (const message of messages) {
        const to = consumers.find(each => each.wants(message))
        if (to === undefined) unwanted.push(message)
        else {
          batch.push([message, to])
          bytes -= messageSize(message)
          remaining.set(to, remaining.get(to)! - 1)
        }
      }
      await deleteUnwanted(unwanted)
    }
    await receive(idleWait)
    if (batch.length === 0 || batchWindow === 0) return batch
    const deadline = clock.now() + batchWindow
    try {
      while (capacity() > 0 && bytes >= largestMessage && clock.now() < deadline && !signal.aborted)
        await receive(Math.min(longestWait, deadline - clock.now()))
    } catch (error) {
      // Messages that were received before the error already count as delivered, so they are processed.
      report(error)
    }
    return batch
  }

  const deleteUnwanted = async (messages: readonly ReceivedMessage[]) => {
    if (messages.length === 0) return
    try {
      await store.deleteMessages(
        queue,
        messages.map(({ receiptHandle }) => receiptHandle),
      )
    } catch (error) {
      // These messages are redelivered later. The other received messages are processed now.
      report(error)
    }
  }

  const handle = async (batch: Batch) => {
    if (!isFifoName(queue)) {
      await Promise.all([...byConsumer(batch)].flatMap(([to, share]) => takeInParts(to, share)))
      return
    }
    const failedGroups = new Set<string | undefined>()
    const untried: ReceivedMessage[] = []
    for (const [round, shares] of fifoRounds(batch).flatMap(inParts).entries()) {
      const work = [...shares].map(async ([to, share]) => {
        const failed = await to.invoke(async () => {
          untried.push(...share.filter(({ group }) => failedGroups.has(group)))
          const rest = share.filter(({ group }) => !failedGroups.has(group))
          // No further part starts after the grace period.
          if (isGraceOver) return []
          return round === 0 ? rest : await extendVisibility(rest)
        })
        for (const { messageId, group } of share) if (failed.has(messageId)) failedGroups.add(group)
      })
      await Promise.all(work)
    }
    // These messages follow a failed message of their group. The failed message stays hidden longer.
    if (!isGraceOver) await changeVisibility(untried, 0)
  }

  // Messages that do not fit into one event wait until the function can take another batch.
  const takeInParts = (to: Consumer, share: readonly ReceivedMessage[]) =>
    eventParts(share, to.recordOf).map((part, position) =>
      to.invoke(async () => {
        if (position === 0) return part
        return isGraceOver ? [] : await extendVisibility(part)
      }),
    )

  /** Restarts the visibility timeout of messages that had to wait. Returns the messages for which this succeeded. */
  const extendVisibility = async (messages: readonly ReceivedMessage[]) => {
    const errors = await changeVisibility(messages, visibilityTimeout)
    return messages.filter((_, position) => errors[position] === undefined)
  }

  const changeVisibility = async (messages: readonly ReceivedMessage[], timeout: number) =>
    messages.length === 0
      ? []
      : store.changeVisibility(
          queue,
          messages.map(({ receiptHandle }) => ({ receiptHandle, timeout })),
        )

  const poll = async () => {
    while (!signal.aborted) {
      for (const each of consumers) await each.ready(signal)
      await pauses.pause(signal)
      let batch: Batch
      try {
        batch = await receiveBatch()
      } catch (error) {
        report(error)
        continue
      }
      // Messages that arrive during a stop are processed as well, because releasing them would count as a delivery.
      if (batch.length === 0) continue
      // A message that is received again must find its execution, which belongs to one function.
      if (how === undefined) consumers.push(consumers.shift()!)
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
    reset() {
      for (const each of consumers) each.reset()
    },
    stop: grace =>
      new Promise(resolve => {
        stop.abort()
        for (const each of consumers) each.stop?.()
        const cancel = machineClock.after(grace, () => {
          isGraceOver = true
          resolve()
        })
        void (async () => {
          await polling
          await Promise.all(running)
          cancel()
          resolve()
        })()
      }),
  }
}

/** Splits a round into parts, so that the events for each function do not exceed the size limit. */
function inParts(shares: MessagesByConsumer<Consumer>): readonly MessagesByConsumer<Consumer>[] {
  const all: Map<Consumer, readonly ReceivedMessage[]>[] = []
  for (const [to, share] of shares) {
    for (const [position, part] of eventParts(share, to.recordOf).entries()) {
      all[position] ??= new Map()
      all[position].set(to, part)
    }
  }
  return all
}

function byConsumer(batch: Batch): MessagesByConsumer<Consumer> {
  const shares = new Map<Consumer, ReceivedMessage[]>()
  for (const [message, to] of batch) {
    const share = shares.get(to)
    if (share === undefined) shares.set(to, [message])
    else share.push(message)
  }
  return shares
}
