import type { Report } from '../check/report.ts'
import type { Codec } from '../io-ts/codec-structure.ts'

/** What the functions of this package need to know about codecs of every kind. */
export interface Understanding {
  /** A guard that agrees with `codec.is`. */
  readonly guardOf: (codec: Codec) => (value: unknown) => boolean
  /**
   * Whether decoding may return another value although the value satisfies `is`: codecs that strip fields, read text, or
   * are custom. When false, a value that the guard accepts decodes to itself.
   */
  readonly transforms: (codec: Codec) => boolean
  /** Finds the problems of a value that is to be decoded or to satisfy `is`. */
  readonly examine: (codec: Codec, value: unknown, decoding: boolean) => Report
  /** What a codec accepts, in words. */
  readonly inWords: (codec: Codec) => string
}
