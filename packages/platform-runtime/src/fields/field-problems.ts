import { isObject, kindOf, nearest, type Problem, pointerTo, problems } from '@signalbox/codec'
import * as t from 'io-ts'
import type { AnyRule, Fields } from './field.ts'

/** A configuration object whose fields are not checked yet. */
export type UncheckedObject = { readonly [key: string]: unknown }

/** Returns the problems of the keys of an object, unknown ones included, but not of the objects inside it. */
export function keyProblems(
  fields: Fields,
  part: UncheckedObject,
  pointer: string,
  instead: AnyRule['instead'] = {},
): readonly Problem[] {
  return [
    ...valueProblems(fields, part).map(problem => ({ ...problem, pointer: `${pointer}${problem.pointer}` })),
    ...unknownKeys(Object.keys(fields), part, pointer, instead),
  ]
}

/** Returns the problems of the values of keys. They do not show values of keys with confidential names. */
function valueProblems(fields: Fields, part: UncheckedObject): readonly Problem[] {
  const wrong = Object.entries(fields).filter(
    ([key, { rule, required }]) => (required || part[key] !== undefined) && !rule.is(part[key]),
  )
  if (wrong.length === 0) return []
  const rules = Object.fromEntries(wrong.map(([key, { rule }]) => [key, rule]))
  return problems(t.type(rules, 'an object'), part)
}

/** Returns the problems of the keys of an object, and of the objects inside it. */
export function fieldProblems(fields: Fields, part: UncheckedObject, pointer: string): readonly Problem[] {
  return [...keyProblems(fields, part, pointer), ...nestedProblems(fields, part, {}, pointer)]
}

/** Checks an object further than its table does. `owner` is the object that contains it. */
type Check = (part: UncheckedObject, pointer: string, owner: UncheckedObject) => readonly Problem[]
type Checks = { readonly [key: string]: Check }

function nestedProblems(fields: Fields, part: UncheckedObject, checks: Checks, pointer: string) {
  return Object.keys(fields).flatMap(key => insideProblems(fields, key, part, checks[key], checks, pointer))
}

/**
 * Returns the problems inside the value of a key: of an object with a table, or of such objects in a list or a map.
 * @param owner the object that has the key
 * @param check finds further problems of each object
 * @param checks find further problems of the objects inside, by key
 */
export function insideProblems(
  fields: Fields,
  key: string,
  owner: UncheckedObject,
  check: Check = () => [],
  checks: Checks = {},
  pointer = '',
): readonly Problem[] {
  const { rule } = fields[key]!
  const value = owner[key]
  const place = `${pointer}${pointerTo(key)}`
  const whole = (part: UncheckedObject, at: string) => [
    ...(rule.fields ? keyProblems(rule.fields, part, at, rule.instead) : []),
    ...check(part, at, owner),
    ...nestedProblems(rule.fields ?? {}, part, checks, at),
  ]
  const entry = (part: unknown, at: string, expected = 'an object') =>
    isObject(part) ? whole(part, at) : [{ pointer: at, expected, actual: kindOf(part) }]
  const { names } = rule
  if (isObject(value) && names !== undefined)
    return Object.entries(value).flatMap(([name, part]) => {
      const at = `${place}${pointerTo(name)}`
      const actual = JSON.stringify(name.slice(0, 80))
      return [
        ...(names.pattern.test(name) ? [] : [{ pointer: at, expected: names.expected, actual }]),
        ...entry(part, at, names.value),
      ]
    })
  if (isObject(value)) return rule.is(value) ? whole(value, place) : []
  if (!Array.isArray(value) || !rule.fields || !rule.is(value.filter(isObject))) return []
  // A rule that refuses an entry has reported it.
  return value.flatMap((part: unknown, i) =>
    isObject(part) || rule.is(value) ? entry(part, `${place}/${i}`) : [],
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
        expected: replacement ?? (meant === undefined ? `one of ${known.join(', ')}` : `the name ${meant}`),
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
  const names =
    known.length === 0 ? 'a function, but the configuration has none' : `one of ${known.join(', ')}`
  return [
    {
      pointer: `${pointer}/function`,
      expected: nearest(wanted, known) ?? names,
      actual: `${JSON.stringify(wanted)}, which is not a function of this configuration`,
    },
  ]
}

/**
 * Returns the problem of an object whose `function` is durable, although its caller cannot wait for an execution.
 * @param why the reason, as a part of a sentence
 */
export function durableReferenceProblems(
  part: UncheckedObject,
  pointer: string,
  functions: UncheckedObject,
  why: string,
): readonly Problem[] {
  if (!isDurable(part.function, functions)) return []
  const actual = `${JSON.stringify(part.function)}, which is durable`
  return [{ pointer: `${pointer}/function`, expected: `a function that is not durable: ${why}`, actual }]
}

/** Returns whether a value is the name of a durable function. */
export function isDurable(name: unknown, functions: UncheckedObject): boolean {
  if (typeof name !== 'string' || !Object.hasOwn(functions, name)) return false
  const callee = functions[name]
  return isObject(callee) && callee.durable !== undefined
}
