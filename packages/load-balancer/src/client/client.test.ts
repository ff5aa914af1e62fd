import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import * as t from 'io-ts'
import { get, json, loadBalancer, noContent, post, text } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'
import { client } from './index.ts'

const Order = t.type({ id: t.string, count: t.number })

const routes = [
  get('/orders/{id}', { returns: { 200: Order } }, ({ params }) => json({ id: params.id, count: 1 })),
  get('/files/{path+}', ({ params, query }) => text(`${params.path} ${query.all('tag')}`)),
  post('/orders', { body: Order, returns: { 201: Order } }, ({ body, headers }) =>
    json({ ...body, id: headers.first('x-tenant')! }, { status: 201 }),
  ),
  post('/forms', { accepts: ['form'] }, ({ body }) => json([...(body as URLSearchParams)])),
  post('/nothing', () => noContent()),
]
const handler = signalbox(loadBalancer(routes))

/** Sends a request to the handler, as a load balancer does. */
async function fetch(url: string, { method = 'GET', headers, body }: RequestInit): Promise<Response> {
  const { pathname, search } = new URL(url)
  const event = httpEvent(method as 'GET', pathname + search, {
    headers: headers as Record<string, string>,
    ...(body === undefined ? {} : { body: body as string }),
  })
  const { verdict } = await exchange(handler, event)
  const bytes = [204, 304].includes(verdict.status) ? null : Buffer.from(verdict.body)
  return new Response(bytes, { status: verdict.status, headers: verdict.headers as [string, string][] })
}

const api = client<typeof routes>({
  baseUrl: 'https://api.example.com/',
  fetch,
  headers: { 'x-tenant': 't1' },
})

describe('client()', () => {
  it('calls a route with its path parameters, and returns the answer', async () => {
    const answer = await api.get('/orders/{id}', { params: { id: 'a/b ä' } })
    expect(answer).toMatchObject({ status: 200, body: { id: 'a/b ä', count: 1 } })
    expect(answer.headers.get('content-type')).toMatch('application/json')
  })

  it('sends a body as JSON, and adds its default headers to every request', async () => {
    const answer = await api.post('/orders', { body: { id: 'o1', count: 2 } })
    expect(answer).toMatchObject({ status: 201, body: { id: 't1', count: 2 } })
    const asked = client<typeof routes>({
      baseUrl: 'https://api.example.com',
      fetch,
      headers: async () => ({ 'x-tenant': 't2' }),
    })
    expect(await asked.post('/orders', { body: { id: 'o1', count: 2 } })).toMatchObject({
      body: { id: 't2' },
    })
    const own = { body: { id: 'o1', count: 2 }, headers: { 'x-tenant': 't3' } }
    expect(await api.post('/orders', own)).toMatchObject({ body: { id: 't3' } })
  })

  it('keeps the slashes in a rest parameter, and repeats a query parameter for each value of a list', async () => {
    const query = { tag: ['a b', 'c'], none: undefined }
    expect(await api.get('/files/{path+}', { params: { path: 'a/b c' }, query })).toMatchObject({
      body: 'a/b c c',
    })
  })

  it('sends forms unchanged', async () => {
    expect(await api.post('/forms', { body: new URLSearchParams({ a: '1' }) })).toMatchObject({
      body: [['a', '1']],
    })
  })

  it('returns undefined as the body of an empty answer, and the validation problems as the body of a 400', async () => {
    expect(await api.post('/nothing')).toMatchObject({ status: 204, body: undefined })
    expect(await api.post('/orders', { body: { id: 7, count: 2 } as never })).toMatchObject({
      status: 400,
      body: { problems: [{ pointer: '/id' }] },
    })
  })

  it.each(['', '.', '..'])('refuses the path parameter %p, which no URL path can contain', async id => {
    await expect(api.get('/orders/{id}', { params: { id } })).rejects.toThrow('No path holds the parameter')
  })
})

it.each([
  [
    { baseURL: 'https://api.example.com' },
    'client() has no option "baseURL". The options are baseUrl, headers, fetch.',
  ],
  [{}, 'client() needs a baseUrl that is text'],
  [undefined, 'client() needs a baseUrl that is text'],
])('client() refuses the options %j', (options, message) => {
  expect(() => client(options as never)).toThrow(message)
})
