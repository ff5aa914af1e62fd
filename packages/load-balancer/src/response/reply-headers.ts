import type { LoadBalancerEvent } from '../contract/index.ts'
import { inMultiValueMode } from '../request/mode.ts'
import type { Reply, ReplyHeaders } from './reply.ts'

type Value = ReplyHeaders[string]

/** Returns the values of a header in both maps of a reply, ignoring the case of its name. */
export function replyHeader(reply: Reply, name: string): readonly string[] {
  return [reply.multiValueHeaders, reply.headers].flatMap(map => valuesIn(map, name))
}

/**
 * Returns a copy of a reply with these headers. Headers that are undefined are omitted. If the reply has both header
 * maps, the headers are set in both, because the request decides which map is used.
 */
export function withHeaders(reply: Reply, headers: ReplyHeaders): Reply {
  return withChangedMaps(reply, map => ({
    ...Object.fromEntries(Object.entries(map).filter(([key]) => !Object.hasOwn(headers, key.toLowerCase()))),
    ...headers,
  }))
}

/** Returns a copy of a reply in which one header is changed, in both header maps if the reply has both. */
export function withChangedHeader(
  reply: Reply,
  name: string,
  change: (values: readonly string[]) => Value,
): Reply {
  return withChangedMaps(reply, map => {
    const others = Object.entries(map).filter(([key]) => key.toLowerCase() !== name)
    return { ...Object.fromEntries(others), [name]: change(valuesIn(map, name)) }
  })
}

/** Returns a copy of a reply, with the names of these request headers added to `vary`. */
export function withVary(reply: Reply, ...names: readonly string[]): Reply {
  return withChangedHeader(reply, 'vary', values => {
    const known = values.flatMap(value => value.split(',').map(each => each.trim().toLowerCase()))
    return known.includes('*')
      ? [...values]
      : [...new Set([...known.filter(name => name !== ''), ...names])].join(', ')
  })
}

/**
 * Returns the reply with `headers` as its only header map, which contains the headers that the load balancer would
 * read. So a middleware that uses only `headers` reads and changes the headers that are sent.
 */
export function withOneMap(reply: Reply, event: LoadBalancerEvent): Reply {
  if (reply.multiValueHeaders === undefined) return reply
  const { multiValueHeaders, headers, ...rest } = reply
  const counting = inMultiValueMode(event) ? multiValueHeaders : headers
  return { ...rest, headers: counting ?? headers ?? multiValueHeaders }
}

function withChangedMaps(
  { headers, multiValueHeaders, ...rest }: Reply,
  change: (map: ReplyHeaders) => ReplyHeaders,
): Reply {
  const isMultiOnly = multiValueHeaders && !headers
  return {
    ...rest,
    ...(multiValueHeaders ? { multiValueHeaders: change(multiValueHeaders) } : {}),
    ...(isMultiOnly ? {} : { headers: change(headers ?? {}) }),
  }
}

function valuesIn(map: ReplyHeaders | null | undefined, name: string): readonly string[] {
  return Object.entries(map ?? {}).flatMap(([key, value]) =>
    key.toLowerCase() === name ? textsOf(value) : [],
  )
}

/** Returns the values of a header as strings. */
function textsOf(value: Value): readonly string[] {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? value.map(String) : [String(value)]
}
