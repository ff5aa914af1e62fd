/** Values by name, such as the parameters of a query. */
export interface Values {
  /** The first value. In single mode there is at most one: the last that the client sent. */
  first(name: string): string | undefined
  all(name: string): readonly string[]
  has(name: string): boolean
  names(): readonly string[]
}

/** A header or parameter map of an event, of either mode. */
export interface EventMap {
  readonly [name: string]: string | readonly string[]
}

/** Values by exact name. */
function valuesOf(map: ReadonlyMap<string, readonly string[]>): Values {
  return {
    first: name => map.get(name)?.[0],
    all: name => map.get(name) ?? [],
    has: name => map.has(name),
    names: () => [...map.keys()],
  }
}

/**
 * Groups entries by name, in one iteration: clients decide how many entries and names there are.
 */
export function valuesByName(entries: Iterable<readonly [string, string | readonly string[]]>): Values {
  const map = new Map<string, string[]>()
  for (const [name, values] of entries) {
    const known = map.get(name) ?? []
    for (const value of listOf(values)) known.push(value)
    map.set(name, known)
  }
  return valuesOf(map)
}

/** Returns the first value of a header. */
export function firstHeader(raw: EventMap, name: string): string | undefined {
  const value = headerIn(raw, name)
  return typeof value === 'object' ? value[0] : value
}

/** Every value of a header. */
export function allHeaders(raw: EventMap, name: string): readonly string[] {
  return listOf(headerIn(raw, name))
}

/** Headers by names in any case. `names()` returns them in lower case. */
export function headerValues(raw: EventMap): Values {
  return {
    first: name => firstHeader(raw, name),
    all: name => allHeaders(raw, name),
    has: name => headerIn(raw, name) !== undefined,
    names: () => Object.keys(raw).map(name => name.toLowerCase()),
  }
}

/** Returns a value of a map as a list. */
export function listOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : value
}

// Load balancers send names in lower case. The loop is for events that were written by hand.
function headerIn(raw: EventMap, name: string): string | readonly string[] | undefined {
  const lower = name.toLowerCase()
  if (Object.hasOwn(raw, lower)) return raw[lower]
  for (const key of Object.keys(raw)) {
    if (key.length === lower.length && key.toLowerCase() === lower) return raw[key]
  }
  return undefined
}
