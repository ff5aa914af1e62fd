import { describe, expect, it } from '@jest/globals'
import { jsonSchema } from '@signalbox/codec/json-schema'
import * as t from 'io-ts'
import { emptyValue, formField, type Schema } from './form-field.ts'

const field = (codec: t.Mixed, value?: unknown) => {
  const schema = jsonSchema(codec) as Schema
  return formField(schema, value, schema)
}

describe('formField', () => {
  it.each([
    ['text', t.string],
    ['number', t.Int],
    ['boolean', t.boolean],
    ['text', t.union([t.string, t.null])],
    ['json', t.unknown],
    ['json', t.UnknownRecord],
    ['list', t.array(t.string)],
    ['map', t.record(t.string, t.string)],
  ])('is %s for a codec', (kind, codec) => {
    expect(field(codec).kind).toBe(kind)
  })

  it('lists choices, and the one choice of a literal', () => {
    expect(field(t.keyof({ a: null, b: null }))).toEqual({ kind: 'choice', values: ['a', 'b'] })
    expect(field(t.literal('x'))).toEqual({ kind: 'choice', values: ['x'] })
    expect(field(t.union([t.literal('x'), t.literal('y')]))).toEqual({ kind: 'choice', values: ['x', 'y'] })
  })

  it('lists members of objects and of intersections, and which are required', () => {
    const codec = t.intersection([t.type({ a: t.string }), t.partial({ b: t.number })])
    expect(field(codec)).toMatchObject({
      kind: 'object',
      members: [
        { name: 'a', isRequired: true },
        { name: 'b', isRequired: false },
      ],
    })
  })

  it('takes the alternative that the value looks like', () => {
    const codec = t.union([
      t.type({ type: t.literal('a'), text: t.string }),
      t.type({ type: t.literal('b'), count: t.number }),
    ])
    expect(field(codec, { type: 'b', count: 1 })).toMatchObject({
      members: [{ name: 'type' }, { name: 'count' }],
    })
    expect(field(codec, 7)).toMatchObject({ members: [{ name: 'type' }, { name: 'text' }] })
    expect(field(t.union([t.string, t.array(t.string)]), [])).toMatchObject({ kind: 'list' })
  })

  it('follows references, also to themselves', () => {
    interface Tree {
      readonly next: readonly Tree[]
    }
    const tree: t.Type<Tree> = t.recursion('Tree', () => t.type({ next: t.readonlyArray(tree) }))
    const schema = jsonSchema(tree) as Schema
    expect(formField(schema, undefined, schema)).toMatchObject({
      kind: 'object',
      members: [{ name: 'next' }],
    })
    expect(formField({ $ref: '#/$defs/toString' }, undefined, schema)).toEqual({ kind: 'json' })
  })
})

describe('emptyValue', () => {
  it('has a value for each required field', () => {
    const schema = jsonSchema(
      t.intersection([
        t.type({ a: t.string, b: t.type({ c: t.boolean, d: t.array(t.string), e: t.literal(7) }) }),
        t.partial({ f: t.string }),
      ]),
    ) as Schema
    expect(emptyValue(schema, schema)).toEqual({ a: '', b: { c: false, d: [], e: 7 } })
  })
})
