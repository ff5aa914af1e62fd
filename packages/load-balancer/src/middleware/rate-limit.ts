import {
  type Clock,
  InvalidOptionError,
  refuseUnknownOptions,
  type Store,
  systemClock,
} from '@signalbox/core'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { clientAddress } from '../request/client-address.ts'
import { headerMap } from '../request/http-request.ts'
import { allHeaders } from '../request/values.ts'
import { HttpError } from '../response/http-error.ts'
import type { ReplyHeaders } from '../response/reply.ts'
import { withHeaders } from '../response/reply-headers.ts'
import { type HttpMiddleware, httpMiddleware } from './http-middleware.ts'

/** Options of `rateLimit`. */
export interface RateLimitOptions {
  /**
   * The store that counts requests. It has an entry for each request in a window, so a `memoryStore` needs a limit that
   * is high enough for all of them.
   */
  readonly store: Store
  /** The maximum number of requests of one client in a window. */
  readonly limit: number
  /** The length of a window in milliseconds. */
  readonly window: number
  /**
   * Returns the key under which a request is counted. Default: the address of the client that the last trusted hop
   * wrote into `x-forwarded-for`. Requests without an address share one key.
   */
  readonly key?: (event: LoadBalancerEvent) => string | Promise<string>
  readonly clock?: Clock
}

/**
 * Returns the middleware that answers 429 with `retry-after` when a client sends more than `limit` requests in a
 * window. The limit is exact, even when several functions share a store. Other answers report the remaining requests in
 * `ratelimit` and `ratelimit-policy` (draft-ietf-httpapi-ratelimit-headers). When the store fails, the request fails.
 * @example signalbox(loadBalancer(routes)).use(rateLimit({ store: keyvStore(keyv), limit: 100, window: 60_000 }))
 * @throws InvalidOptionError for an unknown option or an invalid value
 */
export function rateLimit(options: RateLimitOptions): HttpMiddleware {
  refuseUnknownOptions('rateLimit()', options, ['store', 'limit', 'window', 'key', 'clock'])
  const { store, limit, window, key = addressOf, clock = systemClock } = options
  if (typeof store?.setIfAbsent !== 'function') {
    throw new InvalidOptionError('rateLimit(): store is missing, expected a Store such as keyvStore(keyv)')
  }
  if (!(Number.isInteger(limit) && limit >= 1)) {
    throw new InvalidOptionError(
      `rateLimit(): limit is ${limit}, expected a whole number of requests, 1 or more`,
    )
  }
  if (!(Number.isFinite(window) && window >= 1)) {
    throw new InvalidOptionError(`rateLimit(): window is ${window}, expected milliseconds, 1 or more`)
  }
  const policy = `"default";q=${limit};w=${Math.ceil(window / 1000)}`
  const fields = (left: number, seconds: number): ReplyHeaders => ({
    'ratelimit-policy': policy,
    ratelimit: `"default";r=${left};t=${seconds}`,
  })
  const counted = new WeakMap<LoadBalancerEvent, ReplyHeaders>()

  return httpMiddleware('rate-limit', {
    async before({ event }) {
      // Functions that share a store must agree on the window.
      const now = clock.wall()
      const start = Math.floor(now / window) * window
      const rest = start + window - now
      const seconds = Math.ceil(rest / 1000)
      const left = await take(store, `rate-limit:${JSON.stringify([await key(event), start])}`, limit, rest)
      if (left === undefined) {
        const headers = { 'retry-after': seconds, ...fields(0, seconds) }
        throw new HttpError(429, 'Too many requests', { headers })
      }
      counted.set(event, fields(left, seconds))
    },
    after(request) {
      const headers = counted.get(request.event)
      if (headers !== undefined) request.response = withHeaders(request.response!, headers)
    },
  })
}

/**
 * Takes one of the places in a window. Each place stands for one request. Returns the number of free places that
 * remain, or undefined if all places are taken. Simultaneous requests never share a place. The stored number is only a
 * hint that says which place to try first.
 */
async function take(store: Store, key: string, limit: number, ttl: number): Promise<number | undefined> {
  const known = Number((await store.get(key)) ?? 0)
  for (let place = known; place < limit; place++) {
    if (!(await store.setIfAbsent(`${key}:${place}`, '', ttl))) continue
    await store.set(key, String(place + 1), ttl)
    return limit - place - 1
  }
  return undefined
}

function addressOf(event: LoadBalancerEvent): string {
  return clientAddress(allHeaders(headerMap(event), 'x-forwarded-for'), 1) ?? ''
}
