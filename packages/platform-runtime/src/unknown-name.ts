import { nearestName } from './nearest-name.ts'

/**
 * Returns a sentence about an unknown name. It suggests the most similar known name, or lists all known names.
 * @param kind the kind of thing with the name, in the singular, such as `function`
 */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  const meant = nearestName(name, known)
  const hint = meant === undefined ? `The ${kind}s are ${known.join(', ')}.` : `Did you mean ${meant}?`
  return `There is no ${kind} ${JSON.stringify(name)}. ${known.length === 0 ? `The configuration has no ${kind}s.` : hint}`
}
