/** The JSON pointer (RFC 6901) of a value that is reached by these keys. */
export function pointerTo(...keys: readonly (string | number)[]): string {
  return keys.map(key => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
