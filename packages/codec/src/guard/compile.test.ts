import { describe, expect, it } from '@jest/globals'
import { object, omittable, optional, required, string } from '@signalbox/codec/wire'
import * as t from 'io-ts'
import type { Codec } from '../io-ts/codec-of.ts'
import { fuzz as fuzzCodecs } from '../testing/compile.fuzz.ts'
import { fuzz as fuzzValues } from '../testing/hostile.fuzz.ts'
import { compile } from './compile.ts'

const Order = t.type({ id: t.string, lines: t.array(t.type({ sku: t.string, count: t.Int })) }, 'Order')

interface List {
  readonly next: List | null
}
const List: t.Type<List> = t.recursion('List', self => t.type({ next: t.union([t.null, self]) }))

const Even = new t.Type('Even', (u): u is number => Number(u) % 2 === 0, t.success as never, t.identity)

/** For each combinator, a codec that it made, values that the codec accepts, and values that it refuses. */
const combinators: readonly (readonly [
  unknown,
  accepted: readonly unknown[],
  refused: readonly unknown[],
])[] = [
  [t.string, ['', 'a'], [1, null, undefined, Object('a')]],
  [t.number, [1, Number.NaN], ['1', 1n]],
  [t.bigint, [1n], [1]],
  [t.boolean, [true, false], [0, 'true']],
  [t.null, [null], [undefined]],
  [t.undefined, [undefined], [null]],
  [t.void, [undefined], [null]],
  [t.unknown, [undefined, 1], []],
  [t.any, [undefined, 1], []],
  [t.never, [], [undefined, 1]],
  [t.Function, [() => 1, Object], [{}]],
  [t.UnknownArray, [[]], [{}, { length: 0 }]],
  [
    t.UnknownRecord,
    [{}, new Date(), Object.create(null), { [Symbol.toStringTag]: 'Array' }],
    [[], null, () => 1],
  ],
  [t.literal('a'), ['a'], ['b', ['a']]],
  [t.keyof({ a: 0 }), ['a'], ['toString', ['a'], undefined]],
  [t.type({ a: t.string, b: t.unknown }), [{ a: '', b: undefined }], [{ a: '' }, { b: 1 }, []]],
  [t.partial({ a: t.string }), [{}, { a: undefined }, { a: '' }], [{ a: null }, []]],
  [t.strict({ a: t.string }), [{ a: '', b: 1 }], [{}]],
  [t.record(t.string, t.number), [{}, { a: 1 }], [{ a: 1, b: '' }, [], null]],
  [t.record(t.string, t.any), [{ a: 1 }, []], [null]],
  [t.record(t.keyof({ a: 0, b: 0 }), t.number), [{ a: 1, b: 2, c: '' }], [{ a: 1 }]],
  [
    t.record(
      t.refinement(t.string, key => key < 'b'),
      t.number,
    ),
    [{ a: 1, c: '' }],
    [{ a: '' }],
  ],
  [t.array(t.string), [[], ['a'], Array(2)], [[1], ['a', undefined]]],
  [t.readonlyArray(t.string), [['a']], [[1]]],
  [t.tuple([t.string, t.number]), [['', 1]], [[''], ['', 1, 2], [1, '']]],
  [t.union([t.string, t.type({ a: t.string })]), ['', { a: '' }], [1, {}]],
  [
    t.union([t.type({ k: t.literal(1) }), t.type({ k: t.literal(2) })]),
    [{ k: 1 }, { k: 2 }],
    [{ k: 3 }, {}, 1],
  ],
  [t.intersection([t.type({ a: t.string }), t.partial({ b: t.string })]), [{ a: '' }], [{}, { a: '', b: 1 }]],
  [t.intersection([t.unknown, t.any]), [1], []],
  [t.refinement(t.string, text => text !== ''), ['a'], ['', 1]],
  [t.brand(t.number, (n): n is t.Branded<number, { readonly N: symbol }> => n > 0, 'N'), [1], [0, '1']],
  [t.readonly(t.type({ a: t.string })), [{ a: '' }], [{}]],
  [List, [{ next: null }, { next: { next: null } }], [{ next: {} }, {}]],
  [t.array(t.readonly(Even)), [[2], []], [[1]]],
  [Even, [2, '4'], [1]],
  [
    object('fields', { may: optional(string), can: omittable(string), must: required(string) }),
    [{ must: '' }, { may: null, must: '' }, { may: '', can: '', must: '' }],
    [{}, { may: 1, must: '' }, { can: null, must: '' }, { must: null }],
  ],
]

