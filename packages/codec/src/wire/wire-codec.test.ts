import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import { PathReporter } from 'io-ts/lib/PathReporter.js'
import { compile } from '../compile.ts'
import { decode, validate } from '../decode.ts'
import { fromJson } from '../from-json.ts'
import { lines } from '../problems.fuzz.ts'
import { transforms } from '../transforms.ts'
import {
  anything,
  array,
  boolean,
  byTag,
  extension,
  list,
  map,
  number,
  object,
  omittable,
  oneOf,
  optional,
  required,
  string,
  where,
} from './index.ts'

const Line = object<{ sku: string }>('line', {
  sku: required(string),
  count: required(where(number, n => n > 0, 'number above 0')),
  note: optional(string),
  gift: extension(omittable(boolean)),
  gone: undefined,
})
const Order = object<{ lines: unknown }>('order', {
  lines: required(list(Line)),
  tags: optional(map(string)),
  more: required(anything),
  by: optional(
    byTag('buyer', 'kind', { person: object('person', {}), firm: object('firm', { vat: required(string) }) }),
  ),
  state: optional(oneOf('open', 'shipped')),
})
const order = { lines: [{ sku: 'a', count: 1 }], more: 1 }

/** Values, and what is wrong with them. */
const cases: readonly (readonly [unknown, ...string[]])[] = [
  [order],
  [{ ...order, tags: null, by: undefined, unknown: 1 }],
  [{ ...order, lines: [{ sku: 'a', count: 1, note: null, gift: true }], tags: { a: 'b' }, state: 'open' }],
  [{ ...order, by: { kind: 'firm', vat: '1' } }],
  [[], 'the value: expected object, was an array of 0'],
  [{}, '/lines: expected array, was nothing', '/more: expected anything, was nothing'],
  [{ ...order, lines: null }, '/lines: expected array, was null'],
  [
    { ...order, lines: [{ sku: 'a', count: 0, note: 1, gift: null }, 1] },
    '/lines/0/count: expected number above 0, was number 0',
    '/lines/0/note: expected string or null, was number 1',
    '/lines/0/gift: expected boolean, was null',
    '/lines/1: expected object, was number 1',
  ],
  [
    { ...order, tags: { a: 1 }, by: { kind: 'firm' }, state: 'lost' },
    '/tags/a: expected string, was number 1',
    '/by/vat: expected string, was nothing',
    "/state: expected one of 'open', 'shipped' or null, was string 'lost'",
  ],
  [
    { ...order, by: { kind: 'toString' } },
    "/by/kind: expected one of 'person', 'firm', was string 'toString'",
  ],
  [{ ...order, by: { kind: 1 } }, "/by/kind: expected one of 'person', 'firm', was number 1"],
  [
    { ...order, by: 1, tags: 1 },
    '/by: expected object or null, was number 1',
    '/tags: expected object or null, was number 1',
  ],
]

describe('a codec of the wire', () => {
  it.each(cases)('says of %j what is wrong', (value, ...wrong) => {
    const sorted = [...lines(Order, value)].sort()
    expect(sorted).toEqual([...wrong].sort())
    expect([Order.is(value), compile(Order)(value)]).toEqual([wrong.length === 0, wrong.length === 0])
  })

  it.each(cases)('decodes %j to itself, or tells io-ts the same problems', (value, ...wrong) => {
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

  it('has paths that reporters of io-ts can read', () => {
    const wrong = { ...order, tags: { 'a/b~c': 1 } }
    expect(PathReporter.report(t.type({ order: Order }).decode({ order: wrong }))).toEqual([
      'Invalid value 1 supplied to : { order: order }/order: order/tags: string/a/b~c: string',
    ])
  })

  it('has errors whose types accept anything, because all that is known of them is in their names', () => {
    const decoded = Order.decode(1)
    const type = t.type({ order: Order }).decode({ order: {} })
    expect(decoded).toMatchObject({ _tag: 'Left', left: [{ value: 1, context: [{ type: Order }] }] })
    const last = type._tag === 'Left' ? (type.left[0]!.context.at(-1)!.type as t.Mixed) : undefined
    expect([last!.name, last!.is(1), last!.decode(1)._tag]).toEqual(['array', true, 'Right'])
  })

  it('answers with what it was given, whatever its parts would make of it', () => {
    const Loose = object<unknown>('loose', {
      body: required(fromJson(t.string)),
      exact: required(t.strict({})),
    })
    const value = { body: 'text', exact: { a: 1 } }
    expect(transforms(Loose)).toBe(false)
    expect(decode(Loose, value)).toBe(value)
    expect(Loose.decode(value)).toEqual({ _tag: 'Right', right: value })
    expect(Loose.encode(value)).toBe(value)
    // Inside of a codec that transforms, too.
    const Outer = t.type({
      text: fromJson(t.string),
      loose: object<unknown>('o', { a: required(t.unknown) }),
    })
    expect(decode(Outer, { text: '"a"', loose: { a: 1 } })).toEqual({ text: 'a', loose: { a: 1 } })
    expect(lines(Outer, { text: '"a"', loose: {} })).toEqual(['/loose/a: expected anything, was nothing'])
    expect(
      lines(t.type({ text: fromJson(t.string), o: Line }), { text: '"a"', o: { sku: 1, count: 1 } }),
    ).toEqual(['/o/sku: expected string, was number 1'])
  })

  it('has a guard of its own, and a name', () => {
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
