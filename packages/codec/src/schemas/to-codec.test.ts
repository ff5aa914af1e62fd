import { describe, expect, it } from '@jest/globals'
import { type as ark } from 'arktype'
import * as t from 'io-ts'
import * as v from 'valibot'
import * as z from 'zod'
import { orderSchemas } from '../../fixtures/order-schemas.ts'
import {
  compile,
  decode,
  decoder,
  fromJson,
  InvalidError,
  problems,
  type StandardSchema,
  schema,
  undecodable,
  validate,
  validateAsync,
} from '../index.ts'
import { toCodec } from './to-codec.ts'

const order = { id: 'o1', lines: [{ sku: 'lamp', count: 2 }] }

describe.each(orderSchemas)('the $library schema of an object', ({ library, Order, Page }) => {
  it('decodes valid values', () => {
    expect(decode(Order, order)).toEqual(order)
    expect(validate(Order, order)).toEqual({ _tag: 'Right', right: order })
    expect(decoder(Order)(order)).toEqual(order)
    expect(decode(fromJson(Order), JSON.stringify(order))).toEqual(order)
    expect(decoder(fromJson(Order))(JSON.stringify(order))).toEqual(order)
  })

  it('transforms values when it decodes them', () => {
    expect(decode(Page, { page: '7', tag: ['a'] })).toEqual({ page: 7, tag: ['a'] })
    expect(decode(fromJson(Page), '{"page":"7","tag":[]}')).toEqual({ page: 7, tag: [] })
  })

  it('reports problems with JSON pointers', () => {
    const wrong = { id: 7, lines: [{ sku: 'lamp', count: 1.5 }, { sku: 'mat' }] }
    const expected = [
      ['/id', 'number 7'],
      ['/lines/0/count', 'number 1.5'],
      ['/lines/1/count', 'nothing'],
    ]
    for (const result of [validate(Order, wrong), validate(fromJson(Order), JSON.stringify(wrong))]) {
      const found = result._tag === 'Left' ? result.left : []
      expect(found.map(({ pointer, actual }) => [pointer, actual])).toEqual(expected)
      expect(found[0]!.expected).toMatch(/^(a )?string$/)
    }
    expect(() => decode(Order, wrong)).toThrow(InvalidError)
    expect(decoder(Order)(wrong)).toBe(undecodable)
  })

  it('reports one problem about the whole value when it is not an object', () => {
    expect(validate(Order, 7)).toMatchObject({ left: [{ pointer: '', actual: 'number 7' }] })
    expect(validate(Order, undefined)).toMatchObject({ left: [{ pointer: '', actual: 'undefined' }] })
  })

  it('refuses text that is not JSON, and reports the position of the error', () => {
    expect(validate(fromJson(Order), '{"id":')).toMatchObject({
      left: [{ pointer: '', expected: 'JSON text', actual: 'text that breaks at position 6' }],
    })
  })

  it('does not show secrets in its problems', () => {
    const wrong = { ...order, password: ['hunter2'] }
    expect(validate(Order, wrong)).toMatchObject({ left: [{ pointer: '/password', actual: 'an array' }] })
    expect(JSON.stringify(validate(Order, wrong))).not.toContain('hunter2')
  })

  it(`can be combined with io-ts codecs through fromJson`, () => {
    const Event = t.type({ body: fromJson(Order) })
    expect(decode(Event, { body: JSON.stringify(order) })).toEqual({ body: order })
    expect(validate(Event, { body: '{"id":"o1","lines":[7]}' })).toMatchObject({
      left: [{ pointer: '/body/lines/0' }],
    })
  })

  it('makes validateAsync return a result, not a promise', () => {
    expect(validateAsync(Order, order)).toMatchObject({ _tag: 'Right' })
  })

  it(library === 'io-ts' ? 'can be compiled to a guard' : 'cannot be compiled to a guard', () => {
    const uses = [
      () => compile(Order as never),
      () => problems(Order as never, 1),
      () => schema(Order as never),
    ]
    for (const use of uses) {
      if (library === 'io-ts') expect(use).not.toThrow()
      else expect(use).toThrow(/^Expected a codec of io-ts \(no other schema\), got (object|function)$/)
    }
  })
})

