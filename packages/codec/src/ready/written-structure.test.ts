import { describe, expect, it } from '@jest/globals'
import { jsonSchema } from '@signalbox/codec/json-schema'
import * as wire from '@signalbox/codec/wire'
import * as t from 'io-ts'
import { compile } from '../guard/compile.ts'
import { problems } from '../index.ts'
import { inWords, structureOf } from '../structure/structure.ts'
import { nodesOf } from '../structure/table.ts'
import { textFields, textForms } from '../structure/text-fields.ts'
import { prepare, prepareExactGuard } from './prepare.ts'

const list = wire.array(wire.string)

describe('a codec that was written at build', () => {
  it.each<[string, t.Mixed]>([
    [
      'lists, texts and other fields',
      t.type({ a: t.array(t.string), b: t.string, c: t.literal('x'), d: t.null }),
    ],
    ['alternatives', t.union([t.type({ a: t.array(t.string) }), t.type({ a: t.string })])],
    ['parts', t.intersection([t.type({ a: t.string }), t.partial({ b: t.array(t.string) })])],
    ['conditions', wire.where(wire.object('o', { a: wire.required(list) }), () => true, 'anything')],
  ])('has the same fields as its source: %s', (_, codec) => {
    const formsOf = (each: t.Mixed) => [...textForms(each)].map(([name, form]) => [name, form])
    expect(formsOf(prepare(codec)).length).toBeGreaterThan(0)
    expect(formsOf(prepare(codec))).toEqual(formsOf(codec))
    const always = (each: t.Mixed) => textFields(each).map(field => [field.name, field.always])
    expect(always(prepare(codec))).toEqual(always(codec))
  })

  it('has the fields of each tagged alternative', () => {
    const animal = wire.byTag('animal', 'kind', {
      cat: wire.object('cat', { kind: wire.required(wire.oneOf('cat')), names: wire.required(list) }),
      dog: wire.object('dog', { kind: wire.required(wire.oneOf('dog')), age: wire.optional(wire.anything) }),
    })
    expect(Object.fromEntries(textForms(prepare(animal)))).toEqual({
      kind: 'text',
      names: 'list',
      age: 'open',
    })
  })

  it('is described inside another codec', () => {
    const inner = prepare(t.type({ a: t.string }))
    expect(jsonSchema(t.type({ inner }))).toMatchObject({ properties: { inner: jsonSchema(inner) } })
  })
})

it('a choice of no values accepts nothing, and is called nothing', () => {
  const none = t.keyof({}) as unknown as t.Mixed
  expect(['', undefined, 'toString'].map(compile(none))).toEqual([false, false, false])
  expect(inWords(none)).toBe('nothing')
})

it('a record of any values accepts arrays, as io-ts does', () => {
  const any = t.record(t.string, t.any)
  for (const value of [[], [1], {}, { a: 1 }]) {
    expect(any.is(value)).toBe(true)
    expect(problems(any, value)).toEqual([])
  }
  expect(problems(t.record(t.string, t.string), [])).toHaveLength(1)
  expect(problems(any, 1)).toHaveLength(1)
})

it('an exact guard accepts nothing where no code may be generated', () => {
  const { Function: original } = globalThis
  try {
    globalThis.Function = function forbidden() {
      throw new EvalError('Code generation from strings disallowed for this context')
    } as never
    expect(prepareExactGuard(t.type({ a: t.string }))({ a: 'x' })).toBe(false)
  } finally {
    globalThis.Function = original
  }
  expect(prepareExactGuard(t.type({ a: t.string }))({ a: 'x' })).toBe(true)
})

it('in a bundle with the plugin, codecs of io-ts are left to io-ts, and have short names', () => {
  const before = process.env.SIGNALBOX_CODECS
  process.env.SIGNALBOX_CODECS = 'compiled'
  try {
    const codecs = [
      t.type({ a: t.string }),
      t.partial({ a: t.string }),
      t.record(t.string, t.string),
      t.array(t.string),
      t.readonlyArray(t.string),
      t.union([t.string, t.number]),
      new t.Type('Custom', t.string.is, t.string.validate, t.identity),
    ]
    const shown = codecs.map(codec => {
      const { table, root } = structureOf(codec)
      return nodesOf(table)[root]
    })
    const names = ['object', 'object', 'object', 'array', 'array', '(string | number)', 'Custom']
    expect(shown).toEqual(names.map(name => ['codec', name]))
  } finally {
    if (before === undefined) delete process.env.SIGNALBOX_CODECS
    else process.env.SIGNALBOX_CODECS = before
  }
})

it('a literal that JSON does not have cannot be written at build', () => {
  expect(() => prepare(t.literal(1n as never, 'one') as never)).toThrow('cannot be compiled ahead of time')
})
