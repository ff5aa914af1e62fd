import { type EventMap, listOf, type Values, valuesByName } from './values.ts'

/**
 * Decodes the names and values of query parameters once, like `URLSearchParams`: `+` is a space, and malformed escapes
 * are kept. Names that are equal after decoding count as one name.
 */
export function queryValues(raw: EventMap): Values {
  return valuesByName(
    Object.entries(raw).map(
      ([name, values]) => [decodeQuery(name), listOf(values).map(decodeQuery)] as const,
    ),
  )
}

function decodeQuery(raw: string): string {
  const spaced = raw.replaceAll('+', ' ')
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    // URLSearchParams accepts malformed escapes. It would also split the value at an `&`, which a handwritten event can
    // contain, so `&` is escaped.
    return new URLSearchParams(`v=${spaced.replaceAll('&', '%26')}`).get('v')!
  }
}
