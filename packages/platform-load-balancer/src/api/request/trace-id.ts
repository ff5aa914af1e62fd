/**
 * Returns the value of `x-cloud-trace-id`, with a new unique id of the load balancer. If the client sent a `Root`, the
 * result is that id as `Self`, followed by the client's `Root` and everything after it. Otherwise the id is the root.
 * Its form is an extension, see docs/contract/load-balancer.md#request.correlation-id.
 * @param digits 32 hexadecimal digits, which begin with the time in seconds
 */
export function traceId(arrived: string | undefined, digits: string): string {
  const id = `1-${digits.slice(0, 8)}-${digits.slice(8)}`
  if (arrived === undefined || !/(?:^|;)\s*Root=[^;\s]/.test(arrived)) return `Root=${id}`
  const kept = arrived.split(';').filter(field => !field.trimStart().startsWith('Self='))
  return `Self=${id};${kept.join(';')}`
}

/**
 * Returns the digits of the root in a value of `x-cloud-trace-id`, as the id of a trace. Returns undefined for other forms,
 * and for zeros, which no trace has.
 */
export function rootOf(value: string): string | undefined {
  const [, seconds, rest] = /(?:^|;)\s*Root=1-([\da-f]{8})-([\da-f]{24})(?:;|$)/.exec(value) ?? []
  const id = `${seconds}${rest}`
  return seconds === undefined || /^0+$/.test(id) ? undefined : id
}
