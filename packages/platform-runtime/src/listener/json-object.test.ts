import { expect, it } from '@jest/globals'
import { jsonObject } from './json-object.ts'

const read = (text: string, depth = 4) => jsonObject(Buffer.from(text), depth)

it('jsonObject() removes null fields down to its depth', () => {
  expect(read('{"a":null,"b":[{"c":null,"d":0}]}')).toEqual({ b: [{ d: 0 }] })
  expect(read('{"a":null,"b":{"c":null}}', 1)).toEqual({ b: { c: null } })
})

it.each([
  ['{', 'The body is not JSON.'],
  ['\ufffd{}', 'The body is not JSON.'],
  ['null', 'The body is not a JSON object.'],
  ['[]', 'The body is not a JSON object.'],
  ['"{}"', 'The body is not a JSON object.'],
])('jsonObject() refuses %j with a sentence', (text, sentence) => {
  expect(read(text)).toBe(sentence)
})

it('jsonObject() refuses bytes that are not UTF-8', () => {
  expect(jsonObject(Uint8Array.of(0x7b, 0xff, 0x7d), 4)).toBe('The body is not JSON.')
})
