import { describe, expect, it } from '@jest/globals'
import * as wire from '@signalbox/codec/wire'
import * as t from 'io-ts'
import { fromJson } from '../index.ts'
import { textFields, textForms } from './text-fields.ts'

const list = t.array(t.string)
const formsOf = (codec: t.Mixed) => Object.fromEntries(textForms(codec))

describe('textForms()', () => {
  it('finds lists through all io-ts combinators', () => {
    const codec = t.intersection([
      t.type({ a: list, b: t.string, c: t.readonlyArray(t.string), d: t.UnknownArray }),
      t.partial({ e: t.union([t.undefined, list]), f: t.readonly(list), g: t.tuple([t.string]) }),
      t.exact(t.type({ h: t.refinement(list, each => each.length > 0), i: t.intersection([list, list]) })),
      t.strict({ j: t.union([list, t.null]) }),
      t.refinement(t.type({ k: list }), () => true),
      t.readonly(t.type({ l: t.recursion('Texts', () => list), m: t.union([t.string, t.number]) })),
    ] as never) as t.Mixed
    const lists = Object.entries(formsOf(codec)).filter(([, form]) => form === 'list')
    expect(lists.map(([name]) => name).join('')).toBe('acdefghijkl')
    expect(formsOf(codec)).toMatchObject({ b: 'text', m: 'text' })
  })

  it('finds lists in codecs of the wire', () => {
    const codec = wire.object('query', {
      a: wire.required(wire.list(wire.string)),
      b: wire.optional(wire.where(wire.array(wire.string), each => each.length > 0, 'some')),
      c: wire.omittable(wire.oneOf('x')),
    })
    expect(formsOf(codec)).toEqual({ a: 'list', b: 'list', c: 'open' })
    expect(formsOf(t.intersection([codec, t.type({ d: list })]))).toMatchObject({ a: 'list', d: 'list' })
  })

  it('knows a field that takes one text or a list, alone or in another alternative', () => {
    const custom = new t.Type('Custom', t.string.is, t.string.validate, t.identity)
    const either = t.union([t.string, list])
    expect(
      formsOf(t.type({ a: either, b: t.union([custom, either]), c: t.union([custom, t.string]) })),
    ).toEqual({ a: 'either', b: 'either', c: 'open' })
    expect(formsOf(t.union([t.type({ a: list, b: list }), t.type({ a: t.string, b: list })]))).toEqual({
      a: 'either',
      b: 'list',
    })
    expect(formsOf(t.type({ a: t.intersection([custom, custom]) }))).toEqual({ a: 'open' })
    expect(formsOf(custom)).toEqual({})
    expect(formsOf(t.type({ a: t.null, b: t.union([t.null, t.undefined]) }))).toEqual({
      a: 'open',
      b: 'text',
    })
  })

  it('takes JSON text as text, whatever it contains', () => {
    expect(formsOf(t.type({ filter: fromJson(list) }))).toEqual({ filter: 'text' })
  })

  it('finds no fields in codecs that do not describe an object with named fields', () => {
    const fields = t.type({ a: list })
    const others = [t.string, t.array(fields), t.readonlyArray(fields), t.tuple([fields]), fromJson(fields)]
    for (const codec of [...others, t.record(t.string, list)]) expect(formsOf(codec)).toEqual({})
  })

  it('ends for a codec that is nothing but a reference to itself', () => {
    const self: t.Mixed = t.recursion('Self', () => self)
    expect(formsOf(t.type({ a: self }))).toEqual({ a: 'open' })
    expect(formsOf(self)).toEqual({})
  })
})

it('textFields() says which fields every value has', () => {
  const codec = t.intersection([t.type({ a: list }), t.union([t.type({ b: list }), t.partial({ c: list })])])
  expect(textFields(codec).map(({ name, always }) => [name, always])).toEqual([
    ['a', true],
    ['b', false],
    ['c', false],
  ])
})
