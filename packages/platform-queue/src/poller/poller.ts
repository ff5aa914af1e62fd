import type { Location, SourceContext } from '@signalbox/platform-runtime'
import { messageSize } from '../store/message-rules.ts'
import { isFifoName, type QueueStore, type ReceivedMessage } from '../store/queue-store.ts'
import { backoff } from './backoff.ts'
import { type Consumer, type ConsumerSettings, consumer } from './consumer.ts'
import { eventSizeLimit, parts } from './parts.ts'
import { rounds, type Shares } from './rounds.ts'

/** How messages of a queue get to its functions. Times in milliseconds. */
export interface PollerSettings {
  readonly queue: string
  readonly location: Location
  readonly functions: readonly ConsumerSettings[]
  /** For how long a batch that is not full waits for more. */
  readonly batchWindow: number
  /** For which a batch stays hidden while it is worked on. */
  readonly visibilityTimeout: number
}

/** Takes messages to functions until it is stopped. */
export interface Poller {
  readonly start: () => void
  /** Receives nothing more, and resolves when what was received has had its effect, or after `grace` milliseconds. */
  readonly stop: (grace: number) => Promise<void>
}

/** Bytes of the largest message. Beside less room than that, no further message is received: it might not fit. */
const largestMessage = 1024 * 1024

/** The longest that one receive waits; then it is asked again. */
const longestWait = 20_000

/** What was received, in the order of the queue, and for which function. */
type Batch = (readonly [message: ReceivedMessage, to: Consumer])[]

/**
 * Receives batches, and gives each message to one function that wants it; those that want the same messages take turns,
 * batch by batch. What no function wants is deleted. Contract B. It receives when every function may have a batch, so
 * that nothing that was received has to wait.
 */
export function poller(settings: PollerSettings, store: QueueStore, context: SourceContext): Poller {
  const { queue, location, batchWindow, visibilityTimeout } = settings
  const { clock, notice } = context
  const consumers = settings.functions.map(each => consumer(each, queue, location, store, context))
  const pauses = backoff(clock)
  const stop = new AbortController()
  const { signal } = stop
  const running = new Set<Promise<void>>()
  let polling: Promise<void> | undefined
  let isOver = false

  const report = (error: unknown) => {
    pauses.failed()
    notice(`queue ${queue}: ${error instanceof Error ? error.message : String(error)}`)
  }

  const gather = async (): Promise<Batch> => {
    const batch: Batch = []
    let bytes = eventSizeLimit
    const left = new Map(consumers.map(each => [each, each.batchSize]))
    const room = () => Math.min(...left.values())
    const receive = async (wait: number) => {
      const options = { max: room(), bytes, wait, visibilityTimeout, signal }
      const messages = await store.receive(queue, options)
      pauses.succeeded()
      const unwanted: ReceivedMessage[] = []
      for (const message of messages) {
        const to = consumers.find(each => each.wants(message))
        if (to === undefined) unwanted.push(message)
        else {
          batch.push([message, to])
          bytes -= messageSize(message)
          left.set(to, left.get(to)! - 1)
        }
      }
      await discard(unwanted)
    }
    await receive(longestWait)
    if (batch.length === 0 || batchWindow === 0) return batch
    const deadline = clock.now() + batchWindow
    try {
      while (room() > 0 && bytes >= largestMessage && clock.now() < deadline && !signal.aborted)
        await receive(Math.min(longestWait, deadline - clock.now()))
    } catch (error) {
      // What was received before counts as tried already.
      report(error)
    }
    return batch
  }

  const discard = async (messages: readonly ReceivedMessage[]) => {
    if (messages.length === 0) return
    try {
      await store.remove(
        queue,
        messages.map(({ receipt }) => receipt),
      )
    } catch (error) {
      // They come again, and what came with them has its turn.
      report(error)
    }
  }

  const handle = async (batch: Batch) => {
    if (!isFifoName(queue)) {
      await Promise.all([...sharesOf(batch)].flatMap(([to, share]) => takeInParts(to, share)))
      return
    }
    const broken = new Set<string | undefined>()
    const untried: ReceivedMessage[] = []
    for (const [round, shares] of rounds(batch).flatMap(inParts).entries()) {
      const work = [...shares].map(async ([to, share]) => {
        const failed = await to.take(async () => {
          untried.push(...share.filter(({ group }) => broken.has(group)))
          const rest = share.filter(({ group }) => !broken.has(group))
          // What had to wait is not begun when nobody waits for it.
          if (isOver) return []
          return round === 0 ? rest : await hold(rest)
        })
        for (const { messageId, group } of share) if (failed.has(messageId)) broken.add(group)
      })
      await Promise.all(work)
    }
    // They are behind a failure of their group, which is hidden for longer than they have to be.
    if (!isOver) await changeVisibility(untried, 0)
  }

  // What is too large for one event waits until the function may have another.
  const takeInParts = (to: Consumer, share: readonly ReceivedMessage[]) =>
    parts(share, to.recordOf).map((part, position) =>
      to.take(async () => {
        if (position === 0) return part
        return isOver ? [] : await hold(part)
      }),
    )

  /** Hides messages that had to wait for others for as long as if they had come just now; answers which could be. */
  const hold = async (messages: readonly ReceivedMessage[]) => {
    const errors = await changeVisibility(messages, visibilityTimeout)
    return messages.filter((_, position) => errors[position] === undefined)
  }

  const changeVisibility = async (messages: readonly ReceivedMessage[], timeout: number) =>
    messages.length === 0
      ? []
      : store.changeVisibility(
          queue,
          messages.map(({ receipt }) => ({ receipt, timeout })),
        )

  const poll = async () => {
    while (!signal.aborted) {
      for (const each of consumers) await each.ready(signal)
      await pauses.pause(signal)
      let batch: Batch
      try {
        batch = await gather()
      } catch (error) {
        report(error)
        continue
      }
      // What was received when the signal came, too: to give it back would have it count as tried.
      if (batch.length === 0) continue
      consumers.push(consumers.shift()!)
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
        const cancel = clock.after(grace, () => {
          isOver = true
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

/** A round as several, of which each function gets its messages in parts that keep to the size of an event. */
function inParts(shares: Shares<Consumer>): readonly Shares<Consumer>[] {
  const all: Map<Consumer, readonly ReceivedMessage[]>[] = []
  for (const [to, share] of shares) {
    for (const [position, part] of parts(share, to.recordOf).entries()) {
      all[position] ??= new Map()
      all[position].set(to, part)
    }
  }
  return all
}

function sharesOf(batch: Batch): Shares<Consumer> {
  const shares = new Map<Consumer, ReceivedMessage[]>()
  for (const [message, to] of batch) {
    const share = shares.get(to)
    if (share === undefined) shares.set(to, [message])
    else share.push(message)
  }
  return shares
}
