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

  it('sends dates in ISO format, and leaves out what is undefined and lists without values', async () => {
    const calls: [string, RequestInit][] = []
    const record = client({
      baseUrl: 'https://api.example.com',
      fetch: async (...call) => {
        calls.push(call)
        return Response.json({})
      },
    }) as unknown as { get: (path: string, input: object) => Promise<unknown> }
    const since = new Date(0)
    const query = {
      since,
      tag: ['a', since, undefined],
      none: [],
      absent: undefined,
      n: 5,
      big: 7n,
      yes: true,
    }
    await record.get('/{day}', {
      params: { day: since },
      query,
      headers: { 'x-at': since, 'x-none': undefined },
    })
    const [url, { headers }] = calls[0]!
    const iso = '1970-01-01T00%3A00%3A00.000Z'
    expect(url).toBe(`https://api.example.com/${iso}?since=${iso}&tag=a&tag=${iso}&n=5&big=7&yes=true`)
    expect(headers).toEqual({ 'x-at': '1970-01-01T00:00:00.000Z' })
  })

  it.each([
    ['query.q is null', { query: { q: null } }],
    ['query.q is NaN', { query: { q: [1, Number.NaN] } }],
    ['query.q is Infinity', { query: { q: Number.POSITIVE_INFINITY } }],
    ['query.q is an object', { query: { q: { nested: 1 } } }],
    ['query.q is an object', { query: { q: new Date('x') } }],
    ['params.path is undefined', { params: {} }],
    ['params.path is NaN', { params: { path: Number.NaN } }],
    ['headers.x-a is null', { headers: { 'x-a': null } }],
    ['body: count is NaN', { body: { count: Number.NaN } }],
    ['body is a Map, which JSON shows as {}', { body: new Map([['a', 1]]) }],
    ['body is a FormData, which JSON shows as {}', { body: new FormData() }],
    ['body: tags is a Set, which JSON shows as {}', { body: { tags: new Set(['a']) } }],
  ])('refuses a value that would arrive as another one: %s', async (message, input) => {
    const call = api.get('/files/{path+}', { params: { path: 'a' }, ...input } as never)
    await expect(call).rejects.toThrow(message)
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
