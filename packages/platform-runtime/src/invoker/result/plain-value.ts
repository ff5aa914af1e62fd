/** A returned value that is plain JSON. */
export interface PlainValue {
  /** A copy of the value, equal to the result of JSON.parse for its JSON text. */
  readonly value: unknown
  /** The JSON text. The long strings of a long result are truncated. */
  readonly payload: string
}

/**
 * A result is long when it contains a string of at least this length. Serializing that many characters would cost more
 * than all other work.
 */
export const shortestLongText = 16 * 1024

/**
 * The maximum length of the result. Even if every character is escaped, the text stays within the limits of all
 * contracts.
 */
const longest = 160_000

/** The maximum number of values in the result. Copying many values takes longer than parsing their text. */
const valuesAtMost = 100

/** The maximum number of characters that are logged of each string. */
const mostCharacters = 1024

// Keeps the original `stringify`, because a function may replace it in its process.
const { stringify } = JSON

/** Returns a result that is plain JSON. Returns undefined for any other value, which has to be serialized. */
export function plainValue(result: unknown): PlainValue | undefined {
  let length = 0
  let values = 0
  let isLong = false

  const copyOf = (value: unknown): unknown => {
    if (++values > valuesAtMost) throw notPlain
    switch (typeof value) {
      case 'string':
        length += value.length
        isLong ||= value.length >= shortestLongText
        return value
      case 'boolean':
        return value
      case 'number':
        if (!Number.isFinite(value) || Object.is(value, -0)) throw notPlain
        return value
      case 'object': {
        if (value === null) return null
        if (Array.isArray(value)) {
          const { length: items } = value
          if (items > valuesAtMost || Object.getPrototypeOf(value) !== Array.prototype) throw notPlain
          const copy: unknown[] = []
          for (let i = 0; i < items; i++) copy.push(copyOf(value[i]))
          return copy
        }
        if (Object.getPrototypeOf(value) !== Object.prototype) throw notPlain
        const copy: Record<string, unknown> = {}
        for (const key of Object.keys(value)) {
          const held = (value as Record<string, unknown>)[key]
          if (key === 'toJSON' || key === '__proto__') throw notPlain
          length += key.length
          if (held !== undefined) copy[key] = copyOf(held)
        }
        return copy
      }
      default:
        throw notPlain
    }
  }

  if (typeof result !== 'object' || result === null) return undefined
  try {
    const value = copyOf(result)
    if (length > longest) return undefined
    return { value, payload: isLong ? stringify(value, beginningOf) : stringify(value) }
  } catch {
    // The serialization that follows reports the problem.
    return undefined
  }
}

const notPlain = new Error('not plain JSON')

function beginningOf(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > mostCharacters
    ? `${value.slice(0, mostCharacters)}… (the first of ${value.length} characters)`
    : value
}
