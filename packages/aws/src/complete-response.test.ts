import { describe, expect, it } from '@jest/globals'
import { httpVerdict } from '@signalbox/load-balancer/contract'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { completeResponse } from './complete-response.ts'

describe('completeResponse()', () => {
  it('adds statusDescription and isBase64Encoded if they are missing', () => {
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
    expect(completeResponse({ statusCode: 299 })).toMatchObject({ statusDescription: '299 Unknown' })
  })

  it('keeps a field that is null, which was filled in although the contract requires a value', () => {
    for (const field of ['statusDescription', 'isBase64Encoded']) {
      const completed = completeResponse({ statusCode: 200, headers: {}, body: '', [field]: null })
      expect(completed).toMatchObject({ [field]: null })
      expect(httpVerdict(JSON.stringify(completed), httpEvent('GET', '/'))).toMatchObject({
        kind: 'malformed',
      })
    }
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
