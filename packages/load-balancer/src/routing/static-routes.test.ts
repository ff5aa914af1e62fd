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

it.each<[Method, string, string | undefined]>([
  ['GET', '/orders', 'list'],
  ['POST', '/orders', 'create'],
  ['PUT', '/orders', undefined],
  ['GET', '/orders/', 'slash'],
  ['GET', '/Orders', undefined],
  ['HEAD', '/orders', 'list'],
  ['HEAD', '/health', 'head'],
  ['DELETE', '/health', 'any'],
  ['HEAD', '/proxy', 'any'],
  ['GET', '/__proto__', 'proto'],
  ['GET', '__proto__', undefined],
  ['toString' as Method, '/orders', undefined],
])('%s %s finds the route %s', (method, text, route) => {
  expect(find(method, text)).toBe(route)
})
