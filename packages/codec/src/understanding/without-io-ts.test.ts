import { afterEach, describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import { confidentially } from '../io-ts/confidential.ts'
import { fromJson } from '../json/from-json.ts'
import { listProblems } from '../problems/list-problems.ts'
import { prepare } from '../ready/prepare.ts'
import * as wire from '../wire/index.ts'
import { understandIoTs } from './understand-io-ts.ts'
import { withIoTs } from './with-io-ts.ts'
import { withoutIoTs } from './without-io-ts.ts'

const own = { ...withoutIoTs }
afterEach(() => {
  Object.assign(withoutIoTs, own)
})

function problemsOf(codec: unknown, value: unknown, decoding: boolean, how = withoutIoTs) {
  return listProblems(
    () => how.examine(codec as Codec, value, decoding),
    () => how.inWords(codec as Codec),
  )
}

const Order = prepare(wire.object('order', { id: wire.required(wire.string) }))
const Even = new t.Type<number, number, unknown>(
  'Even',
  (u): u is number => Number(u) % 2 === 0,
  (u, context) => (Number(u) % 2 === 0 ? t.success(u as number) : t.failure(u, context)),
  t.identity,
)
const Loose = new t.Type<unknown>('Loose', ((_: unknown) => false) as t.Is<unknown>, t.success, t.identity)
const Throws = new t.Type<unknown>(
  'Throws',
  (() => {
    throw new Error('no')
  }) as never,
  () => {
    throw new Error('no')
  },
  t.identity,
)

describe('the package without io-ts support', () => {
  it.each<[string, unknown, unknown]>([
    ['a precompiled codec', Order, { id: 1 }],
    ['JSON text for a precompiled codec', fromJson(Order), '{"id":1}'],
    ['text that is not JSON', fromJson(Order), '{"id":'],
    ['a value that is not a string', fromJson(Order), 7],
    ['a custom codec', Even, 3],
    ['JSON text for a custom codec', fromJson(Even), '3'],
    ['a codec that throws', Throws, 3],
    ['a codec that decodes what its guard refuses', Loose, 3],
    ['a confidential codec', confidentially(new t.Type('Even', Even.is, Even.validate, t.identity)), 3],
  ])('reports the same problems for %s as with io-ts support', (_, codec, value) => {
    for (const decoding of [true, false]) {
      expect(problemsOf(codec, value, decoding)).toEqual(
        problemsOf(codec, value, decoding, withIoTs as never),
      )
    }
    expect(withoutIoTs.inWords(codec as Codec)).toBe(withIoTs.inWords(codec as Codec))
  })

  it('treats every codec that is not precompiled as one that may transform values', () => {
    expect([Order, Even, t.string].map(codec => withoutIoTs.transforms(codec as Codec))).toEqual([
      false,
      true,
      true,
    ])
    expect(withoutIoTs.guardOf(Even)(2)).toBe(true)
  })

  it('recognizes io-ts codecs only after understandIoTs() is called', () => {
    expect(problemsOf(t.type({ a: t.string }), {}, true)).toEqual([
      { pointer: '/a', expected: 'string', actual: 'nothing' },
    ])
    expect(withoutIoTs.inWords(t.type({ a: t.string }))).toBe('{ a: string }')
    understandIoTs()
    expect(withoutIoTs.inWords(t.type({ a: t.string }))).toBe('object')
  })
})
