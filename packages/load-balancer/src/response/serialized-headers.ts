import { kindOf } from '@signalbox/codec'
import { type AnswerLine, headerLines, nameInfo } from '../contract/header-lines.ts'
import { isFieldValue, type LoadBalancerEvent } from '../contract/index.ts'
import { invalidReply } from './invalid-reply.ts'
import type { Reply } from './reply.ts'
import { lastOfEachCookie } from './set-cookie.ts'

/**
 * Returns the header lines of a reply, from the header map that the request's mode selects
 * (docs/contract/load-balancer.md#verdict.both-header-maps). Without `multiValueHeaders`, it is `headers` in both modes.
 * @throws InvalidResponseError for a name or value that HTTP does not allow
 */
export function replyLines(
  reply: Reply,
  multiValue: boolean,
  event: LoadBalancerEvent,
): readonly AnswerLine[] {
  const { multiValueHeaders } = reply
  const isListed = multiValue && multiValueHeaders !== undefined && multiValueHeaders !== null
  const field = isListed ? 'multiValueHeaders' : 'headers'
  return headerLines(reply, isListed, (name, expected, actual) => {
    const pointer = name === undefined ? `/${field}` : `/${field}/${name}`
    if (typeof actual !== 'string') return invalidReply(event, pointer, expected, kindOf(actual))
    // Only names are quoted. A value, or text in place of the map, may contain a cookie.
    const isName = name === undefined && typeof reply[field] === 'object'
    return invalidReply(event, pointer, expected, isName ? JSON.stringify(actual.slice(0, 60)) : 'other text')
  })
}

/**
 * Returns a copy of a map whose headers can be sent as they are: one string for each name, in lower case. Returns
 * undefined for any other map. Most replies have such a map, and `replyLines` takes longer.
 */
export function plainMap(map: Reply['headers']): { [name: string]: string } | undefined {
  if (typeof map !== 'object' || map === null || Symbol.iterator in map) return undefined
  const copy = { ...map }
  for (const name in copy) {
    const value = copy[name]
    const info = nameInfo(name)
    if (info?.lower !== name || !info.isSent || typeof value !== 'string') return undefined
    if (value !== latestValue && !isFieldValue(value)) return undefined
    latestValue = value
  }
  return copy as { [name: string]: string }
}

/** The latest valid value. Most replies have one header, a content type, which is the same each time. */
let latestValue = ''

/** Returns the multi-value map, with names in lower case. */
export function multiValueMap(lines: readonly AnswerLine[]): { [name: string]: string[] } {
  const lists: { [name: string]: string[] } = {}
  for (const { lower, value } of lines) {
    // A header can have the name `constructor`, which is also a property that every object inherits.
    if (Object.hasOwn(lists, lower)) lists[lower]!.push(value)
    else lists[lower] = [value]
  }
  return lists
}

/**
 * Returns the single-value map, with names in lower case. Several values of a header are joined with commas, which HTTP
 * allows for all headers except cookies. The spelling of `set-cookie` is kept, so that several spellings can contain
 * several cookies.
 * @throws InvalidResponseError for several cookies under one name
 */
export function singleValueMap(
  lines: readonly AnswerLine[],
  event: LoadBalancerEvent,
): { [name: string]: string } {
  const map: { [name: string]: string } = {}
  for (const { name, lower, value } of lines) {
    const key = lower === 'set-cookie' ? name : lower
    if (!Object.hasOwn(map, key)) map[key] = value
    else if (key === lower && lower !== 'set-cookie') map[key] = `${map[key]}, ${value}`
    else if (lastOfEachCookie([map[key]!, value]).length === 1) map[key] = value
    else throw tooManyCookies(event, lines)
  }
  return map
}

function tooManyCookies(event: LoadBalancerEvent, lines: readonly AnswerLine[]) {
  const count = lines.filter(({ lower }) => lower === 'set-cookie').length
  return invalidReply(
    event,
    '/headers/set-cookie',
    'one cookie, since the load balancer asks for single headers (to send several, turn on multi-value headers on its target group)',
    `${count} cookies`,
  )
}
