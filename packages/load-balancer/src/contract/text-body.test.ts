import { describe, expect, it } from '@jest/globals'
import { charsetOf, isTextBody, mediaType, textMediaTypes } from './text-body.ts'

describe('isTextBody', () => {
  it.each([...textMediaTypes])('returns true for the media type %s', type => {
    expect(isTextBody(type.replace('*', 'html'), undefined)).toBe(true)
    expect(isTextBody(type.replace('*', 'html'), 'gzip')).toBe(false)
  })

  it('returns false for binary media types, and for a missing media type', () => {
    for (const type of ['image/png', 'application/jsonp', '', undefined]) {
      expect(isTextBody(type, undefined)).toBe(false)
    }
  })
})

it.each(['utf-16le', 'iso-8859-1', 'klingon'])(
  'isTextBody() returns false for text in the charset %s',
  charset => {
    expect(isTextBody(`text/plain; charset=${charset}`, undefined)).toBe(false)
  },
)

it.each([
  [undefined, 'utf-8'],
  ['text/plain', 'utf-8'],
  ['text/plain; Charset="UTF8"', 'utf-8'],
  ['text/plain;charset=US-ASCII', 'utf-8'],
  ['text/plain;charset=ascii', 'utf-8'],
  ['text/plain;  charset=utf-32', 'utf-32'],
  ['text/plain; format=flowed; charset=UTF-16LE', 'utf-16le'],
])('charsetOf(%p) returns "%s"', (type, charset) => {
  expect(charsetOf(type)).toBe(charset)
  expect(isTextBody(type, undefined)).toBe(type !== undefined && charset === 'utf-8')
})

describe('mediaType', () => {
  it('returns the type without parameters, in lower case', () => {
    expect(mediaType('Text/HTML ; charset=utf-8')).toBe('text/html')
    expect(mediaType('Text/HTML')).toBe('text/html')
    expect(mediaType('; charset=utf-8')).toBe('')
    expect(mediaType(undefined)).toBe('')
  })
})
