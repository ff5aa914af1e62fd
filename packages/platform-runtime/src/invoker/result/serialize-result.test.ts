import { Readable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { payloadLimit } from '../invoker.ts'
import { serializeError, serializeResult } from './serialize-result.ts'

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

describe('serializeResult()', () => {
  it.each([
    ['an object', { a: 1 }, '{"a":1}'],
    ['null', null, 'null'],
    ['a string', 'text', '"text"'],
    ['undefined as an empty string', undefined, ''],
    ['half a surrogate pair as an escape', '\ud800', '"\\ud800"'],
    ['the result of toJSON()', { toJSON: () => 7 }, '7'],
  ])('writes %s', (_case, result, payload) => {
    expect(serializeResult(result)).toEqual({ payload })
  })

  it.each([
    ['a BigInt', 7n],
    ['a value that throws while it is serialized', { toJSON: () => Promise.reject.call(null) }],
    ['text that is too long', 'x'.repeat(payloadLimit)],
    ['text that is too long in UTF-8', '€'.repeat(payloadLimit / 3)],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a value whose toJSON() returns undefined', { toJSON: () => undefined }],
    ['a Node stream', Readable.from(['a'])],
    ['a web stream', new Blob(['a']).stream()],
    ['a revoked proxy', revoked()],
  ])('fails for %s', (_case, result) => {
    const { payload, threw } = serializeResult(result)
    expect(threw).toMatch(/^(TypeError: What .* as JSON: .|ResultTooLongError: What .* is longer than )/)
    expect(JSON.parse(payload)).toMatchObject({ errorMessage: expect.any(String) })
  })
})

describe('serializeError()', () => {
  it('names the errors of an AggregateError, whose own message says nothing', () => {
    const error = new AggregateError([new TypeError('no route'), new Error('refused')], 'All failed')
    expect(serializeError(error).threw).toBe(
      'AggregateError: All failed (TypeError: no route; Error: refused)',
    )
    error.errors.push(error)
    expect(serializeError(error).threw).toContain('; AggregateError: All failed)')
  })

  const hostile = {
    get message(): string {
      throw new Error('gotcha')
    },
    toString() {
      throw new Error('gotcha')
    },
  }
  it.each<[string, () => unknown, string]>([
    ['error', () => new TypeError('no'), 'TypeError: no'],
    ['string', () => 'just text', 'just text'],
    ['undefined value', () => undefined, 'undefined'],
    ['revoked proxy', revoked, 'an error without a description'],
    ['symbol', () => Symbol('s'), 'Symbol(s)'],
    ['object without a prototype', () => Object.create(null), '{}'],
    [
      'error whose fields throw',
      () => Object.setPrototypeOf(hostile, Error.prototype),
      'an error without a description',
    ],
    [
      'plain object, by its content',
      () => ({ code: 'AccessDeniedException', password: 'hunter2' }),
      '{"code":"AccessDeniedException","password":"…"}',
    ],
    [
      'Response',
      () => new Response('no', { status: 401 }),
      'a Response with status 401 was thrown. Return it instead',
    ],
  ])('describes a thrown %s', (_case, error, threw) => {
    const answer = serializeError(error())
    expect(answer.threw).toBe(threw)
    expect(JSON.parse(answer.payload)).toHaveProperty('errorMessage')
  })

  it('truncates a very long error message', () => {
    const { payload, threw } = serializeError(new Error('x'.repeat(payloadLimit)))
    expect(threw!.length).toBeLessThan(10_100)
    expect(payload.length).toBeLessThan(10_200)
  })
})
