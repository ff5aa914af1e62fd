import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import { PathReporter } from 'io-ts/lib/PathReporter.js'
import { compile } from '../guard/compile.ts'
import { decode, fromJson, validate } from '../index.ts'
import { transforms } from '../structure/structure.ts'
import { lines } from '../testing/problems.fuzz.ts'
import {
  anything,
  array,
  boolean,
  byTag,
  codecOf,
  extension,
  failure,
  list,
  map,
  number,
  object,
  omittable,
  oneOf,
  optional,
  required,
  string,
  success,
  where,
} from './index.ts'

const Line = object('line', {
  sku: required(string),
  count: required(where(number, n => n > 0, 'number above 0')),
  note: optional(string),
  gift: extension(omittable(boolean)),
  gone: undefined,
})
const Order = object('order', {
  lines: required(list(Line)),
  tags: optional(map(string)),
  more: required(anything),
  by: optional(
    byTag('buyer', 'kind', { person: object('person', {}), firm: object('firm', { vat: required(string) }) }),
  ),
  state: optional(oneOf('open', 'shipped')),
})
const NumberFromString = codecOf<number, string>({
  name: 'NumberFromString',
  is: (u): u is number => typeof u === 'number',
  validate: (u, context) =>
    typeof u === 'string' && u !== '' && Number.isFinite(Number(u))
      ? success(Number(u))
      : failure({ value: u, context }),
  encode: String,
})
const order = { lines: [{ sku: 'a', count: 1 }], more: 1 }

/** Values, each with the problems that the codec Order reports for it. */
const cases: readonly (readonly [name: string, value: unknown, ...problems: string[]])[] = [
  ['a valid order', order],
  ['an order with null, undefined and unknown fields', { ...order, tags: null, by: undefined, unknown: 1 }],
  [
    'an order with all optional fields',
    { ...order, lines: [{ sku: 'a', count: 1, note: null, gift: true }], tags: { a: 'b' }, state: 'open' },
  ],
  ['an order by a firm', { ...order, by: { kind: 'firm', vat: '1' } }],
  ['an array', [], 'the value: expected object, was an array of 0'],
  ['an empty object', {}, '/lines: expected array, was nothing', '/more: expected anything, was nothing'],
  ['an order whose lines are null', { ...order, lines: null }, '/lines: expected array, was null'],
  [
    'an order with wrong lines',
    { ...order, lines: [{ sku: 'a', count: 0, note: 1, gift: null }, 1] },
    '/lines/0/count: expected number above 0, was number 0',
    '/lines/0/note: expected string or null, was number 1',
    '/lines/0/gift: expected boolean, was null',
    '/lines/1: expected object, was number 1',
  ],
  [
    'an order with a wrong tag, firm and state',
    { ...order, tags: { a: 1 }, by: { kind: 'firm' }, state: 'lost' },
    '/tags/a: expected string, was number 1',
    '/by/vat: expected string, was nothing',
    "/state: expected one of 'open', 'shipped' or null, was string 'lost'",
  ],
  [
    'an order by an unknown kind of buyer',
    { ...order, by: { kind: 'toString' } },
    "/by/kind: expected one of 'person', 'firm', was string 'toString'",
  ],
  [
    'an order by a buyer whose kind is a number',
    { ...order, by: { kind: 1 } },
    "/by/kind: expected one of 'person', 'firm', was number 1",
  ],
  [
    'an order with a buyer and tags of the wrong type',
    { ...order, by: 1, tags: 1 },
    '/by: expected object or null, was number 1',
    '/tags: expected object or null, was number 1',
  ],
]

