import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { errorPayload, readAnswer, readPayload } from './payload.ts'

describe('readPayload()', () => {
  it.each([
    ['', { kind: 'value', value: undefined }],
    [' \n', { kind: 'value', value: undefined }],
    ['\uFEFF', { kind: 'malformed', why: 'the payload is not JSON' }],
    ['\u00A0', { kind: 'malformed', why: 'the payload is not JSON' }],
    ['null', { kind: 'value', value: null }],
    ['{"a":1}', { kind: 'value', value: { a: 1 } }],
    ['{', { kind: 'malformed', why: 'the payload is not JSON' }],
    ['{"errorMessage":"no"}', { kind: 'error', errorType: 'Error', errorMessage: 'no' }],
    [
      '{"errorMessage":"no","errorType":"DeniedError","stackTrace":[]}',
      { kind: 'error', errorType: 'DeniedError', errorMessage: 'no' },
    ],
    // The runtimes of Node, Python and Java use these forms.
    [
      '{"errorType":"Error","errorMessage":"no","trace":["Error: no"]}',
      { kind: 'error', errorType: 'Error', errorMessage: 'no' },
    ],
    [
      '{"errorMessage":"no","errorType":"KeyError","requestId":"r1","stackTrace":[]}',
      { kind: 'error', errorType: 'KeyError', errorMessage: 'no' },
    ],
    [
      '{"errorMessage":"no","errorType":"E","stackTrace":[],"cause":{"errorMessage":"deeper"}}',
      { kind: 'error', errorType: 'E', errorMessage: 'no' },
    ],
    ['{"errorMessage":"no","errorType":7}', { kind: 'value', value: { errorMessage: 'no', errorType: 7 } }],
    ['{"errorMessage":"no","response":{}}', { kind: 'value', value: { errorMessage: 'no', response: {} } }],
    ['{"errorMessage":7}', { kind: 'value', value: { errorMessage: 7 } }],
  ])('reads the payload %j', (text, payload) => {
    expect(readPayload(text)).toEqual(payload)
  })

  it('never throws for any string', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), text => {
        expect(['value', 'error', 'malformed']).toContain(readPayload(text).kind)
      }),
    )
    expect(readPayload(`${'['.repeat(100_000)}${']'.repeat(100_000)}`).kind).toMatch(/value|malformed/)
  })

  it('reads an error from the output of errorPayload() for any thrown value', () => {
    expect(readPayload(errorPayload(new RangeError('no')))).toEqual({
      kind: 'error',
      errorType: 'RangeError',
      errorMessage: 'no',
    })
    for (const thrown of ['text', undefined, null, 7, Symbol('s'), Object.create(null), { toString: 7 }]) {
      expect(readPayload(errorPayload(thrown)).kind).toBe('error')
    }
    expect(readPayload(errorPayload('text'))).toEqual({
      kind: 'error',
      errorType: 'Error',
      errorMessage: 'text',
    })
    expect(readPayload(errorPayload(Object.create(null)))).toMatchObject({
      errorMessage: 'something that has no text was thrown',
    })
  })
})

it('readAnswer() treats undefined and null as returned values', () => {
  for (const value of [undefined, null]) expect(readAnswer(value)).toEqual({ kind: 'value', value })
})
