import { nearest } from '@signalbox/codec'

/**
 * Returns the known name that was most likely meant: the most similar one, or the first one of which the name is the
 * beginning. For example, `mail` means `mail-flow`. Returns undefined when there is none.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const beginning = name.toLowerCase()
  return (
    nearest(name, known) ??
    (name.length < 3 ? undefined : known.find(each => each.toLowerCase().startsWith(beginning)))
  )
}
