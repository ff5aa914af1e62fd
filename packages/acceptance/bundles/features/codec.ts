import assert from 'node:assert/strict'
import middy from '@middy/core'
import validator from '@middy/validator'
import {
  compile,
  decode,
  decoder,
  fieldHint,
  formatProblems,
  fromJson,
  InvalidError,
  isObject,
  isSecret,
  kindOf,
  nearest,
  pointerKeys,
  pointerTo,
  problems,
  schema,
  standard,
  undecodable,
  validate,
  validateAsync,
} from '@signalbox/codec'
import { jsonSchema } from '@signalbox/codec/json-schema'
import {
  anything,
  array,
  boolean,
  byTag,
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
} from '@signalbox/codec/wire'
import * as t from 'io-ts'
import * as v from 'valibot'
import * as z from 'zod'
import type { Features } from '../features.ts'

const Order = t.type({ id: t.string, lines: t.array(t.type({ sku: t.string, count: t.Int })) })
const wrong = { id: 'o1', lines: [{ sku: 'lamp', count: 1.5 }] }

/** The features in the README of `@signalbox/codec`. */
export const features: Features = {
  'compile() and problems()'() {
    assert.equal(compile(Order)(wrong), false)
    assert.equal(compile(Order)({ id: 'a', lines: [] }), true)
    assert.deepEqual(problems(Order, wrong), [
      { pointer: '/lines/0/count', expected: 'Int', actual: 'number 1.5' },
    ])
    interface Tree {
      readonly children: readonly Tree[]
    }
    const Tree: t.Type<Tree> = t.recursion('Tree', () => t.type({ children: t.readonlyArray(Tree) }))
    const Rest = t.intersection([t.strict({ a: t.tuple([t.string, t.number]) }), t.partial({ b: t.null })])
    assert.ok(compile(Tree)({ children: [{ children: [] }] }) && compile(Rest)({ a: ['', 1] }))
  },
  async 'decode(), validate(), decoder() and fromJson()'() {
    assert.deepEqual(decode(fromJson(Order), '{"id":"o1","lines":[]}'), { id: 'o1', lines: [] })
    assert.throws(() => decode(Order, wrong), InvalidError)
    const result = validate(Order, { id: 7, lines: null })
    assert.equal(
      result._tag === 'Left' && formatProblems(result.left),
      '/id: expected string, was number 7\n/lines: expected array, was null',
    )
    assert.equal(decoder(Order)(wrong), undecodable)
    assert.equal((await validateAsync(Order, wrong))._tag, 'Left')
  },
  async 'schema() for the validator of middy'() {
    const handler = middy()
      .use(validator({ eventSchema: schema(Order) }))
      .handler(() => 'thanks')
    assert.equal(await handler({ id: 'a', lines: [] }, {} as never), 'thanks')
    await assert.rejects(handler(wrong as never, {} as never), /failed/)
  },
  async 'schemas of other libraries'() {
    const asked = z.object({ id: z.string().refine(async id => id !== 'taken') })
    assert.equal((await validateAsync(asked, { id: 'taken' }))._tag, 'Left')
    assert.deepEqual(decode(fromJson(v.object({ id: v.string() })), '{"id":"a"}'), { id: 'a' })
    assert.ok('issues' in (standard(Order)['~standard'].validate(wrong) as object))
  },
  'jsonSchema()'() {
    assert.match(JSON.stringify(jsonSchema(Order)), /"lines":\{"type":"array"/)
  },
  'the codecs of contracts'() {
    const Line = object('line', { sku: required(string), note: optional(string), more: omittable(anything) })
    const Orders = t.type({ lines: t.array(Line), by: oneOf('mail', 'phone') })
    assert.equal(compile(Orders)({ lines: [{ sku: 'lamp', note: null }], by: 'mail' }), true)
    assert.equal(compile(Orders)({ lines: [{ sku: 1 }], by: 'mail' }), false)
    for (const made of [number, boolean, array, list, map, where, byTag]) assert.ok(made)
  },
  'names and secrets'() {
    assert.equal(nearest('onMesage', ['onMessage', 'body']), 'onMessage')
    assert.equal(isSecret('newPassword'), true)
    assert.deepEqual(pointerKeys(pointerTo('a/b', 'c')), ['a/b', 'c'])
    assert.deepEqual([isObject({}), kindOf(null), typeof fieldHint], [true, 'null', 'function'])
  },
}
