import { expect, it } from '@jest/globals'
import { jsonText } from './json-text.ts'

it('the JSON of a value is indented, and has escapes for characters that act', () => {
  const value = { a: ['line\nline', 'invoice\u202egpj.exe', '\u{e0001}', 'ä🤷'], '\u200b': 1 }
  expect(jsonText(value)).toBe(`{
  "a": [
    "line\\nline",
    "invoice\\u202egpj.exe",
    "\\udb40\\udc01",
    "ä🤷"
  ],
  "\\u200b": 1
}`)
  expect(JSON.parse(jsonText(value))).toEqual(value)
})

it('the JSON of a deeply nested value stands in one line, because indentation would make it many times longer', () => {
  const nested = `${'['.repeat(3000)}${']'.repeat(3000)}`
  expect(jsonText(JSON.parse(nested))).toBe(nested)
})
