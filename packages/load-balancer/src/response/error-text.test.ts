import { describe, expect, it } from '@jest/globals'
import { errorText } from './error-text.ts'

describe('errorText', () => {
  it('returns the stack, or else the message', () => {
    const error = new Error('why')
    expect(errorText(error)).toBe(error.stack)
    expect(errorText(Object.assign(new Error('bare'), { stack: undefined }))).toBe('bare')
  })

  it('adds the causes, also circular ones', () => {
    const cause = new Error('no connection')
    const words = errorText(new Error('no order', { cause }))
    expect(words).toMatch(/^Error: no order\n[\s\S]*\ncaused by: Error: no connection\n/)
    cause.cause = cause
    expect(errorText(cause).match(/caused by/g)).toHaveLength(5)
  })

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['text', 'text'],
    [Symbol('s'), 'Symbol(s)'],
    [Object.create(null), 'a value without a text was thrown'],
    [{ toString: () => ({}) }, 'a value without a text was thrown'],
  ])('describes any thrown value: %#', (thrown, words) => {
    expect(errorText(thrown)).toBe(words)
  })
})
