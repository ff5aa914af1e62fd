import { describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import httpJsonBodyParser from '@middy/http-json-body-parser'
import httpRouterHandler from '@middy/http-router'
import httpUrlencodePathParser from '@middy/http-urlencode-path-parser'
import { createError } from '@middy/util'
import { signalbox } from '@signalbox/core'
import { invocationContext } from '@signalbox/core/testing'
import { headerModes } from '../../fixtures/header-modes.ts'
import { cors, get, group, loadBalancer, type Method, text } from '../index.ts'
import { exchange, type HttpEventOptions, httpEvent } from '../testing/index.ts'
import { fromMiddyRoutes, type MiddyRoute } from './from-middy-routes.ts'

const seen: unknown[] = []

const middyHandler = (handler: (event: never) => unknown) =>
  middy({ timeoutEarlyInMillis: 0 }).handler(handler as never)

const theirs = [
  {
    method: 'GET',
    path: '/orders/{id}',
    handler: async (event, context, { signal }) => {
      seen.push([event.path, context.requestId, signal.aborted])
      return {
        statusCode: 200,
        headers: { 'content-type': 'application/json', 'x-agent': event.headers?.['user-agent'] },
        body: JSON.stringify(event.pathParameters),
      }
    },
  },
  {
    method: 'GET',
    path: '/decoded/{id}',
    handler: middyHandler(({ pathParameters }: { pathParameters: { id: string } }) => ({
      statusCode: 200,
      body: pathParameters.id,
    })).use(httpUrlencodePathParser()) as never,
  },
  {
    method: 'POST',
    path: '/orders',
    handler: middyHandler(({ body }: { body: { item: string } }) => ({
      statusCode: 201,
      body: body.item,
    })).use(httpJsonBodyParser()) as never,
  },
  {
    method: 'ANY',
    path: '/files/{proxy+}',
    handler: event => ({ statusCode: 200, body: event.pathParameters?.proxy ?? '' }),
  },
  { method: 'GET', path: '/orders/new', handler: () => ({ statusCode: 200, body: 'form' }) },
  {
    method: 'GET',
    path: '/gone',
    handler: () => {
      throw createError(410, 'It is gone')
    },
  },
  { method: 'GET', path: '/wrong', handler: () => 'text' },
] satisfies readonly MiddyRoute[]

describe.each(headerModes)('middy routes in loadBalancer() with %s', (_headers, multiValue) => {
  const logged: string[] = []
  const handler = signalbox(
    loadBalancer([get('/ours', () => text('ours')), fromMiddyRoutes(theirs)], {
      log: line => logged.push(line),
    }),
  )
  const ask = (method: Method, path: string, options: HttpEventOptions = {}) =>
    exchange(handler, httpEvent(method, path, { ...options, multiValue }))

  it('answer beside our routes, with headers in the mode of the request', async () => {
    expect((await ask('GET', '/ours')).text).toBe('ours')
    const { status, header, json } = await ask('GET', '/orders/7')
    expect([status, json]).toEqual([200, { id: '7' }])
    expect(header('content-type')).toEqual(['application/json'])
    expect(header('x-agent')).toEqual(['signalbox-testing'])
  })

  it('get the event, the context and the signal', async () => {
    seen.length = 0
    await ask('GET', '/orders/7')
    expect(seen).toEqual([['/orders/7', invocationContext().requestId, false]])
  })

  it('get the parameters of the path as in middy’s router: not decoded', async () => {
    expect((await ask('GET', '/orders/J%C3%BCrgen')).json).toEqual({ id: 'J%C3%BCrgen' })
    expect((await ask('GET', '/decoded/50%2525')).text).toBe('50%25')
    expect((await ask('DELETE', '/files/a/b%20c/')).text).toBe('a/b%20c/')
  })

  it('run the middlewares of a middy handler', async () => {
    const { status, text } = await ask('POST', '/orders', { body: { item: 'tea pot' } })
    expect([status, text]).toEqual([201, 'tea pot'])
  })

  it('are found by our router: the most specific route, exact slashes, HEAD, 404 and 405', async () => {
    expect((await ask('GET', '/orders/new')).text).toBe('form')
    expect(await ask('HEAD', '/orders/7')).toMatchObject({ status: 200, text: '' })
    expect(await ask('GET', '/orders/7/')).toMatchObject({ status: 404 })
    expect(await ask('GET', '/files')).toMatchObject({ status: 404 })
    const { status, header } = await ask('DELETE', '/orders/7')
    expect([status, header('allow')]).toEqual([405, ['GET, HEAD, OPTIONS']])
  })

  it('become problems when they throw an error of middy, or return anything but a response', async () => {
    expect((await ask('GET', '/gone')).json).toMatchObject({ status: 410, detail: 'It is gone' })
    logged.length = 0
    expect(await ask('GET', '/wrong')).toMatchObject({ status: 500 })
    expect(logged.join()).toContain('GET /wrong')
  })

  it('answer what they answered in middy’s router', async () => {
    const host = httpRouterHandler(theirs as never)
    for (const [method, path] of [
      ['GET', '/orders/J%C3%BCrgen'],
      ['GET', '/decoded/50%2525'],
      ['PUT', '/files/a//b/'],
    ] as const) {
      const there = (await (host as unknown as (...call: unknown[]) => unknown)(
        httpEvent(method, path),
        {},
        { signal: new AbortController().signal },
      )) as { body: string }
      expect((await ask(method, path)).text).toBe(there.body)
    }
  })
})

it('middy routes can be in a group with the prefix /, and an error says so for another prefix', async () => {
  const origin = { headers: { origin: 'https://shop.example' } }
  const ask = async (prefix: '/' | '/v1', path: string, lines: string[] = []) => {
    const routes = group(prefix, [cors({ origins: ['https://shop.example'] })], [fromMiddyRoutes(theirs)])
    const handler = signalbox(loadBalancer([routes], { log: line => lines.push(line) }))
    return { ...(await exchange(handler, httpEvent('GET', path, origin))), lines }
  }
  const { status, header } = await ask('/', '/orders/7')
  expect([status, header('access-control-allow-origin')]).toEqual([200, ['https://shop.example']])
  expect(await ask('/v1', '/v1/orders/7')).toMatchObject({
    status: 500,
    lines: [
      expect.stringContaining(
        'The middy route GET /orders/{id} got /v1/orders/7. The paths of fromMiddyRoutes()',
      ),
    ],
  })
})

it.each([
  [[], 'takes a list of middy’s routes, { method, path, handler }, not an empty list'],
  [{}, 'takes a list of middy’s routes, { method, path, handler }, not an object'],
  [[7], 'fromMiddyRoutes(): route 1 has the method undefined, expected one of GET, POST'],
  [[{ method: 'get', path: '/', handler: () => {} }], 'route 1 has the method "get"'],
  [
    [{ method: 'GET', handler: () => {} }],
    'route 1 has the path nothing, expected text such as /orders/{id}',
  ],
  [[{ method: 'GET', path: '/a' }], 'route 1, GET /a, has the handler nothing, expected a function'],
])('fromMiddyRoutes(%j) is refused', (routes, message) => {
  expect(() => fromMiddyRoutes(routes as never)).toThrow(message.replace('’', "'"))
})

it('loadBalancer() refuses two routes for the same requests, from wherever they come', () => {
  const routes = [get('/orders/{name}', () => text('')), fromMiddyRoutes(theirs)]
  expect(() => loadBalancer(routes)).toThrow(
    'The route GET /orders/{id} matches the same paths as /orders/{name}',
  )
})
