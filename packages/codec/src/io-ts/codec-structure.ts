import type * as t from 'io-ts'

/** A codec with any types. */
export type Codec = t.Mixed

/**
 * The checks of `codec.is`, as data. The compiler and the checker read this structure instead of the codec, so that
 * only this module knows how each combinator works. `parts` are the codecs inside the codec.
 */
export type Structure = {
  readonly parts: readonly Codec[]
} & (
  | { readonly kind: 'any' }
  /** A custom codec, or a codec whose `is` was replaced. */
  | { readonly kind: 'custom' }
  | { readonly kind: 'typeof'; readonly type: string }
  /** A value that is equal (===) to one of `values`: null, undefined, a literal or a key. */
  | { readonly kind: 'oneOf'; readonly values: readonly unknown[] }
  /** An object, not an array. Its field `names[i]` satisfies `parts[i]` or may be missing. */
  | {
      readonly kind: 'object'
      readonly names: readonly string[]
      readonly presence: readonly Presence[]
      readonly strips: boolean
    }
  /** An object, not an array. Under each own key that satisfies `domain`, the value satisfies `parts[0]`. */
  | { readonly kind: 'record'; readonly domain: Codec; readonly arrays: boolean; readonly strips: boolean }
  /** An array. If the codec has a part, the items satisfy `parts[0]`. */
  | { readonly kind: 'array' }
  | { readonly kind: 'tuple' }
  | { readonly kind: 'all' }
  | { readonly kind: 'some' }
  /** An object that satisfies one of the parts: the part whose `values` contain the value of the field `tag`. */
  | { readonly kind: 'tagged'; readonly tag: string; readonly values: readonly (readonly unknown[])[] }
  | { readonly kind: 'refinement'; readonly predicate: (value: unknown) => unknown }
  /** Accepts the same values as its part. With `read`, it parses JSON text and decodes the parsed value. */
  | { readonly kind: 'same'; readonly strips: boolean; readonly read?: Read }
  | { readonly kind: 'recursion' }
)

/** Parses a string, or returns the reason for refusing it. */
export type Read = (text: string) => { readonly value: unknown } | { readonly refused: string }

/**
 * Whether a field is required, may be absent, or may be absent or null. A field of `t.type` is `required-by-is`: `is`
 * refuses an absent value, but decoding treats it as undefined.
 */
export type Presence = 'required' | 'required-by-is' | 'optional' | 'nullable'
