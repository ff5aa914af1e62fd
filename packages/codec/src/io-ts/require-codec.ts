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
    const isOld = process.env.NODE_ENV !== 'production' && isOldZod(codec)
    const found = isOld ? oldZod : codec === null ? codec : typeof codec
    throw new TypeError(`Expected ${expected}, got ${found}`)
  }
  return codec
}
