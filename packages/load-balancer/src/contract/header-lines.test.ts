import { describe, expect, it } from '@jest/globals'
import { type AnswerLine, headerLines } from './header-lines.ts'

const refuse = (name: string | undefined, expected: string, actual: unknown) =>
  new Error(`${name}: expected ${expected}, was ${String(actual)}`)
const pairs = (found: readonly AnswerLine[]) => found.map(({ name, value }) => [name, value])
const lines = (headers: unknown, statusCode = 200) =>
  pairs(headerLines({ statusCode, headers: headers as object }, false, refuse))

describe('headerLines', () => {
  it('reads the map of the mode, and nothing else', () => {
    const both = { statusCode: 200, headers: { a: '1' }, multiValueHeaders: { a: ['2', '3'], b: [] } }
    expect(pairs(headerLines(both, false, refuse))).toEqual([['a', '1']])
    expect(pairs(headerLines(both, true, refuse))).toEqual([
      ['a', '2'],
      ['a', '3'],
    ])
    expect(headerLines({ statusCode: 200 }, true, refuse)).toEqual([])
    expect(headerLines({ statusCode: 200, headers: null }, false, refuse)).toEqual([])
  })

  it('keeps the order and the letters of names, and drops what is no value', () => {
    expect(lines({ 'X-B': 'b', a: 7, none: null, no: undefined, 'x-b': ['c', 8] })).toEqual([
      ['X-B', 'b'],
      ['a', '7'],
      ['x-b', 'c'],
      ['x-b', '8'],
    ])
  })

  it('drops headers of the connection, and those of a content that is not there', () => {
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

  it('has the last of what HTTP takes once, in a list or under several spellings', () => {
    expect(lines({ etag: ['"1"', '"2"'], Location: '/a', vary: ['a', 'b'], location: '/b' })).toEqual([
      ['etag', '"2"'],
      ['vary', 'a'],
      ['vary', 'b'],
      ['location', '/b'],
    ])
  })

  it('takes time that grows with the map alone, however often a name is spelt in another way', () => {
    const spellings = Array.from({ length: 30_000 }, (_, i) =>
      [...'content-disposition']
        .map((letter, bit) => (i & (1 << bit) ? letter.toUpperCase() : letter))
        .join(''),
    )
    const others = Array.from({ length: 30_000 }, (_, i) => [`x-${i}`, '1'])
    const found = lines(Object.fromEntries([...others, ...spellings.map(name => [name, 'inline'])]))
    expect(found).toHaveLength(30_001)
  })

  it.each([
    ['text', 'a: b', 'undefined: expected a map'],
    ['a list', [['a', 'b']], 'undefined: expected a map'],
    ['a Map', new Map([['a', 'b']]), 'undefined: expected a map'],
    ['a name with a space', { 'a b': '1' }, 'undefined: expected names that HTTP can carry, was a b'],
    ['a name that objects have', JSON.parse('{"__proto__":"1"}'), 'expected names that HTTP can carry'],
    ['a value that is an object', { a: {} }, 'a: expected text that HTTP can carry'],
    ['null in a list', { a: ['b', null] }, 'a: expected text'],
    ['a value with a line feed', { a: 'b\nc' }, 'a: expected text'],
  ])('refuses %s', (_, headers, message) => {
    expect(() => lines(headers)).toThrow(message)
  })
})
