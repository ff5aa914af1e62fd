/** A single value of an event. */
type FilterValue = string | number | boolean | null

type EqualsIgnoreCase = { readonly 'equals-ignore-case': string }
type Prefix = { readonly prefix: string | EqualsIgnoreCase }
type Suffix = { readonly suffix: string | EqualsIgnoreCase }

/** A rule for a value: the value itself, or an operator that matches it. */
type FilterRule =
  | FilterValue
  | EqualsIgnoreCase
  | Prefix
  | Suffix
  /** Matches any value except the given ones, or any value that the given operator does not match. */
  | { readonly 'anything-but': FilterValue | readonly FilterValue[] | EqualsIgnoreCase | Prefix | Suffix }
  /** Comparisons that must all be true, such as `['>', 0, '<=', 5]`. */
  | { readonly numeric: readonly (string | number)[] }
  | { readonly exists: boolean }
  /** A range of IP addresses, such as `10.0.0.0/8`. */
  | { readonly cidr: string }

/**
 * Selects the records that a function gets, as in AWS event filtering. Every named field must match. A field matches if
 * one of its rules matches. One of the patterns in `$or` must match. `body` has the fields of a JSON body, or the rules
 * for a plain text body.
 */
export interface FilterPattern {
  readonly $or?: readonly FilterPattern[]
  readonly [field: string]: FilterPattern | readonly FilterRule[] | readonly FilterPattern[] | undefined
}
