import { batchPlaces, httpRequestPlaces, triggerPlaces } from './table.ts'
import { type Direction, translation } from './translation.ts'

const both = (direction: Direction) => ({
  trigger: translation({ below: triggerPlaces }, direction),
  batch: translation({ below: batchPlaces }, direction),
  'http request': translation({ below: httpRequestPlaces }, direction),
})

/** The translations of each shape of event, in either direction. */
export const translations = { fromAws: both('fromAws'), toAws: both('toAws') }
