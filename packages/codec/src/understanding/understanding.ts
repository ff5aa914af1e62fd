import type { Report } from '../check/report.ts'
import type { Codec } from '../io-ts/codec-structure.ts'

/** The functions that this package needs for codecs of every kind. */
export interface Understanding {
  /** Returns a guard that agrees with `codec.is`. */
  readonly guardOf: (codec: Codec) => (value: unknown) => boolean
  /**
   * Returns whether decoding can change a value that satisfies `is`. This is so for codecs that strip fields or parse
   * strings, and for custom codecs. If the result is false, a value that the guard accepts decodes to itself.
   */
  readonly transforms: (codec: Codec) => boolean
  /**
   * Finds the reasons why a codec cannot decode a value or, if `decoding` is false, why the value does not satisfy
   * `is`.
   */
  readonly examine: (codec: Codec, value: unknown, decoding: boolean) => Report
  /** Describes what a codec accepts. */
  readonly inWords: (codec: Codec) => string
}
