import { nearest } from '@signalbox/codec'

/**
 * Returns the known name that was most likely meant, or undefined. It is the most similar name, or else the first one
 * that begins with the given letters. For example, `mail` means `mail-flow`.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const beginning = name.toLowerCase()
  return (
    nearest(name, known) ??
    (name.length < 3 ? undefined : known.find(each => each.toLowerCase().startsWith(beginning)))
  )
}
