/**
 * Returns the given codec, and throws if it is not a codec. Without this check, the missing `is` would make every value
 * look invalid.
 * @throws TypeError
 */
export function requireCodec<C extends { readonly is?: unknown }>(codec: C): C {
  if (typeof codec?.is !== 'function') {
    throw new TypeError(`Expected a codec of io-ts, got ${codec === null ? codec : typeof codec}`)
  }
  return codec
}
