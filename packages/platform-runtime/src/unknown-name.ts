import { nearest } from '@signalbox/codec'

/** The sentence about a name that nothing has, with the nearest that something has. */
export function unknownName(
  kind: 'function' | 'queue' | 'user pool',
  name: string,
  known: readonly string[],
): string {
  const meant = nearest(name, known)
  const hint = meant === undefined ? `The ${kind}s are ${known.join(', ')}.` : `Did you mean ${meant}?`
  return `There is no ${kind} ${JSON.stringify(name)}. ${known.length === 0 ? `There are no ${kind}s.` : hint}`
}
