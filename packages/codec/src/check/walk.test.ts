import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import { compile } from '../guard/compile.ts'
import type { Codec } from '../io-ts/codec-structure.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
const Json: t.Type<Json> = t.recursion('Json', self =>
  t.union([t.null, t.boolean, t.number, t.string, t.readonlyArray(self), t.record(t.string, self)]),
)
interface List {
  readonly next: List | null
}
const List: t.Type<List> = t.recursion('List', self => t.type({ next: t.union([t.null, self]) }))

function nested(levels: number, innermost: unknown): unknown {
  let value = innermost
  for (let i = 0; i < levels; i++) value = { next: value }
  return value
}

describe('a guard', () => {
  it('checks values nested 10,000 levels deep, where codec.is overflows the stack', () => {
    expect(() => Json.is(JSON.parse('['.repeat(10_000) + ']'.repeat(10_000)))).toThrow(RangeError)
    expect(compile(Json)(JSON.parse('['.repeat(10_000) + ']'.repeat(10_000)))).toBe(true)
    expect(compile(Json)(JSON.parse(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`))).toBe(true)
    expect(compile(List)(nested(10_000, null))).toBe(true)
    expect(compile(List)(nested(10_000, 'end'))).toBe(false)
    expect(compile(Json)(nested(10_000, undefined))).toBe(false)
    const Tree = t.recursion<List>('Tree', self =>
      t.readonly(
        t.intersection([t.strict({ next: t.union([t.null, self]) }), t.partial({ name: t.string })]),
      ),
    )
    expect(compile(Tree)(nested(10_000, null))).toBe(true)
    expect(compile(Tree)(nested(10_000, { next: null, name: 1 }))).toBe(false)
  })

  it('refuses a deeply nested value that is invalid at the innermost level', () => {
    const never = (u: { readonly next?: unknown }): boolean => {
      if (typeof u.next === 'number' || u.next === undefined)
        throw new Error('asked after the answer was known')
      return true
    }
    const Careful: Codec = t.recursion<List>(
      'Careful',
      self =>
        t.intersection([
          t.type({ next: t.union([t.null, self]) }),
          t.refinement(t.UnknownRecord, never),
        ]) as never,
    )
    const Items: Codec = t.recursion<List>(
      'Items',
      self =>
        t.type({
          next: t.union([t.null, t.tuple([t.string, t.refinement(t.UnknownRecord, never)]), self]),
        }) as never,
    )
    expect(compile(Careful)(nested(10_000, null))).toBe(true)
    expect(compile(Careful)(nested(10_000, 1))).toBe(false)
    expect(compile(Items)(nested(10_000, [1, {}]))).toBe(false)
  })

  it('throws a RangeError for values nested too deeply', () => {
    expect(() => compile(List)(nested(200_000, null))).toThrow(RangeError)
    const endless: { next?: unknown } = {}
    endless.next = endless
    expect(() => compile(List)(endless)).toThrow(RangeError)
  })

  it('throws a RangeError for codecs that only refer to themselves, as codec.is does', () => {
    const One: t.Type<unknown> = t.recursion('One', () => Two)
    const Two: t.Type<unknown> = t.recursion('Two', () => One)
    const Self: t.Type<string> = t.recursion('Self', self => t.intersection([self, t.string]))
    for (const [codec, words] of [
      [One, 'The codec is nothing but a reference to itself'],
      [Self, 'The value is nested too deeply to be checked'],
    ] as const) {
      expect(() => codec.is('a')).toThrow(RangeError)
      expect(() => compile(codec as Codec)('a')).toThrow(new RangeError(words))
    }
  })

  it('checks values of a codec that is nested too deeply to compile', () => {
    let codec: Codec = t.string
    for (let i = 0; i < 10_000; i++) codec = t.array(codec, 'Deep')
    let value: unknown = 'a'
    for (let i = 0; i < 10_000; i++) value = [value]
    expect(compile(codec)(value)).toBe(true)
    expect(compile(codec)([value])).toBe(false)
  })
})
