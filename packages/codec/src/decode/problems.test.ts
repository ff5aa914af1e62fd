import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import * as z from 'zod'
import { compile } from '../guard/compile.ts'
import { fuzz, lines } from '../testing/problems.fuzz.ts'
import { fromJson } from './from-json.ts'
import { problems } from './problems.ts'

const Order = t.type({ id: t.string, lines: t.array(t.type({ sku: t.string, count: t.Int })) })

describe('the reported problems', () => {
  it('are empty for a value that the codec accepts', () => {
    expect(problems(Order, { id: '1', lines: [] })).toEqual([])
  })

  it('contain the location, the expected value and the actual value', () => {
    expect(problems(Order, { id: 7, lines: [{ sku: 'a', count: 1 }, { sku: 'b' }] })).toEqual([
      { pointer: '/id', expected: 'string', actual: 'number 7' },
      { pointer: '/lines/1/count', expected: 'Int', actual: 'nothing' },
    ])
  })

  it('say that an asynchronous schema cannot be checked', () => {
    const Id = fromJson(z.string().refine(async id => id === 'a'))
    expect(problems(Id, '"a"')).toMatchObject([{ actual: 'something that cannot be checked' }])
  })

  describe('are returned without an exception', () => {
    it('for any codec and value, if and only if the guard refuses the value', () => {
      fuzz(500)
    })

    it('for a field whose getter throws, and include a problem with that field', () => {
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

    it('when a custom codec throws', () => {
      const is = (_u: unknown): _u is string => {
        throw new Error('hunter2')
      }
      const codec = t.array(new t.Type<string>('Odd', is, t.string.validate, t.identity))
      expect(() => compile(codec)([1])).toThrow('hunter2')
      expect(lines(t.type({ a: t.refinement(t.string, is as never) }), { a: '' })).toEqual([
        '/a: expected string that satisfies is, was something that cannot be checked',
      ])
      expect(lines(t.union([t.null, t.refinement(t.string, is as never)]), '')).toEqual([
        'the value: expected string that satisfies is, was something that cannot be checked',
      ])
      expect(lines(t.record(t.refinement(t.string, is as never), t.string), { a: '' })).toEqual([
        'the value: expected object, was something else',
      ])
    })

    it('when the fields cannot be listed', () => {
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
      expect(lines(One, 1)).toEqual(['the value: expected One, was something that cannot be checked'])
    })
  })

  describe('for a codec that transforms values', () => {
    const NumberFromString = new t.Type<number, string, unknown>(
      'NumberFromString',
      t.number.is,
      (u, c) =>
        typeof u === 'string' && u !== '' && !Number.isNaN(+u) ? t.success(+u) : t.failure(u, c, `not ${u}`),
      String,
    )

    it('come from decoding, not from the guard', () => {
      const codec = t.type({ count: NumberFromString, code: NumberFromString })
      expect(lines(codec, { count: '1', code: '2' })).toEqual([])
      expect(lines(codec, { count: 'x', code: 'hunter2' })).toEqual([
        "/count: expected NumberFromString, was string 'x'",
        '/code: expected NumberFromString, was a string',
      ])
      const One = t.refinement(NumberFromString, n => n.toFixed() === '1', 'One')
      expect(lines(One, '1')).toEqual([])
      expect(lines(One, '2')).toEqual(["the value: expected One, was string '2'"])
    })

    it('contain the JSON pointers that a custom codec reports', () => {
      const inner = t.type({
        a: t.array(t.union([t.string, t.type({ b: t.intersection([t.string, t.unknown]) })])),
      })
      const codec = new t.Type('Wrapped', inner.is, inner.validate, t.identity)
      expect(lines(t.type({ w: codec }), { w: { a: [{ b: 1 }] } })).toEqual([
        '/w/a/0: expected string, was an object',
        '/w/a/0/b: expected string, was number 1',
      ])
    })

    it('are not empty when a custom codec fails without an error', () => {
      const silent = new t.Type('Silent', t.string.is, () => t.failures([]), t.identity)
      expect(lines(silent, 'x')).toEqual(['the value: expected Silent, was something else'])
    })

    it('agree with decoding about arrays, tuples and missing fields', () => {
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
