import { isOldZod, oldZod } from './old-zod.ts'

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
    const found = isOldZod(codec) ? oldZod : codec === null ? codec : typeof codec
    throw new TypeError(`Expected ${expected}, got ${found}`)
  }
  return codec
}
