import { describe, expect, it } from '@jest/globals'
import { type as ark } from 'arktype'
import * as t from 'io-ts'
import * as v from 'valibot'
import * as z from 'zod'
import * as z3 from 'zod/v3'
import { decode, formatProblems, fromJson, type StandardSchema, standard, validate } from '../index.ts'

const linesOf = (schema: StandardSchema, value: unknown) => {
  const result = validate(schema, value)
  return result._tag === 'Left' ? formatProblems(result.left).split('\n') : []
}
const Order = t.type({ item: t.string })

describe('a problem that a library’s schema finds', () => {
  it.each<[string, StandardSchema, unknown, string]>([
    ['a format', z.email(), 'x', "the value: Invalid email address, was string 'x'"],
    [
      'a condition',
      z.string().refine(() => false, 'Must not be no'),
      'no',
      "the value: Must not be no, was string 'no'",
    ],
    ['a key', z.strictObject({}), { extra: 1 }, 'the value: Unrecognized key: "extra"'],
    [
      'a tag',
      z.discriminatedUnion('t', [z.object({ t: z.literal('x') })]),
      { t: 'y' },
      "/t: Invalid discriminator value. Expected 'x', was string 'y'",
    ],
    ['a format of valibot', v.pipe(v.string(), v.email()), 'x', "the value: Invalid email, was string 'x'"],
  ])('is a sentence where the library says one about %s', (_, schema, value, line) => {
    expect(linesOf(schema, value)).toEqual([line])
  })

  it.each<[string, StandardSchema, unknown, string]>([
    [
      'zod',
      z.union([z.object({ t: z.literal('x'), n: z.number() }), z.string()]),
      { t: 'x', n: 'q' },
      "/n: expected number, was string 'q'",
    ],
    [
      'zod, whose literal fits',
      z.union([
        z.object({ t: z.literal('x'), n: z.number(), m: z.number() }),
        z.object({ t: z.literal('y'), n: z.string() }),
      ]),
      { t: 'y', n: 1 },
      '/n: expected string, was number 1',
    ],
    [
      'zod, inside another union',
      z.object({ u: z.union([z.boolean(), z.union([z.object({ n: z.number() }), z.string()])]) }),
      { u: { n: 'q' } },
      "/u/n: expected number, was string 'q'",
    ],
    [
      'zod 3',
      z3.object({ a: z3.union([z3.object({ n: z3.number() }), z3.string()]) }),
      { a: { n: 'q' } },
      "/a/n: expected number, was string 'q'",
    ],
    [
      'valibot',
      v.object({ u: v.union([v.object({ n: v.number() }), v.string()]) }),
      { u: { n: 'q' } },
      "/u/n: expected number, was string 'q'",
    ],
    [
      'ArkType',
      ark({ u: [{ n: 'number' }, '|', 'string'] }),
      { u: { n: 'q' } },
      "/u/n: expected a number, was string 'q'",
    ],
  ])('is that of the nearest alternative of a union of %s', (_, schema, value, line) => {
    expect(linesOf(schema, value)).toEqual([line])
  })

  it.each<[string, StandardSchema, unknown, string]>([
    [
      'zod',
      z.union([z.string(), z.number()]),
      true,
      'the value: expected string or number, was boolean true',
    ],
    [
      'zod, with a sentence',
      z.union([z.email(), z.number()]),
      true,
      'the value: expected string or number, was boolean true',
    ],
    [
      'zod, with two sentences',
      z.union([z.email(), z.url()]),
      'x',
      "the value: Invalid input, was string 'x'",
    ],
    [
      'valibot',
      v.union([v.string(), v.number()]),
      true,
      'the value: expected (string | number), was boolean true',
    ],
  ])('names all alternatives of %s if each refuses the value as a whole', (_, schema, value, line) => {
    expect(linesOf(schema, value)).toEqual([line])
  })

  const Z = z.object({ item: z.string() })
  it.each<[string, StandardSchema, unknown, string]>([
    [
      'JSON text of zod',
      z
        .string()
        .transform(text => JSON.parse(text))
        .pipe(Z),
      '{"item":5}',
      '/item: expected string',
    ],
    [
      'a renamed field',
      z.preprocess(x => ({ item: (x as { i: unknown }).i }), Z),
      { i: 5 },
      '/item: expected string',
    ],
    [
      'an inner object',
      z.preprocess(x => (x as { inner: unknown }).inner, Z),
      { inner: { item: 5 } },
      '/item: expected string',
    ],
    [
      'a length',
      z
        .string()
        .transform(text => text.length)
        .pipe(z.number().min(9)),
      'ab',
      'the value: expected number to be >=9',
    ],
    [
      'a length of valibot',
      v.pipe(
        v.string(),
        v.transform(text => text.length),
        v.minValue(9),
      ),
      'ab',
      'the value: expected >=9',
    ],
    [
      'a number of ArkType',
      ark('string.numeric.parse').to('number > 9'),
      '7',
      'the value: expected more than 9',
    ],
    [
      'a list',
      z
        .string()
        .transform(text => text.split(','))
        .pipe(z.array(z.string()).min(3)),
      'a,b',
      'the value: expected array to have >=3 items',
    ],
    [
      'null',
      z
        .null()
        .transform(() => 'a')
        .pipe(z.string().min(3)),
      null,
      'the value: expected string to have >=3 characters',
    ],
    ['a member of a set', z.set(z.number()), new Set(['x']), 'the value: expected number'],
    ['a key', z.record(z.string().regex(/^a/), z.number()), { b: 1 }, '/b: Invalid key in record'],
  ])('does not say what was there if the schema made something else of it: %s', (_, schema, value, line) => {
    expect(linesOf(schema, value)).toEqual([line])
  })

  it.each<[string, StandardSchema, unknown, string]>([
    ['an absent field', Z, {}, '/item: expected string, was nothing'],
    ['null', Z, { item: null }, '/item: expected string, was null'],
    ['a text that is no number', z.coerce.number(), 'abc', "the value: expected number, was string 'abc'"],
    [
      'a list',
      z.array(z.string()).min(1),
      [],
      'the value: expected array to have >=1 items, was an array of 0',
    ],
    [
      'an entry of a map',
      z.map(z.string(), z.number()),
      new Map([['a', 'x']]),
      "/a: expected number, was string 'x'",
    ],
    [
      'a map',
      z.map(z.string(), z.number()).min(1),
      new Map(),
      'the value: expected map to have >=1 entries, was an object',
    ],
    [
      'a set',
      z.set(z.string()).min(1),
      new Set(),
      'the value: expected set to have >=1 items, was an object',
    ],
  ])('says what was there: %s', (_, schema, value, line) => {
    expect(linesOf(schema, value)).toEqual([line])
  })

  it('has the parts of the problem of a codec inside a schema', () => {
    const own = [{ pointer: '/item', expected: 'string', actual: 'number 5' }]
    expect(validate(standard(Order), { item: 5 })).toMatchObject({ left: own })
    expect(() => decode(fromJson(standard(Order)), '{"item":5}')).toThrow(
      '/item: expected string, was number 5',
    )
    expect(validate(standard(t.type({ a: fromJson(z.email()) })), { a: '"x"' })).toMatchObject({
      left: [{ pointer: '/a', expected: 'Invalid email address', isSentence: true }],
    })
  })

  it('hides secrets, whatever the library says of them', () => {
    const schema = z.object({
      password: z.email(),
      token: z
        .string()
        .transform(() => 1)
        .pipe(z.number().min(9)),
    })
    expect(linesOf(schema, { password: 'hunter2', token: 'hunter2' })).toEqual([
      '/password: expected another value, was a string',
      '/token: expected another value, was a string',
    ])
  })
})

it('a schema of zod before 3.24 is named as such', () => {
  // A schema of that zod has no `~standard`.
  const old = { _def: { typeName: 'ZodObject' }, parse: () => 1 }
  const words = 'got a schema of zod before 3.24, which does not follow Standard Schema: update zod'
  expect(() => validate(old as never, 1)).toThrow(words)
  expect(() => fromJson(old as never)).toThrow(words)
  expect(() => fromJson({ _def: {} } as never)).toThrow('got object')
})

it('an alternative of a union whose issue has no path stands at the union', () => {
  const issue = {
    message: 'Expected one of two',
    path: ['a'],
    errors: [[{ message: 'Expected number' }], []],
  }
  const schema = { '~standard': { version: 1, vendor: 'other', validate: () => ({ issues: [issue] }) } }
  expect(linesOf(schema as never, { a: 'x' })).toEqual([expect.stringMatching(/^\/a: .*one of two/i)])
})
