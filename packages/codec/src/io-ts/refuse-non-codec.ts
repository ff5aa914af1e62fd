/**
 * Throws for a value that is not an io-ts codec. Without this check, its missing `is` would make every value look
 * invalid.
 * @throws TypeError
 */
export function refuseNonCodec(codec: { readonly is?: unknown }): void {
  if (typeof codec?.is !== 'function') {
    throw new TypeError(`Expected a codec of io-ts, got ${codec === null ? codec : typeof codec}`)
  }
}
