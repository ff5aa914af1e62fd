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
  const connection: [string, string][] = []
  for (const name of Object.keys(map)) {
    const lower = name.toLowerCase()
    // HTTP allows the name `__proto__`, but in an object, this field is the prototype.
    if (!isFieldName(name) || lower === '__proto__')
      throw makeError(undefined, 'names that HTTP can carry', name)
    const value = (map as Record<string, unknown>)[name]
    if (value === null || value === undefined) continue
    if (lower === 'connection') connection.push([name, String(value)])
    if (lower === 'content-length' || isHopByHop(lower)) continue
    if (!hasContent && (lower === 'content-type' || lower === 'content-encoding')) continue
    for (const each of Array.isArray(value) ? value : [value])
      lines.push({ name, lower, value: textOf(each, name, makeError) })
  }
  const sent = lastOfEach(lines)
  const listed = connectionOptions(connection)
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
