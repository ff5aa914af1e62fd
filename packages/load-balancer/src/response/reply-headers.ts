import { InvalidResponseError, inDevelopment } from '@signalbox/core'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { lostHeaders } from '../contract/lost-fields.ts'
import { inMultiValueMode } from '../contract/mode.ts'
import { requestLine } from '../contract/request-line.ts'
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
 * @throws InvalidResponseError for a reply that has only `multiValueHeaders` although they are not read
 */
export function withOneMap(reply: Reply, event: LoadBalancerEvent): Reply {
  if (reply.multiValueHeaders === undefined) return reply
  const { multiValueHeaders, headers, ...rest } = reply
  const multiValue = inMultiValueMode(event)
  refuseLostHeaders(reply, multiValue, event)
  if (headers && multiValueHeaders && process.env.NODE_ENV !== 'production' && inDevelopment()) {
    if (multiValue) warnOfUnsent(multiValueHeaders, headers, multiValue)
    else warnOfUnsent(headers, multiValueHeaders, multiValue)
  }
  // In the mode of single headers nothing reads the other map, whatever it is.
  return { ...rest, headers: multiValue ? (multiValueHeaders ?? headers) : headers }
}

/**
 * Throws an InvalidResponseError for a reply whose headers are in `multiValueHeaders` alone, if they are not read. A reply
 * with `headers` alone is valid in both modes, because it is how every reply states its headers.
 */
export function refuseLostHeaders(reply: Reply, multiValue: boolean, event: LoadBalancerEvent): void {
  const lost = multiValue ? undefined : lostHeaders(reply, multiValue)
  if (lost !== undefined) throw new InvalidResponseError(requestLine(event), [lost])
}

const warned = new Set<string>()

/** Says once for each header that only the map of the other mode has that it is not sent. */
function warnOfUnsent(counting: ReplyHeaders, other: ReplyHeaders, multiValue: boolean): void {
  const sent = Object.keys(counting).map(name => name.toLowerCase())
  const map = multiValue ? 'multiValueHeaders' : 'headers'
  for (const name of Object.keys(other)) {
    const text = `The header ${JSON.stringify(name)} of an answer is not sent, because it is not in ${map}`
    if (sent.includes(name.toLowerCase()) || warned.has(text)) continue
    warned.add(text)
    console.warn(text)
  }
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
