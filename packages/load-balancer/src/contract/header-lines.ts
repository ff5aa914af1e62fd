import { connectionOptions, isFieldName, isFieldValue, isHopByHop } from './header-field.ts'
import { isWithoutContent } from './status.ts'

/** A header line of a response. */
export interface AnswerLine {
  /** The name as the response spells it. */
  readonly name: string
  /** The name in lower case. */
  readonly lower: string
  readonly value: string
}

/** The header maps of a response, before validation. */
interface HeaderMaps {
  readonly statusCode: number
  readonly headers?: object | null | undefined
  readonly multiValueHeaders?: object | null | undefined
}

/** Makes the error for an invalid map, or for an invalid header in it. */
type MakeError = (name: string | undefined, expected: string, actual: unknown) => Error

/**
 * Returns the header lines of a response, in order. Both the serializer and the verdict use this rule. The lines come
 * from the header map that the request's mode selects (docs/contract/load-balancer.md#verdict.both-header-maps). The
 * function omits hop-by-hop headers, headers that a `connection` header lists, `content-length`, and content headers of
 * a status without content. If HTTP allows a header only once, the last value is kept, even when the names differ in
 * upper and lower case. Null and undefined values are omitted; numbers and booleans become strings.
 * @throws the error of `makeError` for a name or a value that HTTP does not allow
 */
export function headerLines(
  answer: HeaderMaps,
  multiValue: boolean,
  makeError: MakeError,
): readonly AnswerLine[] {
  const map = multiValue ? answer.multiValueHeaders : answer.headers
  if (map === undefined || map === null) return []
  // Arrays, Map objects and Headers objects are iterable. They are refused, because their keys are not header names.
  if (typeof map !== 'object' || Symbol.iterator in map) {
    throw makeError(undefined, 'a map, as a plain object', map)
  }
  const hasContent = !isWithoutContent(answer.statusCode)
  const lines: AnswerLine[] = []
  let singleLines = 0
  let connection: [string, string][] | undefined
  for (const name of Object.keys(map)) {
    const info = nameInfo(name)
    if (info === undefined) throw makeError(undefined, 'names that HTTP can carry', name)
    const value = (map as Record<string, unknown>)[name]
    if (value === null || value === undefined) continue
    const { lower, isSingle } = info
    if (!info.isSent) {
      if (lower === 'connection') connection = [...(connection ?? []), [name, String(value)]]
      continue
    }
    if (!hasContent && (lower === 'content-type' || lower === 'content-encoding')) continue
    const linesBefore = lines.length
    if (Array.isArray(value)) {
      for (const each of value) lines.push({ name, lower, value: textOf(each, name, makeError) })
    } else lines.push({ name, lower, value: textOf(value, name, makeError) })
    if (isSingle) singleLines += lines.length - linesBefore
  }
  const sent = singleLines > 1 ? lastOfEach(lines) : lines
  const listed = connection && connectionOptions(connection)
  return listed === undefined ? sent : sent.filter(({ lower }) => !listed.has(lower))
}

function textOf(value: unknown, name: string, makeError: MakeError): string {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof text === 'string' && isFieldValue(text)) return text
  throw makeError(name, 'text that HTTP can carry, a number, true, false, or a list of these', text)
}

/** Removes all but the last line of each header that HTTP allows only once. */
function lastOfEach(lines: readonly AnswerLine[]): readonly AnswerLine[] {
  const last = new Map(lines.map(({ lower }, position) => [lower, position]))
  return lines.filter(({ lower }, position) => !singleHeaders.has(lower) || last.get(lower) === position)
}

// HTTP allows only one value for each of these headers. A second value usually comes from a default header whose name
// is written in another case.
const singleHeaders: ReadonlySet<string> = new Set([
  'content-disposition',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
])

/** What `headerLines` needs to know about a header name. */
interface NameInfo {
  readonly lower: string
  readonly isSent: boolean
  /** Whether HTTP allows the header only once. */
  readonly isSingle: boolean
}

// A cache of header names, because most applications use only a few dozen. `mostNames` limits the cache, because an
// application might make header names from data.
const knownNames = new Map<string, NameInfo>()
const mostNames = 1000

/** Looks up a header name. Returns undefined for a name that HTTP does not allow. */
export function nameInfo(name: string): NameInfo | undefined {
  const known = knownNames.get(name)
  if (known !== undefined) return known
  const lower = name.toLowerCase()
  // HTTP allows the name `__proto__`, but in an object, this field is the prototype.
  if (!isFieldName(name) || lower === '__proto__') return undefined
  const isSent = lower !== 'content-length' && !isHopByHop(lower)
  const info = { lower, isSent, isSingle: singleHeaders.has(lower) }
  if (knownNames.size < mostNames) knownNames.set(name, info)
  return info
}