describe('compile()', () => {
  it('returns a guard that accepts exactly the values that the codec accepts', () => {
    const guard = compile(Order)
    expect(guard({ id: '1', lines: [{ sku: 'a', count: 2 }], extra: true })).toBe(true)
    expect(guard({ id: '1', lines: [{ sku: 'a', count: 2.5 }] })).toBe(false)
    expect(guard({ id: '1' })).toBe(false)
    expect(guard(null)).toBe(false)
  })

  it.each(
    combinators.map(([codec, ...values]) => [(codec as Codec).name, codec as Codec, ...values] as const),
  )('returns a correct guard for %s', (_name, codec, accepted, refused) => {
    const guard = compile(codec)
    for (const value of accepted) expect([value, guard(value)]).toEqual([value, true])
    for (const value of refused) expect([value, guard(value)]).toEqual([value, false])
  })

  it('returns a guard that throws a RangeError for a value that nests too deeply for the stack', () => {
    let value: List = { next: null }
    for (let i = 0; i < 1000; i++) value = { next: value }
    expect(compile(List)(value)).toBe(true)
    for (let i = 0; i < 100_000; i++) value = { next: value }
    expect(() => compile(List)(value)).toThrow(RangeError)
  })

  it('returns a guard that agrees with codec.is for any codec and value', () => {
    fuzzCodecs(1000)
  })

  it('returns a guard that agrees with codec.is for hostile objects and arrays', () => {
    fuzzValues(3000)
  })

  it('returns a guard that calls codec.is where code generation from strings is forbidden', () => {
    const { Function: original } = globalThis
    const forbid = (error: unknown) => {
      globalThis.Function = function forbidden() {
        throw error
      } as never
    }
    try {
      const codec = t.type({ a: t.string })
      forbid(new EvalError('Code generation from strings disallowed for this context'))
      const guard = compile(codec)
      expect([guard({ a: '' }), guard({ a: 1 }), guard(null)]).toEqual([true, false, false])
      // Any other error shows a bug, so the guard must throw it.
      forbid(new SyntaxError('mine'))
      expect(() => compile(t.type({ b: t.string }))({})).toThrow('mine')
    } finally {
      globalThis.Function = original
    }
  })

  it('compiles a codec only once, at the first call of its guard', () => {
    const { Function: original } = globalThis
    let compiled = 0
    let defined = 0
    const codec = t.recursion<string>('Late', () => {
      defined++
      return t.readonly(t.string)
    })
    try {
      globalThis.Function = function counting(...texts: string[]) {
        compiled++
        return original(...texts)
      } as never
      const guard = compile(codec)
      expect(compile(codec)).toBe(guard)
      expect([defined, compiled]).toEqual([0, 0])
      expect([guard('a'), guard(1), guard('b')]).toEqual([true, false, true])
      expect([defined, compiled]).toEqual([1, 1])
    } finally {
      globalThis.Function = original
    }
  })

  it('returns a guard with a boolean result even when the predicate returns a number', () => {
    const length = (text: string): unknown => text.length
    const codec = t.refinement(t.string, length as (text: string) => boolean)
    expect([compile(codec)('a'), compile(codec)('')]).toEqual([true, false])
  })

  it('returns a guard that throws the same error as a getter in the value', () => {
    const error = new Error('mine')
    const hostile = {
      get id(): string {
        throw error
      },
    }
    expect(() => compile(Order)(hostile)).toThrow(error)
  })

  it('returns a guard that throws whenever the definition of a recursive codec throws', () => {
    let ready = false
    const Late = t.recursion<string>('Late', () => {
      if (!ready) throw new Error('not yet')
      return t.readonly(t.string)
    })
    const guard = compile(t.partial({ a: Late, b: t.string }))
    expect(guard({ b: 'b' })).toBe(true)
    expect(() => guard({ a: 'a' })).toThrow('not yet')
    ready = true
    expect([guard({ a: 'a' }), guard({ a: 1 })]).toEqual([true, false])
  })
})
