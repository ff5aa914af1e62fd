import * as t from 'io-ts'
import { expect, test } from 'tstyche'
import * as z from 'zod'
import { del, get, group, json, noContent, post } from '../index.ts'
import { client } from './index.ts'

const Order = t.type({ id: t.string, lines: t.array(t.string) })
const Problem = z.object({ title: z.string() })

const routes = [
  get('/orders/{id}', { returns: { 200: Order, 404: Problem } }, ({ params }) =>
    json({ id: params.id, lines: [] }),
  ),
  get('/orders', { query: z.object({ page: z.string().transform(Number).optional() }) }, ({ query }) =>
    json(query),
  ),
  post('/orders', { body: Order, returns: { 201: Order } }, ({ body }) => json(body, { status: 201 })),
  group('/admin', [], ({ del }) => [del('/orders/{id}', { returns: { 204: null } }, () => noContent())]),
  group('/admin', [], [get('/', () => noContent())]),
  del('/orders/{id}', () => noContent()),
]

const api = client<typeof routes>({ baseUrl: 'https://api.example.com' })

test('the status of an answer determines the type of its body', async () => {
  const answer = await api.get('/orders/{id}', { params: { id: 7 } })
  if (answer.status === 200) expect(answer.body).type.toBe<{ id: string; lines: string[] }>()
  else if (answer.status === 404) expect(answer.body).type.toBe<{ title: string }>()
  else expect(answer.body).type.toBe<unknown>()
  const deleted = await api.del('/admin/orders/{id}', { params: { id: '7' } })
  if (deleted.status === 204) expect(deleted.body).type.toBe<undefined>()
})

test('the input of a call can be omitted when the route requires no input', () => {
  api.get('/orders')
  api.get('/admin')
  api.get('/orders', { query: { page: '7' }, headers: { 'x-tenant': 't1' } })
  api.post('/orders', { body: { id: 'o1', lines: [] } })
})

test('wrong paths, parameters, queries and bodies do not compile', () => {
  // @ts-expect-error Argument of type '"/order"' is not assignable to parameter of type '"/orders
  api.get('/order')
  // @ts-expect-error Expected 2 arguments, but got 1.
  api.get('/orders/{id}')
  // @ts-expect-error Property 'id' is missing in type '{}'
  api.get('/orders/{id}', { params: {} })
  // @ts-expect-error Type 'number' is not assignable to type 'string'
  api.get('/orders', { query: { page: 7 } })
  // @ts-expect-error Property 'lines' is missing in type '{ id: string; }'
  api.post('/orders', { body: { id: 'o1' } })
  // @ts-expect-error Argument of type '"/orders/{id}"' is not assignable to parameter of type '"/orders"'.
  api.post('/orders/{id}', { body: { id: 'o1', lines: [] } })
})
