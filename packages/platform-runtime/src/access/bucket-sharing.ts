import type { Clock } from '@signalbox/core'
import { type BucketSize, type TokenBuckets, tokenBuckets } from '../listener/token-buckets.ts'
import type { BucketTable, TakenTokens } from './access-tables.ts'

/** Token buckets that platforms share. */
export interface BucketSharing {
  /**
   * Returns buckets that this platform keeps in memory and shares with other platforms. Calls of `take` and `delay`
   * return at once.
   * @param name distinguishes these buckets from others
   * @param delay milliseconds until taken tokens are shared, so that one database statement covers many requests
   */
  readonly share: (name: string, size: BucketSize, delay: number) => TokenBuckets
  readonly close: () => Promise<void>
}

/** The maximum number of buckets whose taken tokens wait to be shared. The oldest ones are forgotten. */
const waitingLimit = 10_000

/** Milliseconds between two database statements. */
const pause = 100

/** Milliseconds until a failed database statement is tried again. */
const retryDelay = 1000

interface Waiting extends TakenTokens {
  tokens: number
  readonly lower: (tokens: number) => void
}

/**
 * Shares token buckets. It adds up taken tokens and sends them to a table, which answers with the number of tokens that
 * are left. A bucket that two platforms use can therefore hold too many tokens until both platforms have used it again.
 * Platforms that took too many tokens owe the difference. While the table cannot be reached, each platform counts
 * alone. See docs/decisions/listeners-and-limits.md#shared-limits.
 * @param table undefined before the platform has started, and for a storage that only one platform uses
 */
export function bucketSharing(table: () => BucketTable | undefined, clock: Clock): BucketSharing {
  let waiting = new Map<string, Waiting>()
  let sending: Promise<void> | undefined
  let cancel: (() => void) | undefined
  let hasFailed = false
  let closed = false

  const add = ({ bucket, size, tokens, lower }: Waiting) => {
    const same = waiting.get(bucket)
    if (same !== undefined) {
      same.tokens += tokens
      return
    }
    if (waiting.size >= waitingLimit) waiting.delete(waiting.keys().next().value!)
    waiting.set(bucket, { bucket, size, tokens, lower })
  }

  const sendAll = async (to: BucketTable) => {
    const all = [...waiting.values()]
    waiting = new Map()
    try {
      const left = await to.take(all)
      for (const [at, { lower }] of all.entries()) lower(left[at]!)
      hasFailed = false
    } catch {
      hasFailed = true
      // Keeps at most one full bucket for the next attempt, because a bucket never refills more than that.
      for (const each of all) add({ ...each, tokens: Math.min(each.tokens, each.size.amount) })
    }
  }

  const send = () => {
    const to = table()
    if (sending !== undefined || to === undefined) return
    cancel?.()
    cancel = undefined
    sending = sendAll(to).finally(() => {
      sending = undefined
      if (waiting.size > 0) sendIn(hasFailed ? retryDelay : pause)
    })
  }
  const sendIn = (delay: number) => {
    if (closed || sending !== undefined) return
    if (delay === 0 && !hasFailed) send()
    else cancel ??= clock.after(delay, send)
  }

  return {
    share(name, size, delay) {
      const own = tokenBuckets(size, clock)
      return {
        ...own,
        take(client, tokens = 1) {
          own.take(client, tokens)
          if (table() === undefined) return
          const lower = (left: number) => own.lower(client, left)
          add({ bucket: `${name}\n${client}`, size, tokens, lower })
          sendIn(delay)
        },
      }
    },
    async close() {
      closed = true
      cancel?.()
      await sending
      if (waiting.size > 0 && !hasFailed) send()
      await sending
    },
  }
}
