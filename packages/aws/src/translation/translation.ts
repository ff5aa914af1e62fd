import { closures } from './closures.ts'
import { generate } from './generate.ts'
import type { Direction } from './names.ts'
import { batchPlaces, httpRequestPlaces, type Place, type Translate, triggerPlaces } from './table.ts'

/**
 * Makes the translation of a place. The translation modifies no object: it copies the values that change and the
 * objects around them, with the same order of keys. It never throws for JSON values.
 *
 * The translation is compiled on its first call. Where code generation is not allowed, it uses closures with the same
 * results.
 */
export function translation(place: Place, direction: Direction): Translate {
  let translate: Translate = value => {
    translate = build(place, direction)
    return translate(value)
  }
  return value => translate(value)
}

function build(place: Place, direction: Direction): Translate {
  try {
    return generate(place, direction)
  } catch {
    return closures(place, direction)
  }
}

const both = (direction: Direction) => ({
  trigger: translation({ below: triggerPlaces }, direction),
  batch: translation({ below: batchPlaces }, direction),
  'http request': translation({ below: httpRequestPlaces }, direction),
})

/** The translations for each event shape, in both directions. */
export const translations = { fromAws: both('fromAws'), toAws: both('toAws') }
