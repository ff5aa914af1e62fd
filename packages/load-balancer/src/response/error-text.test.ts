import { describe, expect, it } from '@jest/globals'
import { errorText } from './error-text.ts'

describe('errorText', () => {
  it('is the stack, or else the message', () => {
    const error = new Error('why')
    expect(errorText(error)).toBe(error.stack)
    expect(errorText(Object.assign(new Error('bare'), { stack: undefined }))).toBe('bare')
  })

  it('tells the causes, were they a circle', () => {
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
    [Object.create(null), 'something that has no text was thrown'],
    [{ toString: () => ({}) }, 'something that has no text was thrown'],
  ])('has words for whatever was thrown: %#', (thrown, words) => {
    expect(errorText(thrown)).toBe(words)
  })
})
