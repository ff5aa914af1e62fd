import { type PlainValue, plainValue, shortestLongText } from './plain-value.ts'

// Keeps the original functions, because a function may replace them in its process.
const { parse, stringify } = JSON

/**
 * Returns the two parts of the text of a result that is a plain object with a long text, such as the body of a response.
 * The first one is the key of the long text as JSON, a line feed, the object as JSON with an empty text in its place, and
 * a line feed. The second one is the long text as it is. Escaping a long text takes the function's process longer than all
 * other work, and the platform longer still to undo. Returns undefined for any other result.
 */
export function longTextResult(result: unknown): readonly [head: string, text: string] | undefined {
  const key = keyOfLongText(result)
  const value = key === undefined ? undefined : plainValue(result)?.value
  if (value === undefined) return undefined
  const fields = value as Record<string, string>
  const text = fields[key!]!
  // In UTF-8, a lone surrogate would become another character. In JSON, it is escaped.
  return text.isWellFormed()
    ? [`${stringify(key)}\n${stringify({ ...fields, [key!]: '' })}\n`, text]
    : undefined
}

/** Reads the parts that `longTextResult` returned, as one text. Returns undefined for any other text. */
export function readLongTextResult(text: string): PlainValue | undefined {
  const keyEnd = text.indexOf('\n')
  const end = text.indexOf('\n', keyEnd + 1)
  if (keyEnd < 0 || end < 0) return undefined
  try {
    const key = parse(text.slice(0, keyEnd)) as string
    const value = parse(text.slice(keyEnd + 1, end)) as Record<string, string>
    if (!Object.hasOwn(value, key) || value[key] !== '') return undefined
    value[key] = text.slice(end + 1)
    return plainValue(value)
  } catch {
    return undefined
  }
}

function keyOfLongText(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null) return undefined
  try {
    for (const [key, value] of Object.entries(result))
      if (typeof value === 'string' && value.length >= shortestLongText) return key
  } catch {
    // The serialization that follows reports the problem.
  }
  return undefined
}
