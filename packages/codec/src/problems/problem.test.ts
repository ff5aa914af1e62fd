import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { formatProblems, pointerKeys, pointerTo } from './problem.ts'

describe('formatProblems()', () => {
  it('writes one line for each problem', () => {
    const found = [
      { pointer: '/request/userAttributes', expected: 'object', actual: 'null' },
      { pointer: '', expected: 'no more problems', actual: '7 more' },
    ]
    expect(formatProblems(found)).toBe(
      '/request/userAttributes: expected object, was null\nthe value: expected no more problems, was 7 more',
    )
    expect(formatProblems([])).toBe('')
  })

  it('writes control characters as JSON does, so that no value can forge a line', () => {
    const found = [{ pointer: '/a\nERROR b', expected: '\r', actual: "string '\u2028\u001b[31m\u0085'" }]
    expect(formatProblems(found)).toBe(
      "/a\\u000aERROR b: expected \\u000d, was string '\\u2028\\u001b[31m\\u0085'",
    )
    const text = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(text, text, text, (pointer, expected, actual) => {
        expect(formatProblems([{ pointer, expected, actual }])).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      }),
    )
  })

  it('escapes only control characters and the two line separators of Unicode', () => {
    const wrong = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
      character => {
        const line = formatProblems([{ pointer: '/a', expected: character, actual: 'b' }])
        const isEscaped = line !== `/a: expected ${character}, was b`
        return isEscaped !== /[\p{Cc}\u2028\u2029]/u.test(character)
      },
    )
    expect(wrong).toEqual([])
  })

  it('truncates pointers of more than 300 characters', () => {
    const pointer = '/a'.repeat(1000)
    expect(formatProblems([{ pointer, expected: 'string', actual: 'null' }])).toBe(
      `${'/a'.repeat(150)}…: expected string, was null`,
    )
  })

  it('writes a pointer of 300 characters in full', () => {
    const pointer = '/a'.repeat(150)
    expect(formatProblems([{ pointer, expected: 'string', actual: 'null' }])).toBe(
      `${pointer}: expected string, was null`,
    )
  })
})

it('pointerTo() joins keys into a JSON pointer and escapes ~ and / in them', () => {
  expect(pointerTo()).toBe('')
  expect(pointerTo('lines', 0, 'sku')).toBe('/lines/0/sku')
  expect(pointerTo('a/b~c', '~1', '')).toBe('/a~1b~0c/~01/')
})

it('pointerKeys() returns the keys that pointerTo() joined', () => {
  expect(pointerKeys('')).toEqual([])
  expect(pointerKeys('/lines/0/a~1b~0c/~01/')).toEqual(['lines', '0', 'a/b~c', '~1', ''])
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a') })), keys => {
      expect(pointerKeys(pointerTo(...keys))).toEqual(keys)
    }),
  )
})
