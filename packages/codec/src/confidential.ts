import type { Codec } from './structure.ts'

const confidential = new WeakSet<Codec>()

/**
 * Marks a codec, and gives it back: what its values hold, at any depth, is in no problem. Problems say which kind of
 * value it was. For data in which any field may hold a secret, whatever its name.
 */
export function confidentially<C extends Codec>(codec: C): C {
  confidential.add(codec)
  return codec
}

/** Whether a codec is marked. */
export function isConfidential(codec: Codec): boolean {
  return confidential.has(codec)
}
