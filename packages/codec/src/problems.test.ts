import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as t from 'io-ts'
import { compile } from './compile.ts'
import { fromJson } from './from-json.ts'
import { formatProblems } from './problem.ts'
import { fuzz } from './problems.fuzz.ts'
import { problems } from './problems.ts'
import { secretFields } from './secret.ts'
import type { Codec } from './structure.ts'

/** Problems as lines, which is how people see them. */
function lines(codec: unknown, value: unknown): string[] {
  const found = problems(codec as Codec, value)
  return found.length === 0 ? [] : formatProblems(found).split('\n')
}

const Order = t.type({ id: t.string, lines: t.array(t.type({ sku: t.string, count: t.Int })) })

interface Nested {
  readonly a: Nested | null
}

describe('problems', () => {
  it('lists none for what the codec accepts', () => {
    expect(problems(Order, { id: '1', lines: [] })).toEqual([])
  })

  it('says where, what was expected and what was there', () => {
    expect(problems(Order, { id: 7, lines: [{ sku: 'a', count: 1 }, { sku: 'b' }] })).toEqual([
      { pointer: '/id', expected: 'string', actual: 'number 7' },
      { pointer: '/lines/1/count', expected: 'Int', actual: 'nothing' },
    ])
  })

  it.each([
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
    [t.union([t.literal('A'), t.null]), 'C', "'A' or null", "string 'C'"],
    [t.union([t.string, t.number, t.null]), true, 'string, number or null', 'boolean true'],
    [t.union([t.string, t.keyof({ A: 0, B: 0 })]), 1, "string or one of 'A', 'B'", 'number 1'],
    [t.union([t.UnknownRecord, t.array(t.string)]), 1, 'object or array', 'number 1'],
    [t.union([t.UnknownRecord, t.type({}), t.undefined]), 1, 'object or undefined', 'number 1'],
    [t.union([t.unknown, t.string]), Symbol('s'), undefined, undefined],
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
    [t.exact(t.type({})), Symbol('s'), 'object', 'a symbol'],
    [t.union([t.recursion<string>('Tree', () => t.string), t.null]), 1, 'Tree or null', 'number 1'],
    [t.union([fromJson(t.string), t.null]), 1, 'JSON text or null', 'number 1'],
    [new t.Type<string>('Iban', t.string.is, t.string.validate, t.identity), 1, 'Iban', 'number 1'],
  ])('of %p and %p expects %s, was %s', (codec, value, expected, actual) => {
    const found = expected === undefined ? [] : [{ pointer: '', expected, actual }]
    expect(problems(codec as Codec, value)).toEqual(found)
  })

  it('cuts long lists of values', () => {
    const codec = t.keyof(Object.fromEntries(Array.from({ length: 23 }, (_, i) => [`n${i}`, null])))
    expect(lines(codec, 'x')[0]).toMatch(
      /^the value: expected one of 'n0', .*, 'n19', 3 more, was string 'x'$/,
    )
  })

  it('points with JSON pointers, in which ~ and / are escaped', () => {
    const codec = t.type({ 'a/b': t.type({ '~c': t.array(t.string) }), '': t.string })
    expect(lines(codec, { 'a/b': { '~c': ['', 1] }, '': 2 })).toEqual([
      '/a~1b/~0c/1: expected string, was number 1',
      '/: expected string, was number 2',
    ])
  })

  it('follows the order of the document, with missing fields after those that are there', () => {
    const codec = t.intersection([
      t.type({ a: t.string, missing: t.string, c: t.type({ y: t.string, x: t.string }) }),
      t.partial({ b: t.array(t.string) }),
    ])
    const value = { c: { x: 1, y: 2 }, b: ['', 3, 4], a: 5 }
    expect(problems(codec, value).map(({ pointer }) => pointer)).toEqual([
      '/c/x',
      '/c/y',
      '/b/1',
      '/b/2',
      '/a',
      '/missing',
    ])
  })

  it('tells a missing field from one that is undefined', () => {
    const codec = t.type({ a: t.string, b: t.unknown, c: t.string })
    expect(lines(codec, { a: undefined, c: 'c' })).toEqual([
      '/a: expected string, was undefined',
      '/b: expected anything, was nothing',
    ])
  })

  it('names the keys of a record whose values are wrong, and of one whose keys are known', () => {
    const byName = t.record(
      t.refinement(t.string, key => key !== 'free'),
      t.string,
    )
    expect(lines(byName, { a: 'a', b: 1, free: 2 })).toEqual(['/b: expected string, was number 1'])
    expect(lines(t.record(t.keyof({ a: 0, b: 0 }), t.string), { b: 1 })).toEqual([
      '/b: expected string, was number 1',
      '/a: expected string, was nothing',
    ])
    expect(lines(t.record(t.string, t.any), [])).toEqual([])
    expect(lines(t.record(t.string, t.any), 1)).toEqual(['the value: expected object, was number 1'])
  })

  it('passes over the holes of an array, as the guard does', () => {
    const sparse: unknown[] = ['a']
    sparse[2] = 1
    expect(lines(t.array(t.string), sparse)).toEqual(['/2: expected string, was number 1'])
  })

  describe('of a union', () => {
    const Shape = t.union([
      t.type({ kind: t.literal('circle'), radius: t.number }),
      t.type({ kind: t.literal('square'), side: t.number, at: t.type({ x: t.number }) }),
    ])

    it('follows the tag', () => {
      expect(lines(Shape, { kind: 'square', side: 1, at: {} })).toEqual([
        '/at/x: expected number, was nothing',
      ])
    })

    it('lists the tags that there are, when the tag is none of them', () => {
      const tags = "expected one of 'circle', 'square'"
      expect(lines(Shape, { kind: 'line' })).toEqual([`/kind: ${tags}, was string 'line'`])
      expect(lines(Shape, {})).toEqual([`/kind: ${tags}, was nothing`])
      expect(lines(Shape, 1)).toEqual(['the value: expected object, was number 1'])
    })

    it('tells about the alternative that has the shape of the value', () => {
      const codec = t.union([t.string, t.array(t.string), t.type({ a: t.string, b: t.string }), t.null])
      expect(lines(codec, ['a', 1])).toEqual(['/1: expected string, was number 1'])
      expect(lines(codec, { a: '' })).toEqual(['/b: expected string, was nothing'])
    })

    it('tells about the alternative with the fewest faults', () => {
      const codec = t.union([
        t.type({ a: t.string, b: t.string, c: t.string }),
        t.type({ a: t.number, d: t.string }),
      ])
      expect(lines(codec, { a: 1 })).toEqual(['/d: expected string, was nothing'])
      expect(lines(codec, { a: '', b: '' })).toEqual(['/c: expected string, was nothing'])
    })

    it('counts a wrong literal as the wrong alternative', () => {
      // The optional field keeps io-ts from seeing a tag.
      const codec = t.union([
        t.intersection([t.partial({ x: t.string }), t.type({ kind: t.keyof({ a: 0 }) })]),
        t.type({ kind: t.keyof({ b: 0 }), c: t.string, d: t.string, e: t.string }),
      ])
      expect(lines(codec, { kind: 'b', c: '' })).toEqual([
        '/d: expected string, was nothing',
        '/e: expected string, was nothing',
      ])
    })

    it('goes through unions in unions', () => {
      const codec = t.union([
        t.null,
        t.union([t.string, t.type({ a: t.union([t.null, t.array(t.string)]) })]),
      ])
      expect(lines(codec, { a: [1, ''] })).toEqual(['/a/0: expected string, was number 1'])
    })
  })

  describe('keeps secrets', () => {
    it.each([
      'password',
      'challengeAnswer',
      'code',
      'answer',
      'privateChallengeParameters',
      'cookie',
      'set-cookie',
      'cookies',
      'authorization',
      'Authorization',
      'PASSWORD',
    ])('%s and all below it', name => {
      const codec = t.type({
        request: t.type({ [name]: t.array(t.type({ a: t.number, b: t.number, c: t.string })) }),
      })
      const text = JSON.stringify(
        problems(codec, {
          request: {
            [name]: [
              { a: 'hunter2', b: [81, 82], c: 4711 },
              { a: true, b: {}, c: null },
            ],
          },
        }),
      )
      expect(text).not.toMatch(/hunter2|8|4711|true/)
      expect(lines(codec, { request: { [name]: [{ a: 'hunter2', b: [81, 82], c: 4711 }] } })).toEqual([
        `/request/${name}/0/a: expected number, was a string`,
        `/request/${name}/0/b: expected number, was an array`,
        `/request/${name}/0/c: expected string, was a number`,
      ])
    })

    it('in texts that mention one, such as a body that was not parsed', () => {
      const codec = t.type({ body: t.type({}), query: t.number })
      expect(lines(codec, { body: '{"password": "hunter2"}', query: '?Code=123' })).toEqual([
        '/body: expected object, was a string',
        '/query: expected number, was a string',
      ])
    })

    it('of any kind, at any depth, whatever the codec', () => {
      const secret = 'hunter2hunter2'
      const path = fc.array(fc.oneof(fc.string(), fc.constantFrom('0', 'body', 'code')), { maxLength: 4 })
      fc.assert(
        fc.property(
          path,
          fc.constantFrom(...secretFields),
          path,
          fc.boolean(),
          (before, name, after, array) => {
            const nest = (parts: readonly string[], innermost: unknown) =>
              parts.reduceRight((inner, key) => ({ [key]: inner }), innermost)
            const value = nest([...before, name, ...after], array ? [secret] : secret)
            const leaf: Codec = array ? t.tuple([t.literal('a')]) : t.union([t.literal('a'), t.Int])
            const codec = [...before, name, ...after].reduceRight<Codec>(
              inner => t.record(t.string, inner),
              leaf,
            )
            const found = problems(codec, value)
            expect(found).toHaveLength(1)
            expect(JSON.stringify(found)).not.toContain(secret)
          },
        ),
      )
    })
  })

  it('lists at most a hundred, and then counts', () => {
    const found = problems(t.array(t.string), Array(150).fill(1))
    expect(found).toHaveLength(101)
    expect(found[99]).toEqual({ pointer: '/99', expected: 'string', actual: 'number 1' })
    expect(found[100]).toEqual({ pointer: '', expected: 'no more problems', actual: '50 more' })
    expect(problems(t.array(t.string), Array(100).fill(1))).toHaveLength(100)
  })

  it('counts those of the alternatives it tells about', () => {
    const found = problems(t.union([t.null, t.array(t.string)]), Array(150).fill(1))
    expect(found).toHaveLength(101)
    expect(found[100]!.actual).toBe('50 more')
  })

  it('gives up on values that take too long', () => {
    // Each level doubles the work.
    const Twice: Codec = t.recursion<Nested | null>('Twice', self =>
      t.union([t.type({ a: self }), t.type({ a: self }), t.null]),
    )
    let value: unknown = 1
    for (let i = 0; i < 17; i++) value = { a: value }
    expect(problems(Twice, value)).toHaveLength(1)
    expect(problems(t.array(t.string), Array(1_100_000).fill('').concat([1]))).toEqual([
      { pointer: '', expected: 'array', actual: 'something else' },
    ])
  })

  it('finds what is wrong 10,000 levels deep', () => {
    interface List {
      readonly next: List | null
    }
    const List: t.Type<List> = t.recursion('List', self => t.type({ next: t.union([t.null, self]) }))
    let value: unknown = 'end'
    for (let i = 0; i < 10_000; i++) value = { next: value }
    expect(problems(List, value)).toEqual([
      { pointer: '/next'.repeat(10_000), expected: 'null or List', actual: "string 'end'" },
    ])
    for (let i = 0; i < 100_000; i++) value = { next: value }
    const [tooDeep] = problems(List, value)
    expect(tooDeep!.actual).toBe('something that cannot be checked')
  })

  describe('never throws', () => {
    it('for any codec and value, and lists something exactly when the guard refuses', () => {
      fuzz(500)
    })

    it('where a field cannot be read: that is the problem', () => {
      const hostile = {
        get a(): string {
          throw new Error('hunter2')
        },
        b: 1,
      }
      const codec = t.union([t.null, t.type({ a: t.string, b: t.string })])
      expect(lines(codec, hostile)).toEqual([
        '/a: expected string, was something that cannot be checked',
        '/b: expected string, was number 1',
      ])
    })

    it('where a custom codec throws', () => {
      const is = (_u: unknown): _u is string => {
        throw new Error('hunter2')
      }
      const codec = t.array(new t.Type<string>('Odd', is, t.string.validate, t.identity))
      expect(() => compile(codec)([1])).toThrow('hunter2')
      expect(lines(t.type({ a: t.refinement(t.string, is as never) }), { a: '' })).toEqual([
        '/a: expected string that satisfies is, was something that cannot be checked',
      ])
      expect(lines(t.record(t.refinement(t.string, is as never), t.string), { a: '' })).toEqual([
        'the value: expected object, was something that cannot be checked',
      ])
    })

    it('where the fields cannot be listed', () => {
      const hostile = new Proxy(
        { a: 1 },
        {
          ownKeys() {
            throw new Error('hunter2')
          },
        },
      )
      expect(lines(t.type({ a: t.string }), hostile)).toEqual([
        'the value: expected object, was something else',
      ])
    })

    it('for a codec that only refers to itself', () => {
      const One: t.Type<unknown> = t.recursion('One', () => Two)
      const Two: t.Type<unknown> = t.recursion('Two', () => One)
      expect(lines(One, 1)).toEqual(['the value: expected Two, was something that cannot be checked'])
    })
  })

  describe('of a codec that transforms', () => {
    const NumberFromString = new t.Type<number, string, unknown>(
      'NumberFromString',
      t.number.is,
      (u, c) =>
        typeof u === 'string' && u !== '' && !Number.isNaN(+u) ? t.success(+u) : t.failure(u, c, `not ${u}`),
      String,
    )

    it('are about decoding, not about the guard', () => {
      const codec = t.type({ count: NumberFromString, code: NumberFromString })
      expect(lines(codec, { count: '1', code: '2' })).toEqual([])
      expect(lines(codec, { count: 'x', code: 'hunter2' })).toEqual([
        "/count: expected NumberFromString, was string 'x'",
        '/code: expected NumberFromString, was a string',
      ])
      expect(
        lines(
          t.refinement(NumberFromString, n => n > 0, 'Positive'),
          '-1',
        ),
      ).toEqual(["the value: expected Positive, was string '-1'"])
    })

    it('point into what a custom codec has looked at', () => {
      const inner = t.type({
        a: t.array(t.union([t.string, t.type({ b: t.intersection([t.string, t.unknown]) })])),
      })
      const codec = new t.Type('Wrapped', inner.is, inner.validate, t.identity)
      expect(lines(t.type({ w: codec }), { w: { a: [{ b: 1 }] } })).toEqual([
        '/w/a/0: expected string, was an object',
        '/w/a/0/b: expected string, was number 1',
      ])
    })

    it('say something even where the codec does not', () => {
      const silent = new t.Type('Silent', t.string.is, () => t.failures([]), t.identity)
      expect(lines(silent, 'x')).toEqual(['the value: expected Silent, was something else'])
    })

    it('take arrays, tuples and missing fields as decoding does', () => {
      const codec = t.type({
        a: t.array(fromJson(t.string)),
        b: t.tuple([t.string]),
        c: t.undefined,
        d: t.string,
      })
      const sparse = Array(2)
      sparse[1] = '1'
      expect(lines(codec, { a: sparse, b: ['', ''] })).toEqual([
        '/a/0: expected JSON text, was nothing',
        '/a/1: expected string, was number 1',
        '/d: expected string, was nothing',
      ])
    })
  })
})
