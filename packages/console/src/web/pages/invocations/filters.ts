/** The parameters of the address that filter invocations. */
export const filterNames = [
  'function',
  'source',
  'family',
  'verdict',
  'severity',
  'requestId',
  'text',
] as const

const minute = 60_000

/** The selectable periods, in milliseconds. Each ends now. */
export const spans: Readonly<Record<string, number>> = {
  '5m': 5 * minute,
  '1h': 60 * minute,
  '1d': 24 * 60 * minute,
}

/**
 * Converts the filters of an address to filters of the API. In an address, `from` and `to` are times such as
 * `2026-01-31T12:00`, and the severity `wrong` stands for errors and warnings.
 */
export function filtersIn(query: URLSearchParams, now: number): Readonly<Record<string, string | string[]>> {
  const filters: Record<string, string | string[]> = {}
  for (const name of filterNames) {
    const values = query.getAll(name).filter(value => value !== '')
    if (values.length === 0) continue
    if (name === 'requestId' || name === 'text') filters[name] = values[0] ?? ''
    else if (name === 'severity')
      filters[name] = values.flatMap(value => (value === 'wrong' ? ['error', 'warning'] : value))
    else filters[name] = values
  }
  const since = query.get('since') ?? ''
  const span = Object.hasOwn(spans, since) ? spans[since] : undefined
  if (span !== undefined) filters.from = String(now - span)
  if (since === 'between') {
    for (const name of ['from', 'to']) {
      const time = Date.parse(query.get(name) ?? '')
      if (time >= 0) filters[name] = String(time)
    }
  }
  return filters
}

/** Writes filters as the query of an address. Returns an empty string if there are no filters. */
export function filterQuery(filters: Readonly<Record<string, string | string[]>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(filters))
    for (const each of [value].flat()) search.append(name, each)
  return search.size > 0 ? `?${search}` : ''
}
