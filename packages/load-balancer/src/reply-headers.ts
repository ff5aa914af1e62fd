import type { Reply, ReplyHeaders } from './reply.ts'

type Value = ReplyHeaders[string]

/** The values of a header of a reply, whatever its case and whichever of the two maps it is in. */
export function replyHeader(reply: Reply, name: string): readonly string[] {
  return [reply.multiValueHeaders, reply.headers].flatMap(map =>
    Object.entries(map ?? {}).flatMap(([key, value]) => (key.toLowerCase() === name ? textsOf(value) : [])),
  )
}

/** A copy of a reply with headers set, in the place of any that were there; undefined takes one away. */
export function withHeaders(reply: Reply, headers: ReplyHeaders): Reply {
  const kept = (map: ReplyHeaders | null | undefined) =>
    map &&
    Object.fromEntries(Object.entries(map).filter(([key]) => !Object.hasOwn(headers, key.toLowerCase())))
  const { multiValueHeaders, ...rest } = reply
  return {
    ...rest,
    ...(multiValueHeaders ? { multiValueHeaders: kept(multiValueHeaders) } : {}),
    headers: { ...kept(reply.headers), ...headers },
  }
}

/** A copy of a reply that says it would be different for another value of these request headers. */
export function withVary(reply: Reply, ...names: readonly string[]): Reply {
  const known = replyHeader(reply, 'vary').flatMap(value =>
    value.split(',').map(each => each.trim().toLowerCase()),
  )
  if (known.includes('*')) return reply
  const vary = [...new Set([...known.filter(name => name !== ''), ...names])]
  return withHeaders(reply, { vary: vary.join(', ') })
}

/** A header's values as texts. */
function textsOf(value: Value): readonly string[] {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? value.map(String) : [String(value)]
}
