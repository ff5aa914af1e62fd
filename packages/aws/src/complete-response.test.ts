import { describe, expect, it } from '@jest/globals'
import { completeResponse } from './complete-response.ts'

describe('completeResponse()', () => {
  it('adds statusDescription and isBase64Encoded if they are missing or null', () => {
    expect(completeResponse({ statusCode: 404 })).toEqual({
      statusCode: 404,
      statusDescription: '404 Not Found',
      isBase64Encoded: false,
    })
    expect(completeResponse({ statusCode: 200, isBase64Encoded: true, body: '' })).toEqual({
      statusCode: 200,
      isBase64Encoded: true,
      body: '',
      statusDescription: '200 OK',
    })
    expect(completeResponse({ statusCode: 200, statusDescription: 'Fine' })).toEqual({
      statusCode: 200,
      statusDescription: 'Fine',
      isBase64Encoded: false,
    })
    expect(completeResponse({ statusDescription: null, isBase64Encoded: null, statusCode: 299 })).toEqual({
      statusDescription: '299 Unknown',
      isBase64Encoded: false,
      statusCode: 299,
    })
  })

  it('never changes its argument, and returns the same object when both fields are present', () => {
    const bare = Object.freeze({ statusCode: 200 })
    completeResponse(bare)
    const whole = { statusCode: 200, statusDescription: 'Fine', isBase64Encoded: false }
    expect(completeResponse(whole)).toBe(whole)
  })

  it('does not change a value that is not a response', () => {
    for (const none of [undefined, null, 'text', [], {}, { statusCode: '200' }, { statusCode: 1.5 }]) {
      expect(completeResponse(none)).toBe(none)
    }
  })
})
