import { describe, expect, it } from '@jest/globals'
import { httpEvent } from './http-event.ts'

describe('httpEvent', () => {
  it('adds the usual headers of a request', () => {
    expect(httpEvent('GET', '/orders/7')).toMatchObject({
      httpMethod: 'GET',
      path: '/orders/7',
      queryStringParameters: {},
      headers: { host: 'shop.example', 'x-forwarded-for': '203.0.113.7' },
      body: '',
      isBase64Encoded: false,
    })
  })

  it('accepts headers that replace the default ones, and repeated headers', () => {
    const options = { multiValue: true, headers: { Host: 'other.example', cookie: ['a=1', 'b=2'] } }
    const event = httpEvent('GET', '/', options)
    expect(event.multiValueHeaders).toMatchObject({ host: ['other.example'], cookie: ['a=1', 'b=2'] })
  })

  it('refuses an unknown option, and says which was probably meant', () => {
    const options = { header: { cookie: 'a=1' } } as never
    expect(() => httpEvent('GET', '/', options)).toThrow(
      'httpEvent() has no option "header". Did you mean headers?',
    )
  })

  it.each([
    ['get', '/', 'httpEvent(): "get" is not one of DELETE, GET, '],
    ['/orders', undefined, 'httpEvent(): "/orders" is not one of DELETE, GET, '],
    ['GET', 'orders', 'httpEvent(): the path "orders" does not begin with a slash'],
    ['GET', undefined, 'httpEvent(): the path undefined does not begin with a slash'],
  ])('refuses the method %s with the path %s', (method, path, message) => {
    expect(() => httpEvent(method as never, path as never)).toThrow(message)
  })

  it('accepts the query as an object, as a string, or as part of the path', () => {
    expect(httpEvent('GET', '/', { query: { 'a b': ['1', '&'] }, multiValue: true })).toMatchObject({
      multiValueQueryStringParameters: { 'a%20b': ['1', '%26'] },
    })
    expect(httpEvent('GET', '/', { query: 'a=%zz' }).queryStringParameters).toEqual({ a: '%zz' })
    expect(httpEvent('GET', '/b?a=%zz')).toMatchObject({ path: '/b', queryStringParameters: { a: '%zz' } })
  })

  it.each([
    ['text', 'hé', 'text/plain; charset=utf-8', 'hé'],
    ['JSON', { a: 1 }, 'application/json', '{"a":1}'],
    ['a form', new URLSearchParams({ a: '1' }), 'application/x-www-form-urlencoded', 'YT0x'],
    ['bytes', new Uint8Array([255]), 'application/octet-stream', '/w=='],
  ])('accepts %s as the body', (_, body, type, sent) => {
    const event = httpEvent('POST', '/', { body })
    expect(event.headers?.['content-type']).toBe(type)
    expect(event.body).toBe(sent)
    expect(
      httpEvent('POST', '/', { body, headers: { 'Content-Type': 'x/y' } }).headers?.['content-type'],
    ).toBe('x/y')
  })
})
