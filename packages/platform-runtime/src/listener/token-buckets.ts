import type { Clock } from '@signalbox/core'

/** The size of a token bucket. */
export interface BucketSize {
  /** The maximum number of tokens that a client can use at once, and on average in each window. */
  readonly amount: number
  /** Milliseconds in which an empty bucket fills. */
  readonly window: number
}

/** One token bucket for each client. */
export interface TokenBuckets {
  /** Returns the milliseconds until a client may continue, or 0 if its bucket holds a token. */
  readonly delay: (client: string) => number
  /**
   * Takes tokens. The number of tokens may become negative, so that costs that are known only afterwards count, too.
   */
  readonly take: (client: string, tokens?: number) => void
}

/** Token buckets in the memory of this process. */
export interface OwnTokenBuckets extends TokenBuckets {
  /** Lowers a bucket to at most this number of tokens, because other platforms have used it, too. */
  readonly lower: (client: string, tokens: number) => void
}

/** The maximum number of clients that are counted at a time. */
const clientsLimit = 10_000

interface Bucket {
  readonly tokens: number
  /** The time at which the bucket held these tokens. */
  readonly at: number
}

/**
 * Limits the use of each client over time. Memory is bounded: when there are too many clients, the least recently
 * active one is forgotten.
 */
export function tokenBuckets(
  { amount, window }: BucketSize,
  clock: Pick<Clock, 'now'>,
  most: number = clientsLimit,
): OwnTokenBuckets {
  // The least recently used bucket comes first.
  const buckets = new Map<string, Bucket>()
  const rate = amount / window
  const tokensOf = (client: string): number => {
    // When there are no buckets, looking up a client would be most of the work.
    const found = buckets.size === 0 ? undefined : buckets.get(client)
    return found === undefined ? amount : Math.min(amount, found.tokens + (clock.now() - found.at) * rate)
  }
  const put = (client: string, tokens: number): void => {
    buckets.delete(client)
    if (buckets.size >= most) buckets.delete(buckets.keys().next().value!)
    buckets.set(client, { tokens, at: clock.now() })
  }
  return {
    delay(client) {
      const tokens = tokensOf(client)
      // The client needs a whole token, apart from rounding errors.
      return tokens > 1 - 1e-6 ? 0 : Math.max(1, Math.ceil((1 - tokens) / rate - 1e-6))
    },
    take: (client, tokens = 1) => put(client, tokensOf(client) - tokens),
    lower(client, tokens) {
      if (tokens < tokensOf(client)) put(client, tokens)
    },
  }
}
