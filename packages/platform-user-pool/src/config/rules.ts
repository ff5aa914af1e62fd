import { matching, type Rule } from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'

/** Returns a rule for lists of at least one of these names without duplicates. Its problems name the entries that are wrong. */
export function someOf<const Name extends string>(...names: readonly Name[]): Rule<readonly Name[]> {
  return setOf(`a list with some of ${names.join(', ')}`, 1, names)
}

/** Returns a rule for lists of these names without duplicates, which may be empty. */
export function noneOrSomeOf<const Name extends string>(...names: readonly Name[]): Rule<readonly Name[]> {
  return setOf(`a list with none or some of ${names.join(', ')}`, 0, names)
}

function setOf<Name extends string>(
  expected: string,
  least: number,
  names: readonly Name[],
): Rule<readonly Name[]> {
  const entries = t.readonlyArray(oneOf(...names))
  const isSet = (value: unknown): value is readonly unknown[] =>
    Array.isArray(value) && value.length >= least && new Set(value).size === value.length
  return new t.Type<readonly Name[]>(
    expected,
    (value): value is readonly Name[] => isSet(value) && entries.is(value),
    (value, context) => (isSet(value) ? entries.validate(value, context) : t.failure(value, context)),
    t.identity,
  )
}

/** Returns a rule for one of these names. */
export function oneOf<const Name extends string>(...names: readonly Name[]): Rule<Name> {
  return matching(`one of ${names.join(', ')}`, value => names.includes(value as Name))
}

/** Returns whether a value is an object with accepted entries. */
export function isMapOf(value: unknown, accepts: (name: string, entry: unknown) => boolean): boolean {
  return typeof value === 'object' && value !== null && Object.entries(value).every(each => accepts(...each))
}
