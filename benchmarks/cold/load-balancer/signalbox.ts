import { signalbox } from '@signalbox/core'
import { created, get, json, loadBalancer, post } from '@signalbox/load-balancer'
import { Order } from '../order/io-ts.ts'

export const handler = signalbox(
  loadBalancer([
    get('/orders/{id}', ({ params }) => json({ id: params.id })),
    post('/orders', { body: Order }, ({ body }) => created(`/orders/${body.id}`, { id: body.id })),
  ]),
)