describe.each([
  ['zod', z.object({ id: z.string().refine(async id => id !== 'taken', 'must be another id') })],
  [
    'valibot',
    v.objectAsync({
      id: v.pipeAsync(
        v.string(),
        v.checkAsync(async id => id !== 'taken', 'must be another id'),
      ),
    }),
  ],
] as const)('an asynchronous %s schema', (_, Order: StandardSchema<{ id: string }>) => {
  it('is awaited by validateAsync and by decoder', async () => {
    expect(await validateAsync(Order, { id: 'a' })).toEqual({ _tag: 'Right', right: { id: 'a' } })
    expect(await validateAsync(fromJson(Order), '{"id":"a"}')).toEqual({ _tag: 'Right', right: { id: 'a' } })
    expect(await validateAsync(Order, { id: 'taken' })).toEqual({
      _tag: 'Left',
      left: [{ pointer: '/id', expected: 'another id', actual: "string 'taken'" }],
    })
    expect(await decoder(fromJson(Order))('{"id":"a"}')).toEqual({ id: 'a' })
    expect(await decoder(fromJson(Order))('{"id":"taken"}')).toBe(undecodable)
  })

  it('is refused by functions that cannot wait', () => {
    expect(() => validate(Order, { id: 'a' })).toThrow('The schema is asynchronous: use validateAsync')
    expect(() => decode(Order, { id: 'a' })).toThrow('The schema is asynchronous: use validateAsync')
  })
})

describe('the problem that a schema reports', () => {
  const expectedOf = (schema: StandardSchema, value: unknown) => {
    const result = validate(schema, value)
    return result._tag === 'Left' && result.left.map(({ expected }) => expected).join()
  }

  it.each<[string, StandardSchema, string]>([
    ['zod expects of an option', z.enum(['a', 'b']), 'one of "a"|"b"'],
    ['zod expects of a format', z.email(), 'Invalid email address'],
    ['valibot expects of a format', v.pipe(v.string(), v.email()), 'Invalid email'],
    ['valibot expects of a type', v.number(), 'number'],
    ['arktype expects of a format', ark('string.email'), 'an email address'],
    [
      'the author of the schema says',
      z.string().refine(() => false, 'The name is taken'),
      'The name is taken',
    ],
  ])('says what %s, without the value', (_, schema, expected) => {
    expect(expectedOf(schema, 'abc')).toBe(expected)
  })

  it('does not quote the schema’s message about a secret field', () => {
    const quoting = v.object({
      password: v.pipe(
        v.string(),
        v.check(
          () => false,
          issue => `not ${issue.input}`,
        ),
      ),
    })
    expect(expectedOf(quoting, { password: 'hunter2' })).toBe('another value')
  })
})

it('fromJson(), decoder() and validate() refuse a value that is neither a codec nor a schema', () => {
  for (const value of [undefined, null, {}]) {
    for (const use of [fromJson, decoder]) {
      expect(() => use(value as never)).toThrow('Expected a codec of io-ts or a schema of another library')
    }
    expect(() => compile(value as never)).toThrow('Expected a codec of io-ts (no other schema), got')
    expect(() => validate(value as never, 1)).toThrow('Expected a codec of io-ts')
  }
})

it('validateAsync() rejects when the promise of an asynchronous schema rejects', async () => {
  const down = v.pipeAsync(
    v.string(),
    v.checkAsync(async () => {
      throw new Error('The database is down')
    }),
  )
  await expect(validateAsync(down, 'a')).rejects.toThrow('The database is down')
})

it('toCodec(schema).is() is true for valid values', () => {
  const codec = toCodec(z.string())
  expect([codec.is('a'), codec.is(1)]).toEqual([true, false])
})

describe('fromJson()', () => {
  it('throws for a value that is neither a codec nor a schema, and names its kind', () => {
    for (const [value, kind] of [
      [undefined, 'undefined'],
      [null, 'null'],
      ['Order', 'string'],
    ])
      expect(() => fromJson(value as never)).toThrow(
        `Expected a codec of io-ts or a schema of another library, got ${kind}`,
      )
  })
})

describe('toCodec(schema)', () => {
  const failing = (message: string, path: readonly string[]) =>
    toCodec({ '~standard': { version: 1, vendor: 'own', validate: () => ({ issues: [{ message, path }] }) } })

  it('returns a codec whose name contains the name of the library', () => {
    expect(failing('', []).name).toBe('schema of own')
  })

  it('reports an issue even when the value has no field at its path', () => {
    expect(validate(failing('must be there', ['a', 'b', 'c']), {})).toMatchObject({
      left: [{ pointer: '/a/b/c', expected: 'there', actual: 'nothing' }],
    })
  })

  it('reduces a message to the part that says what is expected', () => {
    expect(
      validate(failing('Name: expected a name that must be new, but received Ada', []), 'Ada'),
    ).toMatchObject({
      left: [{ expected: 'a name that must be new' }],
    })
  })
})
