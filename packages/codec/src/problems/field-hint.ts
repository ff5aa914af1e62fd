import { nearest } from './nearest.ts'

/** What a problem expects instead of an unknown field: the nearest known field, or a list of all. */
export function fieldHint(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return meant === undefined
    ? `one of the fields ${known.join(', ')}`
    : `no such field; did you mean ${meant}?`
}
