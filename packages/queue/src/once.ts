import { createHash } from 'node:crypto'
import {
  type DurableExecution,
  durableExecution,
  InvalidOptionError,
  notAnAnswer,
  refuseUnknownOptions,
  type Store,
  showOption,
} from '@signalbox/core'
import type { MessageHandler } from './batch/process-messages.ts'
import { deduplicationInterval } from './contract/limits.ts'
import { DiscardError } from './discard.ts'
import { MessageInProgressError } from './errors.ts'
import type { Message } from './message/message.ts'
import { isFifo } from './response/fifo.ts'

/** Options of `once`. All times are in milliseconds. */
export interface OnceOptions {
  /**
   * The store of handled messages: `sqliteStore(file)` on one machine, `postgresStore(pool)`, `keyvStore(keyv)` or your own
   * store; `memoryStore()` for tests, because each process has one of its own.
   */
  readonly store: Store
  /**
   * Returns what a message is about, such as the id of an order. Of the messages of a queue with the same key, one is
   * handled. Default: what identifies the message, which is another for an order that was sent twice. State the type of
   * the body: `key: ({ body }: Message<Order>) => body.id`.
   */
  readonly key?: (message: Message<never>) => string
  /**
   * The milliseconds for which a handled message is remembered. Default: five minutes, as in the contract. See
   * docs/contract/queue.md#limits.deduplicationInterval.
   */
  readonly ttl?: number
  /**
   * The milliseconds for which no other invocation handles a message that is being handled. Default: the remaining time
   * of the invocation plus one second for the reserve, at most `ttl`. Set `lease` when you set a longer reserve, and in a
   * durable function to the time that its execution may take.
   */
  readonly lease?: number
}

/**
 * Makes a message handler skip messages that were handled before. Skipped messages are reported as successful. Within a
 * queue, FIFO messages are identified by their group and deduplication id, and other messages by their message id, or all of them by
 * `key`.
 *
 * While a message is being handled, the store has an entry for it. A copy that arrives in the meantime fails with
 * MessageInProgressError and is redelivered later. A failure deletes the entry. When the store cannot be read, the
 * message fails. When only the final entry cannot be written, the message succeeds. In a durable function, the entry belongs
 * to the execution, and its later invocations go on with the message.
 *
 * @throws InvalidOptionError for an unknown option or an invalid value
 * @example
 * ```ts
 * import { memoryStore } from '@signalbox/core'
 * import { once, queue } from '@signalbox/queue'
 *
 * const store = memoryStore()
 * queue({ onMessage: once({ store })(({ body }) => console.log(body)) })
 * ```
 */
