/** A request target, cut in two at the question mark, and nothing decoded. */
export interface RequestTarget {
  readonly path: string
  readonly query: string
  /** The host of a whole address, which counts instead of what the header says (RFC 9112, 3.2.2). */
  readonly host?: string
}

/**
 * Reads what stands in a request line: a path, the whole address as it is sent to proxies, or the asterisk of
 * OPTIONS. Undefined for anything else. No URL parser is used, since these normalize, and the contract wants the
 * path and the query raw.
 */
export function requestTarget(target: string, method: string): RequestTarget | undefined {
  // A fragment never leaves a client that keeps the rules.
  if (target.includes('#')) return undefined
  if (target.startsWith('/')) return cut(target)
  const [origin, host] = address.exec(target) ?? []
  if (origin !== undefined && host !== undefined) {
    const rest = target.slice(origin.length)
    return { ...cut(rest.startsWith('/') ? rest : `/${rest}`), host }
  }
  return target === '*' && method === 'OPTIONS' ? { path: '*', query: '' } : undefined
}

/** Whether this may stand in a `host` header: a name or an address, and perhaps a port. It may be empty. */
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
