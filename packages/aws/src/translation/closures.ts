import type { Direction } from './names.ts'
import { renameKeys } from './rename-keys.ts'
import { isObject } from './shape.ts'
import type { Place, Translate } from './table.ts'

/** Returns a function that translates a place, without code generation. */
export function closures(place: Place, direction: Direction): Translate {
  if ('name' in place) {
    const rename = place.name[direction]
    return value => (typeof value === 'string' ? rename(value) : value)
  }
  if ('items' in place) return eachItem(closures(place.items, direction))
  const rename = place.keys?.[direction]
  const below = Object.entries(place.below ?? {}).map(
    ([key, inner]) => [key, closures(inner, direction)] as const,
  )
  return value => {
    if (!isObject(value)) return value
    let copy = rename ? renameKeys(value, rename) : value
    for (const [key, translate] of below) {
      const is = translate(value[key])
      if (is === value[key]) continue
      if (copy === value) copy = { ...value }
      copy[key] = is
    }
    return copy
  }
}

function eachItem(translate: Translate): Translate {
  return value => {
    if (!Array.isArray(value)) return value
    const items: unknown[] = value.map(translate)
    return items.some((item, i) => item !== value[i]) ? items : value
  }
}
