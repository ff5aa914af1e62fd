import { Router } from '@aws-lambda-powertools/event-handler/http'
import httpErrorHandler from '@middy/http-error-handler'
import httpHeaderNormalizer from '@middy/http-header-normalizer'
import httpJsonBodyParser from '@middy/http-json-body-parser'
import httpRouter from '@middy/http-router'
import middyValidator from '@middy/validator'
import type { CodecOrSchema } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { created, loadBalancer, post } from '@signalbox/load-balancer'
import { Ajv } from 'ajv'
import { Hono } from 'hono'
import { handle } from 'hono/aws-lambda'
import { answerByHand, completed, isHttpEvent } from '../contenders/http.ts'
import { lambdaApi } from '../contenders/lambda-api.ts'
import { isOrder } from '../contenders/order/by-hand.ts'
import { IoTsOrder } from '../contenders/order/io-ts.ts'
import { jsonSchemaOfOrder } from '../contenders/order/json-schema.ts'
import { standardSchemas } from '../contenders/order/standard-schemas.ts'
import { ZodOrder } from '../contenders/order/zod.ts'
import { type Handler, stack } from '../contenders/stack.ts'
import { httpEvent } from '../data/http.ts'
import { type Order, oddBodies, orderText } from '../data/orders.ts'
import { inTurn } from '../data/turn.ts'
import type { Contender, Role, Work } from '../harness/work.ts'

/** Returns the answer that all contenders give to a valid order. */
const receipt = ({ id, items }: Order) => ({ id, items: items.length })
const location = ({ id }: Order) => `/orders/${id}`

const byHand: Handler = (async (event: unknown) => {
  if (!isHttpEvent(event)) throw new Error('the event is not valid')
  if (event.httpMethod !== 'POST' || event.path !== '/orders')
    return answerByHand(event, 404, '404 Not Found', {})
  let order: unknown
  try {
    order = JSON.parse((event as { body?: string }).body ?? '')
  } catch {
    return answerByHand(event, 400, '400 Bad Request', {})
  }
  if (!isOrder(order)) return answerByHand(event, 400, '400 Bad Request', {})
  return {
    statusCode: 201,
    statusDescription: '201 Created',
    isBase64Encoded: false,
    headers: { 'content-type': 'application/json', location: location(order) },
    body: JSON.stringify(receipt(order)),
  }
}) as Handler

const oursWith = (schema: CodecOrSchema<Order>) =>
  signalbox(
    loadBalancer([
      post('/orders', { body: schema }, ({ body }) => created(location(body), receipt(body) as never)),
    ]),
  ) as Handler

const ours = oursWith(IoTsOrder)

const isOrderByAjv = new Ajv().compile<Order>(jsonSchemaOfOrder)

const middyOrders = stack()
  .use(httpHeaderNormalizer())
  .use(httpErrorHandler({ logger: false }))
  .handler(
    httpRouter([
      {
        method: 'POST',
        path: '/orders',
        handler: stack()
          .use(httpJsonBodyParser())
          .use(
            middyValidator({
              eventSchema: new Ajv().compile({
                type: 'object',
                required: ['body'],
                properties: { body: jsonSchemaOfOrder },
              }) as never,
            }),
          )
          .handler(({ body }: { body: Order }) => ({
            statusCode: 201,
            headers: { 'content-type': 'application/json', location: location(body) },
            body: JSON.stringify(receipt(body)),
          })) as never,
      },
    ]),
  )

const hono = new Hono()
hono.post('/orders', async c => {
  const order = ZodOrder.safeParse(await c.req.json().catch(() => undefined))
  if (!order.success) return c.json({}, 400)
  return c.json(receipt(order.data as Order), 201, { location: location(order.data as Order) })
})

const api = lambdaApi()
api.METHOD('POST', '/orders', (req, res) => {
  const order: unknown = req.body
  if (!isOrderByAjv(order)) return res.status(400).json({})
  return res.status(201).header('location', location(order)).json(receipt(order))
})

const router = new Router({ logger: { debug() {}, info() {}, warn() {}, error() {} } as never })
router.post('/orders', (async ({ req }: { req: Request }) => {
  const order = ZodOrder.safeParse(await req.json().catch(() => undefined))
  if (!order.success) return new Response('{}', { status: 400 })
  const headers = { 'content-type': 'application/json', location: location(order.data as Order) }
  return new Response(JSON.stringify(receipt(order.data as Order)), { status: 201, headers })
}) as never)

const post1 = (body: string) =>
  httpEvent('single', {
    method: 'POST',
    path: '/orders',
    headers: { 'content-type': 'application/json' },
    body,
  })
const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 3_000 }

function contender(name: string, role: Role, handler: Handler): Contender {
  const bodies = Array.from({ length: 16 }, (_, number) => orderText(number))
  // Each run gets a copy of the event, because a contender may change the event and then would not parse the body
  // again.
  const next = inTurn(bodies.map(body => post1(body) as { body: string }))
  return {
    name,
    role,
    run: () => handler({ ...next() } as never, context as never),
    answers: async () => {
      const found: unknown[] = []
      for (const body of [...bodies, ...oddBodies]) {
        const answer = (await handler(post1(body) as never, context as never)) as Answer
        found.push({
          status: answer.statusCode,
          location: answer.headers?.location,
          body: answer.statusCode === 201 ? JSON.parse(answer.body) : undefined,
        })
      }
      return found
    },
  }
}

interface Answer {
  readonly statusCode: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

export const work: Work = {
  name: 'http-body',
  title: 'HTTP: a JSON body, validated, and 201 with a location',
  setups: [
    {
      name: 'POST /orders',
      contenders: [
        contender('hand-written', 'limit', byHand),
        contender('Signalbox', 'ours', ours),
        contender('middy + ajv', 'peer', completed(middyOrders)),
        contender('Hono, Lambda adapter + zod 4', 'peer', completed(handle(hono) as unknown as Handler)),
        contender(
          'lambda-api + ajv',
          'peer',
          completed((event, context) => api.run(event, context)),
        ),
        contender(
          'Powertools event handler + zod 4',
          'peer',
          completed((event, context) => router.resolve(event, context)),
        ),
      ],
    },
    {
      name: 'POST /orders, by the library of the schema',
      contenders: [
        contender('Signalbox, io-ts', 'ours', ours),
        ...Object.entries(standardSchemas).map(([library, schema]) =>
          contender(`Signalbox, ${library}`, 'peer', oursWith(schema)),
        ),
      ],
    },
  ],
}
