import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as t from 'io-ts'
import { decode } from './decode.ts'
import { decoder, undecodable } from './decoder.ts'
import { fromJson } from './from-json.ts'

interface Tree {
  readonly children: readonly Tree[]
}
const Tree: t.Type<Tree, unknown, unknown> = t.recursion('Tree', () =>
  t.type({ children: t.readonlyArray(Tree) }),
)
const Doubled = new t.Type<number, number, unknown>(
  'Doubled',
  t.number.is,
  (value, context) => (typeof value === 'number' ? t.success(value * 2) : t.failure(value, context)),
  value => value / 2,
)

const codecs: Readonly<Record<string, t.Mixed>> = {
  'a string': t.string,
  'an object': t.type({ a: t.number }),
  'a strict object': t.strict({ a: t.number }),
  'a union': t.union([t.string, t.type({ a: t.number })]),
  'a tuple': t.tuple([t.number]),
  'a field that may be missing': t.type({ a: t.unknown }),
  'a recursive codec': Tree,
  'a codec that transforms': Doubled,
  'the JSON text of an object': fromJson(t.type({ a: t.number })),
  'the JSON text of a string': fromJson(t.string),
  'the JSON text of any value': fromJson(t.unknown),
  'the JSON text of a value that is transformed': fromJson(t.type({ a: Doubled })),
  'the JSON text of a strict object': fromJson(t.strict({ a: t.number })),
  'the JSON text of a tuple': fromJson(t.tuple([t.number])),
  'JSON text in a field': t.type({ a: fromJson(t.number) }),
  'the JSON text of a recursive codec': fromJson(Tree),
}

const throwing = {
  get a(): number {
    throw new Error('a getter')
  },
}

it('a decoder for JSON text refuses an array whose text is JSON', () => {
  expect(decoder(fromJson(t.number))(['5'])).toBe(undecodable)
})

describe.each(Object.entries(codecs))('a decoder for %s', (_name, codec) => {
  const decodeAll = decoder(codec)
  const reference = (value: unknown) => {
    try {
      return decode(codec, value)
    } catch {
      return undecodable
    }
  }

  it('returns the same results as decode', () => {
    const near = fc.oneof(
      fc.constantFrom<unknown>(
        '',
        '7',
        '"7"',
        '{"a":1}',
        '{"a":1,"b":2}',
        '{"a":"1"}',
        '{"children":[]}',
        'null',
        '{',
        '[7]',
        '[7,8]',
      ),
      fc.constantFrom<unknown>(
        { a: 1 },
        { a: 1, b: 2 },
        { a: '1' },
        { children: [{ children: [] }] },
        7,
        [7, 8],
        {},
        null,
        undefined,
      ),
      fc.constantFrom<unknown>('{"__proto__":{"a":1}}', '{"a":1,"\\u005f_proto__":2}', throwing),
      fc.anything(),
      fc.json(),
    )
    fc.assert(fc.property(near, value => expect(decodeAll(value)).toEqual(reference(value))))
  })
})

it('decoder() does not read the definition of a recursive codec until the first value is decoded', () => {
  const decodeLater = decoder(t.recursion<readonly number[], unknown>('later', () => later))
  const later = t.readonlyArray(t.number)
  expect(decodeLater([1])).toEqual([1])
})
