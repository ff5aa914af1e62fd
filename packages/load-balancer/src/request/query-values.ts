import { type EventMap, listOf, type Values, valuesByName } from './values.ts'

/**
 * Decodes the names and values of query parameters once, like `URLSearchParams`: `+` is a space, and malformed escapes
 * are kept. Names that are equal after decoding count as one name.
 */
export function queryValues(raw: EventMap): Values {
  return Object.keys(raw).some(isEncoded) ? valuesByName(decodedEntries(raw)) : new UnencodedNames(raw)
}

// Values for a query whose names are not percent-encoded, which is the usual case. The class does not build a map, and
// decodes only the values that are read.
class UnencodedNames implements Values {
  readonly #raw: EventMap

  constructor(raw: EventMap) {
    this.#raw = raw
  }

  first(name: string): string | undefined {
    if (!Object.hasOwn(this.#raw, name)) return undefined
    const value = this.#raw[name]!
    const first = typeof value === 'string' ? value : value[0]
    return first === undefined ? undefined : decodeQuery(first)
  }

  all(name: string): readonly string[] {
    return Object.hasOwn(this.#raw, name) ? listOf(this.#raw[name]).map(decodeQuery) : []
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#raw, name)
  }

  names(): readonly string[] {
    return Object.keys(this.#raw)
  }
}

function decodedEntries(raw: EventMap) {
  return Object.keys(raw).map(name => [decodeQuery(name), listOf(raw[name]).map(decodeQuery)] as const)
}

function isEncoded(text: string): boolean {
  return text.includes('%') || text.includes('+')
}

function decodeQuery(raw: string): string {
  if (!isEncoded(raw)) return raw
  const spaced = raw.replace(/\+/g, ' ')
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    // URLSearchParams accepts malformed escapes. It would also split the value at an `&`, which a handwritten event can
    // contain, so `&` is escaped.
    return new URLSearchParams(`v=${spaced.replaceAll('&', '%26')}`).get('v')!
  }
}
