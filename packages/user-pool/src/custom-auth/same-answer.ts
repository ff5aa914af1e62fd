import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Returns whether two strings are equal. It compares digests, so that the time of the comparison reveals
 * neither where the strings differ nor how long the expected string is. Returns false when either value is
 * not a string.
 *
 * @example
 * verify: ({ answer, privateParameters }) => sameAnswer(answer, privateParameters.answer)
 */
export function sameAnswer(answer: string | null | undefined, expected: string | null | undefined): boolean {
  if (typeof answer !== 'string' || typeof expected !== 'string') return false
  return timingSafeEqual(digest(answer), digest(expected))
}

// The digest is computed from UTF-16, because UTF-8 encodes all lone surrogates in the same way.
function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf16le').digest()
}
