import { expect, it } from '@jest/globals'
import { jsonObject } from './json-object.ts'

const read = (text: string, depth = 4) => jsonObject(Buffer.from(text), depth)

it('jsonObject() removes null fields down to the given depth', () => {
  expect(read('{"a":null,"b":[{"c":null,"d":0}]}')).toEqual({ b: [{ d: 0 }] })
  expect(read('{"a":null,"b":{"c":null}}', 1)).toEqual({ b: { c: null } })
})

it.each([
  ['incomplete JSON', '{', 'The body is not JSON.'],
  ['JSON after U+FFFD', '\ufffd{}', 'The body is not JSON.'],
  ['null', 'null', 'The body is not a JSON object.'],
  ['an array', '[]', 'The body is not a JSON object.'],
  ['a string', '"{}"', 'The body is not a JSON object.'],
])('jsonObject() refuses %s and says why', (_case, text, sentence) => {
  expect(read(text)).toBe(sentence)
})

it('jsonObject() refuses an object that is nested too deeply to be serialized again', () => {
  const nested = (levels: number) => `{"a":${'[['.repeat(levels / 2)}${']]'.repeat(levels / 2)}}`
  expect(read(nested(98))).toBeInstanceOf(Object)
  for (const levels of [100, 200_000])
    expect(read(nested(levels))).toBe('The body is nested more than 100 levels deep.')
})

it('jsonObject() refuses bytes that are not UTF-8', () => {
  expect(jsonObject(Uint8Array.of(0x7b, 0xff, 0x7d), 4)).toBe('The body is not JSON.')
})
