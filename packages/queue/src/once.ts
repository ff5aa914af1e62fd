import { InvalidOptionError, notAnAnswer, refuseUnknownOptions, type Store } from '@signalbox/core'
import type { MessageHandler } from './batch/batch-processor.ts'
import { isFifo } from './batch/fifo.ts'
import { deduplicationInterval } from './contract/limits.ts'
import { DiscardError } from './discard.ts'
import { MessageInProgressError } from './errors.ts'
import type { Message } from './message/message.ts'

export interface OnceOptions {
  /** Where the marks are kept: `memoryStore()`, `keyvStore(keyv)` or one of your own. */
  readonly store: Store
  /** Milliseconds for which a message counts as done. Default: the contract's five minutes (Limits, Queue). */
  readonly ttl?: number
  /**
   * Milliseconds for which a message that is being handled is nobody else's. Default: what the invocation has
   * left, since a platform that ends it lets nobody release the mark, and a second for the reserve, in which it may
   * still end; but not more than `ttl`. With a longer reserve say how long.
   */
  readonly lease?: number
}

/**
 * Makes a message handler skip the messages that are done already; they are reported as done. Messages of a FIFO
 * queue are known by group and deduplication id, others by their message id, and both within their queue.
 *
 * A message that is being handled is marked. A copy of it that arrives meanwhile fails with
 * MessageInProgressError, and so comes back when the mark says how it ended. A failure releases the mark. When the
 * store cannot be read the message fails; when only the last mark cannot be written it stays done.
 *
 * @throws InvalidOptionError for an option that nobody knows or that cannot be meant
 */
export function once(options: OnceOptions): <Body>(handle: MessageHandler<Body>) => MessageHandler<Body> {
  refuseUnknownOptions('once()', options, ['store', 'ttl', 'lease'])
  const { store, ttl = deduplicationInterval, lease = ttl } = options
  for (const method of ['get', 'setIfAbsent', 'set', 'delete'] as const) {
    if (typeof store?.[method] === 'function') continue
    const what = store === undefined ? 'is missing' : `has no ${method}()`
    throw new InvalidOptionError(
      `once(): store ${what}, expected a Store such as memoryStore() or keyvStore(keyv)`,
    )
  }
  for (const [name, value] of Object.entries({ ttl, lease })) {
    if (!(Number.isFinite(value) && value >= 1))
      throw new InvalidOptionError(`once(): ${name} is ${value}, expected milliseconds, 1 or more`)
  }
  const leaseOf = (message: Message<unknown>) =>
    options.lease ?? Math.min(ttl, Math.ceil(message.remaining) + reserveAllowance)

  return <Body>(handle: MessageHandler<Body>) => {
    // Said of a message as well: `onMessage: once({ store })` would be given one in place of a handler.
    if (typeof handle !== 'function')
      throw new InvalidOptionError('once() makes a handler of a handler: write once({ store })(handler)')
    const handler = async function handleOnce(message: Message<Body>) {
      const key = keyOf(message)
      const ownEntry = `${running}${crypto.randomUUID()}`
      if (!(await store.setIfAbsent(key, ownEntry, leaseOf(message)))) {
        const entry = (await store.get(key)) ?? ''
        if (!entry.startsWith(done)) throw new MessageInProgressError()
        // A deduplication id may be used again, for a message sent that much later.
        if (message.sentAt.getTime() - Number(entry.slice(done.length)) < ttl) return
        await store.set(key, ownEntry, leaseOf(message))
      }
      const finish = async () => {
        try {
          await store.set(key, `${done}${message.sentAt.getTime()}`, ttl)
        } catch {
          // It is done all the same.
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

function keyOf({ record, id, group, deduplicationId }: Message<unknown>): string {
  const name = deduplicationId && isFifo([record]) ? [group, deduplicationId] : [id]
  return `once:${JSON.stringify([record.eventSourceARN, ...name])}`
}

/** Takes back a claim, unless it ran out and is somebody else's by now. */
async function release(store: Store, key: string, ownEntry: string): Promise<void> {
  try {
    if ((await store.get(key)) === ownEntry) await store.delete(key)
  } catch {
    // The claim runs out by itself, and the reason why the message failed matters more.
  }
}
