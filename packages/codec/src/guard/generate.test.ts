import { describe, expect, it } from '@jest/globals'
import * as wire from '@signalbox/codec/wire'
import fc from 'fast-check'
import * as t from 'io-ts'
import type { Codec } from '../io-ts/codec-of.ts'
import { structureOf } from '../structure/structure.ts'
import { agree } from '../testing/hostile.fuzz.ts'
import { compile } from './compile.ts'
import { generate, generator } from './generate.ts'

describe('generated code', () => {
  it('never runs the text of a key, a literal or a tag as code', () => {
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

  it('reads the same properties as codec.is, in the same order and equally often', () => {
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

  it('stays small when each of 60 nested codecs contains the next one twice', () => {
    let codec: Codec = t.string
    for (let i = 0; i < 60; i++) codec = t.partial({ a: codec, b: codec }, 'Twice')
    const guard = compile(codec)
    const code = codeOf(() => expect(guard({ a: { b: { a: {} } } })).toBe(true))
    expect(guard({ a: { b: { a: 1 } } })).toBe(false)
    expect(code.length).toBeLessThan(30_000)
  })

  it('distinguishes the 40 literals of a union', () => {
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

  it('contains a long list of literals once, even if several fields use it, and never accepts NaN', () => {
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

/** Returns the code that is generated during a call. */
function codeOf(run: () => void): string {
  const { Function: original } = globalThis
  let codes = ''
  globalThis.Function = function noting(...texts: string[]) {
    codes += texts.at(-1)
    return original(...texts)
  } as never
  try {
    run()
  } finally {
    globalThis.Function = original
  }
  return codes
}

/** Returns the same value in a Proxy that records every access. */
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
  })
}

describe('the generated functions', () => {
  const functionsOf = (codec: Codec, isExact = false) => {
    const { functions, guardsOf } = generator(
      value => (value as { readonly name?: string } | undefined)?.name ?? 'named',
    )
    const structure = structureOf(codec)
    guardsOf(structure, [structure.root], isExact)
    return functions
  }
  const months = (count: number) =>
    t.keyof(Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, 0])))

  it('compare a value with each of up to eight literals, and use a set for more literals', () => {
    const compared = Object.keys(months(8).keys).map(name => `v === "${name}"`)
    expect(functionsOf(months(8))).toEqual([`function f0(v) {\nreturn (${compared.join(' || ')});\n}\n`])
    expect(functionsOf(months(9))).toEqual(['function f0(v) {\nreturn named.has(v);\n}\n'])
  })

  it('are shared by codecs that are used twice, and by three equal optional fields', () => {
    const pair = t.type({ a: t.string, b: t.string })
    expect(functionsOf(t.tuple([pair, pair]))).toHaveLength(2)
    expect(functionsOf(t.tuple([pair, t.type({ a: t.string })]))).toHaveLength(1)
    expect(functionsOf(t.partial({ a: t.string, b: t.string }))).toHaveLength(1)
    expect(functionsOf(t.partial({ a: t.string, b: t.string, c: t.string }))).toHaveLength(2)
  })

  it('contain at most about 300 checks', () => {
    const pair = (i: number) => t.type({ a: t.string, [`b${i}`]: t.string })
    const pairs = t.type(Object.fromEntries(Array.from({ length: 110 }, (_, i) => [`f${i}`, pair(i)])))
    // The main function, and one for each of the last nine fields, which come after more than 300 checks.
    expect(functionsOf(pairs)).toHaveLength(10)
  })

  it('check a record with a fast loop first, unless its values can be recursive or custom', () => {
    const self: t.Mixed = t.recursion('Self', () => t.partial({ next: self }))
    const own = new t.Type<string>('Own', t.string.is, t.string.validate, t.identity)
    const loops = (codec: Codec) => functionsOf(t.record(t.string, codec)).join('').split('fast:').length - 1
    expect([t.string, t.array(t.string)].map(loops)).toEqual([1, 1])
    expect([self, own, t.array(own)].map(loops)).toEqual([0, 0, 0])
    // The inner record has a loop.
    expect(loops(t.record(t.string, t.string))).toBe(1)
  })

  it('check each key of a record whose key codec does not accept every string', () => {
    const [code] = functionsOf(t.record(t.number as never, t.string))
    expect(code).toContain('for (const k of Object.keys(v)) if (typeof k === "number") {')
  })

  it('ask for an own property only if the codec treats absent and undefined differently', () => {
    const asks = (codec: unknown) =>
      functionsOf(t.type({ a: codec as Codec }))
        .join('')
        .includes('hasOwn')
    const any = t.unknown as unknown as t.Mixed
    const asking = [t.undefined, any, t.union([t.type({}), t.undefined]), t.intersection([any, any])]
    const own = new t.Type<string>('Own', t.string.is, t.string.validate, t.identity)
    const others = [t.refinement(any, () => true), t.readonly(any), own, t.recursion<string>('A', () => own)]
    expect([...asking, ...others].map(asks)).toEqual(Array(8).fill(true))
    const not = [t.literal('a'), t.string, t.union([t.type({}), t.string]), t.intersection([any, t.type({})])]
    expect([...not, t.array(t.unknown), t.readonly(t.type({}))].map(asks)).toEqual(Array(6).fill(false))
  })
})

describe('an exact guard', () => {
  const codec = wire.object('o', {
    a: wire.required(wire.string),
    list: wire.optional(wire.list(wire.object('p', { b: wire.required(wire.anything) }))),
    map: wire.optional(wire.map(wire.number)),
  })
  const guard = generate(structureOf(codec), true)!

  it('accepts plain objects and lists with known fields', () => {
    const whole = { a: '', list: [{ b: 1 }], map: { c: 1 } }
    for (const value of [{ a: '' }, { a: '', list: null }, whole, Object.assign(Object.create(null), whole)])
      expect(guard(value)).toBe(true)
  })

  it('refuses what the codec refuses, and what JSON would change', () => {
    const refused = [
      { a: 1 },
      { a: '', other: 1 },
      { a: '', list: [{ b: 1, other: 1 }] },
      { a: '', list: [{ b: undefined }] },
      { a: '', list: Array(1) },
      { a: '', list: Object.assign([], { toJSON: () => 1 }) },
      { a: '', map: new Map() },
      { a: '', map: { c: '' } },
      Object.assign(new Date(), { a: '' }),
      Object.create({ a: '' }),
    ]
    for (const value of refused) expect([value, guard(value)]).toEqual([value, false])
  })
})
