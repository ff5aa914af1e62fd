import { describe, expect, it } from '@jest/globals'
import {
  existingPointer,
  type JsonFolds,
  jsonMatches,
  jsonRows,
  mostRows,
  pointersTo,
  readJson,
} from './json-rows.ts'

const open: JsonFolds = { isOpen: () => true, limitOf: () => 100 }
const lines = (value: unknown, folds = open) =>
  jsonRows(value, folds).map(({ kind, pointer, size }) => `${kind} ${pointer} ${size}`)

describe('jsonRows', () => {
  it('returns a row with a JSON pointer for each value, and an end row for each object and list', () => {
    expect(lines({ a: [1], 'b/~': {} })).toEqual([
      'open  2',
      'open /a 1',
      'value /a/0 0',
      'end /a 1',
      'value /b~1~0 0',
      'end  2',
    ])
  })

  it('returns one row for a collapsed value', () => {
    expect(lines({ a: [1, 2] }, { ...open, isOpen: pointer => pointer === '' })).toEqual([
      'open  1',
      'shut /a 2',
      'end  1',
    ])
  })

  it('omits list items beyond a given limit, and rows beyond a fixed maximum', () => {
    expect(lines([1, 2, 3], { ...open, limitOf: () => 1 })).toEqual([
      'open  3',
      'value /0 0',
      'more  2',
      'end  3',
    ])
    const many = Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => 1))
    expect(jsonRows(many, open).length).toBeLessThan(mostRows + 200)
  })

  it('limits the number of rows of deeply nested values', () => {
    let deep: unknown = 1
    for (let i = 0; i < 100_000; i++) deep = [deep]
    expect(jsonRows(deep, open).length).toBeLessThan(2 * mostRows + 2)
  })
})

describe('jsonMatches', () => {
  it('finds names and values in document order, and ignores case', () => {
    expect(jsonMatches({ Ab: 1, c: ['xab', { d: 'no' }], e: { ab: {} } }, 'AB', 10)).toEqual([
      '/Ab',
      '/c/0',
      '/e/ab',
    ])
    expect(jsonMatches([1, 1, 1], '1', 2)).toEqual(['/0', '/1'])
    expect(jsonMatches({ a: 1 }, '', 10)).toEqual([])
  })
})

describe('existingPointer', () => {
  it('returns the pointer of the closest existing ancestor when a value is missing', () => {
    const value = { a: { 'b/c': [null] } }
    expect(existingPointer(value, '/a/b~1c/0')).toBe('/a/b~1c/0')
    expect(existingPointer(value, '/a/b~1c/1/x')).toBe('/a/b~1c')
    expect(existingPointer(value, '/toString')).toBe('')
    expect(pointersTo('/a/b')).toEqual(['', '/a', '/a/b'])
  })
})

describe('readJson', () => {
  it('keeps every digit of a large integer', () => {
    expect(String(readJson('12345678901234567890'))).toBe('12345678901234567890')
    expect(readJson('{"a":1234567890123456}')).toEqual({ a: 1234567890123456 })
    expect(() => readJson('{"a":1234567890123456')).toThrow(SyntaxError)
  })

  it('reads deeply nested JSON', () => {
    expect(readJson(`${'['.repeat(50_000)}1234567890123456789${']'.repeat(50_000)}`)).toBeInstanceOf(Array)
  })
})
