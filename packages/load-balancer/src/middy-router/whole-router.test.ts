import { describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import httpRouterHandler from '@middy/http-router'
import { signalbox } from '@signalbox/core'
import { headerModes } from '../../fixtures/header-modes.ts'
import {
  any,
  cors,
  get,
  json,
  loadBalancer,
  loadBalancerNormalizer,
  loadBalancerValidator,
  type MiddyHandler,
  responseSerializer,
  text,
  withCookie,
} from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'

interface Routed {
  readonly pathParameters: { readonly id: string }
}

const routes = () =>
  httpRouterHandler([
    { method: 'GET', path: '/v1/orders', handler: async () => withCookie(json([]), 'seen', '1') },
    {
      method: 'GET',
      path: '/v1/orders/{id}',
      handler: async (event: Routed) => ({
        statusCode: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id: event.pathParameters.id }),
      }),
    },
  ] as never)

const handlers = {
  'in a middy stack': middy({ timeoutEarlyInMillis: 0 })
    .use([
      responseSerializer({ log: () => undefined }),
      loadBalancerNormalizer(),
      loadBalancerValidator(),
      cors({ origins: ['https://shop.example'] }),
    ])
    .handler(routes() as never),
  'as the handler of a route': signalbox(
    loadBalancer([
      get('/v2', () => text('ours')),
      any(
        '/v1/{path+}',
        middy({ timeoutEarlyInMillis: 0 }).handler(routes() as never) as unknown as MiddyHandler,
      ),
    ]),
  ).use(cors({ origins: ['https://shop.example'] })),
}

describe.each(Object.entries(handlers))('a middy router %s', (_, handler) => {
  describe.each(headerModes)('with %s', (_headers, multiValue) => {
    const ask = (path: string) =>
      exchange(
        handler as never,
        httpEvent('GET', path, { multiValue, headers: { origin: 'https://shop.example' } }),
      )

    it('serves a static route', async () => {
      const { status, header } = await ask('/v1/orders')
      expect(status).toBe(200)
      expect(header('set-cookie')).toHaveLength(1)
      expect(header('access-control-allow-origin')).toEqual(['https://shop.example'])
    })

    it('serves a route with pathParameters', async () => {
      expect((await ask('/v1/orders/7')).json).toEqual({ id: '7' })
    })

    it('answers 404 as problem+json to a path without a route', async () => {
      const { status, header, json } = await ask('/v1/nothing')
      expect(status).toBe(404)
      expect(header('content-type')).toEqual(['application/problem+json'])
      expect(json).toEqual({ title: 'Not Found', status: 404, detail: 'Route does not exist' })
    })
  })
})
