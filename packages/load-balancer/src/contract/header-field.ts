// A field name is a token (RFC 9110, 5.6.2).
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
// A field value consists of one-byte characters. The tab is its only control character (RFC 9110, 5.5).
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Returns whether a string can be the name of an HTTP header.
 * @example
 * ```ts
 * import { isFieldName } from '@signalbox/load-balancer/contract'
 *
 * isFieldName('x-request-id') // true
 * isFieldName('x request id') // false
 * ```
 */
export function isFieldName(name: string): boolean {
  return token.test(name)
}

/**
 * Returns whether a string can be the value of an HTTP header: it has no CR, LF, NUL or other control character.
 * @example
 * ```ts
 * import { isFieldValue } from '@signalbox/load-balancer/contract'
 *
 * isFieldValue('text/plain') // true
 * isFieldValue('a\r\nset-cookie: b=c') // false
 * ```
 */
export function isFieldValue(value: string): boolean {
  return fieldValue.test(value)
}

/**
 * The hop-by-hop headers (RFC 9110, 7.6.1), which belong to one connection. The load balancer removes them from a
 * response (docs/contract/load-balancer.md#verdict.hop-by-hop).
 */
export const hopByHopHeaders = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
] as const

const hopByHop: ReadonlySet<string> = new Set(hopByHopHeaders)

/**
 * Returns whether a header is hop-by-hop in every message. `connectionOptions` returns the names of the headers that
 * are hop-by-hop only in one message.
 * @example
 * ```ts
 * import { isHopByHop } from '@signalbox/load-balancer/contract'
 *
 * isHopByHop('transfer-encoding') // true
 * isHopByHop('content-type') // false
 * ```
 */
export function isHopByHop(name: string): boolean {
  return hopByHop.has(name.toLowerCase())
}

/**
 * Returns the names that `connection` headers list, in lower case, or undefined if there is no such header. The listed
 * headers are hop-by-hop in this message (RFC 9110, 7.6.1).
 * @example
 * ```ts
 * import { connectionOptions } from '@signalbox/load-balancer/contract'
 *
 * connectionOptions([['Connection', 'close, X-Trace']]) // new Set(['close', 'x-trace'])
 * ```
 */
export function connectionOptions(
  lines: readonly (readonly [name: string, value: string])[],
): ReadonlySet<string> | undefined {
  let options: Set<string> | undefined
  for (const [name, value] of lines) {
    if (name.toLowerCase() !== 'connection') continue
    options ??= new Set()
    for (const option of value.split(',')) options.add(option.trim().toLowerCase())
  }
  return options
}
