import { runInNewContext } from 'node:vm'
import { describe, expect, it } from '@jest/globals'
import { maskText } from './mask.ts'

/** The limit in milliseconds. Code that reads the rest of a text again for each name would take minutes. */
const timeLimit = 30_000

const megabyte = (unit: string) => unit.repeat(Math.ceil(1_000_000 / unit.length))

describe('the values of many names in one line', () => {
  it.each([
    ['names of resources', ':password:x '],
    ['names in prose', 'a password: foo bar '],
    ['names in a word', 'token:/'],
    ['names in quotes', '"password: foo bar '],
    ['names in escaped quotes', '\\"token: x y '],
    ['headers in quotes', ' "authorization: x y'],
    ['blocks of blanks', `password: |\n${' '.repeat(300_000)}`],
    ['values before their names', `"value=name=password"${'x'.repeat(230)}`],
  ])('are found without rereading the line each time (%s)', (_case, unit) => {
    const task = () => maskText(`${megabyte(unit)} x`)
    expect(() => runInNewContext('task()', { task }, { timeout: timeLimit })).not.toThrow()
  })

  it('end at the same places as in short lines', () => {
    expect(maskText('see "password: hunter2" and so on').text).toBe('see "password: ***" and so on')
    expect(maskText('see "password: hunter2\nnext" line').text).toBe('see "password: ***\nnext" line')
    expect(maskText('a password: abc\nnext').text).toBe('a password: ***\nnext')
    expect(maskText('a password: abc def').text).toBe('a password: abc def')
    expect(maskText('password: |\n  a b\n \n  c\nnext: 1\n').text).toBe('password: |\n***next: 1\n')
    expect(maskText('<input value="abc" name="password">').text).toBe('<input value="***" name="password">')
    expect(maskText("<input value='abc' name='password'>").text).toBe("<input value='***' name='password'>")
  })

  it('are masked, too, when a word is longer than in ordinary text', () => {
    expect(maskText(`the password: ${'a'.repeat(65)} is`).text).toBe('the password: *** is')
  })
})
