import { describe, expect, it } from '@jest/globals'
import { json } from '../index.ts'
import { errorText } from './error-text.ts'

describe('errorText', () => {
  it('returns the stack, or the message when there is no stack', () => {
    const error = new Error('why')
    expect(errorText(error)).toBe(error.stack)
    expect(errorText(Object.assign(new Error('bare'), { stack: undefined }))).toBe('bare')
  })

  it('adds the causes of an error, even when they are circular', () => {
    const cause = new Error('no connection')
    const words = errorText(new Error('no order', { cause }))
    expect(words).toMatch(/^Error: no order\n[\s\S]*\ncaused by: Error: no connection\n/)
    cause.cause = cause
    expect(errorText(cause).match(/caused by/g)).toHaveLength(5)
  })

  it('shows the errors of an AggregateError, and counts those above five', () => {
    const errors = [1, 2, 3, 4, 5, 6, 7].map(n => new Error(`number ${n}`))
    const text = errorText(new AggregateError(errors, 'many', { cause: 'the root' }))
    expect(text).toMatch(/^AggregateError: many\n[\s\S]*\none of its errors: Error: number 1\n/)
    expect(text).toMatch(/\n2 more errors\ncaused by: the root$/)
    expect(text).not.toContain('number 6')
    const circular = new AggregateError([], 'circular')
    circular.errors = [circular, { code: 'ECONNRESET' }]
    expect(errorText(circular)).toContain('one of its errors: {"code":"ECONNRESET"}')
  })

  it.each([
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a string', 'text', 'text'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    [
      'a plain object',
      { code: 'ConflictException', retryable: false },
      '{"code":"ConflictException","retryable":false}',
    ],
    ['an object with a code that opens something', { code: '123456' }, '{"code":"…"}'],
    ['an object with a secret', { user: 'ann', password: 'hunter2' }, '{"user":"ann","password":"…"}'],
    ['a reply', json({ a: 1 }, { status: 409 }), expect.stringContaining('{"statusCode":409,')],
    ['an array', [1, 'a'], '[1,"a"]'],
    ['a long object', { text: 'x'.repeat(2000) }, expect.stringMatching(/^.{1000}…$/)],
    [
      'a Response',
      new Response('no', { status: 401, statusText: 'No' }),
      'a Response with status 401 No was thrown. Return it instead',
    ],
    [
      'a Response without a text',
      new Response('no', { status: 401 }),
      'a Response with status 401 was thrown. Return it instead',
    ],
    ['an object that has no JSON', { toJSON: () => undefined, toString: () => 'mine' }, 'mine'],
    [
      'an object that cannot be read',
      {
        toJSON: () => {
          throw new Error('no')
        },
      },
      'a value without a text was thrown',
    ],
  ])('describes %s as a thrown value', (_, thrown, words) => {
    expect(errorText(thrown)).toEqual(words)
  })
})
