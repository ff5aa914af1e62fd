import { type EventMap, listOf, type Values, valuesByName } from './values.ts'

/**
 * Query parameters, decoded once, names and values alike: `+` is a space, and an escape that is none stays as it
 * is, as everywhere on the web. Names that differ before decoding only are one name.
 */
export function queryValues(raw: EventMap): Values {
  return Object.keys(raw).some(isEncoded) ? valuesByName(decodedEntries(raw)) : new PlainlyNamed(raw)
}

// Names are seldom encoded. Then no map has to be made, and only the values that are asked for are decoded.
class PlainlyNamed implements Values {
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
    // The web's own decoder never fails. It splits at `&`, which cannot be there, but an event may say anything.
    return new URLSearchParams(`v=${spaced.replaceAll('&', '%26')}`).get('v')!
  }
}
