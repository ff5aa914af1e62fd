// #region handler
import middy from '@middy/core'
import httpRouterHandler from '@middy/http-router'
import { signalbox } from '@signalbox/core'
import { get, json, loadBalancer, post, responseSerializer } from '@signalbox/load-balancer'
import { fromMiddyRoutes, middyRoutes } from '@signalbox/load-balancer/middy-router'
import type { ALBResult } from 'aws-lambda'
import * as t from 'io-ts'
import { existing, type RoutedEvent } from './existing.ts'

const moved = [
  get('/orders/{id}', ({ params }) => json({ id: params.id })),
  post('/orders', { body: t.type({ item: t.string }) }, ({ body }) => json(body, { status: 201 })),
]

// First, middy's router hosts the routes that have moved.
export const hostedByMiddy = middy<RoutedEvent, ALBResult>()
  .use(responseSerializer())
  .handler(httpRouterHandler([...middyRoutes(moved), ...existing]))

// In the end, our router hosts the routes that have not moved yet.
export const hostedByOurs = signalbox(loadBalancer([...moved, fromMiddyRoutes(existing)]))
// #endregion handler
