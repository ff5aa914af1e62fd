import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import { minifiedGuards } from '../../fixtures/minified-guards.ts'
import { compile, decode, decoder, fromJson, problems, validate } from '../index.ts'
import type { Codec } from '../io-ts/codec-of.ts'
import { structureOf } from './structure.ts'

const any = t.unknown as unknown as t.Mixed

/** For each combinator, a codec that it made and the kind of that codec. */
const codecs: Readonly<Record<string, readonly [kind: string, codec: unknown]>> = {
  any: ['any', t.any],
  unknown: ['any', t.unknown],
  string: ['typeof', t.string],
  number: ['typeof', t.number],
  boolean: ['typeof', t.boolean],
  bigint: ['typeof', t.bigint],
  Function: ['typeof', t.Function],
  null: ['one of', t.null],
  undefined: ['one of', t.undefined],
  void: ['one of', t.void],
  literal: ['one of', t.literal('a')],
  keyof: ['one of', t.keyof({ a: 0 })],
  UnknownRecord: ['object', t.UnknownRecord],
  type: ['object', t.type({ a: any })],
  partial: ['object', t.partial({ a: any })],
  'record of known keys': ['strips', t.record(t.literal('a'), any)],
  record: ['record', t.record(t.string, any)],
  UnknownArray: ['array', t.UnknownArray],
  array: ['array', t.array(any)],
  readonlyArray: ['array', t.readonlyArray(any)],
  tuple: ['tuple', t.tuple([any])],
  intersection: ['all', t.intersection([any, any])],
  union: ['some', t.union([t.string, t.number])],
  'union with a tag': ['tagged', t.union([t.type({ a: t.literal(1) }), t.type({ a: t.literal(2) })])],
  refinement: ['where', t.refinement(any, Boolean)],
  recursion: ['recursive', t.recursion<string>('R', () => t.readonly(t.string))],
  readonly: ['typeof', t.readonly(t.string)],
  exact: ['strips', t.exact(t.type({}))],
}

/** Returns the kind of a codec's node. */
function kindOf(codec: unknown): string {
  const { table, root } = structureOf(codec as Codec)
  const node = table.nodes![root]!
  return typeof node === 'string' ? 'typeof' : node[0]
}

function withGuard(codec: unknown, is: unknown): Codec {
  return Object.assign(Object.create(Object.getPrototypeOf(codec)), codec, { is })
}

/**
 * Returns a guard with this source text. A name in the text refers to the property of `names` with the same name. An
 * unknown name refers to a guard that refuses everything.
 */
function guardOf(text: unknown, names: object = {}): unknown {
  const no: unknown = new Proxy(() => false, { get: () => no })
  const scope = new Proxy(names, {
    has: (_, name) => !(name in globalThis),
    get: (_, name) => (name === Symbol.unscopables ? undefined : (names[name as never] ?? no)),
  })
  return new Function('scope', `with (scope) { return ${text} }`)(scope)
}

