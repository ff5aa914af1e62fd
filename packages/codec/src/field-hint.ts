import { nearest } from './nearest.ts'

/** What a problem expects in the place of a field that there is not: the one that was meant, or any that there is. */
export function fieldHint(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return meant === undefined
    ? `one of the fields ${known.join(', ')}`
    : `no such field; did you mean ${meant}?`
}
