/** A request target, cut in two at the question mark, and nothing decoded. */
export interface RequestTarget {
  readonly path: string
  readonly query: string
}

/**
 * Reads what stands in a request line: a path, the whole address as it is sent to proxies, or the asterisk of
 * OPTIONS. Undefined for anything else. No URL parser is used, since these normalize, and the contract wants the
 * path and the query raw.
 */
export function requestTarget(target: string, method: string): RequestTarget | undefined {
  const fromPath = target.startsWith('/') ? target : pathOfAddress(target)
  if (fromPath === undefined) {
    return target === '*' && method === 'OPTIONS' ? { path: '*', query: '' } : undefined
  }
  const question = fromPath.indexOf('?')
  return question < 0
    ? { path: fromPath, query: '' }
    : { path: fromPath.slice(0, question), query: fromPath.slice(question + 1) }
}

function pathOfAddress(target: string): string | undefined {
  const origin = /^https?:\/\/[^/?#]+/i.exec(target)?.[0]
  if (origin === undefined) return undefined
  const rest = target.slice(origin.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
