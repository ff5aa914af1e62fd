import { Hono } from 'hono'
import { handle } from 'hono/aws-lambda'
import { Order } from '../order/zod.ts'

const app = new Hono()
app.get('/orders/:id', c => c.json({ id: c.req.param('id') }))
app.post('/orders', async c => {
  const order = Order.safeParse(await c.req.json().catch(() => undefined))
  if (!order.success) return c.json({}, 400)
  return c.json({ id: order.data.id }, 201, { location: `/orders/${order.data.id}` })
})

export const handler = handle(app)
