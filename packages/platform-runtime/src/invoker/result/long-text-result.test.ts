import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { longTextResult, readLongTextResult } from './long-text-result.ts'
import { plainValue } from './plain-value.ts'

const long = 'x'.repeat(20_000)

it('readLongTextResult() returns what plainValue() returns for any plain object with a long text', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ unit: 'binary' }),
      (fields, text, key) => {
        const result = { ...fields, [key]: `${long}\n${text}\n` }
        const sent = longTextResult(result)
        const plain = plainValue(result)
        expect(sent === undefined).toBe(plain === undefined)
        if (sent === undefined) return
        // The text crosses between processes in UTF-8.
        const read = readLongTextResult(Buffer.from(sent.join('')).toString())
        expect(read).toEqual(plain)
        expect(Object.keys(read!.value as object)).toEqual(Object.keys(plain!.value as object))
      },
    ),
  )
})

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a string', long],
  ['an object without a long text', { statusCode: 200, body: 'x' }],
  ['a text with a lone surrogate', { body: `${long}\ud800` }],
  ['a text longer than every contract allows', { body: 'x'.repeat(200_000) }],
  [
    'a class',
    new (class Answer {
      body = long
    })(),
  ],
  ['a toJSON() method', { toJSON: () => 1, body: long }],
  ['a revoked proxy', revoked()],
  [
    'a getter that throws',
    {
      get body() {
        throw new Error('no')
      },
    },
  ],
])('longTextResult() leaves %s to the serialization', (_, result) => {
  expect(longTextResult(result)).toBeUndefined()
})

it.each([
  ['nothing', ''],
  ['a line', '"body"'],
  ['two lines', '"body"\n{"body":""}'],
  ['two lines and another character', '"body"\n{"body":""}x'],
  ['an object on the line of the key', '{"body":""}\n'],
  ['no JSON', `"body"\n{"body":"}\n${long}`],
  ['a key that is not in the object', `"text"\n{"body":""}\n${long}`],
  ['an inherited key', `"constructor"\n{"body":""}\n${long}`],
  ['the key of another value', `"body"\n{"body":7}\n${long}`],
  ['a number for a key', `7\n{"body":""}\n${long}`],
  ['null for the object', `"body"\nnull\n${long}`],
  ['an object named __proto__', `"body"\n{"__proto__":{},"body":""}\n${long}`],
  ['a long text named __proto__', `"__proto__"\n{"__proto__":""}\n${long}`],
  ['a number that is not finite', `"body"\n{"a":1e400,"body":""}\n${long}`],
  ['more characters than every contract allows', `"body"\n{"body":""}\n${'x'.repeat(200_000)}`],
])('readLongTextResult() refuses a text with %s', (_, text) => {
  expect(readLongTextResult(text)).toBeUndefined()
})

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
