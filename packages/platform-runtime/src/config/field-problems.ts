import { isObject, kindOf, nearest, type Problem, pointerTo, problems } from '@signalbox/codec'
import * as t from 'io-ts'
import type { Field, Fields } from './field.ts'

/** A part of a configuration of which nothing is known but that it is an object. */
export type UncheckedObject = { readonly [key: string]: unknown }

/** What is wrong with the fields of a part, and which of its keys nobody knows. */
export function fieldProblems<P>(
  fields: Fields<P>,
  part: UncheckedObject,
  pointer: string,
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
  return [...fieldErrors, ...unknownKeys(Object.keys(fields), part, pointer)]
}

/** The same for a part of a part, when that is one. */
export function nestedProblems<P>(
  part: UncheckedObject,
  key: string,
  fields: Fields<P>,
  pointer: string,
): readonly Problem[] {
  const inner = part[key]
  return isObject(inner) ? fieldProblems(fields, inner, `${pointer}/${key}`) : []
}

function unknownKeys(known: readonly string[], part: UncheckedObject, pointer: string): readonly Problem[] {
  return Object.keys(part)
    .filter(key => !known.includes(key))
    .map(key => {
      const meant = nearest(key, known)
      return {
        pointer: `${pointer}${pointerTo(key)}`,
        expected: meant === undefined ? `nothing of this name, but ${known.join(', ')}` : `the name ${meant}`,
        actual: 'a name that nobody knows',
      }
    })
}

/** Whether the function that a part names is one of the configuration's. */
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
        meant ?? (known.length === 0 ? 'a function, but there is none' : `one of ${known.join(', ')}`),
      actual: `${JSON.stringify(wanted)}, which is no function here`,
    },
  ]
}

/** What names become parts of: addresses, lines and perhaps paths, so that they are plain words. */
const partName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/** What is wrong with each part of a map of parts, and with their names. */
export function mapProblems(
  parts: unknown,
  pointer: string,
  check: (part: UncheckedObject, pointer: string) => readonly Problem[],
  name = partName,
): readonly Problem[] {
  if (!isObject(parts)) return []
  return Object.entries(parts).flatMap(([key, part]) => {
    const at = `${pointer}${pointerTo(key)}`
    const named = name.test(key)
      ? []
      : [
          {
            pointer: at,
            expected: 'a name of letters, digits, - and _, 64 at most',
            actual: JSON.stringify(key.slice(0, 80)),
          },
        ]
    if (isObject(part)) return [...named, ...check(part, at)]
    return [...named, { pointer: at, expected: 'an object', actual: kindOf(part) }]
  })
}
