import { expect, it } from '@jest/globals'
// #region guard
import { compile, decode, fromJson, problems } from '@signalbox/codec'
import * as t from 'io-ts'

const Order = t.type({ id: t.string, lines: t.array(t.type({ sku: t.string, count: t.Int })) })

const isOrder = compile(Order) // (u: unknown) => u is { id: string, lines: … }
const wrong = { id: 'o1', lines: [{ sku: 'lamp', count: 1.5 }] }

isOrder(wrong) // false
problems(Order, wrong) // [{ pointer: '/lines/0/count', expected: 'Int', actual: 'number 1.5' }]
decode(fromJson(Order), '{"id":"o1","lines":[]}') // { id: 'o1', lines: [] }
// #endregion guard

it('the README example about guards runs', () => {
  expect(isOrder(wrong)).toBe(false)
  expect(isOrder({ id: 'o1', lines: [{ sku: 'lamp', count: 1 }] })).toBe(true)
  expect(problems(Order, wrong)).toEqual([
    { pointer: '/lines/0/count', expected: 'Int', actual: 'number 1.5' },
  ])
  expect(decode(fromJson(Order), '{"id":"o1","lines":[]}')).toEqual({ id: 'o1', lines: [] })
})

it('the README example about schemas runs', async () => {
  const { default: middy } = await import('@middy/core')
  const { default: validator } = await import('@middy/validator')
  const { schema } = await import('@signalbox/codec')
  const answer = () => 'thanks'
  const handler = middy()
    .use(validator({ eventSchema: schema(Order) }))
    .handler(answer)
  const call = (event: unknown) => handler(event as never, {} as never, undefined as never)
  expect(await call({ id: 'o1', lines: [] })).toBe('thanks')
  await expect(call(wrong)).rejects.toMatchObject({ cause: { data: [{ pointer: '/lines/0/count' }] } })
})

it('the README example about Either runs', async () => {
  const { formatProblems, validate } = await import('@signalbox/codec')
  const result = validate(Order, { id: 7, lines: null })
  const text = result._tag === 'Left' ? formatProblems(result.left) : `order ${result.right.id}`
  // /id: expected string, was number 7
  // /lines: expected array, was null
  expect(text).toBe('/id: expected string, was number 7\n/lines: expected array, was null')
})

it('the README example about wire codecs runs', async () => {
  const { object, oneOf, optional, required, string } = await import('./wire/index.ts')
  const Line = object('line', { sku: required(string), note: optional(string) })
  const Orders = t.type({ lines: t.array(Line), by: oneOf('mail', 'phone') })

  compile(Orders)({ lines: [{ sku: 'lamp', note: null }], by: 'mail' }) // true
  expect(compile(Orders)({ lines: [{ sku: 'lamp', note: null }], by: 'mail' })).toBe(true)
  expect(problems(Orders, { lines: [{ sku: 1 }], by: 'mail' })).toEqual([
    { pointer: '/lines/0/sku', expected: 'string', actual: 'number 1' },
  ])
})

it('the README example about misspelled names runs', async () => {
  const { nearest } = await import('@signalbox/codec')
  expect(nearest('Quantiy', ['sku', 'quantity'])).toBe('quantity')
})
