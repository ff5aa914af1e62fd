import { expect, it } from '@jest/globals'
import { codecOf, object, required } from '@signalbox/codec/wire'
import fc from 'fast-check'
import * as t from 'io-ts'
import { fromJson, problems, schema, validate } from '../index.ts'
import { confidentially } from './confidential.ts'

const Order = t.type({ id: t.string, lines: t.array(t.type({ sku: t.string })) })

it('problems do not show the content of a confidential value, at any depth', () => {
  const value = { id: 4711, lines: [{ sku: true }, 'four'], more: 4711 }
  expect(problems(Order, value).map(({ actual }) => actual)).toEqual([
    'number 4711',
    'boolean true',
    "string 'four'",
  ])
  const own = t.type({ order: t.exact(confidentially(t.type(Order.props))), id: t.number })
  expect(problems(own, { order: value, id: 'public' })).toEqual([
    { pointer: '/order/id', expected: 'string', actual: 'a number' },
    { pointer: '/order/lines/0/sku', expected: 'string', actual: 'a boolean' },
    { pointer: '/order/lines/1', expected: 'object', actual: 'a string' },
    { pointer: '/id', expected: 'number', actual: "string 'public'" },
  ])
  expect(problems(confidentially(t.type({ id: t.string })), {})).toEqual([
    { pointer: '/id', expected: 'string', actual: 'nothing' },
  ])
})

it('problems do not show a confidential value even for transforming, JSON-text or custom codecs', () => {
  const secret = 'hunter2'
  const inside = object('inside', { a: required(object('inner', { b: required(t.number) })) })
  const custom = codecOf<unknown>({
    name: 'custom',
    is: (_): _ is unknown => false,
    validate: inside.validate,
  })
  for (const codec of [
    t.exact(t.type({ a: t.type({ b: t.number }) })),
    inside,
    custom,
    fromJson(inside),
    t.union([inside, t.number]),
  ]) {
    const wrapped = t.type({ whole: confidentially(codec as t.Mixed) })
    const value = { a: { b: secret } }
    for (const whole of [value, JSON.stringify(value)]) {
      const told = [problems(wrapped, { whole }), validate(wrapped, { whole })]
      expect(JSON.stringify(told)).toContain('pointer')
      expect(JSON.stringify((told[1] as { left: unknown }).left)).not.toContain(secret)
      expect(JSON.stringify(told[0])).not.toContain(secret)
    }
  }
})

it('problems do not show any string that a confidential codec refuses', () => {
  const Strict = confidentially(t.type({ list: t.array(t.number), kind: t.union([t.literal('a'), t.null]) }))
  const predicate = schema(Strict)
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z]{12}$/), text => {
      expect(predicate({ list: [1, text], kind: text })).toBe(false)
      expect(JSON.stringify(predicate.errors)).not.toContain(text)
      expect(predicate.errors?.length).toBe(2)
    }),
  )
})
