import { expect, it } from '@jest/globals'
import type { Method } from '../contract/index.ts'
import { type RoutesByMethod, staticRoutes } from './static-routes.ts'

const find = staticRoutes<string>([
  [
    '/orders',
    new Map([
      ['GET', 'list'],
      ['POST', 'create'],
    ]) as RoutesByMethod<string>,
  ],
  ['/orders/', new Map([['GET', 'slash']]) as RoutesByMethod<string>],
  [
    '/health',
    new Map([
      ['HEAD', 'head'],
      ['GET', 'get'],
      ['ANY', 'any'],
    ]) as RoutesByMethod<string>,
  ],
  ['/proxy', new Map([['ANY', 'any']]) as RoutesByMethod<string>],
  ['/__proto__', new Map([['GET', 'proto']]) as RoutesByMethod<string>],
])

it.each<[string, Method, string, string | undefined]>([
  ['the route for', 'GET', '/orders', 'list'],
  ['the route for', 'POST', '/orders', 'create'],
  ['no route for the missing method', 'PUT', '/orders', undefined],
  ['the route with a trailing slash for', 'GET', '/orders/', 'slash'],
  ['no route for the upper-case path', 'GET', '/Orders', undefined],
  ['the GET route for', 'HEAD', '/orders', 'list'],
  ['the route for', 'HEAD', '/health', 'head'],
  ['the ANY route for', 'DELETE', '/health', 'any'],
  ['the ANY route for', 'HEAD', '/proxy', 'any'],
  ['the route for', 'GET', '/__proto__', 'proto'],
  ['no route for the inherited name', 'GET', '__proto__', undefined],
  ['no route for the inherited method', 'toString' as Method, '/orders', undefined],
])('the index of static routes finds %s %s %s', (_, method, text, route) => {
  expect(find(method, text)).toBe(route)
})
