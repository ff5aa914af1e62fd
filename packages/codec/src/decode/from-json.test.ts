import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as t from 'io-ts'
import { compile } from '../guard/compile.ts'
import { decode, validate } from './decode.ts'
import { fromJson } from './from-json.ts'
import { problems } from './problems.ts'

const Order = t.type({ id: t.string, count: t.number })
const OrderFromJson = fromJson(Order)

describe('fromJson()', () => {
  it('decodes JSON text to a value, and encodes the value as JSON text', () => {
    expect(OrderFromJson.name).toBe('FromJson<{ id: string, count: number }>')
    expect(OrderFromJson.decode('{"id":"1","count":2,"extra":true}')).toEqual({
      _tag: 'Right',
      right: { id: '1', count: 2, extra: true },
    })
    expect(OrderFromJson.encode({ id: '1', count: 2 })).toBe('{"id":"1","count":2}')
  })

  it('decodes the text that it encoded, for any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false } as never), value => {
        const json = fromJson(t.unknown)
        const normal: unknown = JSON.parse(JSON.stringify(value))
        fc.pre(!JSON.stringify(value).includes('__proto__'))
        expect(decode(json, json.encode(value))).toEqual(normal)
      }),
    )
  })

  it('decodes the JSON text of a string, although the text already satisfies the guard', () => {
    expect(decode(fromJson(t.string), '"a"')).toBe('a')
    expect(decode(fromJson(t.unknown), '"a"')).toBe('a')
    expect(decode(t.type({ body: fromJson(t.string) }), { body: '"a"' })).toEqual({ body: 'a' })
    expect(decode(fromJson(fromJson(t.number)), '"1"')).toBe(1)
    expect(decode(t.readonly(fromJson(t.string)), '"a"')).toBe('a')
    expect(() => decode(fromJson(t.string), 'a')).toThrow()
  })

  it('decodes with codecs that transform values', () => {
    expect(decode(fromJson(t.strict({ id: t.string })), '{"id":"1","extra":true}')).toEqual({ id: '1' })
    expect(decode(fromJson(t.tuple([t.string])), '["a","b"]')).toEqual(['a'])
  })

  it('has a guard that checks the decoded value, not the text', () => {
    expect(OrderFromJson.is({ id: '1', count: 2 })).toBe(true)
    expect(compile(OrderFromJson)({ id: '1', count: 2 })).toBe(true)
    expect(compile(OrderFromJson)('{"id":"1","count":2}')).toBe(false)
  })

  it('reports where a string stops being valid JSON, without quoting the string', () => {
    const text = '{"id": "hunter2", count: 2}'
    expect(problems(t.type({ body: OrderFromJson }), { body: text })).toEqual([
      { pointer: '/body', expected: 'JSON text', actual: 'text that breaks at position 18' },
    ])
    const decoded = OrderFromJson.decode(text)
    expect(decoded).toMatchObject({
      _tag: 'Left',
      left: [{ message: 'expected JSON text, but it breaks at position 18' }],
    })
  })

  it.each([undefined, null, 1, {}, ['1'], Object('1'), new Date(0)])(
    'refuses %p, which is not a string',
    value => {
      expect(OrderFromJson.decode(value)).toMatchObject({
        _tag: 'Left',
        left: [{ message: 'expected JSON text' }],
      })
      expect(problems(OrderFromJson, value)).toMatchObject([{ pointer: '', expected: 'JSON text' }])
    },
  )

  it('reports problems with JSON pointers into the parsed value', () => {
    expect(problems(t.type({ body: fromJson(t.array(Order)) }), { body: '[{"id":1}]' })).toEqual([
      { pointer: '/body/0/id', expected: 'string', actual: 'number 1' },
      { pointer: '/body/0/count', expected: 'number', actual: 'nothing' },
    ])
    expect(OrderFromJson.decode('{"id":1}')).toMatchObject({
      _tag: 'Left',
      left: [{ context: [{}, { key: 'id' }] }, { context: [{}, { key: 'count' }] }],
    })
  })

  it('does not show secrets from the text in problems', () => {
    const Login = fromJson(t.type({ name: t.string, password: t.type({}) }))
    expect(problems(Login, '{"name":1,"password":"hunter2"}')).toEqual([
      { pointer: '/name', expected: 'string', actual: 'number 1' },
      { pointer: '/password', expected: 'object', actual: 'a string' },
    ])
  })

  describe('for text with names such as __proto__', () => {
    it.each([
      '{"__proto__":{"role":"admin"},"n":1}',
      '{"\\u005f_proto__":{"role":"admin"},"n":1}',
      '{"__pr\\u006Fto__":{"role":"admin"},"n":1}',
      '{"_\\u005F\\u0070\\u0072ot\\u006f__":{"role":"admin"},"n":1}',
    ])('drops the field __proto__ from %s', text => {
      const value = decode(fromJson(t.unknown), `[${text}, {"a": ${text}}]`) as object[]
      for (const inner of [value[0]!, (value[1] as { a: object }).a]) {
        expect(Reflect.ownKeys(inner)).toEqual(['n'])
        expect(Object.getPrototypeOf(inner)).toBe(Object.prototype)
      }
      // This codec copies the object field by field, and the copy must keep its prototype.
      const Stripped = t.intersection([t.strict({ n: t.number }), t.partial({ role: t.literal('user') })])
      const copy = decode(fromJson(Stripped), text)
      expect(copy.role).toBeUndefined()
      expect('role' in {}).toBe(false)
    })

    it.each(
      Array.from('__proto__', (letter, at) => {
        const escaped = `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
        return `{"${'__proto__'.slice(0, at)}${escaped}${'__proto__'.slice(at + 1)}":1,"n":1}`
      }),
    )('drops the field __proto__ from %s, in which one letter is escaped', text => {
      expect(Reflect.ownKeys(decode(fromJson(t.UnknownRecord), text))).toEqual(['n'])
    })

    it('drops __proto__ from an object that also has a null field', () => {
      expect(decode(fromJson(t.UnknownRecord), '{"__proto__":1,"a":null,"b":[null]}')).toEqual({
        a: null,
        b: [null],
      })
    })

    it('keeps fields named constructor or prototype, and the string __proto__ as a value', () => {
      const text =
        '{"constructor":{"prototype":{"a":1}},"prototype":2,"value":"__proto__","é":"\\u00e9\\u0061"}'
      expect(decode(fromJson(t.unknown), text)).toEqual(JSON.parse(text))
      expect('a' in {}).toBe(false)
    })
  })

  describe('decodes deeply nested JSON', () => {
    const deep = (levels: number) => `${'['.repeat(levels)}"\\u005f"${']'.repeat(levels)}`

    it('when the codec does not check the deep part', () => {
      expect(validate(fromJson(t.unknown), deep(100_000))._tag).toBe('Right')
    })

    it('when a recursive codec checks every level', () => {
      type Deep = string | readonly Deep[]
      const Deep: t.Type<Deep> = t.recursion('Deep', self => t.union([t.string, t.readonlyArray(self)]))
      expect(fromJson(Deep).decode(deep(1000))._tag).toBe('Right')
      expect(fromJson(Deep).decode(deep(100_000))).toMatchObject({
        _tag: 'Left',
        left: [{ message: 'expected JSON text, but it cannot be checked' }],
      })
      expect(problems(fromJson(Deep), deep(100_000))).toMatchObject([
        { actual: 'something that cannot be checked' },
      ])
    })
  })
})
