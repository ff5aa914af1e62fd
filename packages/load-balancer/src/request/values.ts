import { inDevelopment } from '@signalbox/core'

/** Values by name, such as the parameters of a query. */
export interface Values {
  /** Returns the first value. With single-value headers, there is at most one: the last value that the client sent. */
  first(name: string): string | undefined
  all(name: string): readonly string[]
  has(name: string): boolean
  names(): readonly string[]
}

/** A map of headers or parameters in an event, with single values or with lists. */
export interface EventMap {
  readonly [name: string]: string | readonly string[]
}

/** Returns `Values` that are looked up by their exact name. */
function valuesOf(map: ReadonlyMap<string, readonly string[]>): Values {
  return {
    first: name => map.get(name)?.[0],
    all: name => map.get(name) ?? [],
    has: name => map.has(name),
    names: () => [...map.keys()],
  }
}

/** Groups entries by name in one pass, because a client can send any number of entries and names. */
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

/** Returns every value of a header. */
export function allHeaders(raw: EventMap, name: string): readonly string[] {
  return listOf(headerIn(raw, name))
}

/**
 * Returns `Values` that are looked up by header name, ignoring case. `names()` returns names in lower case.
 */
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

// Returns the value of a header, ignoring the case of its name. Load balancers send names in lower case. The loop is
// needed for handwritten events.
function headerIn(raw: EventMap, name: string): string | readonly string[] | undefined {
  const lower = name.toLowerCase()
  if (Object.hasOwn(raw, lower)) return raw[lower]
  for (const key of Object.keys(raw)) {
    if (key.length === lower.length && key.toLowerCase() === lower) return raw[key]
  }
  if (lower.startsWith('x-amzn-') && process.env.NODE_ENV !== 'production' && inDevelopment())
    warnOfProviderName(raw, lower)
  return undefined
}

function warnOfProviderName(raw: EventMap, name: string): void {
  const neutral = name.replace('x-amzn-', 'x-cloud-')
  if (Object.hasOwn(raw, neutral)) console.warn(`Write ${neutral} for the header ${name}.`)
}
