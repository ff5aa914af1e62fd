import { describe, expect, it } from '@jest/globals'
import { fromAws } from './from-aws.ts'
import { mutableCopy } from './mutable-copy.ts'

type Json = Record<string, unknown>

/** Parses an event, and returns it together with its mutable copy. */
const given = (text: string) => {
  const event: Json = JSON.parse(text)
  return { event, own: mutableCopy(fromAws(event) as Json, event) }
}

describe('mutableCopy()', () => {
  it.each([
    [
      'an event with empty maps',
      '{"triggerSource":"","callerContext":{"clientId":""},"request":{"userAttributes":{},"attributes":{}}}',
    ],
    [
      'an event whose names are translated',
      '{"triggerSource":"","callerContext":{"awsSdk":""},"request":{"userAttributes":{"cognito:x":""},"validationData":{}}}',
    ],
    ['an event with only a triggerSource', '{"triggerSource":""}'],
    ['an event with lists instead of objects', '{"triggerSource":"","callerContext":[],"request":[]}'],
  ])('copies every part that normalizers may change in %s', (_, text) => {
    const { event, own } = given(text)
    const change = (value: unknown, depth: number) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return
      if (depth > 0) for (const part of Object.values(value)) change(part, depth - 1)
      Object.assign(value, { changed: true })
    }
    change(own, 2)
    expect(own.changed).toBe(true)
    expect(JSON.stringify(event)).toBe(text)
  })

  it('keeps __proto__ as an ordinary key', () => {
    const { own } = given('{"triggerSource":"","request":{"__proto__":{"admin":true}}}')
    const request = own.request as Json
    expect(Object.hasOwn(request, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(request)).toBe(Object.prototype)
    expect(request.admin).toBeUndefined()
  })
})
