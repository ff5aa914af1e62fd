/** What a function returned, when that is long and as plain as JSON. */
export interface PlainValue {
  /** What would come of its text. Shares nothing that can be changed with the function. */
  readonly value: unknown
  /** Its text, in which long texts end early. */
  readonly beginning: string
}

/** Characters that are worth the trouble: making a text of them, and reading that, costs more than all the rest. */
const shortest = 16 * 1024

/** The most characters. Even if every one of them needed an escape, the text would be within every contract's limit. */
const longest = 160_000

/** Objects, lists and other values in it, of which an answer with a long body has few. */
const valuesAtMost = 100

/** Characters of a text in it that the invocation log is given. */
const shown = 1024

/** A long and plain answer as a value. Undefined for any other: that has to be made a text. */
export function plainValue(result: unknown): PlainValue | undefined {
  let length = 0
  let values = 0

  const copyOf = (value: unknown): unknown => {
    if (++values > valuesAtMost) throw notPlain
    switch (typeof value) {
      case 'string':
        length += value.length
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
          return Array.from({ length: items }, (_, i) => copyOf(value[i]))
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
    if (!hasLongText(result)) return undefined
    const value = copyOf(result)
    if (length > longest) return undefined
    return { value, beginning: JSON.stringify(value, beginningOf) }
  } catch {
    // Whatever is wrong with it shows when it is made a text.
    return undefined
  }
}

/** Most answers are short, which shows at once. */
function hasLongText(answer: object): boolean {
  for (const key in answer) {
    const held = (answer as Record<string, unknown>)[key]
    if (typeof held === 'string' && held.length >= shortest) return true
  }
  return false
}

const notPlain = new Error('It is not as plain as JSON.')

function beginningOf(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > shown
    ? `${value.slice(0, shown)}… (the first of ${value.length} characters)`
    : value
}
