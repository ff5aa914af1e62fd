/**
 * Returns a codec, and throws for a value that is not one. Without this check, the missing `is` of such a value would
 * make every value look invalid.
 * @throws TypeError
 */
export function requireCodec<C extends { readonly is?: unknown }>(codec: C): C {
  if (typeof codec?.is !== 'function') {
    throw new TypeError(`Expected a codec of io-ts, got ${codec === null ? codec : typeof codec}`)
  }
  return codec
}
