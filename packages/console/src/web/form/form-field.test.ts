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
    ['text', 'a string', t.string],
    ['number', 'an integer', t.Int],
    ['boolean', 'a boolean', t.boolean],
    ['text', 'a string or null', t.union([t.string, t.null])],
    ['json', 'an unknown value', t.unknown],
    ['json', 'an object of unknown values', t.UnknownRecord],
    ['list', 'an array', t.array(t.string)],
    ['map', 'a record', t.record(t.string, t.string)],
  ])('returns a field of kind "%s" for %s', (kind, _codec, codec) => {
    expect(field(codec).kind).toBe(kind)
  })

  it('offers the literals of a union as choices, and a single literal as the only choice', () => {
    expect(field(t.keyof({ a: null, b: null }))).toEqual({ kind: 'choice', values: ['a', 'b'] })
    expect(field(t.literal('x'))).toEqual({ kind: 'choice', values: ['x'] })
    expect(field(t.union([t.literal('x'), t.literal('y')]))).toEqual({ kind: 'choice', values: ['x', 'y'] })
  })

  it('lists the members of an object or an intersection, and says which are required', () => {
    const codec = t.intersection([t.type({ a: t.string }), t.partial({ b: t.number })])
    expect(field(codec)).toMatchObject({
      kind: 'object',
      members: [
        { name: 'a', isRequired: true },
        { name: 'b', isRequired: false },
      ],
    })
  })

  it('selects the union member whose shape matches the value, or the first member if none matches', () => {
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

  it('follows $ref references, even in the schema of a recursive codec', () => {
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
  it('returns an object with a value for each required field', () => {
    const schema = jsonSchema(
      t.intersection([
        t.type({ a: t.string, b: t.type({ c: t.boolean, d: t.array(t.string), e: t.literal(7) }) }),
        t.partial({ f: t.string }),
      ]),
    ) as Schema
    expect(emptyValue(schema, schema)).toEqual({ a: '', b: { c: false, d: [], e: 7 } })
  })
})
