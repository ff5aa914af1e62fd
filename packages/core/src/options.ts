import { nearest } from '@signalbox/codec'
import { InvalidOptionError } from './errors.ts'

/**
 * Refuses options that nobody knows, because an ignored option is a setting that somebody believes in.
 * @param where what the options are for, such as `queue()`
 * @throws InvalidOptionError naming the first unknown option and the nearest known one
 */
export function refuseUnknownOptions(where: string, options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    const meant = nearest(name, known)
    const hint = meant === undefined ? `The options are ${known.join(', ')}.` : `Did you mean ${meant}?`
    throw new InvalidOptionError(`${where} has no option ${JSON.stringify(name)}. ${hint}`)
  }
}
