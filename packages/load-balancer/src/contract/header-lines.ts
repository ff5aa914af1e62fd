import { connectionOptions, isFieldName, isFieldValue, isHopByHop } from './header-field.ts'
import { isWithoutContent } from './status.ts'

/** A header line of an answer. */
export interface AnswerLine {
  /** As the answer spells it. */
  readonly name: string
  /** The name in lower case. */
  readonly lower: string
  readonly value: string
}

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
export function headerLines(answer: HeaderMaps, multiValue: boolean, refuse: Refuse): readonly AnswerLine[] {
  const map = multiValue ? answer.multiValueHeaders : answer.headers
  if (map === undefined || map === null) return []
  // Of a list, a Map, or the web's Headers nothing would be sent.
  if (typeof map !== 'object' || Symbol.iterator in map) {
    throw refuse(undefined, 'a map, as a plain object', map)
  }
  const hasContent = !isWithoutContent(answer.statusCode)
  const lines: AnswerLine[] = []
  // The headers that are there already of those that HTTP takes once, a bit for each.
  let there = 0
  let isRepeated = false
  let connection: [string, string][] | undefined
  for (const name of Object.keys(map)) {
    const kind = kindOf(name)
    if (kind === undefined) throw refuse(undefined, 'names that HTTP can carry', name)
    const value = (map as Record<string, unknown>)[name]
    if (value === null || value === undefined) continue
    const { lower, bit } = kind
    if (!kind.isSent) {
      if (lower === 'connection') connection = [...(connection ?? []), [name, String(value)]]
      continue
    }
    if (!hasContent && (lower === 'content-type' || lower === 'content-encoding')) continue
    if (Array.isArray(value)) {
      for (const each of value) lines.push({ name, lower, value: textOf(each, name, refuse) })
      isRepeated ||= bit > 0 && value.length > 1
    } else lines.push({ name, lower, value: textOf(value, name, refuse) })
    isRepeated ||= (there & bit) > 0
    there |= bit
  }
  const sent = isRepeated ? lastOfEach(lines) : lines
  const listed = connection && connectionOptions(connection)
  return listed === undefined ? sent : sent.filter(({ lower }) => !listed.has(lower))
}

function textOf(value: unknown, name: string, refuse: Refuse): string {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text === 'string' && isFieldValue(text)) return text
  throw refuse(name, 'text that HTTP can carry, a number, or a list of these', text)
}

/** Leaves of each header that HTTP takes once the last line. */
function lastOfEach(lines: readonly AnswerLine[]): readonly AnswerLine[] {
  const last = new Map(lines.map(({ lower }, position) => [lower, position]))
  return lines.filter(({ lower }, position) => !once.includes(lower) || last.get(lower) === position)
}

// HTTP takes one value of these. Two are nearly always a default and, in other letters, what was meant.
const once: readonly string[] = [
  'content-disposition',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
]

/** What is known of a name. */
interface Kind {
  readonly lower: string
  readonly isSent: boolean
  /** Which of those it is that HTTP takes once; 0 for any other. */
  readonly bit: number
}

// An application has a few dozen names; the bound is for those that make names of their data.
const kinds = new Map<string, Kind>()
const mostKinds = 1000

/** What is known of a name; undefined for one that cannot be written. */
function kindOf(name: string): Kind | undefined {
  const known = kinds.get(name)
  if (known !== undefined) return known
  // `__proto__` is a name that HTTP could carry, but an object's field of that name is something else.
  if (!isFieldName(name) || name === '__proto__') return undefined
  const lower = name.toLowerCase()
  const isSent = lower !== 'content-length' && !isHopByHop(lower)
  const kind = { lower, isSent, bit: (1 << (once.indexOf(lower) + 1)) >> 1 }
  if (kinds.size < mostKinds) kinds.set(name, kind)
  return kind
}
