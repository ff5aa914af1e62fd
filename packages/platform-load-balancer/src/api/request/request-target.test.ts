import { describe, expect, it } from '@jest/globals'
import { isHost, requestTarget } from './request-target.ts'

describe('requestTarget()', () => {
  it.each([
    ['/', 'GET', '/', ''],
    ['/a/../b//c%2F%zz?x=%41&y', 'GET', '/a/../b//c%2F%zz', 'x=%41&y'],
    ['/?a?b', 'GET', '/', 'a?b'],
    ['//host/path', 'GET', '//host/path', ''],
    ['*', 'OPTIONS', '*', ''],
  ])('splits the target "%s" (method %s) into path and query', (target, method, path, query) => {
    expect(requestTarget(target, method)).toEqual({ path, query })
  })

  it.each([
    ['http://shop.example:80/a?b', 'shop.example:80', '/a', 'b'],
    ['HTTPS://shop.example', 'shop.example', '/', ''],
    ['http://shop.example?a', 'shop.example', '/', 'a'],
    ['http://[::1]:80/a', '[::1]:80', '/a', ''],
  ])('splits the absolute target "%s" into host, path and query', (target, host, path, query) => {
    expect(requestTarget(target, 'GET')).toEqual({ path, query, host })
  })

  it.each([
    ['*', 'GET'],
    ['/a#b', 'GET'],
    ['http://shop.example#b', 'GET'],
    ['http://ada:secret@shop.example/a', 'GET'],
    ['shop.example:80', 'GET'],
    ['ftp://shop.example/', 'GET'],
    ['http:///a', 'GET'],
    ['', 'GET'],
  ])('refuses the target %j (method %s)', (target, method) => {
    expect(requestTarget(target, method)).toBeUndefined()
  })
})

it.each([
  ['accepts', 'shop.example', true],
  ['accepts', 'shop_1.example:80', true],
  ['accepts', '[::1]:80', true],
  ['accepts', '', true],
  ['refuses', 'a b', false],
  ['refuses', 'a/b', false],
  ['refuses', 'ada@shop.example', false],
  ['refuses', 'shop.example, other.example', false],
  ['refuses', 'shop.example:http', false],
])('isHost() %s the Host header %j', (_verb, value, may) => {
  expect(isHost(value)).toBe(may)
})
