/**
 * The kind of values of a field: how they are checked, and whether the normalizer fills them in. The codecs, the normalizer,
 * the check of answers, the arbitraries and the mutations read `kind`. Data only, so that functions load no codecs with it.
 */
export interface Shape<A> {
  readonly kind: 'text' | 'flag' | 'one-of' | 'list' | 'text-map' | 'json-map' | 'claim-map' | 'object'
  /** A type only, without a value. */
  readonly holds?: A
  /** The normalizer puts `{}` where this is absent or null, so handlers always have it. */
  readonly filled?: true
  /** The name of an `object`, for problems. */
  readonly name?: string
  /** The fields of an `object`. */
  readonly fields?: Fields
  /** What a `list` holds. */
  readonly items?: Shape<unknown>
  /** The values of a `one-of`. */
  readonly values?: readonly string[]
}

/**
 * A field of an event or a response. `Always` is true when handlers always find the field: it is required, or the
 * normalizer fills it in.
 */
export interface Field<A = unknown, Required extends boolean = boolean, Always extends boolean = boolean> {
  readonly shape: Shape<A>
  /** Whether the wire must carry it. For an optional field null and absent are the same thing. */
  readonly required: Required
  /** A type only, without a value. */
  readonly always?: Always
  /** The contract does not state this field; it is a choice of Signalbox. */
  readonly extension: boolean
}

/** Fields by name, as the tables write them. */
export type Fields = { readonly [name: string]: Field | undefined }

/** A shape that handlers always find, because the normalizer fills it in. */
export interface Filled<A> extends Shape<A> {
  readonly filled: true
}

/** Any string. */
export const text: Shape<string> = { kind: 'text' }

/** Any string. Some strings are known: `A` is the union of the known ones and `string & {}`. */
export function openText<A extends string>(): Shape<A> {
  return { ...text } as Shape<never>
}

/** A Boolean. */
export const flag: Shape<boolean> = { kind: 'flag' }

/** One of these strings and no other. */
export function oneOf<const V extends readonly string[]>(...values: V): Shape<V[number]> {
  return { kind: 'one-of', values }
}

/** Returns a list of these. */
export function list<A>(items: Shape<A>): Shape<readonly A[]> {
  return { kind: 'list', items }
}

/** An object whose values are strings. */
export const textMap: Shape<Readonly<Record<string, string>>> = { kind: 'text-map' }

/** An object whose values are strings or undefined. */
export type TextMap = { [name: string]: string | undefined }

/** Returns an object whose values are strings. `A` names the known keys; others are possible. */
export function knownTexts<A extends TextMap>(): Shape<A> {
  return { ...textMap } as Shape<never>
}

/** Any JSON object. */
export const jsonMap: Shape<{ readonly [name: string]: unknown }> = { kind: 'json-map' }

/** The same, and `{}` where it is absent or null. */
export function filled<A>(shape: Shape<A>): Filled<A> {
  return { ...shape, filled: true }
}
