import { describe, expect, it } from '@jest/globals'
import { jsonSchema } from '@signalbox/codec/json-schema'
import * as t from 'io-ts'
import { compile } from '../guard/compile.ts'
import { called } from '../guard/generate.ts'
import { decode, decoder, fromJson, problems, undecodable, validate } from '../index.ts'
import type { Codec } from '../io-ts/codec-of.ts'
import { confidentially } from '../structure/confidential.ts'
import { startTable, transforms } from '../structure/structure.ts'
import { evaluated, fuzz, sameWhenReady } from '../testing/ready.fuzz.ts'
import * as wire from '../wire/index.ts'
import { exactSourceOf, prepare, prepareExactGuard, prepareGuard, sourceOf } from './prepare.ts'
import { printReady } from './print-ready.ts'
import { readyCodec, refusalsOfReady, tableProblems } from './ready-codec.ts'
import { UnwritableError } from './write-table.ts'

const Animal = wire.byTag('animal', 'kind', {
  cat: wire.object('cat', { kind: wire.required(wire.oneOf('cat')), lives: wire.optional(wire.number) }),
  dog: wire.object('dog', { kind: wire.required(wire.oneOf('dog')), good: wire.omittable(wire.boolean) }),
})
const custom = new t.Type('Custom', t.string.is, t.string.validate, t.identity)
const NotEmpty = wire.where(wire.string, text => text.length > 0, 'text that is not empty')

const codecs: Readonly<Record<string, Codec>> = {
  'a string': t.string,
  'any value': t.unknown,
  'a choice of two values': t.keyof({ a: 0, b: 0 }),
  'a choice of many values': t.keyof(Object.fromEntries([...'abcdefghijkl'].map(key => [key, 0]))),
  'a choice of a text, a number and a boolean': t.union([t.literal('a'), t.literal(1), t.literal(true)]),
  'an object': t.type({ a: t.string, b: t.union([t.number, t.null]), c: t.array(t.unknown) }),
  'a wire object': wire.object('o', { a: wire.required(NotEmpty), b: wire.optional(wire.string) }),
  'an object with optional fields': t.partial({ a: t.string, b: t.type({ c: t.number }) }),
  'a record': t.record(t.string, t.number),
  'a record of objects': wire.map(wire.object('o', { a: wire.required(wire.string) })),
  'an array': t.array(t.string),
  'any array': t.UnknownArray,
  'an intersection': t.intersection([t.type({ a: t.string }), t.partial({ b: t.number })]),
  'a union': t.union([
    t.string,
    t.array(t.number),
    t.type({ a: t.string }),
    t.type({ b: t.type({ c: t.string }) }),
  ]),
  'a union with a tag': Animal,
  'an object with conditions': wire.object('o', { a: wire.required(NotEmpty), b: wire.required(NotEmpty) }),
  'a readonly object': t.readonly(t.type({ a: t.string })),
  'a confidential object': confidentially(wire.object('o', { a: wire.required(wire.oneOf('x')) })),
  'a function': t.Function,
  'a field of any value': wire.object('o', {
    a: wire.required(wire.anything),
    b: wire.required(wire.oneOf('b')),
  }),
} as never

const values: readonly unknown[] = [
  undefined,
  null,
  'a',
  1,
  true,
  [],
  ['a', 1],
  [1, 2, 'x'],
  Object.assign(Array(3), { 1: 1 }),
  {},
  { a: 'a' },
  { a: '', b: 1, c: 'c' },
  { a: null, b: null },
  { a: 1, b: { c: 2 } },
  { a: 'x', b: undefined, c: undefined },
  { a: { a: 'b' }, b: { a: 1 } },
  { kind: 'cat', lives: 9 },
  { kind: 'cat', lives: 'nine' },
  { kind: 'cow' },
  { kind: 'dog', good: null },
  () => 1,
  {
    get a() {
      throw new Error('no')
    },
  },
  new Proxy(
    {},
    {
      getOwnPropertyDescriptor() {
        throw new Error('trap getOwnPropertyDescriptor')
      },
    },
  ),
]

