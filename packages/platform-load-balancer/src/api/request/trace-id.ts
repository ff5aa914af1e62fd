import { type Random, randomHex } from '@signalbox/platform-runtime'

/**
 * Returns a unique trace id. Its form is an extension, see docs/contract/load-balancer.md#request.correlation-id.
 * @param now the time in milliseconds since the epoch
 */
export function newTraceId(random: Random, now: number): string {
  return `1-${Math.floor(now / 1000)
    .toString(16)
    .padStart(8, '0')}-${randomHex(random, 12)}`
}

/**
 * Returns the value of `x-cloud-trace-id`. If the client sent a `Root`, the result is the load balancer's id as
 * `Self`, followed by the client's `Root` and everything after it. Otherwise the load balancer's id is the root.
 */
export function traceId(arrived: string | undefined, ownId: string): string {
  if (arrived === undefined || !/(?:^|;)\s*Root=[^;\s]/.test(arrived)) return `Root=${ownId}`
  const kept = arrived.split(';').filter(field => !field.trimStart().startsWith('Self='))
  return `Self=${ownId};${kept.join(';')}`
}
