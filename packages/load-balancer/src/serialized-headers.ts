import { isFieldName, isFieldValue, isHopByHop, type LoadBalancerEvent } from './contract/index.ts'
import { refuse } from './refuse.ts'
import type { Reply, ReplyHeaders } from './reply.ts'
import { lastOfEachCookie } from './set-cookie.ts'

/** Headers with every value, names in lower case. */
export interface HeaderLists {
  [name: string]: string[]
}

/**
 * The headers of a reply from both its maps. Where both have one, `headers` counts, since that is what middlewares
 * write that know nothing of the other map; cookies count from both.
 * @throws InvalidResponseError for a name or value that HTTP cannot carry
 */
export function headerLists({ headers, multiValueHeaders }: Reply, event: LoadBalancerEvent): HeaderLists {
  const lists = listsOf(multiValueHeaders, event)
  if (lists === undefined) return listsOf(headers, event) ?? {}
  const others = listsOf(headers, event)
  for (const name in others) {
    const cookies = name === 'set-cookie' ? lists[name] : undefined
    lists[name] = cookies ? [...lastOfEachCookie([...cookies, ...others[name]!])] : others[name]!
  }
  return lists
}

/**
 * The same with one value for each name: several are joined by a comma, as HTTP allows for all but cookies.
 * @throws InvalidResponseError for several cookies
 */
export function singleHeaders(lists: HeaderLists, event: LoadBalancerEvent): { [name: string]: string } {
  const headers: { [name: string]: string } = {}
  for (const name in lists) {
    const values = lists[name]!
    if (values.length > 1 && name === 'set-cookie') throw tooManyCookies(event, values.length)
    headers[name] = values.length === 1 ? values[0]! : values.join(', ')
  }
  return headers
}

function tooManyCookies(event: LoadBalancerEvent, count: number) {
  return refuse(
    event,
    '/headers/set-cookie',
    'one cookie, since the load balancer asks for single headers (to send several, turn on multi-value headers on its target group)',
    `${count} cookies`,
  )
}

function listsOf(map: ReplyHeaders | null | undefined, event: LoadBalancerEvent): HeaderLists | undefined {
  if (map === undefined || map === null) return undefined
  if (typeof map !== 'object' || Array.isArray(map))
    throw refuse(event, '/headers', 'a map', 'something else')
  const lists: HeaderLists = {}
  for (const name of Object.keys(map)) {
    const value = map[name]
    const sent = sentName(name, event)
    if (value === null || value === undefined || sent === undefined) continue
    const texts = textsIn(value, sent, event)
    // A header may well be named `constructor`.
    const known = Object.hasOwn(lists, sent) ? lists[sent] : undefined
    const all = known ? known.concat(texts) : texts
    if (all.length > 0) lists[sent] = sent === 'set-cookie' ? [...lastOfEachCookie(all)] : all
  }
  return lists
}

function textsIn(value: unknown, name: string, event: LoadBalancerEvent): string[] {
  if (typeof value === 'string' && isFieldValue(value)) return [value]
  const values = Array.isArray(value) ? value : [value]
  return values.map(each => {
    const text = typeof each === 'number' ? String(each) : each
    if (typeof text === 'string' && isFieldValue(text)) return text
    const expected = 'text that HTTP can carry, a number, or a list of these'
    throw refuse(
      event,
      `/headers/${name}`,
      expected,
      typeof text === 'string' ? 'other text' : `a ${typeof text}`,
    )
  })
}

// What names are sent as, or that they are not sent. An application has a few dozen; the bound is for those that
// make names of their data.
const sentNames = new Map<string, string | undefined>()
const mostSentNames = 1000

function sentName(name: string, event: LoadBalancerEvent): string | undefined {
  if (sentNames.has(name)) return sentNames.get(name)
  // `__proto__` is a name that HTTP could carry, but an object's field of that name is something else.
  if (!isFieldName(name) || name === '__proto__') {
    throw refuse(event, '/headers', 'names that HTTP can carry', JSON.stringify(name))
  }
  const sent = isHopByHop(name) || /^content-length$/i.test(name) ? undefined : name.toLowerCase()
  if (sentNames.size < mostSentNames) sentNames.set(name, sent)
  return sent
}