export function once(options: OnceOptions): <Body>(handle: MessageHandler<Body>) => MessageHandler<Body> {
  refuseUnknownOptions('once()', options, ['store', 'key', 'ttl', 'lease'])
  const { store, key: ownKey, ttl = deduplicationInterval, lease = ttl } = options
  for (const method of ['get', 'setIfAbsent', 'set', 'delete'] as const) {
    if (typeof store?.[method] === 'function') continue
    const what = store === undefined ? 'is missing' : `has no ${method}()`
    throw new InvalidOptionError(
      `once(): store ${what}, expected a Store such as memoryStore() or keyvStore(keyv)`,
    )
  }
  if (ownKey !== undefined && typeof ownKey !== 'function')
    throw new InvalidOptionError(`once(): key is ${showOption(ownKey)}, expected a function of a message`)
  const keyOf = (message: Message<unknown>): string =>
    ownKey === undefined ? keyOfMessage(message) : keyOfContent(message, ownKey(message as Message<never>))
  for (const [name, value] of Object.entries({ ttl, lease })) {
    if (!(Number.isFinite(value) && value >= 1))
      throw new InvalidOptionError(
        `once(): ${name} is ${showOption(value)}, expected milliseconds, 1 or more`,
      )
  }
  const leaseOf = (message: Message<unknown>) =>
    options.lease ?? Math.min(ttl, Math.ceil(message.remaining) + reserveAllowance)

  /** Makes the entry of a message that is being handled, and returns it. Returns undefined for a message to skip. */
  const claim = async (
    message: Message<unknown>,
    key: string,
    ownEntry = `${running}${crypto.randomUUID()}`,
  ): Promise<string | undefined> => {
    if (await store.setIfAbsent(key, ownEntry, leaseOf(message))) return ownEntry
    const entry = (await store.get(key)) ?? ''
    if (entry === ownEntry) return ownEntry
    if (!entry.startsWith(done)) throw new MessageInProgressError()
    // A deduplication id can be reused for a message that is sent after `ttl`.
    if (message.sentAt.getTime() - Number(entry.slice(done.length)) < ttl) return undefined
    await store.set(key, ownEntry, leaseOf(message))
    return ownEntry
  }
  const claimForExecution = async (
    { arn, step }: DurableExecution,
    message: Message<unknown>,
    key: string,
  ) => {
    // A step whose result was lost runs again, and finds the entry that it has made.
    const ownEntry = entryOf(arn, message)
    // A step that throws would be repeated.
    const claimed = await step('once', async () => {
      try {
        return { entry: (await claim(message, key, ownEntry)) ?? null }
      } catch (error) {
        if (error instanceof MessageInProgressError) return { entry: inProgress }
        throw error
      }
    })
    if (claimed.entry === inProgress) throw new MessageInProgressError()
    return claimed.entry ?? undefined
  }

  return <Body>(handle: MessageHandler<Body>) => {
    // If `onMessage: once({ store })` was written by mistake, `handle` is a message.
    if (typeof handle !== 'function')
      throw new InvalidOptionError(
        'once() returns a function that wraps a handler: write once({ store })(handler)',
      )
    const handler = async function handleOnce(message: Message<Body>) {
      const key = keyOf(message)
      const execution = durableExecution()
      const ownEntry =
        execution === undefined ? await claim(message, key) : await claimForExecution(execution, message, key)
      if (ownEntry === undefined) return
      const finish = async () => {
        try {
          await store.set(key, `${done}${message.sentAt.getTime()}`, ttl)
        } catch {
          // The message was handled, so it succeeds, even though the store could not record that.
        }
      }
      try {
        await handle(message)
      } catch (reason) {
        await (DiscardError.is(reason) ? finish() : release(store, key, ownEntry))
        throw reason
      }
      await finish()
    }
    return notAnAnswer('a handler', handler)
  }
}

const reserveAllowance = 1000
const running = 'running '
const done = 'done '
const inProgress = 'in progress'

/**
 * Returns the key of an entry about the content of a message.
 * @throws InvalidOptionError for a key that messages about different things could have by mistake
 */
function keyOfContent({ record }: Message<unknown>, key: unknown): string {
  if (typeof key !== 'string' || key === '')
    throw new InvalidOptionError(`once(): key returned ${showOption(key)}, expected a text that is not empty`)
  return `once:${JSON.stringify([record.eventSourceARN, { key }])}`
}

function keyOfMessage({ record, id, group, deduplicationId }: Message<unknown>): string {
  const name = deduplicationId && isFifo([record]) ? [group, deduplicationId] : [id]
  return `once:${JSON.stringify([record.eventSourceARN, ...name])}`
}

/** Returns the entry of an execution, which is the same in each of its invocations. */
function entryOf(arn: string, { id, record }: Message<unknown>): string {
  // A batch can contain two deliveries of a message, which have different receipt handles.
  const parts = JSON.stringify([arn, id, record.receiptHandle])
  return `${running}${createHash('sha256').update(parts).digest('base64url')}`
}

/** Deletes the entry of this invocation, unless the entry has expired and another invocation has made a new one. */
async function release(store: Store, key: string, ownEntry: string): Promise<void> {
  try {
    if ((await store.get(key)) === ownEntry) await store.delete(key)
  } catch {
    // The entry expires anyway, and the reason for the failure matters more than this error.
  }
}
