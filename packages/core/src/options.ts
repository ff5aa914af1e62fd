import { nearest } from '@signalbox/codec'
import { InvalidOptionError } from './errors.ts'

/**
 * Refuses unknown options, because an ignored option would look as if it had an effect.
 * @param where the function that takes the options, such as `queue()`
 * @throws InvalidOptionError for `options` that is not an object, and for an unknown option; it names the option and
 * the nearest known one
 */
export function refuseUnknownOptions(where: string, options: object, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const kind = Array.isArray(options) ? 'an array' : options === null ? 'null' : typeof options
    throw new InvalidOptionError(`${where} takes an object of ${known.join(', ')}, not ${kind}.`)
  }
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    const meant = nearest(name, known)
    const hint = meant === undefined ? `The options are ${known.join(', ')}.` : `Did you mean ${meant}?`
    throw new InvalidOptionError(`${where} has no option ${JSON.stringify(name)}. ${hint}`)
  }
}
