import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as t from 'io-ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import { compile } from './compile.ts'
import { acceptsUndefined, guardCode } from './generate.ts'
import { agree } from './hostile.fuzz.ts'

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
    getOwnPropertyDescriptor(target, key) {
      reads.push(`own ${String(key)}`)
      return Reflect.getOwnPropertyDescriptor(target, key)
    },
  })
}

describe('the generated code', () => {
  const months = (count: number) =>
    t.keyof(Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, 0])))
  const Line = t.type({ sku: t.string, count: t.refinement(t.number, n => n > 0) })
  const Order = t.intersection([
    t.type({
      id: t.unknown,
      state: t.keyof({ open: 0, sent: 0 }),
      lines: t.array(Line),
      rest: t.UnknownArray,
    }),
    t.partial({
      pair: t.tuple([t.literal('a'), t.union([t.literal(1), t.null, t.undefined])]),
      first: Line,
      month: months(9),
    }),
    t.type({
      tags: t.record(t.string, t.string),
      of: t.record(t.refinement(t.string, Boolean), t.array(t.string)),
    }),
  ])

  it('has one function for a codec, one for its items, and one for each record', () => {
    const { functions, guards, constants } = guardCode([Order, Order])
    expect([guards, constants.slice(2)]).toEqual([
      ['f0', 'f0'],
      [1, undefined, new Set(Object.keys(months(9).keys)), Boolean],
    ])
    const line = (
      v: string,
      a: string,
      b: string,
    ) => `typeof ${v} === "object" && ${v} !== null && !Array.isArray(${v}) &&
((${a} = ${v}["sku"]) !== undefined || c0.call(${v}, "sku")) &&
typeof ${a} === "string" &&
((${b} = ${v}["count"]) !== undefined || c0.call(${v}, "count")) &&
typeof ${b} === "number" && c1(${b})`
    const record = (name: string, condition: string, items: string) => `function ${name}(v) {
if (!(typeof v === "object" && v !== null && !Array.isArray(v))) return false;
try {
fast: {
for (const k in v) ${condition}{
const w = v[k];
if (!(${items})) break fast;
}
return true;
}
} catch {}
for (const k of Object.keys(v)) ${condition}{
const w = v[k];
if (!(${items})) return false;
}
return true;
}
`
    expect(functions).toEqual([
      `function f1(v) {\nlet v1,v2;\nreturn ${line('v', 'v1', 'v2')};\n}\n`,
      record('f2', '', 'typeof w === "string"'),
      'function f4(v) {\nreturn typeof v === "string";\n}\n',
      record('f3', 'if (typeof k === "string" && c5(k)) ', 'Array.isArray(w) && w.every(f4)'),
      `function f0(v) {
let v1,v2,v3,v4,v5,v6,v7,v8,v9,v10,v11,v12,v13;
return typeof v === "object" && v !== null && !Array.isArray(v) &&
((v1 = v["id"]) !== undefined || c0.call(v, "id")) &&
((v2 = v["state"]) !== undefined || c0.call(v, "state")) &&
(v2 === "open" || v2 === "sent") &&
((v3 = v["lines"]) !== undefined || c0.call(v, "lines")) &&
Array.isArray(v3) && v3.every(f1) &&
((v4 = v["rest"]) !== undefined || c0.call(v, "rest")) &&
Array.isArray(v4) &&
typeof v === "object" && v !== null && !Array.isArray(v) &&
((v5 = v["pair"]) === undefined || Array.isArray(v5) && v5.length === 2 &&
(v6 = v5[0], (v6 === "a")) &&
(v7 = v5[1], (v7 === c2 || v7 === null || v7 === c3))) &&
((v8 = v["first"]) === undefined || ${line('v8', 'v9', 'v10')}) &&
((v11 = v["month"]) === undefined || c4.has(v11)) &&
typeof v === "object" && v !== null && !Array.isArray(v) &&
((v12 = v["tags"]) !== undefined || c0.call(v, "tags")) &&
f2(v12) &&
((v13 = v["of"]) !== undefined || c0.call(v, "of")) &&
f3(v13);
}
`,
    ])
  })

  it('compares a value with each of up to eight literals, and uses a set for more literals', () => {
    const compared = Object.keys(months(8).keys).map(name => `v === "${name}"`)
    expect(guardCode([months(8)]).functions).toEqual([
      `function f0(v) {\nreturn (${compared.join(' || ')});\n}\n`,
    ])
    expect(guardCode([months(9)]).functions).toEqual(['function f0(v) {\nreturn c1.has(v);\n}\n'])
  })

  it('repeats the code of short codecs, and calls a function for longer ones that are used twice', () => {
    const twice = (codec: Codec) => guardCode([t.tuple([codec, codec])]).functions.length
    const fields = (count: number, codec: Codec) =>
      t.type(Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, codec])))
    const nested = t.type({ a: t.string })
    expect([twice(fields(8, t.string)), twice(fields(9, t.string))]).toEqual([1, 2])
    expect([twice(fields(1, nested)), twice(t.type({ a: nested, b: t.string }))]).toEqual([1, 2])
  })

  it('moves further checks to other functions once a function contains 300 checks', () => {
    const pair = () => t.type({ a: t.string, b: t.string })
    const pairs = t.type(Object.fromEntries(Array.from({ length: 110 }, (_, i) => [`f${i}`, pair()])))
    // The main function, and one for each of the last nine fields, which come after more than 300 checks.
    expect(guardCode([pairs]).functions).toHaveLength(10)
  })

  it('checks a record with a fast loop first, unless its values can be recursive or custom', () => {
    const self: t.Mixed = t.recursion('Self', () => t.partial({ next: self }))
    const own = new t.Type<string>('Own', t.string.is, t.string.validate, t.identity)
    const loops = (codec: Codec) =>
      guardCode([t.record(t.string, codec)])
        .functions.join('')
        .split('fast:').length - 1
    expect([t.string, t.array(t.string)].map(loops)).toEqual([1, 1])
    expect([self, own, t.array(own)].map(loops)).toEqual([0, 0, 0])
    // The inner record has a loop.
    expect(loops(t.record(t.string, t.string))).toBe(1)
  })

  it('checks each key of a record whose key codec does not accept every string', () => {
    const [code] = guardCode([t.record(t.number as never, t.string)]).functions
    expect(code).toContain('for (const k of Object.keys(v)) if (typeof k === "number") {')
  })

  it('checks the alternatives of a union in order, or only the alternative that the tag selects', () => {
    const untagged = t.union([t.string, t.array(t.number)])
    expect(guardCode([untagged]).functions.at(-1)).toBe(
      'function f0(v) {\nreturn (typeof v === "string" || Array.isArray(v) && v.every(f1));\n}\n',
    )
    const tagged = t.union([t.type({ k: t.literal('a') }), t.type({ k: t.literal('b') })])
    const isObject = 'typeof v === "object" && v !== null && !Array.isArray(v)'
    const branch = (w: string, tag: string) => `${isObject} &&
((${w} = v["k"]) !== undefined || c0.call(v, "k")) &&
(${w} === "${tag}") :
`
    expect(guardCode([tagged]).functions).toEqual([
      `function f0(v) {
let v1,v2,v3;
return ${isObject} && (v1 = v["k"], (v1 === "a") ? ${branch('v2', 'a')}(v1 === "b") ? ${branch('v3', 'b')}false);
}
`,
    ])
  })

  it('uses the code of the inner codec for t.readonly, and calls a function for a recursive codec', () => {
    expect(guardCode([t.readonly(t.string)]).functions).toEqual([
      'function f0(v) {\nreturn typeof v === "string";\n}\n',
    ])
    const [inner, outer] = guardCode([t.recursion<string>('Text', () => t.readonly(t.string))]).functions
    expect([inner, outer]).toEqual([
      'function f1(v) {\nreturn typeof v === "string";\n}\n',
      'function f0(v) {\nreturn f1(v);\n}\n',
    ])
  })
})

