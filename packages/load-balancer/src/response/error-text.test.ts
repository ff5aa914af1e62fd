import { describe, expect, it } from '@jest/globals'
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

  it.each([
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a string', 'text', 'text'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['an object without a prototype', Object.create(null), 'a value without a text was thrown'],
    ['an object that String() refuses', { toString: () => ({}) }, 'a value without a text was thrown'],
  ])('describes %s as a thrown value', (_, thrown, words) => {
    expect(errorText(thrown)).toBe(words)
  })
})
