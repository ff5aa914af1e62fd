import { describe, expect, it } from '@jest/globals'
import { replyHeader, withHeaders, withVary } from './reply-headers.ts'

describe('replyHeader', () => {
  it('finds every value in both header maps, and ignores the case of names', () => {
    const reply = {
      statusCode: 200,
      headers: { 'X-A': 1, 'x-b': null },
      multiValueHeaders: { 'x-A': ['2', 3] },
    }
    expect(replyHeader(reply, 'x-a')).toEqual(['2', '3', '1'])
    expect(replyHeader(reply, 'x-b')).toEqual([])
    expect(replyHeader({ statusCode: 200 }, 'x-a')).toEqual([])
  })
})

describe('withHeaders', () => {
  it('replaces headers in both header maps', () => {
    const reply = Object.freeze({
      statusCode: 200,
      headers: Object.freeze({ 'X-A': '1', 'x-c': '3' }),
      multiValueHeaders: Object.freeze({ 'x-B': ['2'], 'X-a': ['4'] }),
      body: 'a',
    })
    expect(withHeaders(reply, { 'x-a': '5', 'x-b': undefined })).toEqual({
      statusCode: 200,
      headers: { 'x-a': '5', 'x-b': undefined, 'x-c': '3' },
      multiValueHeaders: { 'x-a': '5', 'x-b': undefined },
      body: 'a',
    })
    expect(withHeaders({ statusCode: 200, headers: null }, { a: '1' })).toEqual({
      statusCode: 200,
      headers: { a: '1' },
    })
    expect(withHeaders({ statusCode: 200, multiValueHeaders: { A: ['0'] } }, { a: '1' })).toEqual({
      statusCode: 200,
      multiValueHeaders: { a: '1' },
    })
  })
})

describe('withVary', () => {
  const vary = (known: string | undefined, ...names: string[]) =>
    replyHeader(withVary({ statusCode: 200, headers: { Vary: known } }, ...names), 'vary')

  it('adds each header name only once', () => {
    expect(vary(undefined, 'origin')).toEqual(['origin'])
    expect(vary('Accept, ORIGIN', 'origin', 'cookie')).toEqual(['accept, origin, cookie'])
    expect(vary('*', 'origin')).toEqual(['*'])
  })
})
