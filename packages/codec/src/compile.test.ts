import { execFileSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as t from 'io-ts'
import { fuzz as fuzzCodecs } from './compile.fuzz.ts'
import { compile } from './compile.ts'
import { agree, fuzz as fuzzValues } from './hostile.fuzz.ts'
import type { Codec } from './structure.ts'

const Order = t.type({ id: t.string, lines: t.array(t.type({ sku: t.string, count: t.Int })) }, 'Order')

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

describe('compile', () => {
  it('accepts what the codec accepts and refuses the rest', () => {
    const guard = compile(Order)
    expect(guard({ id: '1', lines: [{ sku: 'a', count: 2 }], extra: true })).toBe(true)
    expect(guard({ id: '1', lines: [{ sku: 'a', count: 2.5 }] })).toBe(false)
    expect(guard({ id: '1' })).toBe(false)
    expect(guard(null)).toBe(false)
  })

  it('agrees with codec.is for any codec and value', () => {
    fuzzCodecs(1000)
  })

  it('agrees with codec.is for hostile objects and arrays', () => {
    fuzzValues(3000)
  })

  it('agrees with codec.is where code may not be generated from strings', () => {
    const { href } = new URL('./compile.fuzz.ts', import.meta.url)
    const script = `
      let forbidden = false
      try { new Function('') } catch { forbidden = true }
      const { fuzz } = await import(${JSON.stringify(href)})
      console.log(forbidden, fuzz(500))`
    const flags = ['--disallow-code-generation-from-strings', '--conditions=@signalbox/source']
    const output = execFileSync(process.execPath, [...flags, '--input-type=module', '-e', script], {
      encoding: 'utf8',
    })
    expect(output).toBe('true 500 codecs\n')
  })

  it('never lets a key, a literal or a tag become code', () => {
    const breakers = [
      '"',
      "'",
      '`',
      '\\',
      '\n',
      '\u2028',
      '*/',
      '//',
      '${',
      '}',
      ')',
      ';',
      'return true',
      '\ud800',
    ]
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...breakers)).map(parts => parts.join('')),
    )
    fc.assert(
      fc.property(text, text, text, (key, value, other) => {
        const codec = t.type({
          [key]: t.literal(value),
          inner: t.partial({ [value]: t.keyof({ [key]: null }), [key]: t.string }),
          either: t.union([
            t.type({ [key]: t.literal(1), [other]: t.string }),
            t.type({ [key]: t.literal('2') }),
          ]),
        })
        const guard = compile(codec)
        const valid = { [key]: value, inner: { [value]: key, ...(key === value ? {} : { [key]: '' }) } }
        for (const either of [{ [key]: 1, [other]: '' }, { [key]: '2' }, { [key]: other }, other]) {
          agree(codec, () => ({ ...valid, either }), guard)
          agree(codec, () => ({ ...valid, [key]: other, either }), guard)
        }
      }),
    )
  })

  it('reads the same properties as codec.is, in the same order and as often', () => {
    const codec = t.intersection([
      t.type({ a: t.string, b: t.array(t.string), c: t.tuple([t.string, t.unknown]) }),
      t.partial({ b: t.readonly(t.UnknownArray), d: t.exact(t.type({ e: t.union([t.string, t.null]) })) }),
      t.union([
        t.type({ kind: t.literal('x'), a: t.string }),
        t.type({ kind: t.literal('y'), missing: t.unknown }),
      ]),
      t.record(t.keyof({ a: 0, missing: 0 }), t.unknown),
    ])
    const base = { a: 'a', b: ['b', undefined, 'b'], c: ['c', 1], d: { e: null }, kind: 'x', missing: 1 }
    const variants = [
      base,
      { ...base, kind: 'y' },
      { ...base, kind: 'z' },
      { ...base, b: ['b'], missing: undefined },
      { a: 'a', b: ['b'], c: ['c', 1], kind: 'y' },
      { ...base, b: ['b'], d: undefined },
      { ...base, b: ['b'], d: { e: 1 } },
      { b: [] },
    ]
    for (const variant of variants) {
      const [expected, actual] = [codec.is, compile(codec)].map(check => {
        const reads: string[] = []
        return [check(spied(variant, reads)), reads]
      })
      expect(actual).toEqual(expected)
    }
  })

  it('is one guard for one codec, compiled at its first call', () => {
    let defined = 0
    const codec = t.recursion<string>('Late', () => {
      defined++
      return t.string
    })
    const guard = compile(codec)
    expect(compile(codec)).toBe(guard)
    expect(defined).toBe(0)
    expect([guard('a'), guard(1), guard('b')]).toEqual([true, false, true])
    expect(defined).toBe(1)
  })

  it('answers with a boolean where a predicate does not', () => {
    const length = (text: string): unknown => text.length
    const codec = t.refinement(t.string, length as (text: string) => boolean)
    expect([compile(codec)('a'), compile(codec)('')]).toEqual([true, false])
  })

  it('throws what reading the value throws', () => {
    const error = new Error('mine')
    const hostile = {
      get id(): string {
        throw error
      },
    }
    expect(() => compile(Order)(hostile)).toThrow(error)
  })

  it('throws what a recursive definition throws, only where it is needed, and until it no longer does', () => {
    let ready = false
    const Late = t.recursion<string>('Late', () => {
      if (!ready) throw new Error('not yet')
      return t.string
    })
    const guard = compile(t.partial({ a: Late, b: t.string }))
    expect(guard({ b: 'b' })).toBe(true)
    expect(() => guard({ a: 'a' })).toThrow('not yet')
    ready = true
    expect([guard({ a: 'a' }), guard({ a: 1 })]).toEqual([true, false])
  })

  it('splits long codecs into several functions', () => {
    const fields = (prefix: string, codec: t.Mixed) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${prefix}${i}`, codec]))
    const values = (prefix: string, value: unknown) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${prefix}${i}`, value]))
    const codec = t.type(
      Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`p${i}`, t.type(fields('q', t.string))])),
    )
    const guard = compile(codec)
    expect(guard(values('p', values('q', 'x')))).toBe(true)
    for (const i of [0, 29]) {
      expect(guard({ ...values('p', values('q', 'x')), [`p${i}`]: { ...values('q', 'x'), q29: 1 } })).toBe(
        false,
      )
    }
  })

  it('stays small where codecs use each other twice', () => {
    let codec: Codec = t.string
    for (let i = 0; i < 60; i++) codec = t.partial({ a: codec, b: codec }, 'Twice')
    expect(compile(codec)({ a: { b: { a: {} } } })).toBe(true)
    expect(compile(codec)({ a: { b: { a: 1 } } })).toBe(false)
  })

  it('tells many literals apart', () => {
    const names = Array.from({ length: 40 }, (_, i) => `name${i}`)
    const codec = t.union([
      t.keyof(Object.fromEntries(names.map(name => [name, null]))),
      t.literal(1),
      t.null,
    ])
    const guard = compile(codec)
    for (const value of [...names, 1, null]) expect(guard(value)).toBe(true)
    for (const value of ['name40', 'toString', 2, undefined, ['name1']]) expect(guard(value)).toBe(false)
  })

  it('answers for values nested 10,000 deep, where codec.is runs out of stack', () => {
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

  it('throws a RangeError for values nested deeper than it can go', () => {
    expect(() => compile(List)(nested(200_000, null))).toThrow(RangeError)
    const endless: { next?: unknown } = {}
    endless.next = endless
    expect(() => compile(List)(endless)).toThrow(RangeError)
  })

  it('throws a RangeError for codecs that only refer to themselves, as codec.is does', () => {
    const One: t.Type<unknown> = t.recursion('One', () => Two)
    const Two: t.Type<unknown> = t.recursion('Two', () => One)
    const Self: t.Type<string> = t.recursion('Self', self => t.intersection([self, t.string]))
    for (const codec of [One, Self as Codec]) {
      expect(() => codec.is('a')).toThrow(RangeError)
      expect(() => compile(codec)('a')).toThrow(RangeError)
    }
  })

  it('checks with codecs that are themselves nested too deeply to compile', () => {
    let codec: Codec = t.string
    for (let i = 0; i < 10_000; i++) codec = t.array(codec, 'Deep')
    let value: unknown = 'a'
    for (let i = 0; i < 10_000; i++) value = [value]
    expect(compile(codec)(value)).toBe(true)
    expect(compile(codec)([value])).toBe(false)
  })
})

/** The same value, which notes every question about it. */
function spied(value: unknown, reads: string[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get(target, key) {
      reads.push(`get ${String(key)}`)
      const field = Reflect.get(target, key)
      return typeof field === 'function' ? field : spied(field, reads)
    },
    has(target, key) {
      reads.push(`has ${String(key)}`)
      return Reflect.has(target, key)
    },
    getOwnPropertyDescriptor(target, key) {
      reads.push(`own ${String(key)}`)
      return Reflect.getOwnPropertyDescriptor(target, key)
    },
  })
}
