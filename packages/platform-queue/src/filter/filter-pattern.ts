/** A single value of an event. */
type FilterValue = string | number | boolean | null

type EqualsIgnoreCase = { readonly 'equals-ignore-case': string }
type Prefix = { readonly prefix: string | EqualsIgnoreCase }
type Suffix = { readonly suffix: string | EqualsIgnoreCase }

/** What a value may be: this very value, or one for which the operator holds. */
type FilterRule =
  | FilterValue
  | EqualsIgnoreCase
  | Prefix
  | Suffix
  /** Neither this value nor one of these, or one for which the operator does not hold. */
  | { readonly 'anything-but': FilterValue | readonly FilterValue[] | EqualsIgnoreCase | Prefix | Suffix }
  /** Comparisons that all hold, such as `['>', 0, '<=', 5]`. */
  | { readonly numeric: readonly (string | number)[] }
  | { readonly exists: boolean }
  /** A network of IP addresses, such as `10.0.0.0/8`. */
  | { readonly cidr: string }

/**
 * Which records a function gets, as in the event filtering of stock services: each field matches that is named, one of
 * its rules is enough for that, and of the patterns in `$or` one is enough. `body` has the fields of a body that is
 * JSON, or the rules for one that is plain text.
 */
export interface FilterPattern {
  readonly $or?: readonly FilterPattern[]
  readonly [field: string]: FilterPattern | readonly FilterRule[] | readonly FilterPattern[] | undefined
}
