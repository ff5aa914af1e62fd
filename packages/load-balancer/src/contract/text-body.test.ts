import { describe, expect, it } from '@jest/globals'
import { isTextBody, mediaType, textMediaTypes } from './text-body.ts'

describe('isTextBody', () => {
  it.each([...textMediaTypes])('passes on %s as text', type => {
    expect(isTextBody(type.replace('*', 'html'), undefined)).toBe(true)
    expect(isTextBody(type.replace('*', 'html'), 'gzip')).toBe(false)
  })

  it('makes Base64 of all else', () => {
    for (const type of ['image/png', 'application/jsonp', '', undefined]) {
      expect(isTextBody(type, undefined)).toBe(false)
    }
  })
})

describe('mediaType', () => {
  it('is the type without parameters, in lower case', () => {
    expect(mediaType('Text/HTML ; charset=utf-8')).toBe('text/html')
    expect(mediaType('Text/HTML')).toBe('text/html')
    expect(mediaType(undefined)).toBe('')
  })
})
