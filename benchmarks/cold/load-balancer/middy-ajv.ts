import httpErrorHandler from '@middy/http-error-handler'
import httpHeaderNormalizer from '@middy/http-header-normalizer'
import httpJsonBodyParser from '@middy/http-json-body-parser'
import httpRouter from '@middy/http-router'
import middyValidator from '@middy/validator'
import { Ajv } from 'ajv'
import { stack } from '../../contenders/stack.ts'
import { jsonSchemaOfOrder, type Order } from '../order/json-schema.ts'

const eventSchema = new Ajv().compile({
  type: 'object',
  required: ['body'],
  properties: { body: jsonSchemaOfOrder },
})

const takeOrder = stack()
  .use(httpJsonBodyParser())
  .use(middyValidator({ eventSchema: eventSchema as never }))
  .handler(({ body: { id } }: { readonly body: Order }) => ({
    statusCode: 201,
    headers: { 'content-type': 'application/json', location: `/orders/${id}` },
    body: JSON.stringify({ id }),
  }))

export const handler = stack()
  .use(httpHeaderNormalizer())
  .use(httpErrorHandler({ logger: false }))
  .handler(
    httpRouter([
      {
        method: 'GET',
        path: '/orders/{id}',
        handler: ((event: { readonly pathParameters: { readonly id: string } }) => ({
          statusCode: 200,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ id: event.pathParameters.id }),
        })) as never,
      },
      { method: 'POST', path: '/orders', handler: takeOrder as never },
    ]),
  )
