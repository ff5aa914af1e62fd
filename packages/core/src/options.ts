import { isObject, nearest } from '@signalbox/codec'
import { InvalidOptionError } from './errors.ts'

/**
 * Refuses unknown options, because an ignored option would look as if it had an effect.
 * @param where the function that takes the options, such as `queue()`
 * @throws InvalidOptionError if `options` is not an object or contains an unknown option. The error names the option
 * and the nearest known option
 * @example
 * ```ts
 * import { refuseUnknownOptions } from '@signalbox/core'
 *
 * export function retry(options: { readonly times?: number } = {}) {
 *   refuseUnknownOptions('retry()', options, ['times'])
 *   return options.times ?? 3
 * }
 * ```
 */
export function refuseUnknownOptions(where: string, options: object, known: readonly string[]): void {
  if (!isObject(options))
    throw new InvalidOptionError(`${where} takes an object of ${known.join(', ')}, not ${kind(options)}.`)
  for (const name of Object.keys(options)) {
    if (!known.includes(name))
      throw new InvalidOptionError(`${where} has no option ${JSON.stringify(name)}. ${hint(name, known)}`)
  }
}

/**
 * Returns the value of an option for an error message. Text is in quotes, so that `"5"` differs from `5`.
 * @example
 * ```ts
 * import { showOption } from '@signalbox/core'
 *
 * showOption('5') // '"5"'
 * showOption(5) // '5'
 * ```
 */
export function showOption(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

function kind(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return value === null ? 'null' : typeof value
}

function hint(name: string, known: readonly string[]): string {
  const meant = process.env.NODE_ENV === 'production' ? undefined : nearest(name, known)
  return meant === undefined ? `The options are ${known.join(', ')}.` : `Did you mean ${meant}?`
}
