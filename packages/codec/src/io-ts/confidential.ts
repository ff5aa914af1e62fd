import type { Codec } from './codec-structure.ts'

const confidential = new WeakSet<Codec>()

/**
 * Marks a codec and returns it. Problems show the kinds of its values but not the values, at any depth. Use it for data
 * in which any field may hold a secret.
 */
export function confidentially<C extends Codec>(codec: C): C {
  confidential.add(codec)
  return codec
}

/** Returns whether `confidentially` marked a codec. */
export function isConfidential(codec: Codec): boolean {
  return confidential.has(codec)
}
