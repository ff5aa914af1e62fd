/** A single value of an event. */
type FilterValue = string | number | boolean | null

type EqualsIgnoreCase = { readonly 'equals-ignore-case': string }
type Prefix = { readonly prefix: string | EqualsIgnoreCase }
/** A text in which `*` stands for any characters. `\*` is a star, and `\\` is a backslash. */
type Wildcard = { readonly wildcard: string }
/** An operator for texts, with one text or with several. */
type NotText =
  | EqualsIgnoreCase
  | Prefix
  | Suffix
  | Wildcard
  | { readonly 'equals-ignore-case': readonly string[] }
  | { readonly prefix: readonly string[] }
  | { readonly suffix: readonly string[] }
  | { readonly wildcard: readonly string[] }
type Suffix = { readonly suffix: string | EqualsIgnoreCase }

/** A rule for a value: the value itself, or an operator that matches it. */
type FilterRule =
  | FilterValue
  | EqualsIgnoreCase
  | Prefix
  | Suffix
  | Wildcard
  /** Matches any value except the given ones, or any value that the given operator does not match. */
  | { readonly 'anything-but': string | number | readonly string[] | readonly number[] | NotText }
  /** Comparisons that must all be true, such as `['>', 0, '<=', 5]`. */
  | { readonly numeric: readonly (string | number)[] }
  | { readonly exists: boolean }
  /** A range of IP addresses, such as `10.0.0.0/8`. */
  | { readonly cidr: string }

/**
 * Selects the records that a function gets, as in AWS event filtering. Every named field must match. A field matches if
 * one of its rules matches. A name with dots, such as `a.b`, is also the field `b` in `a`. One of the patterns in `$or`
 * must match. `body` has the fields of a JSON body, or the rules
 * for a plain text body.
 */
export interface FilterPattern {
  readonly $or?: readonly FilterPattern[]
  readonly [field: string]: FilterPattern | readonly FilterRule[] | readonly FilterPattern[] | undefined
}

/** Splits a name such as `a.b.c` into `a` and `b.c`. The second part is missing without a dot inside the name. */
export function splitAtDot(field: string): readonly [head: string, rest?: string] {
  const dot = field.indexOf('.')
  return dot <= 0 || dot === field.length - 1 ? [field] : [field.slice(0, dot), field.slice(dot + 1)]
}