describe('an io-ts codec', () => {
  it.each(Object.entries(codecs))('made with %s is recognized', (_, [kind, codec]) => {
    expect(kindOf(codec as Codec)).toBe(kind)
  })

  const minified = Object.entries(minifiedGuards).flatMap(([tool, guards]) =>
    Object.entries(guards).map(([name, text]) => [name, tool, text] as const),
  )
  it.each(minified)('made with %s is recognized after minification by %s', (name, _tool, text) => {
    const [kind, codec] = codecs[name]!
    expect(kindOf(withGuard(codec, guardOf(text)))).toBe(kind)
  })

  it('is not recognized when it has the guard of a different codec', () => {
    const guards = Object.values(codecs).map(([, codec]) => codec as Codec)
    for (const codec of guards) {
      for (const other of guards) {
        if (String(other.is) === String(codec.is)) continue
        expect(kindOf(withGuard(codec, other.is))).toBe('codec')
      }
    }
  })

  it('is not recognized when its guard is replaced or its class is extended', () => {
    const narrow = (u: unknown): u is string => typeof u === 'string' && u !== ''
    class Short extends t.StringType {
      constructor() {
        super()
        Object.assign(this, { is: narrow })
      }
    }
    // The guard is the same, but this class decodes differently.
    class Trimmed extends t.StringType {
      override validate = (u: unknown) => t.success(String(u).trim())
    }
    class Own extends t.Type<string> {
      readonly _tag = 'StringType'
      constructor() {
        super('Own', t.string.is, u => t.success(String(u).trim()), t.identity)
      }
    }
    for (const codec of [withGuard(t.string, narrow), new Short(), new Trimmed(), new Own()]) {
      expect(kindOf(codec)).toBe('codec')
      expect(compile(codec)('')).toBe(codec.is(''))
    }
    class Readonly extends t.Type<string> {
      readonly type = t.string
      constructor() {
        super('Readonly', t.string.is, t.string.validate, t.identity)
      }
    }
    expect(kindOf(new Readonly())).toBe('codec')
    class Trimming extends t.ReadonlyType<t.StringC> {
      override validate = (u: unknown) => t.success(String(u).trim())
    }
    const { name, is, validate, encode } = t.string
    expect(kindOf(new Trimming(name, is, validate, encode, t.string))).toBe('codec')
    for (const prototype of [null, Object.prototype]) {
      const bare = Object.assign(Object.create(prototype), t.string)
      expect(kindOf(bare)).toBe('codec')
    }
    const below = Object.assign(Object.create(t.TaggedUnionType.prototype), { ...t.string, tag: 'a' })
    expect(kindOf(below)).toBe('codec')
  })

  it('is not recognized when its guard fakes its source text or is a native function', () => {
    const long = Object.assign((u: unknown) => typeof u === 'string' && u.length > 3, {
      toString: () => String(t.string.is),
    })
    const codec = withGuard(t.string, long)
    expect([kindOf(codec), compile(codec)('ab')]).toEqual(['codec', false])
    const native = withGuard(t.UnknownArray, Number.isInteger)
    expect([kindOf(native), compile(native)([]), compile(native)(1)]).toEqual(['codec', false, true])
  })

  it('is not recognized when it is a clone that decodes differently, as in io-ts-types', () => {
    const validate = (u: unknown) => t.success(String(u).trim())
    const trimmed = Object.assign(withGuard(t.string, t.string.is), { validate, decode: validate })
    const codec = t.type({ a: trimmed })
    expect([kindOf(trimmed), decode(codec, { a: ' b ' })]).toEqual(['codec', { a: 'b' }])
    expect(problems(codec, { a: 1 })).toEqual([])
    const stripping = Object.assign(withGuard(t.readonly(trimmed), trimmed.is), { decode: validate })
    expect(kindOf(stripping)).toBe('codec')
  })

  it.each(Object.entries(codecs))(
    'made with %s is not recognized when only its validate is replaced',
    (_, [, codec]) => {
      // An exact codec always decodes with its own `validate`.
      const expected = codec instanceof t.ExactType ? 'strips' : 'codec'
      const source = codec as Codec
      const changed: t.Validate<unknown, unknown> = (u, context) =>
        u === 1 ? t.success(2) : source.validate(u, context)
      const named = function changed() {
        return t.success(2)
      }
      for (const validate of [changed, named, { validate: named }.validate.bind(null)]) {
        const replaced = Object.assign(withGuard(source, source.is), { validate })
        expect(kindOf(replaced)).toBe(expected)
      }
    },
  )

  it('that is a readonly of a codec of another maker is recognized', () => {
    const codec = fromJson(t.number)
    expect(kindOf(t.readonly(codec))).toBe('json')
    expect(decode(t.readonly(codec), '1')).toBe(1)
  })

  it('decodes as its own validate does when only validate is replaced', () => {
    const codec = t.type({ a: t.string })
    const own: typeof codec.validate = (u, context) =>
      t.string.is(u) ? t.success({ a: u }) : t.failure(u, context, 'expected text')
    Object.assign(codec, { validate: own })
    expect(validate(codec, { a: 'b' })._tag).toBe('Left')
    expect(decoder(codec)('b')).toEqual({ a: 'b' })
  })

  // These guards have the same source text as newer ones, but they call a different function.
  it('is not recognized when it identifies objects by Symbol.toStringTag, as io-ts before 2.2.19 did', () => {
    const isRecord = (u: unknown) => Object.prototype.toString.call(u) === '[object Object]'
    for (const name of ['type', 'partial', 'record', 'union with a tag']) {
      const [kind, codec] = codecs[name]!
      const made = (is: unknown) =>
        withGuard(codec, guardOf((codec as Codec).is, { exports: { UnknownRecord: { is } } }))
      const [today, old] = [made(t.UnknownRecord.is), made(isRecord)]
      expect([name, kindOf(today), kindOf(old)]).toEqual([name, kind, 'codec'])
      expect(compile(old)(new Date())).toBe(old.is(new Date()))
    }
  })
})
