// RFC 9110, 5.6.2: what a field name is made of.
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
// RFC 9110, 5.5, each character standing for one byte: no control character but the tab.
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** Whether HTTP can carry this as the name of a header. */
export function isFieldName(name: string): boolean {
  return token.test(name)
}

/** Whether HTTP can carry this as the value of a header: no CR, LF, NUL or other control character. */
export function isFieldValue(value: string): boolean {
  return fieldValue.test(value)
}

/**
 * Headers that belong to one connection, RFC 9110, 7.6.1. The load balancer has its own connections, so an
 * answer's are dropped. Extension to contract D.
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

/** Whether a header always belongs to one connection. `connectionOptions` says which others do. */
export function isHopByHop(name: string): boolean {
  return hopByHop.has(name.toLowerCase())
}

/**
 * The names, in lower case, of what `connection` headers list: header lines that belong to this connection beside those
 * that always do. RFC 9110, 7.6.1.
 */
export function connectionOptions(
  lines: readonly (readonly [name: string, value: string])[],
): ReadonlySet<string> | undefined {
  let options: Set<string> | undefined
  for (const [name, value] of lines) {
    if (name.length !== 'connection'.length || name.toLowerCase() !== 'connection') continue
    options ??= new Set()
    for (const option of value.split(',')) options.add(option.trim().toLowerCase())
  }
  return options
}
