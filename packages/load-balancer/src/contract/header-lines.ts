import { connectionOptions, isFieldName, isFieldValue, isHopByHop } from './header-field.ts'
import { isWithoutContent } from './status.ts'

/** A header line. */
export type HeaderLine = readonly [name: string, value: string]

/** An answer's header maps, before they are known to be what the contract says. */
interface HeaderMaps {
  readonly statusCode: number
  readonly headers?: object | null | undefined
  readonly multiValueHeaders?: object | null | undefined
}

/** Makes the error for a map, or for a header of it, that cannot be written. */
type Refuse = (name: string | undefined, expected: string, actual: unknown) => Error

/**
 * The header lines of an answer, in order: one rule for what a function lets out and for what the load balancer
 * makes of it. Contract D, load-balancer invocation, `multiValueHeaders`: in an answer with both maps the one of the
 * request's mode counts, and the other adds nothing (extension). Left out are headers that belong to the connection,
 * the length, those that a `connection` header lists, and those of a content that the status does not have. Of a header that HTTP takes once, the last
 * counts, however its name is spelt. Null and undefined are no value, a number is its text.
 * @throws what `refuse` makes of a name or a value that HTTP cannot carry
 */
export function headerLines(answer: HeaderMaps, multiValue: boolean, refuse: Refuse): readonly HeaderLine[] {
  const map = multiValue ? answer.multiValueHeaders : answer.headers
  if (map === undefined || map === null) return []
  // Of a list, a Map, or the web's Headers nothing would be sent.
  if (typeof map !== 'object' || Symbol.iterator in map) {
    throw refuse(undefined, 'a map, as a plain object', map)
  }
  const hasContent = !isWithoutContent(answer.statusCode)
  const lines: HeaderLine[] = []
  let taken = 0
  let connection: HeaderLine[] | undefined
  for (const name of Object.keys(map)) {
    const kind = kindOf(name)
    if (kind === 'impossible') throw refuse(undefined, 'names that HTTP can carry', name)
    const value = (map as Record<string, unknown>)[name]
    if (value === null || value === undefined) continue
    if (kind === 'not sent') {
      if (name.length === 'connection'.length) connection = [[name, String(value)], ...(connection ?? [])]
      continue
    }
    if (!hasContent && ofContent.has(name.toLowerCase())) continue
    if (!Array.isArray(value)) lines.push([name, textOf(value, name, refuse)])
    else for (const each of value) lines.push([name, textOf(each, name, refuse)])
    if (kind === 'once') taken += Array.isArray(value) ? value.length : 1
  }
  const sent = taken > 1 ? lastOfEach(lines) : lines
  const listed = connection && connectionOptions(connection)
  return listed === undefined ? sent : sent.filter(([name]) => !listed.has(name.toLowerCase()))
}

function textOf(value: unknown, name: string, refuse: Refuse): string {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text === 'string' && isFieldValue(text)) return text
  throw refuse(name, 'text that HTTP can carry, a number, or a list of these', text)
}

/** Leaves of each header that HTTP takes once the last line. */
function lastOfEach(lines: readonly HeaderLine[]): readonly HeaderLine[] {
  const last = new Map<string, number>()
  for (const [position, [name]] of lines.entries()) last.set(name.toLowerCase(), position)
  return lines.filter(
    ([name], position) => kindOf(name) !== 'once' || last.get(name.toLowerCase()) === position,
  )
}

type Kind = 'any' | 'once' | 'not sent' | 'impossible'

// HTTP takes one value of these. Two are nearly always a default and, in other letters, what was meant.
const once: ReadonlySet<string> = new Set([
  'content-disposition',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
])

// RFC 9110, 15.3.5 and 15.4.5: they describe a content that is not there.
const ofContent: ReadonlySet<string> = new Set(['content-type', 'content-encoding'])

// An application has a few dozen names; the bound is for those that make names of their data.
const kinds = new Map<string, Kind>()
const mostKinds = 1000

function kindOf(name: string): Kind {
  const known = kinds.get(name)
  if (known !== undefined) return known
  const kind = newKindOf(name, name.toLowerCase())
  if (kinds.size < mostKinds) kinds.set(name, kind)
  return kind
}

function newKindOf(name: string, lower: string): Kind {
  // `__proto__` is a name that HTTP could carry, but an object's field of that name is something else.
  if (!isFieldName(name) || name === '__proto__') return 'impossible'
  if (lower === 'content-length' || isHopByHop(lower)) return 'not sent'
  return once.has(lower) ? 'once' : 'any'
}
