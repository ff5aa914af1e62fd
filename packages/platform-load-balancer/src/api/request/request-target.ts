/** A request target, split at the question mark. Nothing is decoded. */
export interface RequestTarget {
  readonly path: string
  readonly query: string
  /** The host of an absolute URL, which replaces the Host header (RFC 9112, 3.2.2). */
  readonly host?: string
}

/**
 * Reads the target of a request line: a path, an absolute URL as sent to proxies, or the asterisk of OPTIONS. Returns
 * undefined for anything else. It uses no URL parser, because URL parsers normalize, and the contract requires the raw
 * path and query.
 */
export function requestTarget(target: string, method: string): RequestTarget | undefined {
  // A valid request target has no fragment.
  if (target.includes('#')) return undefined
  if (target.startsWith('/')) return cut(target)
  const [origin, host] = address.exec(target) ?? []
  if (origin !== undefined && host !== undefined) {
    const rest = target.slice(origin.length)
    return { ...cut(rest.startsWith('/') ? rest : `/${rest}`), host }
  }
  return target === '*' && method === 'OPTIONS' ? { path: '*', query: '' } : undefined
}

/**
 * Returns whether a value is valid in a `host` header. A value is a name or an address, with or without a port, or
 * empty.
 */
export function isHost(value: string): boolean {
  return /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i.test(value)
}

const address = /^https?:\/\/((?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d*)?)(?=[/?]|$)/i

function cut(target: string): RequestTarget {
  const question = target.indexOf('?')
  return question < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, question), query: target.slice(question + 1) }
}
