import { Hono } from 'hono'
import { handle } from 'hono/aws-lambda'
import * as z from 'zod'

const Order = z.object({
  id: z.string(),
  items: z.array(z.object({ sku: z.string(), quantity: z.number() })),
})

const app = new Hono()
app.get('/orders/:id', c => c.json({ id: c.req.param('id') }))
app.post('/orders', async c => {
  const order = Order.parse(await c.req.json())
  return c.json({ id: order.id }, 201, { location: `/orders/${order.id}` })
})

export const handler = handle(app)
