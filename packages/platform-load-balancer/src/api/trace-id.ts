import { hexSource, type Random } from '@signalbox/platform-runtime'

/** Names traceIdSource through the load balancer, each of them once. How is an extension to contract D, correlation id. */
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
 * The value of `x-cloud-trace-id`. A root that arrives is kept, with everything behind it, and this ownId is
 * named before it as `Self`; otherwise this ownId is the root. Contract D, correlation id.
 */
export function traceId(arrived: string | undefined, ownId: string): string {
  if (arrived === undefined || !/(?:^|;)\s*Root=[^;\s]/.test(arrived)) return `Root=${ownId}`
  const kept = arrived.split(';').filter(field => !field.trimStart().startsWith('Self='))
  return `Self=${ownId};${kept.join(';')}`
}
