/** Names with all their values, such as the parameters of a query. The same in both modes. */
export interface Values {
  /** The first value. In single mode there is one at most, the last that the client sent. */
  first(name: string): string | undefined
  all(name: string): readonly string[]
  has(name: string): boolean
  names(): readonly string[]
}

/** A header or parameter map of an event, of either mode. */
export type EventMap = { readonly [name: string]: string | readonly string[] }

/** Values under their exact names. */
export function valuesOf(map: ReadonlyMap<string, readonly string[]>): Values {
  return {
    first: name => map.get(name)?.[0],
    all: name => map.get(name) ?? [],
    has: name => map.has(name),
    names: () => [...map.keys()],
  }
}

/**
 * Query parameters, decoded once, names and values alike: `+` is a space, and an escape that is none stays as it
 * is, as everywhere on the web. Names that differ before decoding only are one name.
 */
export function queryValues(raw: EventMap): Values {
  const map = new Map<string, readonly string[]>()
  for (const name of Object.keys(raw)) {
    const given = raw[name]!
    const decoded = typeof given === 'string' ? [decodeQuery(given)] : given.map(decodeQuery)
    const key = decodeQuery(name)
    map.set(key, [...(map.get(key) ?? []), ...decoded])
  }
  return valuesOf(map)
}

/** Headers, whatever the case of their names, which `names()` gives in lower case. */
export function headerValues(raw: EventMap): Values {
  return {
    first: name => firstHeader(raw, name),
    all: name => allHeaders(raw, name),
    has: name => keyOf(raw, name) !== undefined,
    names: () => Object.keys(raw).map(name => name.toLowerCase()),
  }
}

/** The first value of a header. */
export function firstHeader(raw: EventMap, name: string): string | undefined {
  const key = keyOf(raw, name)
  const value = key === undefined ? undefined : raw[key]
  return typeof value === 'string' ? value : value?.[0]
}

/** Every value of a header. */
export function allHeaders(raw: EventMap, name: string): readonly string[] {
  const key = keyOf(raw, name)
  const value = key === undefined ? [] : raw[key]!
  return typeof value === 'string' ? [value] : value
}

// Names arrive in lower case, so the loop is for events that somebody wrote by hand.
function keyOf(raw: EventMap, name: string): string | undefined {
  const lower = name.toLowerCase()
  if (Object.hasOwn(raw, lower)) return lower
  for (const key of Object.keys(raw)) {
    if (key.length === lower.length && key.toLowerCase() === lower) return key
  }
  return undefined
}

function decodeQuery(raw: string): string {
  if (!/[%+]/.test(raw)) return raw
  const spaced = raw.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    // The web's own decoder never fails. It splits at `&`, which cannot be there, but an event may say anything.
    return new URLSearchParams(`v=${spaced.replaceAll('&', '%26')}`).get('v')!
  }
}