describe('acceptsUndefined()', () => {
  const any = t.unknown as unknown as t.Mixed
  it.each<[boolean, string, Codec]>([
    [true, 'undefined', t.undefined],
    [false, 'a literal', t.literal('a')],
    [false, 'a string', t.string],
    [true, 'any value', t.unknown],
    [true, 'a union with undefined', t.union([t.type({}), t.undefined])],
    [false, 'a union without undefined', t.union([t.type({}), t.string])],
    [true, 'an intersection of unknown types', t.intersection([any, any])],
    [false, 'an intersection with an object type', t.intersection([any, t.type({})])],
    [true, 'a refinement of an unknown type', t.refinement(any, () => true)],
    [false, 'a refinement of a string', t.refinement(t.string, () => true)],
    [false, 'a readonly object type', t.readonly(t.type({}))],
    [true, 'a readonly unknown type', t.readonly(t.unknown)],
    [true, 'a custom codec', new t.Type<string>('Own', t.string.is, t.string.validate, t.identity)],
    [true, 'a recursive codec', t.recursion<string>('Text', () => t.readonly(t.string))],
    [false, 'an array', t.array(t.unknown)],
  ])('returns %s for %s', (accepts, _, codec) => {
    expect(acceptsUndefined(codec)).toBe(accepts)
  })
})
