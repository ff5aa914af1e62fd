/**
 * The JSON pointer (RFC 6901) to a place inside a value: `pointerTo('lines', 0, 'a/b')` is `/lines/0/a~1b`.
 */
export function pointerTo(...keys: readonly (string | number)[]): string {
  return keys.map(key => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
