import { renameKeys } from './rename-keys.ts'
import type { Place } from './table.ts'
import type { Direction, Translate } from './translation.ts'

/** The translation of a place without code generation. */
export function closures(place: Place, direction: Direction): Translate {
  if ('name' in place) {
    const rename = place.name[direction]
    return value => (typeof value === 'string' ? rename(value) : value)
  }
  if ('items' in place) return ofItems(closures(place.items, direction))
  const rename = place.keys && renameKeys(place.keys[direction])
  const below = Object.entries(place.below ?? {})
  const inner = below.map(([key, place]) => ({ key, translate: closures(place, direction) }))
  return value => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const object = value as Record<string, unknown>
    let copy = rename ? rename(object) : object
    for (const { key, translate } of inner) {
      const is = translate(object[key])
      if (is === object[key]) continue
      if (copy === object) copy = { ...object }
      copy[key] = is
    }
    return copy
  }
}

function ofItems(translate: Translate): Translate {
  return value => {
    if (!Array.isArray(value)) return value
    let copy: unknown[] | undefined
    for (let i = 0; i < value.length; i++) {
      const is = translate(value[i])
      if (is === value[i]) continue
      copy ??= value.slice()
      copy[i] = is
    }
    return copy ?? value
  }
}
