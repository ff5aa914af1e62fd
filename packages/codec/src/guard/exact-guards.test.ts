import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as t from 'io-ts'
import { prepareExactGuard } from '../ahead/index.ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import { isPlainObject } from '../json/is-plain-object.ts'
import { UnwritableError } from '../ready/write-table.ts'
import * as wire from '../wire/index.ts'
import { exactGuards } from './exact-guards.ts'

const isShort = (value: unknown): boolean => typeof value === 'string' && value.length < 3
const short = wire.where(wire.anything, isShort, 'short text')
const nameOf = (condition: unknown): string => (condition as { readonly name: string }).name

/** Returns the printed exact guard of a codec. */
function printed(codec: Codec): (value: unknown) => boolean {
  const { functions, guards } = exactGuards([codec], nameOf)
  return new Function('isPlainObject', 'isShort', `${functions.join('')}return ${guards[0]}`)(
    isPlainObject,
    isShort,
  )
}

const keys = fc.constantFrom('a', 'b', 'toJSON', 'constructor', '__proto__', "it's \\")
const fields = [wire.required, wire.optional, wire.omittable]
const { codec: codecs } = fc.letrec<{ codec: Codec }>(tie => ({
  codec: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Codec>(wire.string, wire.boolean, wire.oneOf('a', 'b'), wire.anything, short),
    tie('codec').map(part => wire.list(part) as Codec),
    tie('codec').map(part => wire.map(part) as Codec),
    fc
      .array(fc.tuple(keys, fc.constantFrom(...fields), tie('codec')), { maxLength: 3 })
      .map(
        rows =>
          wire.object(
            'object',
            Object.fromEntries(rows.map(([key, field, part]) => [key, field(part)])),
          ) as Codec,
      ),
  ),
}))

class Instance {
  a = 'a'
}
const odd = [
  () => new Map([['a', 'a']]),
  () => new Instance(),
  () => Object.assign([], { 1: 'a' }),
  () => Object.assign(['a'], { toJSON: () => 'b' }),
  () => Object.create(null),
  () => Object.create({ a: 'a' }),
  () => new Date(0),
  () => undefined,
  () => null,
]
const { value: values } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<unknown>('a', 'abc', true, null, undefined, 7),
    fc.constantFrom(...odd).map(make => make()),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 3 }),
  ),
}))

describe('exact guards', () => {
  it('accept what the codec accepts, if the JSON has exactly this content', () => {
    const answer = wire.object('answer', {
      list: wire.optional(wire.list(wire.string)),
      map: wire.required(wire.map(wire.string)),
      kind: wire.optional(wire.oneOf('a', 'b')),
      inner: wire.omittable(wire.object('inner', { flag: wire.required(wire.boolean) })),
      any: wire.optional(wire.object('any', {})),
      short: wire.optional(short),
    })
    const accepted: readonly unknown[] = [
      { map: {} },
      { map: { x: 'x' }, list: ['a'], kind: 'b', inner: { flag: true }, any: { x: 1 }, short: 'ab' },
      { map: Object.create(null), list: null, kind: undefined, short: null },
    ]
    const refused: readonly unknown[] = [
      undefined,
      null,
      [],
      {},
      { map: {}, other: 1 },
      { map: { x: 1 } },
      { map: new Map() },
      { map: {}, list: Object.assign([], { 1: 'a' }) },
      { map: {}, list: Object.assign(['a'], { toJSON: () => [] }) },
      { map: {}, kind: 'c' },
      { map: {}, inner: null },
      { map: {}, inner: { flag: true, other: 1 } },
      { map: {}, inner: {} },
      { map: {}, any: new Map() },
      { map: {}, short: 'abc' },
      Object.assign(new Instance(), { map: {} }),
    ]
    for (const guard of [printed(answer), prepareExactGuard(answer)]) {
      expect(accepted.filter(value => !guard(value))).toEqual([])
      expect(refused.filter(value => guard(value))).toEqual([])
    }
  })

  it('refuse a required field that is undefined, which JSON lacks', () => {
    const codec = wire.object('any', { a: wire.required(wire.anything), b: wire.omittable(wire.anything) })
    for (const guard of [prepareExactGuard(codec), printed(codec)]) {
      expect(guard({ a: undefined })).toBe(false)
      expect(guard({ a: 1, b: undefined })).toBe(true)
    }
  })

  it('agree at run time and as printed code, for any codec and value', () => {
    let accepted = 0
    fc.assert(
      fc.property(codecs, values, (codec, value) => {
        const isAccepted = prepareExactGuard(codec)(value)
        if (isAccepted) accepted++
        expect(printed(codec)(value)).toBe(isAccepted)
      }),
      { numRuns: 3000 },
    )
    expect(accepted).toBeGreaterThan(10)
  })

  it('are short: equal checks are one function', () => {
    const names = wire.optional(wire.list(wire.string))
    const { functions, guards } = exactGuards(
      [wire.object('o', { a: names, b: names, c: wire.optional(wire.string) })],
      nameOf,
    )
    expect(guards).toEqual(['x2'])
    expect(functions[2]).toBe(`function x2(v) {
if (!isPlainObject(v)) return false;
for (const k in v) if (k !== "a" && k !== "b" && k !== "c") return false;
let w;
return ((w = v["a"]) == null || x0(w)) &&
((w = v["b"]) == null || x0(w)) &&
x1(v["c"]);
}
`)
  })

  it('refuse codecs whose values they cannot describe', () => {
    const longer = wire.where(wire.string, text => text.length > 3, 'longer text')
    const recursive: t.Type<unknown> = t.recursion('r', () => t.union([t.string, recursive]))
    for (const codec of [t.tuple([t.string]), t.UnknownArray, longer, recursive] as readonly Codec[])
      expect(() => exactGuards([codec], nameOf)).toThrow(UnwritableError)
  })
})
