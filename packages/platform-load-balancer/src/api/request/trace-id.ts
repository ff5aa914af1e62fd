import { hexSource, type Random } from '@signalbox/platform-runtime'

/**
 * Returns a function that makes unique trace ids. Their form is an extension, see
 * docs/contract/load-balancer.md#request.correlation-id.
 */
export function traceIdSource(random: Random): (now: number) => string {
  const next = hexSource(random, 12)
  let second = Number.NaN
  let prefix = ''
  return now => {
    const current = Math.floor(now / 1000)
    if (current !== second) {
      second = current
      prefix = `1-${current.toString(16).padStart(8, '0')}-`
    }
    return prefix + next()
  }
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
