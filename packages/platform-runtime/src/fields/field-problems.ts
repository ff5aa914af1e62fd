import { isObject, kindOf, nearest, type Problem, pointerTo, problems } from '@signalbox/codec'
import * as t from 'io-ts'
import { type AnyRule, type Fields, type NameRule, partNames } from './field.ts'

/** A configuration object whose fields are not checked yet. */
export type UncheckedObject = { readonly [key: string]: unknown }

/** Returns the problems of the keys of an object, unknown ones included, but not of the objects inside it. */
export function keyProblems(
  fields: Fields,
  part: UncheckedObject,
  pointer: string,
  instead: AnyRule['instead'] = {},
): readonly Problem[] {
  const table = Object.entries(fields)
  const rules = (required: boolean) =>
    Object.fromEntries(
      table.filter(([, row]) => row.required === required).map(([key, row]) => [key, row.rule]),
    )
  const codec = t.intersection([t.type(rules(true), 'an object'), t.partial(rules(false), 'an object')])
  return [
    ...problems(codec, part).map(problem => ({ ...problem, pointer: `${pointer}${problem.pointer}` })),
    ...unknownKeys(Object.keys(fields), part, pointer, instead),
  ]
}

/** Returns the problems of the keys of an object, and of the objects inside it. */
export function fieldProblems(
  fields: Fields,
  part: UncheckedObject,
  pointer: string,
  instead?: AnyRule['instead'],
): readonly Problem[] {
  return [...keyProblems(fields, part, pointer, instead), ...nestedObjects(fields, part, pointer, {})]
}

function nestedObjects(fields: Fields, part: UncheckedObject, pointer: string, checks: Checks) {
  return Object.entries(fields).flatMap(([key, { rule }]) =>
    insideProblems(rule, part[key], `${pointer}${pointerTo(key)}`, checks[key], {}, part),
  )
}

/** Checks an object further than its table does. `owner` is the object that contains it, if it is not the configuration. */
type Check = (part: UncheckedObject, pointer: string, owner: UncheckedObject) => readonly Problem[]
type Checks = { readonly [key: string]: Check }

/**
 * Returns the problems inside the value of a key: of an object with a table, or of such objects in a list or a map.
 * @param check finds further problems of each object
 * @param checks find further problems of the objects inside each object, by key
 */
export function insideProblems(
  rule: AnyRule,
  value: unknown,
  pointer: string,
  check: Check = () => [],
  checks: Checks = {},
  owner: UncheckedObject = {},
): readonly Problem[] {
  const { fields, instead, names } = rule
  if (fields === undefined) return []
  const whole = (part: UncheckedObject, at: string) => [
    ...keyProblems(fields, part, at, instead),
    ...check(part, at, owner),
    ...nestedObjects(fields, part, at, checks),
  ]
  if (names !== undefined) return mapProblems(value, pointer, whole, names)
  if (isObject(value)) return rule.is(value) ? whole(value, pointer) : []
  if (!Array.isArray(value) || !rule.is(value.filter(isObject))) return []
  // The rule of a list may leave the kind of its entries to this function.
  const notObject = (each: unknown, at: string) =>
    rule.is(value) ? [{ pointer: at, expected: 'an object', actual: kindOf(each) }] : []
  return value.flatMap((each: unknown, i) =>
    isObject(each) ? whole(each, `${pointer}/${i}`) : notObject(each, `${pointer}/${i}`),
  )
}

function unknownKeys(
  known: readonly string[],
  part: UncheckedObject,
  pointer: string,
  instead: { readonly [key: string]: string },
): readonly Problem[] {
  return Object.keys(part)
    .filter(key => !known.includes(key))
    .map(key => {
      const meant = nearest(key, known)
      const replacement = Object.hasOwn(instead, key) ? instead[key] : undefined
      return {
        pointer: `${pointer}${pointerTo(key)}`,
        expected:
          replacement !== undefined
            ? replacement
            : meant === undefined
              ? `one of ${known.join(', ')}`
              : `the name ${meant}`,
        actual: 'an unknown name',
      }
    })
}

/** Returns the problem of an object whose `function` is not in the configuration. */
export function functionReferenceProblems(
  part: UncheckedObject,
  pointer: string,
  functions: UncheckedObject,
): readonly Problem[] {
  const wanted = part.function
  if (typeof wanted !== 'string' || Object.hasOwn(functions, wanted)) return []
  const known = Object.keys(functions)
  const meant = nearest(wanted, known)
  return [
    {
      pointer: `${pointer}/function`,
      expected:
        meant ??
        (known.length === 0 ? 'a function, but the configuration has none' : `one of ${known.join(', ')}`),
      actual: `${JSON.stringify(wanted)}, which is not a function of this configuration`,
    },
  ]
}

/** Returns the problems of the objects in a map, and of their names. */
export function mapProblems(
  parts: unknown,
  pointer: string,
  check: (part: UncheckedObject, pointer: string) => readonly Problem[],
  names: NameRule = partNames,
): readonly Problem[] {
  if (!isObject(parts)) return []
  return Object.entries(parts).flatMap(([key, part]) => {
    const at = `${pointer}${pointerTo(key)}`
    const named = names.pattern.test(key)
      ? []
      : [{ pointer: at, expected: names.expected, actual: JSON.stringify(key.slice(0, 80)) }]
    if (isObject(part)) return [...named, ...check(part, at)]
    return [...named, { pointer: at, expected: names.value ?? 'an object', actual: kindOf(part) }]
  })
}

/** Returns the problems of the object under a key of another object. */
export function nestedProblems(
  part: UncheckedObject,
  key: string,
  fields: Fields,
  pointer: string,
  instead?: AnyRule['instead'],
): readonly Problem[] {
  const inner = part[key]
  return isObject(inner) ? fieldProblems(fields, inner, `${pointer}/${key}`, instead) : []
}