describe('a wire codec', () => {
  it('refuses the number 1 as a tag when only the string "1" is known', () => {
    const codec = byTag('version', 'v', { 1: object('first version', {}) })
    expect([codec.is({ v: '1' }), codec.is({ v: 1 }), codec.decode({ v: 1 })._tag]).toEqual([
      true,
      false,
      'Left',
    ])
    expect(lines(codec, { v: 1 })).toEqual(["/v: expected '1', was number 1"])
  })

  it.each(cases)('lists the expected problems of %s, and its guard agrees', (_, value, ...wrong) => {
    const sorted = [...lines(Order, value)].sort()
    expect(sorted).toEqual([...wrong].sort())
    expect([Order.is(value), compile(Order)(value)]).toEqual([wrong.length === 0, wrong.length === 0])
  })

  it.each(cases)('decodes or refuses %s in the same way inside an io-ts codec', (_, value, ...wrong) => {
    const decoded = Order.decode(value)
    if (wrong.length === 0) expect(decoded).toEqual({ _tag: 'Right', right: value })
    else {
      expect(decoded._tag).toBe('Left')
      expect(decoded._tag === 'Left' && decoded.left).toHaveLength(wrong.length)
    }
    expect(validate(Order, value)._tag).toBe(decoded._tag)
    const inside = t.type({ orders: t.array(t.union([Order, t.null])), id: t.string })
    expect(inside.is({ orders: [value], id: '' })).toBe(wrong.length === 0)
    expect(inside.decode({ orders: [value], id: '' })._tag).toBe(decoded._tag)
    expect(lines(inside, { orders: [value], id: 1 })).toHaveLength(1 + wrong.length)
  })

  it('names each codec on the path to an error', () => {
    const wrong = {
      ...order,
      lines: [{ sku: 1, count: 0, note: 2 }],
      tags: { 'a/b~c': 1 },
      by: { kind: 'x' },
      state: 1,
    }
    expect(PathReporter.report(t.type({ order: Order }).decode({ order: wrong }))).toEqual([
      'Invalid value 1 supplied to : { order: order }/order: order/lines: list of line/0: line/sku: string',
      'Invalid value 0 supplied to : { order: order }/order: order/lines: list of line/0: line/count: number above 0',
      'Invalid value 2 supplied to : { order: order }/order: order/lines: list of line/0: line/note: string or null',
      'Invalid value 1 supplied to : { order: order }/order: order/tags: object or null/a/b~c: string',
      'Invalid value "x" supplied to : { order: order }/order: order/by: object or null/kind: "person" or "firm"',
      "Invalid value 1 supplied to : { order: order }/order: order/state: one of 'open', 'shipped' or null",
    ])
    expect(PathReporter.report(Order.decode({}))).toEqual([
      'Invalid value undefined supplied to : order/lines: list of line',
      'Invalid value undefined supplied to : order/more: anything',
    ])
  })

  it('reports an error with a working codec for the invalid value', () => {
    const decoded = Order.decode({ ...order, state: 1 })
    const type = decoded._tag === 'Left' ? (decoded.left[0]!.context.at(-1)!.type as t.Mixed) : undefined
    expect([null, undefined, 'open', 'lost'].map(value => type!.is(value))).toEqual([true, true, true, false])
    expect([null, 'open', 'lost'].map(value => type!.decode(value)._tag)).toEqual(['Right', 'Right', 'Left'])
    expect([null, 'open'].map(value => type!.encode(value))).toEqual([null, 'open'])
  })

  it('reports the whole value in the error for a value of another type', () => {
    const Shape = byTag('shape', 'kind', { line: Line })
    const short = where(string, text => text.length < 3, 'short text')
    for (const [codec, value] of [
      [list(string), 7],
      [Line, 'a'],
      [Shape, null],
      [short, 'long'],
    ] as const)
      expect(codec.decode(value)).toMatchObject({ left: [{ value, context: [{ actual: value }] }] })
  })

  it('has the members of the io-ts codec of its kind', () => {
    expect(list(string)).toMatchObject({ _tag: 'ArrayType', type: string })
    expect(where(string, Boolean, 'some text')).toMatchObject({ type: string })
    expect(fromJson(string)).toMatchObject({ type: string })
    expect(required(string)).toEqual({ codec: string, required: true, nullable: false })
  })

  it('decodes a value to the same object when none of its parts transforms values', () => {
    expect(transforms(Order)).toBe(false)
    expect(decode(Order, order)).toBe(order)
    expect((Order.decode(order) as { right: unknown }).right).toBe(order)
    expect(Order.encode(order as never)).toBe(order)
  })

  const Cart = object('cart', {
    counts: required(list(NumberFromString)),
    prices: optional(map(NumberFromString)),
    most: omittable(where(NumberFromString, n => n > 0, 'number above 0')),
    extra: required(t.strict({ a: t.number })),
    way: required(byTag('way', 'by', { post: object('post', { fee: required(NumberFromString) }) })),
  })
  const sent = {
    counts: ['7', '8'],
    prices: { lamp: '1.5' },
    most: '3',
    extra: { a: 1, b: 2 },
    way: { by: 'post', fee: '4', kept: true },
    kept: true,
  }
  const read = {
    counts: [7, 8],
    prices: { lamp: 1.5 },
    most: 3,
    extra: { a: 1 },
    way: { by: 'post', fee: 4, kept: true },
    kept: true,
  }

  it('decodes and encodes with the codecs of its parts, as io-ts combinators do', () => {
    const before = JSON.stringify(sent)
    expect(Cart.decode(sent)).toEqual({ _tag: 'Right', right: read })
    expect(decode(Cart, sent)).toEqual(read)
    expect(decode(t.type({ cart: Cart }), { cart: sent })).toEqual({ cart: read })
    expect(Cart.encode(read as never)).toEqual({ ...sent, extra: { a: 1 } })
    expect(JSON.stringify(sent)).toBe(before)
    expect(decode(list(NumberFromString), ['7'])).toEqual([7])
    expect(decode(Cart, { ...sent, prices: null, most: undefined })).toEqual({
      ...read,
      prices: null,
      most: undefined,
    })
    expect([Cart.is(read), compile(Cart)(read), Cart.is(sent)]).toEqual([true, true, false])
  })

  it('reports a problem for each part that it cannot decode', () => {
    expect(lines(Cart, { ...sent, counts: ['7', 'x'], most: '-1', extra: {} })).toEqual([
      "/counts/1: expected NumberFromString, was string 'x'",
      "/most: expected number above 0, was string '-1'",
      '/extra/a: expected number, was nothing',
    ])
    const Outer = t.type({ text: fromJson(t.string), loose: object('o', { a: required(anything) }) })
    expect(lines(Outer, { text: '"a"', loose: {} })).toEqual(['/loose/a: expected anything, was nothing'])
  })

  it('works in t.exact, t.partial and t.type', () => {
    const Exact = t.exact(Line)
    const line = { sku: 'a', count: 1, note: null, gift: true }
    expect(Exact.decode({ ...line, unknown: 1 })).toEqual({ _tag: 'Right', right: line })
    expect([decode(Exact, { ...line, unknown: 1 }), Exact.encode({ ...line, unknown: 1 } as never)]).toEqual([
      line,
      line,
    ])
    expect(Exact.decode({ sku: 'a' })._tag).toBe('Left')
    expect(
      t.exact(t.intersection([Line, t.type({ more: t.number })])).decode({ ...line, more: 1, x: 1 }),
    ).toEqual({
      _tag: 'Right',
      right: { ...line, more: 1 },
    })
    expect([{}, { note: null }, { note: 'a' }, { note: 1 }].map(t.partial(Line.props).is)).toEqual([
      true,
      true,
      true,
      false,
    ])
    const Typed = t.type(Line.props)
    expect(Typed.decode({ sku: 'a', count: 1 })._tag).toBe('Right')
    expect(Typed.decode({ count: 1 })._tag).toBe('Left')
  })

  it('keeps __proto__ as an ordinary field', () => {
    const value = JSON.parse('{"__proto__":"7","a":"1"}')
    const decoded = decode(map(NumberFromString), value)
    expect(Object.entries(decoded)).toEqual([
      ['__proto__', 7],
      ['a', 1],
    ])
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype)
  })

  it('has a guard and a name', () => {
    expect(
      [string, list(string), array(string), map(number), oneOf('a', 'b'), Line].map(({ name }) => name),
    ).toEqual(['string', 'list of string', 'list of string', 'map of string to number', '"a" or "b"', 'line'])
    expect(array(string).is(['a'])).toBe(true)
    expect([anything.is(undefined), boolean.is(true), number.is('1')]).toEqual([true, true, false])
    expect([
      map(string).is([]),
      byTag('x', 'k', {}).is(1),
      byTag('x', 'k', {}).is({ k: 'toString' }),
    ]).toEqual([false, false, false])
    expect(object('o', { a: required(anything) }).is({ a: undefined })).toBe(true)
  })
})
