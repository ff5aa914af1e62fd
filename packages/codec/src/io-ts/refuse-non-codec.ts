/**
 * Refuses a value that is not an io-ts codec. Otherwise every value would look invalid because of a missing method.
 * @throws TypeError
 */
export function refuseNonCodec(codec: { readonly is?: unknown }): void {
  if (typeof codec?.is !== 'function') {
    throw new TypeError(
      `Expected a codec of io-ts, got ${codec === null ? codec : typeof codec}; only validate, decode, decoder and fromJson take schemas`,
    )
  }
}
