import { isObject } from '@signalbox/codec'

/** How two values become one. */
export interface MergeRules {
  /** Returns whether an object is one value, which another one replaces as a whole. */
  readonly isWhole?: (value: { readonly [name: string]: unknown }) => boolean
  /** Whether two lists become one list. By default, the second list replaces the first one. */
  readonly joinsLists?: boolean
}

/** Returns two values as one. Objects have the fields of both, and of what both have, the second value wins. */
export function merged(one: unknown, other: unknown, rules: MergeRules = {}): unknown {
  const { isWhole = () => false, joinsLists = false } = rules
  if (Array.isArray(one) && Array.isArray(other)) return joinsLists ? [...one, ...other] : other
  if (!isObject(one) || !isObject(other) || isWhole(one) || isWhole(other)) return other
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries(
    [...names].map(name => [
      name,
      !Object.hasOwn(other, name)
        ? one[name]
        : Object.hasOwn(one, name)
          ? merged(one[name], other[name], rules)
          : other[name],
    ]),
  )
}
