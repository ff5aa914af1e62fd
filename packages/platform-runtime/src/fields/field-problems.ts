import { isObject, kindOf, nearest, type Problem, pointerTo, problems } from '@signalbox/codec'
import * as t from 'io-ts'
import type { Field, Fields } from './field.ts'

/** A configuration object whose fields are not checked yet. */
export type UncheckedObject = { readonly [key: string]: unknown }

/** What to write instead of an unknown key that other programs, or people, expect. */
type Replacements = { readonly [key: string]: string }

/**
 * Returns the problems of the fields of an object, including unknown keys.
 * @param instead what to write instead of some unknown keys, for the error message
 */
export function fieldProblems<P>(
  fields: Fields<P>,
  part: UncheckedObject,
  pointer: string,
  instead: Replacements = {},
): readonly Problem[] {
  const table = Object.entries<Field>(fields)
  const codecs = (required: boolean) =>
    Object.fromEntries(
      table.filter(([, row]) => row.required === required).map(([key, row]) => [key, row.codec]),
    )
  const codec = t.intersection([t.type(codecs(true), 'an object'), t.partial(codecs(false), 'an object')])
  const fieldErrors = problems(codec, part).map(problem => ({
    ...problem,
    pointer: `${pointer}${problem.pointer}`,
  }))
  return [...fieldErrors, ...unknownKeys(Object.keys(fields), part, pointer, instead)]
}

/**
 * Returns the problems of the object under a key of another object. The list is empty if the value of the key is not an
 * object.
 */
export function nestedProblems<P>(
  part: UncheckedObject,
  key: string,
  fields: Fields<P>,
  pointer: string,
  instead?: Replacements,
): readonly Problem[] {
  const inner = part[key]
  return isObject(inner) ? fieldProblems(fields, inner, `${pointer}/${key}`, instead) : []
}

function unknownKeys(
  known: readonly string[],
  part: UncheckedObject,
  pointer: string,
  instead: Replacements,
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

/** A rule for names, and its text for an error message. */
interface NameRule {
  readonly pattern: RegExp
  readonly expected: string
}

/** Names become parts of URLs, log lines and paths, so they contain no special characters. */
const partNames: NameRule = {
  pattern: /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
  expected: 'a name of letters, digits, - and _, 64 at most',
}

/** Returns the problems of the objects in a map, and of their names. */
export function mapProblems(
  parts: unknown,
  pointer: string,
  check: (part: UncheckedObject, pointer: string) => readonly Problem[],
  names = partNames,
): readonly Problem[] {
  if (!isObject(parts)) return []
  return Object.entries(parts).flatMap(([key, part]) => {
    const at = `${pointer}${pointerTo(key)}`
    const named = names.pattern.test(key)
      ? []
      : [
          {
            pointer: at,
            expected: names.expected,
            actual: JSON.stringify(key.slice(0, 80)),
          },
        ]
    if (isObject(part)) return [...named, ...check(part, at)]
    return [...named, { pointer: at, expected: 'an object', actual: kindOf(part) }]
  })
}
