import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as t from 'io-ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import { compile } from './compile.ts'
import { agree } from './hostile.fuzz.ts'

describe('generated code', () => {
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

  it('splits long codecs into several functions', () => {
    const fields = (prefix: string, codec: t.Mixed) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${prefix}${i}`, codec]))
    const values = (prefix: string, value: unknown) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${prefix}${i}`, value]))
    const codec = t.type(
      Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`p${i}`, t.type(fields('q', t.string))])),
    )
    const guard = compile(codec)
    const code = codeOf(() => expect(guard(values('p', values('q', 'x')))).toBe(true))
    expect(code.split('function ').length).toBeGreaterThan(2)
    for (const i of [0, 29]) {
      expect(guard({ ...values('p', values('q', 'x')), [`p${i}`]: { ...values('q', 'x'), q29: 1 } })).toBe(
        false,
      )
    }
  })

  it('stays small when codecs contain each other twice', () => {
    let codec: Codec = t.string
    for (let i = 0; i < 60; i++) codec = t.partial({ a: codec, b: codec }, 'Twice')
    const guard = compile(codec)
    const code = codeOf(() => expect(guard({ a: { b: { a: {} } } })).toBe(true))
    expect(guard({ a: { b: { a: 1 } } })).toBe(false)
    expect(code.length).toBeLessThan(30_000)
  })

  it('distinguishes many literals', () => {
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

  it('does not write many literals out for each field, and never finds NaN among them', () => {
    const numbers = Array.from({ length: 300 }, (_, i) => t.literal(i))
    const oneOf = (codecs: readonly Codec[]) => t.union(codecs as [Codec, Codec], 'Number')
    const codec = t.type(Object.fromEntries(numbers.map(({ value }) => [`f${value}`, oneOf(numbers)])))
    const valid = Object.fromEntries(numbers.map(({ value }) => [`f${value}`, value]))
    const guard = compile(codec)
    const code = codeOf(() => expect(guard(valid)).toBe(true))
    expect(code.length).toBeLessThan(50_000)
    expect(guard({ ...valid, f7: 300 })).toBe(false)
    const withNaN = oneOf([...numbers, t.literal(Number.NaN)])
    for (const value of [Number.NaN, -0, 0, 299, '0', null]) agree(withNaN, () => value)
  })
})

/** The code that is generated meanwhile. */
function codeOf(run: () => void): string {
  const { Function: original } = globalThis
  let codes = ''
  globalThis.Function = function noting(name: string, code: string) {
    codes += code
    return original(name, code)
  } as never
  try {
    run()
  } finally {
    globalThis.Function = original
  }
  return codes
}

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
