import { Ajv } from 'ajv'
import { lambdaApi } from '../../contenders/lambda-api.ts'
import { jsonSchemaOfOrder, type Order } from '../order/json-schema.ts'

const isOrder = new Ajv().compile<Order>(jsonSchemaOfOrder)
const api = lambdaApi()
api.METHOD('GET', '/orders/:id', ({ params }) => ({ id: params.id }))
api.METHOD('POST', '/orders', ({ body }, response) => {
  if (!isOrder(body)) return response.status(400).json({})
  return response.status(201).header('location', `/orders/${body.id}`).json({ id: body.id })
})

export const handler = (event: never, context: never) => api.run(event, context)
