import type { Codec } from '../io-ts/codec-of.ts'
import { type Place, type Report, refuse } from './report.ts'

/** The problem that a codec of another library's schema found. */
interface Told {
  readonly actual?: string | null | undefined
  readonly isSentence?: true | undefined
}

/**
 * Decodes a value with a custom codec, and adds its errors to a report. The messages of the errors are omitted, because
 * they can quote the value.
 */
export function decoded(
  codec: Codec,
  place: Place,
  report: Report,
  inWords: (codec: Codec) => string,
): boolean {
  const result = codec.validate(place.value, [{ key: '', type: codec, actual: place.value }])
  if (result._tag === 'Right') return true
  for (const { context } of result.left) {
    let at = place
    for (const [i, { key, actual }] of context.entries()) {
      const above = (context[i - 1]?.type as { readonly _tag?: string } | undefined)?._tag
      // The members of unions and intersections are steps in the codec, but not in the value.
      if (i > 0 && above !== 'UnionType' && above !== 'IntersectionType') {
        at = { up: at, holder: Object(at.value), key, value: actual }
      }
    }
    const type = context.at(-1)!.type as Codec & Told
    refuse(report, at, inWords(type), 1, type.actual, type.isSentence)
  }
  return false
}
