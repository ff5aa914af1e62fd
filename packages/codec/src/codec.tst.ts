import validator from '@middy/validator'
import { type } from 'arktype'
import type { Either } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { describe, expect, it } from 'tstyche'
import * as v from 'valibot'
import * as z from 'zod'
import {
  compile,
  decode,
  fromJson,
  type Problem,
  problems,
  type Schema,
  type StandardSchema,
  schema,
  standard,
  validate,
} from './index.ts'
import { byTag, list, map, object, omittable, oneOf, optional, required, string } from './wire/index.ts'

interface Order {
  id: string
  note?: string
}
const Order = t.intersection([t.type({ id: t.string }), t.partial({ note: t.string })])
declare const NumberFromString: t.Type<number, string, unknown>
declare const fromString: t.Type<number, string, string>
declare const unknown: unknown

describe('the type of a codec', () => {
  it('is the type to which the guard narrows a value', () => {
    expect(compile(t.string)).type.toBe<(u: unknown) => u is string>()
    const isOrder = compile(Order)
    if (isOrder(unknown)) expect(unknown.note).type.toBe<string | undefined>()
  })

  it('is the type of the decoded value', () => {
    expect(decode(Order, unknown)).type.toBeAssignableTo<Order>()
    expect(decode(NumberFromString, unknown)).type.toBe<number>()
    expect(decode(t.array(NumberFromString), unknown)).type.toBe<number[]>()
    expect(decode(t.readonly(t.type({ a: t.Int })), unknown).a).type.toBe<t.Int>()
  })

  it('is the type of the value in a Right that validate() returns', () => {
    expect(validate(NumberFromString, unknown)).type.toBe<Either<readonly Problem[], number>>()
  })

  it('is the type of the value parsed from JSON', () => {
    expect(fromJson(NumberFromString)).type.toBe<t.Type<number, string, unknown>>()
    expect(decode(t.type({ body: fromJson(t.array(t.string)) }), unknown)).type.toBe<{ body: string[] }>()
  })

  it('does not affect the type of problems', () => {
    expect(problems(Order, unknown)).type.toBe<readonly Problem[]>()
  })

  it('must have the input type unknown, so that compile() and fromJson() accept the codec', () => {
    expect(compile).type.not.toBeCallableWith(fromString)
    expect(fromJson).type.not.toBeCallableWith(fromString)
  })
})

describe('a schema', () => {
  it('is a type guard with a list of problems', () => {
    const isOrder = schema(t.string)
    expect(isOrder).type.toBe<Schema<string>>()
    expect(isOrder.errors).type.toBe<Problem[] | null>()
    if (isOrder(unknown)) expect(unknown).type.toBe<string>()
  })

  it('is accepted as a schema by @middy/validator', () => {
    expect(validator).type.toBeCallableWith({ eventSchema: schema(Order), responseSchema: schema(t.string) })
  })

  it('is not assignable to an unrelated type such as number', () => {
    // @ts-expect-error Type 'Validator | Schema<string>' is not assignable to type 'number'.
    const text: number = schema(t.string)
    expect(text).type.toBe<number>()
  })
})

describe('a schema of another library', () => {
  it('determines the type of the decoded value', () => {
    expect(decode(z.object({ id: z.string(), page: z.string().transform(Number) }), unknown)).type.toBe<{
      id: string
      page: number
    }>()
    expect(decode(v.pipe(v.string(), v.transform(Number)), unknown)).type.toBe<number>()
    expect(decode(type({ id: 'string', 'note?': 'string' }), unknown)).type.toBe<Order>()
    expect(validate(fromJson(z.array(z.int())), unknown)).type.toBe<Either<readonly Problem[], number[]>>()
  })

  it('is refused by compile() and problems()', () => {
    expect(compile).type.not.toBeCallableWith(z.string())
    expect(problems).type.not.toBeCallableWith(z.string(), 1)
  })

  it('has the same type as the result of standard()', () => {
    expect(standard(NumberFromString)).type.toBe<StandardSchema<number, string>>()
    expect(decode(standard(NumberFromString), unknown)).type.toBe<number>()
  })
})

describe('a wire codec for an object', () => {
  const Line = object('line', { sku: required(string), note: optional(string), gift: omittable(string) })

  it('infers its type from its fields', () => {
    expect<t.TypeOf<typeof Line>>().type.toBe<{
      readonly sku: string
      readonly note?: string | null | undefined
      readonly gift?: string | undefined
    }>()
    const isOrder = compile(
      object('order', { lines: required(list(Line)), by: optional(oneOf('mail', 'phone')) }),
    )
    if (isOrder(unknown)) {
      expect(unknown.lines[0]!.sku).type.toBe<string>()
      expect(unknown.by).type.toBe<'mail' | 'phone' | null | undefined>()
    }
  })

  it('accepts an explicit type argument', () => {
    expect(object<Order>('order', { id: required(string) })).type.toBeAssignableTo<t.Type<Order>>()
  })

  it('has decoded and encoded types that depend on its field codecs', () => {
    const Cart = object('cart', {
      counts: required(list(NumberFromString)),
      prices: optional(map(NumberFromString)),
    })
    expect<t.TypeOf<typeof Cart>>().type.toBe<{
      readonly counts: readonly number[]
      readonly prices?: { readonly [name: string]: number } | null | undefined
    }>()
    expect<t.OutputOf<typeof Cart>>().type.toBe<{
      readonly counts: string[]
      readonly prices?: { readonly [name: string]: string } | null | undefined
    }>()
    const Post = byTag('way', 'by', { post: object('post', { fee: required(NumberFromString) }) })
    expect<t.OutputOf<typeof Post>>().type.toBe<{ readonly fee: string }>()
  })

  it('works in io-ts combinators that read fields, and keeps its optional fields', () => {
    expect(t.exact).type.toBeCallableWith(Line)
    expect(decode(t.exact(Line), unknown)).type.toBe<t.TypeOf<typeof Line>>()
    expect<t.TypeOf<typeof Line.props.note>>().type.toBe<string | null | undefined>()
    expect<t.TypeOf<typeof Line.props.gift>>().type.toBe<string | undefined>()
    expect<t.TypeOf<typeof Line.props.sku>>().type.toBe<string>()
    expect(t.exact).type.not.toBeCallableWith(list(string))
  })
})
