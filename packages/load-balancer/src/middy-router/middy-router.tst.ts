import httpRouterHandler, { type Route as RouteOfMiddy } from '@middy/http-router'
import type { InvocationContext } from '@signalbox/core'
import type { ALBEvent, ALBResult, APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda'
import { describe, expect, test } from 'tstyche'
import { get, json, loadBalancer, type RouteGroup } from '../index.ts'
import { fromMiddyRoutes, type HostedRoute, type MiddyRouteEvent, middyRoutes } from './index.ts'

const ours = [get('/orders/{id}', ({ params }) => json(params.id))]

declare const albHandler: (event: ALBEvent) => Promise<ALBResult>
declare const gatewayHandler: (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>

describe('middyRoutes', () => {
  test('fits middy’s router, beside handlers of either type', () => {
    expect(middyRoutes(ours)).type.toBe<HostedRoute[]>()
    httpRouterHandler<ALBEvent, ALBResult>(middyRoutes(ours))
    httpRouterHandler<ALBEvent, ALBResult>([
      ...middyRoutes(ours),
      { method: 'GET', path: '/', handler: albHandler },
    ])
    httpRouterHandler<APIGatewayProxyEvent, APIGatewayProxyResult>([
      ...middyRoutes(ours),
      { method: 'GET', path: '/', handler: gatewayHandler },
    ])
    httpRouterHandler([...middyRoutes(ours), { method: 'GET', path: '/', handler: albHandler }])
    httpRouterHandler({ routes: middyRoutes(ours) })
  })

  test('takes routes and groups, and the options of loadBalancer', () => {
    expect(middyRoutes).type.not.toBeCallableWith([{ method: 'GET', path: '/', handler: albHandler }])
    expect(middyRoutes).type.toBeCallableWith(ours, { log: () => {}, trustedHops: 2 })
    expect(middyRoutes).type.not.toBeCallableWith(ours, { logs: () => {} })
  })
})

describe('fromMiddyRoutes', () => {
  test('types the event and the context of handlers that are written inside', () => {
    const routes = fromMiddyRoutes([
      {
        method: 'GET',
        path: '/orders/{id}',
        handler: (event, context) => {
          expect(event).type.toBe<MiddyRouteEvent>()
          expect(event.pathParameters?.id).type.toBe<string | undefined>()
          expect(context).type.toBe<InvocationContext>()
          return { statusCode: 200 }
        },
      },
    ])
    expect(routes).type.toBe<RouteGroup>()
    expect(loadBalancer).type.toBeCallableWith([...ours, routes])
  })

  test('takes the routes of an existing middy router', () => {
    expect(fromMiddyRoutes).type.toBeCallableWith([] as RouteOfMiddy<ALBEvent, ALBResult>[])
    expect(fromMiddyRoutes).type.toBeCallableWith(
      [] as RouteOfMiddy<APIGatewayProxyEvent, APIGatewayProxyResult>[],
    )
  })

  test('does not take another method, or a route of ours', () => {
    expect(fromMiddyRoutes).type.not.toBeCallableWith([{ method: 'get', path: '/', handler: albHandler }])
    expect(fromMiddyRoutes).type.not.toBeCallableWith(ours)
  })
})
