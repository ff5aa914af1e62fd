import { nearest } from '@signalbox/codec'
import { InvalidOptionError } from './errors.ts'

/**
 * Refuses options that nobody knows, because an ignored option is a setting that somebody believes in.
 * @param where what the options are for, such as `queue()`
 * @throws InvalidOptionError naming the first unknown option and the nearest known one, or when there are no options
 * where an object of them is expected
 */
export function refuseUnknownOptions(where: string, options: object, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const given = Array.isArray(options) ? 'an array' : options === null ? 'null' : typeof options
    throw new InvalidOptionError(`${where} takes an object of ${known.join(', ')}, not ${given}.`)
  }
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    const meant = nearest(name, known)
    const hint = meant === undefined ? `The options are ${known.join(', ')}.` : `Did you mean ${meant}?`
    throw new InvalidOptionError(`${where} has no option ${JSON.stringify(name)}. ${hint}`)
  }
}
