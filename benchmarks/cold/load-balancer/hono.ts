import { Hono } from 'hono'
import { handle } from 'hono/aws-lambda'

const app = new Hono()
app.get('/orders/:id', c => c.json({ id: c.req.param('id') }))
app.post('/orders', async c => {
  const { id } = await c.req.json<{ readonly id: string }>()
  return c.json({ id }, 201, { location: `/orders/${id}` })
})

export const handler = handle(app)
