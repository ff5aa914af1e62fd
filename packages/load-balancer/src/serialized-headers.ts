import { isFieldName, isFieldValue, isHopByHop, type LoadBalancerEvent } from './contract/index.ts'
import { kindOf, refuse } from './refuse.ts'
import type { Reply, ReplyHeaders } from './reply.ts'
import { lastOfEachCookie } from './set-cookie.ts'

/** Headers by name, in lower case: the value, or a list where there are several. */
export interface HeaderTexts {
  [name: string]: string | readonly string[]
}

/**
 * The headers of a reply from both its maps. Where both have one, `headers` counts, since that is what middlewares
 * write that know nothing of the other map; cookies count from both. Names that differ in their letters' case only
 * are one, with the values of all, or the last where HTTP takes one only.
 * @throws InvalidResponseError for a name or value that HTTP cannot carry
 */
export function headerTexts({ headers, multiValueHeaders }: Reply, event: LoadBalancerEvent): HeaderTexts {
  const texts: HeaderTexts = {}
  if (multiValueHeaders !== undefined && multiValueHeaders !== null) gather(multiValueHeaders, texts, event)
  if (headers === undefined || headers === null) return texts
  if (multiValueHeaders === undefined || multiValueHeaders === null) return gather(headers, texts, event)
  const others = gather(headers, {}, event)
  const cookies = [texts['set-cookie'] ?? [], others['set-cookie'] ?? []].flat()
  return cookies.length === 0
    ? Object.assign(texts, others)
    : Object.assign(texts, others, { 'set-cookie': oneOrMore(lastOfEachCookie(cookies)) })
}

/** The headers for a load balancer that asks for every value. */
export function multiValue(texts: HeaderTexts): { [name: string]: readonly string[] } {
  const lists: { [name: string]: readonly string[] } = {}
  for (const name in texts) {
    const value = texts[name]!
    lists[name] = typeof value === 'string' ? [value] : value
  }
  return lists
}

/**
 * The headers for one that asks for one value of each: several are joined by a comma, as HTTP allows for all but
 * cookies. Changes what it is given.
 * @throws InvalidResponseError for several cookies
 */
export function singleValue(texts: HeaderTexts, event: LoadBalancerEvent): { [name: string]: string } {
  for (const name in texts) {
    const value = texts[name]!
    if (typeof value === 'string') continue
    if (name === 'set-cookie') throw tooManyCookies(event, value.length)
    texts[name] = value.join(', ')
  }
  return texts as { [name: string]: string }
}

function tooManyCookies(event: LoadBalancerEvent, count: number) {
  return refuse(
    event,
    '/headers/set-cookie',
    'one cookie, since the load balancer asks for single headers (to send several, turn on multi-value headers on its target group)',
    `${count} cookies`,
  )
}

function gather(map: ReplyHeaders, texts: HeaderTexts, event: LoadBalancerEvent): HeaderTexts {
  // Of a list, a Map, or the web's Headers nothing would be sent, and nobody told.
  if (typeof map !== 'object' || Symbol.iterator in map)
    throw refuse(event, '/headers', 'a map, as a plain object', kindOf(map))
  for (const name of Object.keys(map)) {
    const value = map[name]
    const sent = sentName(name, event)
    if (value === null || value === undefined || sent === undefined) continue
    const text = textsOf(value, sent, event)
    // A header may well be named `constructor`.
    if (Object.hasOwn(texts, sent)) texts[sent] = joined(sent, [texts[sent]!, text].flat())
    else if (typeof text === 'string') texts[sent] = text
    else if (text.length > 0) texts[sent] = joined(sent, text)
  }
  return texts
}

// Of these, HTTP takes one value. Two of them are nearly always a default and, in other letters, what was meant.
const singular: ReadonlySet<string> = new Set([
  'content-disposition',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
])

function joined(name: string, values: readonly string[]): string | readonly string[] {
  if (singular.has(name)) return values.at(-1)!
  return oneOrMore(name === 'set-cookie' ? lastOfEachCookie(values) : values)
}

function oneOrMore(values: readonly string[]): string | readonly string[] {
  return values.length === 1 ? values[0]! : values
}

function textsOf(value: unknown, name: string, event: LoadBalancerEvent): string | readonly string[] {
  return Array.isArray(value) ? value.map(each => textOf(each, name, event)) : textOf(value, name, event)
}

function textOf(value: unknown, name: string, event: LoadBalancerEvent): string {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text === 'string' && isFieldValue(text)) return text
  const expected = 'text that HTTP can carry, a number, or a list of these'
  throw refuse(event, `/headers/${name}`, expected, typeof text === 'string' ? 'other text' : kindOf(text))
}

// What names are sent as, or that they are not sent. An application has a few dozen; the bound is for those that
// make names of their data.
const sentNames = new Map<string, string | undefined>()
const mostSentNames = 1000

function sentName(name: string, event: LoadBalancerEvent): string | undefined {
  const known = sentNames.get(name)
  if (known !== undefined || sentNames.has(name)) return known
  // `__proto__` is a name that HTTP could carry, but an object's field of that name is something else.
  if (!isFieldName(name) || name === '__proto__') {
    throw refuse(event, '/headers', 'names that HTTP can carry', JSON.stringify(name))
  }
  const sent = isHopByHop(name) || /^content-length$/i.test(name) ? undefined : name.toLowerCase()
  if (sentNames.size < mostSentNames) sentNames.set(name, sent)
  return sent
}
