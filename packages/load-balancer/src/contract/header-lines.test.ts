import { describe, expect, it } from '@jest/globals'
import { type AnswerLine, headerLines } from './header-lines.ts'

const makeError = (name: string | undefined, expected: string, actual: unknown) =>
  new Error(`${name}: expected ${expected}, was ${String(actual)}`)
const pairs = (lines: readonly AnswerLine[]) => lines.map(({ name, value }) => [name, value])
const lines = (headers: unknown, statusCode = 200) =>
  pairs(headerLines({ statusCode, headers: headers as object }, false, makeError))

describe('headerLines', () => {
  it('reads only `multiValueHeaders` in multi-value mode, and only `headers` otherwise', () => {
    const both = { statusCode: 200, headers: { a: '1' }, multiValueHeaders: { a: ['2', '3'], b: [] } }
    expect(pairs(headerLines(both, false, makeError))).toEqual([['a', '1']])
    expect(pairs(headerLines(both, true, makeError))).toEqual([
      ['a', '2'],
      ['a', '3'],
    ])
    expect(headerLines({ statusCode: 200 }, true, makeError)).toEqual([])
    expect(headerLines({ statusCode: 200, headers: null }, false, makeError)).toEqual([])
  })

  it('keeps the order and the case of header names, and drops null and undefined values', () => {
    expect(lines({ 'X-B': 'b', a: 7, none: null, no: undefined, 'x-b': ['c', 8] })).toEqual([
      ['X-B', 'b'],
      ['a', '7'],
      ['x-b', 'c'],
      ['x-b', '8'],
    ])
  })

  it('drops hop-by-hop headers, and content headers of a response without content', () => {
    const headers = {
      Connection: 'close',
      'Content-Length': '1',
      'Content-Type': 'a/b',
      'content-encoding': 'br',
    }
    expect(lines(headers)).toEqual([
      ['Content-Type', 'a/b'],
      ['content-encoding', 'br'],
    ])
    for (const status of [204, 205, 304]) expect(lines(headers, status)).toEqual([])
  })

  it('keeps only the last value of a header that HTTP allows only once', () => {
    expect(lines({ etag: ['"1"', '"2"'], Location: '/a', vary: ['a', 'b'], location: '/b' })).toEqual([
      ['etag', '"2"'],
      ['vary', 'a'],
      ['vary', 'b'],
      ['location', '/b'],
    ])
  })

  it.each([
    'content-disposition',
    'content-type',
    'etag',
    'expires',
    'last-modified',
    'location',
    'retry-after',
  ])('keeps only the last value of %s when the header has two spellings or a list of values', name => {
    expect(lines({ [name]: '1', [name.toUpperCase()]: '2' })).toEqual([[name.toUpperCase(), '2']])
    expect(lines({ [name]: ['1', '2'] })).toEqual([[name, '2']])
  })

  it('reads each map entry only once, even when a header name has many spellings', () => {
    const spellings = Array.from({ length: 30_000 }, (_, i) =>
      [...'content-disposition']
        .map((letter, bit) => (i & (1 << bit) ? letter.toUpperCase() : letter))
        .join(''),
    )
    const others = Array.from({ length: 30_000 }, (_, i) => [`x-${i}`, '1'])
    const result = lines(Object.fromEntries([...others, ...spellings.map(name => [name, 'inline'])]))
    expect(result).toHaveLength(30_001)
  })

  it.each([
    ['a string instead of a map', 'a: b', 'undefined: expected a map'],
    ['a list instead of a map', [['a', 'b']], 'undefined: expected a map'],
    ['a Map object', new Map([['a', 'b']]), 'undefined: expected a map'],
    ['a name with a space', { 'a b': '1' }, 'undefined: expected names that HTTP can carry, was a b'],
    ['the name __proto__', JSON.parse('{"__proto__":"1"}'), 'expected names that HTTP can carry'],
    ['the name __PROTO__', { __PROTO__: '1' }, 'expected names that HTTP can carry'],
    ['a value that is an object', { a: {} }, 'a: expected text that HTTP can carry'],
    ['null in a list', { a: ['b', null] }, 'a: expected text'],
    ['a value with a line feed', { a: 'b\nc' }, 'a: expected text'],
  ])('refuses %s', (_, headers, message) => {
    expect(() => lines(headers)).toThrow(message)
  })
})
