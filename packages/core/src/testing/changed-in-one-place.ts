/** A change at one place of a JSON value: a new value, a new name, or removal. */
export type Change = { readonly value: unknown } | { readonly name: string } | 'removed'

/**
 * Returns a copy of a JSON value with one change, for tests that break a valid value in one place. Places are the value
 * itself and every member of its objects and arrays, at any depth.
 * @param place a whole number from 0 up. After the last place, counting starts again at the first
 * @example
 * ```ts
 * import { changedInOnePlace } from '@signalbox/core/testing'
 *
 * changedInOnePlace({ id: 'a', total: 1 }, 1, 'removed') // { total: 1 }
 * changedInOnePlace({ id: 'a', total: 1 }, 2, { value: null }) // { id: 'a', total: null }
 * ```
 */
export function changedInOnePlace(value: unknown, place: number, change: Change): unknown {
  const root = { value: JSON.parse(JSON.stringify(value)) as unknown }
  const places = placesOf(root)
  const [holder, key] = places[place % places.length]!
  if (Array.isArray(holder)) {
    const position = Number(key)
    if (change === 'removed') holder.splice(position, 1)
    else holder[position] = 'value' in change ? change.value : [change.name]
    return root.value
  }
  const own = holder as Record<string, unknown>
  const was = own[key]
  if (change !== 'removed' && 'value' in change) {
    define(own, key, change.value)
    return root.value
  }
  delete own[key]
  if (change !== 'removed' && holder !== root) define(own, change.name, was)
  return root.value
}

type Place = readonly [holder: object, key: string]

function placesOf(holder: object): readonly Place[] {
  return Object.entries(holder).flatMap(([key, member]: [string, unknown]): Place[] => [
    [holder, key],
    ...(typeof member === 'object' && member !== null ? placesOf(member) : []),
  ])
}

// An assignment to `__proto__` would set the prototype.
function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}
