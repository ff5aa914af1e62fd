import { describe, expect, it } from '@jest/globals'
import { requestTarget } from './request-target.ts'

describe('requestTarget', () => {
  it.each([
    ['/', 'GET', '/', ''],
    ['/a/../b//c%2F%zz?x=%41&y', 'GET', '/a/../b//c%2F%zz', 'x=%41&y'],
    ['/?a?b', 'GET', '/', 'a?b'],
    ['//host/path', 'GET', '//host/path', ''],
    ['http://shop.example:80/a?b', 'GET', '/a', 'b'],
    ['HTTPS://shop.example', 'GET', '/', ''],
    ['http://shop.example?a', 'GET', '/', 'a'],
    ['*', 'OPTIONS', '*', ''],
  ])('cuts %s of %s', (target, method, path, query) => {
    expect(requestTarget(target, method)).toEqual({ path, query })
  })

  it.each([
    ['*', 'GET'],
    ['shop.example:80', 'GET'],
    ['ftp://shop.example/', 'GET'],
    ['http:///a', 'GET'],
    ['', 'GET'],
  ])('refuses %j of %s', (target, method) => {
    expect(requestTarget(target, method)).toBeUndefined()
  })
})
