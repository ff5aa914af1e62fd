import { closures } from './closures.ts'
import { generate } from './generate.ts'
import type { Direction } from './names.ts'
import { batchPlaces, httpRequestPlaces, type Place, type Translate, triggerPlaces } from './table.ts'

/**
 * The translation of a place. It changes no object: what differs is copied together with what holds it, in the
 * same order of keys, and all the rest is shared. It never throws on any JSON.
 *
 * It is compiled when it is first called; where code generation is not allowed it does the same by closures.
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

/** The translations of each shape of event, in either direction. */
export const translations = { fromAws: both('fromAws'), toAws: both('toAws') }
