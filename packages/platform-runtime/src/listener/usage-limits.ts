import type { Clock } from '@signalbox/core'
import type { LimitsConfig } from '../fields/limits.ts'
import { type BucketSize, type TokenBuckets, tokenBuckets } from './token-buckets.ts'

/** Limits the requests and the bytes of clients. */
export interface UsageLimits {
  /** Returns the milliseconds until a client may send its next request, or 0 if it may send the request now. */
  readonly delay: (client: string) => number
  readonly useRequest: (client: string) => void
  readonly useBytes: (client: string, bytes: number) => void
}

const nothing = { delay: () => 0, take: () => {} }

/**
 * Creates usage limits with a token bucket for each client.
 * @param make creates the token buckets. Default: buckets in the memory of this process
 */
export function usageLimits(
  { requests, bytes, window = 1 }: LimitsConfig,
  clock: Pick<Clock, 'now'>,
  make: (size: BucketSize, unit: 'requests' | 'bytes') => TokenBuckets = size => tokenBuckets(size, clock),
): UsageLimits {
  const buckets = (amount: number | undefined, unit: 'requests' | 'bytes') =>
    amount === undefined ? nothing : make({ amount, window: window * 1000 }, unit)
  const [byRequests, byBytes] = [buckets(requests, 'requests'), buckets(bytes, 'bytes')]
  return {
    delay: client => Math.max(byRequests.delay(client), byBytes.delay(client)),
    useRequest: client => byRequests.take(client),
    useBytes: (client, amount) => byBytes.take(client, amount),
  }
}
