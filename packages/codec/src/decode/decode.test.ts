import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as t from 'io-ts'
import { transforms } from '../structure/structure.ts'
import { codecsAndValues } from '../testing/compile.fuzz.ts'
import { decode, InvalidError, validate } from './decode.ts'

const Order = t.type({ id: t.string, count: t.number })

const NumberFromString = new t.Type<number, string, unknown>(
  'NumberFromString',
  t.number.is,
  (u, c) => (typeof u === 'string' && u.trim() !== '' && !Number.isNaN(+u) ? t.success(+u) : t.failure(u, c)),
  String,
)
/** A codec that trims the strings that it decodes. */
const Trimmed = new t.Type<string, string, unknown>(
  'Trimmed',
  t.string.is,
  (u, c) => (typeof u === 'string' ? t.success(u.trim()) : t.failure(u, c)),
  t.identity,
)

describe('decode()', () => {
  it('returns the same object, including unknown fields, when the codec does not transform values', () => {
    const order = { id: '1', count: 1, extra: true }
    expect(decode(Order, order)).toBe(order)
  })

  it('throws an InvalidError that contains the problems and lists them in its message', () => {
    expect.assertions(5)
    try {
      decode(Order, { id: 1, count: '2' })
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidError)
      const invalid = error as InvalidError
      expect(invalid.name).toBe('InvalidError')
      expect(invalid.code).toBe('INVALID')
      expect(invalid.problems).toEqual([
        { pointer: '/id', expected: 'string', actual: 'number 1' },
        { pointer: '/count', expected: 'number', actual: "string '2'" },
      ])
      expect(invalid.message).toBe(
        "/id: expected string, was number 1\n/count: expected number, was string '2'",
      )
    }
  })

  it('transforms even a value that satisfies the guard', () => {
    expect(decode(t.type({ n: NumberFromString }), { n: '7' })).toEqual({ n: 7 })
    expect(() => decode(NumberFromString, 7)).toThrow('the value: expected NumberFromString, was number 7')
    expect(decode(t.array(Trimmed), [' a '])).toEqual(['a'])
  })

  it('strips unknown fields for exact codecs', () => {
    const extra = { id: '1', count: 1, extra: true }
    expect(decode(t.strict({ id: t.string }), extra)).toEqual({ id: '1' })
    expect(decode(t.type({ order: t.exact(Order) }), { order: extra })).toEqual({
      order: { id: '1', count: 1 },
    })
    expect(decode(t.record(t.keyof({ id: 0 }), t.string), extra as never)).toEqual({ id: '1' })
    expect(decode(t.record(t.number as never, t.string), extra as never)).toEqual({})
    const short = t.refinement(t.string, key => key.length < 3)
    expect(decode(t.record(short, t.unknown), extra)).toEqual({ id: '1' })
  })

  it('accepts a value that io-ts decodes although the guard refuses it', () => {
    expect(decode(t.tuple([t.string]), ['a', 'b'])).toEqual(['a'])
    expect(decode(t.type({ a: t.unknown }), {})).toEqual({ a: undefined })
  })

  it('keeps __proto__ as an ordinary field', () => {
    const value = JSON.parse(
      '{"id": "1", "count": 1, "__proto__": {"polluted": true}, "constructor": {"prototype": {}}}',
    )
    expect(decode(Order, value)).toBe(value)
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
  })
})

describe('validate()', () => {
  it('returns an fp-ts Either', () => {
    expect(validate(t.string, 'a')).toEqual({ _tag: 'Right', right: 'a' })
    expect(validate(t.string, 1)).toEqual({
      _tag: 'Left',
      left: [{ pointer: '', expected: 'string', actual: 'number 1' }],
    })
  })

  it('never throws, and returns a problem for a value that cannot be read', () => {
    const hostile = {
      get id(): string {
        throw new Error('no')
      },
    }
    expect(validate(Order, hostile)).toMatchObject({
      _tag: 'Left',
      left: [{ pointer: '/id' }, { pointer: '/count' }],
    })
  })

  it('checks values nested 300 levels deep, and refuses those that nest too deeply for the stack', () => {
    interface List {
      readonly next: List | null
    }
    const List: t.Type<List> = t.recursion('List', self => t.type({ next: t.union([t.null, self]) }))
    const nested = (innermost: unknown, levels = 300) => {
      let value = innermost
      for (let i = 0; i < levels; i++) value = { next: value }
      return value
    }
    expect(validate(List, nested(null))._tag).toBe('Right')
    expect(validate(List, nested(1))).toMatchObject({ _tag: 'Left', left: [{ actual: 'number 1' }] })
    expect(validate(List, nested(null, 100_000))).toMatchObject({
      _tag: 'Left',
      left: [{ actual: 'something that cannot be checked' }],
    })
    // This codec transforms values, so io-ts itself decodes them.
    const Strict: t.Type<List> = t.recursion('Strict', self => t.strict({ next: t.union([t.null, self]) }))
    expect(validate(Strict, nested(null, 100_000))).toMatchObject({
      _tag: 'Left',
      left: [{ actual: 'something that cannot be checked' }],
    })
  })

  it('agrees with codec.decode on every value', () => {
    let decoded = 0
    const property = fc.property(codecsAndValues, ([codec, make]) => {
      const text = attempt(() => JSON.stringify(make()))
      fc.pre(text !== undefined)
      const expected = attempt(() => codec.decode(JSON.parse(text)))
      const actual = validate(codec, JSON.parse(text))
      if (expected?._tag === 'Right') {
        decoded++
        expect(actual).toEqual(expected)
      } else if (transforms(codec)) expect(actual._tag).toBe('Left')
    })
    fc.assert(property, { numRuns: 500 })
    expect(decoded).toBeGreaterThan(5)
  })
})

function attempt<T>(what: () => T): T | undefined {
  try {
    return what()
  } catch {
    return undefined
  }
}
