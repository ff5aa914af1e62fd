/**
 * Returns the given codec, and throws if it is not a codec. Without this check, the missing `is` would make every value
 * look invalid.
 * @param expected the words for what the caller takes
 * @throws TypeError
 */
export function requireCodec<C extends { readonly is?: unknown }>(
  codec: C,
  expected = 'a codec of io-ts (no other schema)',
): C {
  if (typeof codec?.is !== 'function') {
    throw new TypeError(`Expected ${expected}, got ${codec === null ? codec : typeof codec}`)
  }
  return codec
}
