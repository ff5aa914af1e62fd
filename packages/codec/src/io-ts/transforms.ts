import type { Codec } from './codec-structure.ts'
import { requireCodec } from './require-codec.ts'
import { structure } from './structure.ts'

const known = new WeakMap<Codec, boolean>()

/**
 * Returns whether decoding can change a value that satisfies `is`. This is so for codecs that strip fields or parse
 * strings, and for custom codecs. If the result is false, a value that the guard accepts decodes to itself.
 */
export function transforms(codec: Codec): boolean {
  let answer = known.get(codec)
  if (answer === undefined) {
    requireCodec(codec)
    answer = search(codec, new Set())
    known.set(codec, answer)
  }
  return answer
}

function search(codec: Codec, seen: Set<Codec>): boolean {
  if (seen.has(codec)) return false
  seen.add(codec)
  const shape = structure(codec)
  return (
    shape.kind === 'custom' ||
    ('strips' in shape && shape.strips) ||
    shape.parts.some(part => search(part, seen))
  )
}
