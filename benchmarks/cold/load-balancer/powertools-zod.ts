import { Router } from '@aws-lambda-powertools/event-handler/http'
import { Order } from '../order/zod.ts'

const app = new Router({ logger: { debug() {}, info() {}, warn() {}, error() {} } as never })
app.get('/orders/:id', ({ params }) => ({ id: params.id }))
app.post('/orders', (async ({ req }: { readonly req: Request }) => {
  const order = Order.safeParse(await req.json().catch(() => undefined))
  if (!order.success) return new Response('{}', { status: 400 })
  const headers = { 'content-type': 'application/json', location: `/orders/${order.data.id}` }
  return new Response(JSON.stringify({ id: order.data.id }), { status: 201, headers })
}) as never)

export const handler = async (event: never, context: never) => app.resolve(event, context)
