import { type Random, randomHex } from '../../random.ts'

/**
 * The value of `x-cloud-trace-id`. A root that arrives is kept, with everything behind it, and this passage is
 * named before it as `Self`; otherwise a root is made. Contract D, correlation id; how it is made is an extension.
 */
export function traceId(arrived: string | undefined, now: number, random: Random): string {
  const time = Math.floor(now / 1000)
    .toString(16)
    .padStart(8, '0')
  const passage = `1-${time}-${randomHex(random, 12)}`
  if (arrived === undefined || !/(?:^|;)\s*Root=[^;\s]/.test(arrived)) return `Root=${passage}`
  const kept = arrived.split(';').filter(field => !field.trimStart().startsWith('Self='))
  return `Self=${passage};${kept.join(';')}`
}
