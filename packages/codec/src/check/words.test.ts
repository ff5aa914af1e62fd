import { expect, it } from '@jest/globals'
import * as t from 'io-ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import { fromJson } from '../json/from-json.ts'
import { lines } from '../problems/problems.fuzz.ts'
import { problems } from '../problems/problems.ts'

/** Codecs, values that they refuse, and the expected problem. */
const refusals: readonly (readonly [codec: unknown, value: unknown, expected: string, actual: string])[] = [
  [t.string, 1, 'string', 'number 1'],
  [t.number, 'abc', 'number', "string 'abc'"],
  [t.number, 'a'.repeat(41), 'number', `string '${'a'.repeat(40)}…'`],
  [t.bigint, true, 'bigint', 'boolean true'],
  [t.boolean, 12n, 'boolean', 'bigint 12'],
  [t.Function, null, 'function', 'null'],
  [t.null, undefined, 'null', 'undefined'],
  [t.undefined, [], 'undefined', 'an array of 0'],
  [t.never, {}, 'never', 'an object'],
  [t.UnknownRecord, [1, 2, 3], 'object', 'an array of 3'],
  [t.UnknownArray, {}, 'array', 'an object'],
  [t.type({ a: t.string }), null, 'object', 'null'],
  [t.partial({ a: t.string }), 'x', 'object', "string 'x'"],
  [t.record(t.string, t.string), [], 'object', 'an array of 0'],
  [t.array(t.string), 'x', 'array', "string 'x'"],
  [t.tuple([t.string, t.string]), ['a'], 'array of 2', 'an array of 1'],
  [t.literal('a'), 'b', "'a'", "string 'b'"],
  [t.literal(1), 2, '1', 'number 2'],
  [t.keyof({ A: 0, B: 0 }), 'C', "one of 'A', 'B'", "string 'C'"],
  [t.keyof({}) as unknown as Codec, 'C', 'nothing', "string 'C'"],
  [t.union([t.literal('A'), t.literal('B'), t.literal(3)]), 'C', "one of 'A', 'B', 3", "string 'C'"],
  [t.union([t.literal('A'), t.undefined]), 'C', "'A' or undefined", "string 'C'"],
  [t.union([t.literal('A'), t.null]), 'C', "'A' or null", "string 'C'"],
  [t.union([t.string, t.number, t.null]), true, 'string, number or null', 'boolean true'],
  [t.union([t.string, t.keyof({ A: 0, B: 0 })]), 1, "string or one of 'A', 'B'", 'number 1'],
  [t.union([t.UnknownRecord, t.array(t.string)]), 1, 'object or array', 'number 1'],
  [t.union([t.UnknownRecord, t.type({}), t.undefined]), 1, 'object or undefined', 'number 1'],
  [t.intersection([t.type({}), t.partial({})]), 1, 'object', 'number 1'],
  [
    t.union([t.intersection([t.array(t.string), t.UnknownRecord]), t.null]),
    1,
    'array and object or null',
    'number 1',
  ],
  [t.Int, 1.5, 'Int', 'number 1.5'],
  [
    t.refinement(t.string, function isEmail() {
      return false
    }),
    'x',
    'string that satisfies isEmail',
    "string 'x'",
  ],
  [t.refinement(t.string, () => false), 'x', 'string that satisfies a condition', "string 'x'"],
  [
    t.brand(t.string, (_s): _s is t.Branded<string, { readonly E: symbol }> => false, 'E'),
    'x',
    'E',
    "string 'x'",
  ],
  [t.readonly(t.string), () => 1, 'string', 'a function'],
  [t.union([t.readonly(t.type({})), t.null]), 1, 'object or null', 'number 1'],
  [t.exact(t.type({})), Symbol('s'), 'object', 'a symbol'],
  [t.union([t.recursion<string>('Tree', () => t.readonly(t.string)), t.null]), 1, 'Tree or null', 'number 1'],
  [t.union([fromJson(t.string), t.null]), 1, 'JSON text or null', 'number 1'],
  [new t.Type<string>('Iban', t.string.is, t.string.validate, t.identity), 1, 'Iban', 'number 1'],
]

it.each(refusals.map(([codec, ...rest]) => [(codec as Codec).name, ...rest, codec] as const))(
  'when the codec "%s" refuses %p, the problem says "expected %s, was %s"',
  (_name, value, expected, actual, codec) => {
    expect(problems(codec as Codec, value)).toEqual([{ pointer: '', expected, actual }])
  },
)

it('inWords() lists at most 20 values', () => {
  const codec = t.keyof(Object.fromEntries(Array.from({ length: 23 }, (_, i) => [`n${i}`, null])))
  expect(lines(codec, 'x')[0]).toMatch(/^the value: expected one of 'n0', .*, 'n19', 3 more, was string 'x'$/)
})