describe('a precompiled codec', () => {
  it.each(Object.entries(codecs))('reports the same problems as its source codec for %s', (_, codec) => {
    for (const value of values) sameWhenReady(codec, () => value)
  })

  it('reports the same problems as its source codec, for any codec and value', () => {
    expect(fuzz(300, 7)).toMatch(/^300 codecs/)
  })

  it('counts the problems beyond the first hundred, and stops counting after many checks', () => {
    const codec = wire.map(wire.string)
    const wrong = Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`k${i}`, i]))
    const found = refusalsOfReady(prepare(codec), wrong)
    expect(found).toHaveLength(101)
    expect(found).toEqual(problems(codec, wrong))
  })

  it('is accepted by every function of the package', () => {
    const ready = prepare(wire.object('order', { id: wire.required(wire.string) }))
    expect(sourceOf(ready)).toBeDefined()
    expect(compile(ready)({ id: 'a' })).toBe(true)
    expect(problems(ready, { id: 1 })).toEqual([{ pointer: '/id', expected: 'string', actual: 'number 1' }])
    expect(decode(fromJson(ready), '{"id":"a"}')).toEqual({ id: 'a' })
    expect(decoder(fromJson(ready))('{"id":1}')).toBe(undecodable)
    expect(validate(t.array(ready), [{ id: 'a' }, {}])).toMatchObject({ left: [{ pointer: '/1/id' }] })
    expect(jsonSchema(ready)).toEqual(jsonSchema(wire.object('order', { id: wire.required(wire.string) })))
    expect(ready.encode({ id: 'a' })).toEqual({ id: 'a' })
    expect(ready.decode(1)).toMatchObject({ _tag: 'Left', left: [{ value: 1 }] })
  })

  it.each(Object.entries(codecs))('has the same JSON Schema as its source codec for %s', (_, codec) => {
    expect(jsonSchema(prepare(codec))).toEqual(jsonSchema(codec))
    expect(problems(t.type({ x: prepare(codec) }), { x: Symbol() })).toEqual(
      problems(t.type({ x: codec }), { x: Symbol() }),
    )
  })

  it('accepts a list only if its own every() accepts it, as its source codec does', () => {
    const codec = t.readonlyArray(t.string)
    for (const ready of [prepare(codec), evaluated({ ready: codec }).ready!]) {
      expect(ready.is(Object.assign(['a'], { every: () => false }))).toBe(false)
      expect([ready.is(['a']), ready.is(['a', 1])]).toEqual([true, false])
    }
    expect(codec.is(Object.assign(['a'], { every: () => false }))).toBe(false)
  })

  it('does not transform values, so that its guard is enough to decode them', () => {
    for (const codec of Object.values(codecs)) expect(transforms(prepare(codec))).toBe(false)
  })

  it('reports that a value cannot be checked if the table of the codec is broken', () => {
    const broken = readyCodec(
      'broken',
      () => false,
      { text: '["string",["where","x",0,0]]', conditions: [] },
      1,
    )
    expect(refusalsOfReady(broken, 'a')).toEqual([
      { pointer: '', expected: 'x', actual: 'something that cannot be checked' },
    ])
  })
})

describe('tableProblems()', () => {
  const ready = { table: { text: '["string"]', conditions: [] }, root: 0 }

  it('returns null for a value that the table accepts, and problems for a value that the table refuses', () => {
    expect(tableProblems(ready, 'a')).toBe(null)
    expect(tableProblems(ready, 1)).toEqual([{ pointer: '', expected: 'string', actual: 'number 1' }])
  })
})

describe('prepare()', () => {
  interface Tree {
    readonly children: readonly Tree[]
  }
  const Tree: t.Type<Tree> = t.recursion('Tree', self => t.type({ children: t.readonlyArray(self) }))
  it.each<[string, unknown]>([
    ['refers to itself', Tree],
    ['strips fields', t.strict({ a: t.string })],
    [
      'strips keys',
      t.record(
        t.refinement(t.string, key => key !== 'a'),
        t.string,
      ),
    ],
    ['strips the fields of a record', t.record(t.keyof({ a: 0 }), t.string)],
    ['accepts arrays as records', t.record(t.string, t.any)],
    ['decodes what its guard refuses', t.type({ a: t.union([t.string, t.undefined]) })],
    ['decodes any absent field', t.type({ a: t.readonly(t.unknown) })],
    ['makes a tuple', t.tuple([t.string])],
    ['reads JSON text', fromJson(t.string)],
    ['is custom', new t.Type('Custom', t.string.is, t.string.validate, t.identity)],
    ['has a value that JSON cannot hold', t.union([t.literal('a'), t.undefined])],
    ['has the value minus zero', t.union([t.literal(-0), t.literal(1)])],
  ])('refuses a codec that %s', (_, codec) => {
    expect(() => prepare(codec as Codec)).toThrow(UnwritableError)
  })

  it.each<[string, unknown]>([
    ['Custom cannot be compiled ahead of time, because it is a custom codec', custom],
    [
      '[string] cannot be compiled ahead of time, because it changes values or refers to itself',
      t.tuple([t.string]),
    ],
    [
      'Order cannot be compiled ahead of time, because a field that may be undefined is decoded when it is absent',
      t.type({ note: t.unknown }, 'Order'),
    ],
    ['Zero cannot be compiled ahead of time, because JSON cannot represent -0', t.literal(-0, 'Zero')],
    [
      'Huge cannot be compiled ahead of time, because JSON cannot represent Infinity',
      t.literal(Number.POSITIVE_INFINITY, 'Huge'),
    ],
    ['undefined cannot be compiled ahead of time, because JSON cannot represent undefined', t.undefined],
  ])('throws an error that says "%s"', (words, codec) => {
    expect(() => prepare(codec as Codec)).toThrow(words)
  })
})

