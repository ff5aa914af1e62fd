/**
 * Describes how the values of a field are checked, and whether the normalizer adds them. The codecs, the
 * normalizer, the check of answers, the arbitraries and the mutations depend on `kind`. A shape contains only data, so
 * that functions load no codecs with it.
 */
export interface Shape<A> {
  readonly kind: 'text' | 'flag' | 'one-of' | 'list' | 'text-map' | 'json-map' | 'claim-map' | 'object'
  /** This property exists only as a type. */
  readonly holds?: A
  /** The normalizer sets the field to `{}` when it is absent or null, so handlers always find it. */
  readonly filled?: true
  /** The name of an `object` and of its codec. */
  readonly name?: string
  /** The fields of an `object`. */
  readonly fields?: Fields
  /** The shape of the items of a `list`. */
  readonly items?: Shape<unknown>
  /** The values of a `one-of`. */
  readonly values?: readonly string[]
}

/**
 * A field of an event or a response. `Always` is true when handlers always find the field, because it is required or
 * the normalizer adds it.
 */
export interface Field<A = unknown, Required extends boolean = boolean, Always extends boolean = boolean> {
  readonly shape: Shape<A>
  /** Whether an event on the wire must have the field. For an optional field, null means absent. */
  readonly required: Required
  /** This property exists only as a type. */
  readonly always?: Always
  /** True when the contract does not state this field and Signalbox adds it. */
  readonly extension: boolean
}

/** A table of fields, by name. */
export type Fields = { readonly [name: string]: Field | undefined }

/** A shape of values that handlers always find, because the normalizer adds them. */
export interface Filled<A> extends Shape<A> {
  readonly filled: true
}

/** Any string. */
export const text: Shape<string> = { kind: 'text' }

/** Returns the shape of any string. `A` is the union of `string & {}` and the strings that editors suggest. */
export function openText<A extends string>(): Shape<A> {
  return { ...text } as Shape<never>
}

/** A Boolean. */
export const flag: Shape<boolean> = { kind: 'flag' }

/** Returns the shape of a string that must be one of the given strings. */
export function oneOf<const V extends readonly string[]>(...values: V): Shape<V[number]> {
  return { kind: 'one-of', values }
}

/** Returns the shape of a list whose items have the given shape. */
export function list<A>(items: Shape<A>): Shape<readonly A[]> {
  return { kind: 'list', items }
}

/** An object whose values are strings. */
export const textMap: Shape<Readonly<Record<string, string>>> = { kind: 'text-map' }

/** An object whose values are strings or undefined. */
export type TextMap = { [name: string]: string | undefined }

/** Returns the shape of an object whose values are strings. `A` has the known keys, but other keys are possible. */
export function knownTexts<A extends TextMap>(): Shape<A> {
  return { ...textMap } as Shape<never>
}

/** Any JSON object. */
export const jsonMap: Shape<{ readonly [name: string]: unknown }> = { kind: 'json-map' }

/** Returns a copy of a shape for which the normalizer replaces absent and null values with `{}`. */
export function filled<A>(shape: Shape<A>): Filled<A> {
  return { ...shape, filled: true }
}
