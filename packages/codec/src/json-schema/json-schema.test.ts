import { describe, expect, it } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import * as t from 'io-ts'
import { fromJson } from '../index.ts'
import { list, object, optional, required, string, where } from '../wire/index.ts'
import { jsonSchema } from './index.ts'

interface Tree {
  readonly name: string
  readonly children: readonly Tree[]
}
const Tree: t.Type<Tree> = t.recursion('Tree', () =>
  t.type({ name: t.string, children: t.readonlyArray(Tree) }),
)

const throwing = () => {
  throw new Error('expected a value')
}

describe('jsonSchema(codec)', () => {
  it.each<[string, t.Mixed, object]>([
    [
      'an object, whose fields are required unless they may be absent',
      t.type({ a: t.string, b: t.union([t.number, t.undefined]), c: t.unknown }),
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'number' }, c: {} },
        required: ['a'],
      },
    ],
    ['a partial object', t.partial({ a: t.Int }), { type: 'object', properties: { a: { type: 'integer' } } }],
    [
      'an exact object',
      t.exact(t.type({ a: t.null })),
      { type: 'object', properties: { a: { type: 'null' } }, required: ['a'] },
    ],
    ['a union of literals', t.union([t.literal('a'), t.literal(2), t.null]), { enum: ['a', 2, null] }],
    ['one literal', t.literal('a'), { const: 'a' }],
    ['a keyof', t.keyof({ a: null, b: null }), { enum: ['a', 'b'] }],
    [
      'a tuple',
      t.tuple([t.string, t.boolean]),
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }], minItems: 2 },
    ],
    ['a record', t.record(t.string, t.number), { type: 'object', additionalProperties: { type: 'number' } }],
    [
      'a record of known keys',
      t.record(t.literal('a'), t.number),
      { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
    ],
    [
      'an intersection',
      t.intersection([t.type({ a: t.string }), t.UnknownRecord]),
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { type: 'object' },
        ],
      },
    ],
    [
      'a condition by its name',
      t.refinement(t.string, text => text !== '', 'NonEmpty'),
      { type: 'string', description: 'NonEmpty' },
    ],
    [
      'JSON text',
      fromJson(t.array(t.number)),
      {
        type: 'string',
        contentMediaType: 'application/json',
        contentSchema: { type: 'array', items: { type: 'number' } },
      },
    ],
    [
      'a codec of the wire, where null means that a field is absent',
      object('line', {
        sku: required(string),
        tags: optional(list(where(string, text => text !== '', 'tag'))),
      }),
      {
        type: 'object',
        properties: {
          sku: { type: 'string' },
          tags: { type: ['array', 'null'], items: { type: 'string', description: 'tag' } },
        },
        required: ['sku'],
      },
    ],
    ['a bigint, which JSON cannot hold, by refusing every value', t.bigint, { not: {} }],
    ['undefined by refusing every value', t.undefined, { not: {} }],
    ['a record of any values', t.record(t.string, t.unknown), { type: 'object' }],
    [
      'a record whose keys have to satisfy a condition',
      t.record(
        t.refinement(t.string, text => text !== '', 'Name'),
        t.number,
      ),
      { type: 'object' },
    ],
    ['a record whose keys are numbers', t.record(t.number as never, t.string), { type: 'object' }],
    [
      'a union with a tag',
      t.union([t.type({ a: t.literal(1) }), t.type({ a: t.literal(2) })]),
      {
        anyOf: [
          { type: 'object', properties: { a: { const: 1 } }, required: ['a'] },
          { type: 'object', properties: { a: { const: 2 } }, required: ['a'] },
        ],
      },
    ],
    [
      'a number with a named condition',
      t.refinement(t.number, n => n > 0, 'Positive'),
      { type: 'number', description: 'Positive' },
    ],
    ['an array of any values', t.array(t.unknown), { type: 'array' }],
    ['an array whose items have no type', t.UnknownArray, { type: 'array' }],
    ['an empty tuple', t.tuple([] as never), { type: 'array', minItems: 0 }],
    ['an object without fields', t.type({}), { type: 'object' }],
    ['a condition without a name', t.refinement(t.string, text => text !== ''), { type: 'string' }],
    [
      'optional wire fields with several types or any type',
      object('line', { a: optional(t.union([t.string, t.number])), b: optional(t.unknown) }),
      {
        type: 'object',
        properties: {
          a: { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { type: 'null' }] },
          b: {},
        },
      },
    ],
    [
      'a field as required when its codec throws for undefined',
      t.type({ a: new t.Type('Loud', t.unknown.is, throwing as never, String) }),
      { type: 'object', properties: { a: { description: 'Loud' } }, required: ['a'] },
    ],
    [
      'a custom codec by its name',
      new t.Type('Date', (u): u is Date => u instanceof Date, t.success as never, String),
      { description: 'Date' },
    ],
  ])('describes %s', (_, codec, schema) => {
    expect(jsonSchema(codec)).toEqual(schema)
  })

  it('omits values that JSON cannot hold', () => {
    const bigint = t.literal<never>(1n as never, '1n') as unknown as t.Mixed
    expect(jsonSchema(bigint)).toEqual({ not: {} })
    expect(jsonSchema(t.keyof({ a: 0 }))).toEqual({ const: 'a' })
    const maybe = t.union([t.literal('a'), t.union([bigint, t.undefined])])
    expect(jsonSchema(t.type({ a: maybe }))).toMatchObject({ properties: { a: { const: 'a' } } })
  })

  it('describes a recursive codec with a reference to a definition', () => {
    const schema = jsonSchema(t.type({ root: Tree }))
    expect(schema).toMatchObject({ properties: { root: { $ref: expect.stringMatching(/^#\/\$defs\//) } } })
    const accepts = new Ajv2020({ strict: false }).compile(schema)
    expect(accepts({ root: { name: 'a', children: [{ name: 'b', children: [] }] } })).toBe(true)
    expect(accepts({ root: { name: 'a', children: [{ name: 'b' }] } })).toBe(false)
  })

  it('gives each recursive codec its own definition when several have the same name', () => {
    const node = (name: string): t.Mixed => {
      const self: t.Mixed = t.recursion(name, () => t.partial({ next: self }))
      return self
    }
    const names = ['Node', 'Node', 'Node', '', 'Tree<A>, B']
    const schema = jsonSchema(t.tuple(names.map(node) as never))
    expect(Object.keys(schema.$defs as object)).toEqual(['Node', 'Node2', 'Node3', 'Schema', 'Tree_A_B'])
  })

  it('returns a schema that accepts exactly the JSON values that the codec decodes', () => {
    const { codec } = fc.letrec<{ codec: t.Mixed }>(tie => ({
      codec: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<t.Mixed>(
          t.string,
          t.number,
          t.boolean,
          t.null,
          t.Int,
          t.literal('a'),
          t.UnknownRecord,
        ),
        tie('codec').map(each => t.array(each)),
        fc.tuple(tie('codec'), tie('codec')).map(([a, b]) => t.type({ a, b })),
        fc.tuple(tie('codec'), tie('codec')).map(([a, b]) => t.partial({ a, b })),
        fc.tuple(tie('codec'), tie('codec')).map(([a, b]) => t.union([a, b])),
        fc.tuple(tie('codec'), tie('codec')).map(([a, b]) => t.tuple([a, b])),
        tie('codec').map(each => t.record(t.string, each)),
      ),
    }))
    const value = fc.letrec(tie => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<unknown>('a', 'b', 1, 1.5, true, null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
      ),
    })).value
    fc.assert(
      fc.property(codec, fc.array(value, { minLength: 10, maxLength: 10 }), (codec, values) => {
        const accepts = new Ajv2020({ strict: false }).compile(jsonSchema(codec))
        for (const value of values)
          expect([value, accepts(value)]).toEqual([value, codec.decode(value)._tag === 'Right'])
      }),
    )
  })

  it('refuses a value that is not a codec', () => {
    expect(() => jsonSchema({} as never)).toThrow('Expected a codec of io-ts')
  })
})
