import { runInNewContext } from 'node:vm'
import { describe, expect, it } from '@jest/globals'
import { maskText } from './mask.ts'

/** The limit in milliseconds. Code that reads the rest of a string again for each name would take minutes. */
const timeLimit = 30_000

const megabyte = (unit: string) => unit.repeat(Math.ceil(1_000_000 / unit.length))

describe('maskText()', () => {
  it.each([
    ['resource names', ':password:x '],
    ['names in prose', 'a password: foo bar '],
    ['names in a word', 'token:/'],
    ['names in quotes', '"password: foo bar '],
    ['names in escaped quotes', '\\"token: x y '],
    ['headers in quotes', ' "authorization: x y'],
    ['errors about a header', '/cookie: expected x, was y'],
    ['blocks of blanks', `password: |\n${' '.repeat(300_000)}`],
    ['values before their names', `"value=name=password"${'x'.repeat(230)}`],
  ])('finds the values of many secret names in one line without rereading the line (%s)', (_case, unit) => {
    const task = () => maskText(`${megabyte(unit)} x`)
    expect(() => runInNewContext('task()', { task }, { timeout: timeLimit })).not.toThrow()
  })

  it('does not mask the closing quote, the next line or the rest of the tag after a value', () => {
    expect(maskText('see "password: hunter2" and so on').text).toBe('see "password: ***" and so on')
    expect(maskText('see "password: hunter2\nnext" line').text).toBe('see "password: ***\nnext" line')
    expect(maskText('a password: abc\nnext').text).toBe('a password: ***\nnext')
    expect(maskText('a password: abc def').text).toBe('a password: abc def')
    expect(maskText('password: |\n  a b\n \n  c\nnext: 1\n').text).toBe('password: |\n***next: 1\n')
    expect(maskText('<input value="abc" name="password">').text).toBe('<input value="***" name="password">')
    expect(maskText("<input value='abc' name='password'>").text).toBe("<input value='***' name='password'>")
  })

  it.each([
    '/headers/set-cookie: expected one cookie, since the load balancer asks for single headers, was 2 cookies',
    '/multiValueHeaders/authorization: expected text that HTTP can carry, was other text\n    at serialize (balancer.js:8:12)',
    '{"detail":"What GET / returned:\\n/headers/cookie: expected text, was a list\\n    at serialize"}',
  ])('does not mask what an error says about a header (%s)', text => {
    expect(maskText(text).text).toBe(text)
  })

  it.each([
    'set-cookie: expected one cookie, was hunter2-hunter2',
    '/headers/cookie: expected session=hunter2-hunter2, was nothing',
    '/headers/cookie: expected nothing, was session=hunter2-hunter2',
    '/headers/authorization: Bearer hunter2-hunter2',
    "/headers/authorization: expected a number, was string 'hunter2-hunter2'",
  ])('masks a header after a slash (%s)', text => {
    expect(maskText(text).text).not.toContain('hunter2')
  })

  it('masks a value that is longer than any ordinary word, even in prose', () => {
    expect(maskText(`the password: ${'a'.repeat(65)} is`).text).toBe('the password: *** is')
  })
})
