import { expect, it } from '@jest/globals'
import * as wire from '@signalbox/codec/wire'
import * as t from 'io-ts'
import { listFields } from './list-fields.ts'

it('listFields finds array fields through all io-ts combinators', () => {
  const list = t.array(t.string)
  const codec = t.intersection([
    t.type({ a: list, b: t.string, c: t.readonlyArray(t.string), d: t.UnknownArray }),
    t.partial({ e: t.union([t.undefined, list]), f: t.readonly(list), g: t.tuple([t.string]) }),
    t.exact(t.type({ h: t.refinement(list, each => each.length > 0), i: t.intersection([list, list]) })),
    t.strict({ j: list }),
    t.refinement(t.type({ k: list }), () => true),
    t.readonly(t.type({ l: list, m: t.union([t.string, t.number]) })),
  ] as never) as t.Mixed
  expect([...listFields(codec)!].sort().join('')).toBe('acdefhijkl')
})

it('listFields finds array fields in wire codecs', () => {
  const codec = wire.object('query', {
    a: wire.required(wire.list(wire.string)),
    b: wire.optional(wire.string),
    c: wire.optional(wire.where(wire.array(wire.string), each => each.length > 0, 'some')),
    d: wire.omittable(wire.oneOf('x')),
  })
  expect([...listFields(codec)!]).toEqual(['a', 'c'])
  expect([...listFields(t.intersection([codec, t.type({ e: wire.list(wire.string) })]))!]).toEqual([
    'a',
    'c',
    'e',
  ])
})

it('listFields finds no fields in codecs that do not describe an object with named fields', () => {
  for (const codec of [
    t.string,
    t.array(t.type({ a: t.array(t.string) })),
    t.record(t.string, t.array(t.string)),
  ]) {
    expect([...listFields(codec)!]).toEqual([])
  }
  expect([...listFields(t.tuple([t.type({ a: t.array(t.string) })]))!]).toEqual([])
})