describe('the table of a codec', () => {
  const tableOf = (codec: Codec) => {
    const { nodes, conditions, add } = startTable(JSON.stringify)
    return { root: add(codec), nodes, conditions }
  }

  it('contains each part and each condition once', () => {
    const even = (n: number) => n % 2 === 0
    const [one, other] = [wire.where(wire.number, even, 'even'), wire.where(wire.number, even, 'not odd')]
    expect(tableOf(t.partial({ a: one, b: other, c: one }))).toMatchObject({
      root: 3,
      nodes: [
        'number',
        ['where', 'even', 0, 0],
        ['where', 'not odd', 0, 0],
        ['object', '-a', 1, '-b', 2, '-c', 1],
      ],
      conditions: [even],
    })
  })

  it('contains the conditions in the order in which the codec uses them', () => {
    const [first, second] = [(n: number) => n > 1, (n: number) => n > 2]
    const codec = t.partial({
      a: wire.where(wire.number, first, 'above 1'),
      b: wire.where(wire.number, second, 'above 2'),
      c: wire.where(wire.number, first, 'above one'),
    })
    expect(tableOf(codec)).toMatchObject({ conditions: [first, second] })
  })
})

describe('printed code', () => {
  it('exports each codec by name, shares equal parts, and escapes strings', () => {
    const line = wire.object('line', { "it's": wire.required(wire.oneOf('a\\\n\u2028')) })
    const { one, two } = evaluated({ one: line, two: wire.list(line) })
    expect(one!.is({ "it's": 'a\\\n\u2028' })).toBe(true)
    expect(refusalsOfReady(two!, [{}])).toEqual(refusalsOfReady(prepare(wire.list(line)), [{}]))
  })

  it('has the functions of two equal checks once', () => {
    const texts = () => wire.list(wire.object('o', { c: wire.required(wire.string) }))
    const codec = wire.object('o', { a: wire.required(texts()), b: wire.required(texts()) })
    expect(printReady({ codecs: { codec } }, new Map()).match(/function/g)).toHaveLength(3)
    for (const value of [
      { a: [], b: [{ c: '' }] },
      { a: [1], b: [] },
      { a: [], b: [{}] },
    ])
      sameWhenReady(codec, () => value)
  })

  it('contains only guards when only guards are requested', () => {
    const guard = prepareGuard(t.type({ a: t.string }))
    expect([{ a: 'a' }, {}].map(guard)).toEqual([true, false])
    const printed = printReady({ codecs: {}, guards: { isA: sourceOf(guard)! } }, new Map())
    expect(printed).toContain('export { f0 as isA }')
    expect(printed).not.toContain('table')
    const maps = { guards: { 'a-b': t.string, c: t.number } }
    expect(printReady({ codecs: {}, maps }, new Map())).toContain(
      'export const guards = { "a-b": f0, "c": f1 }',
    )
  })

  it('contains exact guards, which refuse unknown fields', () => {
    const codec = wire.object('o', { a: wire.required(wire.string) })
    const guard = prepareExactGuard(codec)
    expect(exactSourceOf(guard)).toBe(codec)
    expect([{ a: 'a' }, { a: 'a', b: 1 }].map(guard)).toEqual([true, false])
    const printed = printReady({ codecs: {}, exactMaps: { exact: { o: codec } } }, new Map())
    expect(printed).toContain('export const exact = { "o": f0 }')
    const { exact } = new Function(
      ...Object.keys(called),
      `${printed.replace('export ', '')}return { exact }`,
    )(...Object.values(called))
    expect([{ a: 'a' }, { a: 'a', b: 1 }].map(exact.o)).toEqual([true, false])
  })

  it('is refused for a guard that would decode or that is custom', () => {
    for (const isA of [custom, t.tuple([t.string])] as unknown as readonly Codec[])
      expect(() => printReady({ codecs: {}, guards: { isA } }, new Map())).toThrow(UnwritableError)
  })

  it('refers to conditions by their exported names, and refuses a condition without a name', () => {
    const named = new Map([[isShort, 'isShort']])
    const codec = wire.where(wire.string, isShort, 'short text')
    expect(printReady({ codecs: { Short: codec } }, named)).toContain('conditions: [isShort]')
    expect(() => printReady({ codecs: { Short: codec } }, new Map())).toThrow(
      'The condition isShort cannot be compiled',
    )
    const anonymous = wire.where(wire.string, [() => true][0]!, 'any text')
    expect(() => printReady({ codecs: { Any: anonymous } }, new Map())).toThrow(
      'The condition of a codec cannot be',
    )
  })
})

function isShort(text: string): boolean {
  return text.length < 3
}
