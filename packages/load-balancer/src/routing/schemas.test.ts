import { describe, expect, it } from '@jest/globals'
import { fromJson } from '@signalbox/codec'
import { orderSchemas } from '@signalbox/codec/fixtures/order-schemas'
import { signalbox } from '@signalbox/core'
import * as v from 'valibot'
import * as z from 'zod'
import { headerModes } from '../../fixtures/header-modes.ts'
import { get, json, loadBalancer, post } from '../index.ts'
import { httpEvent } from '../testing/index.ts'

const order = { id: 'o1', lines: [{ sku: 'lamp', count: 2 }] }

describe.each(orderSchemas)('a route with $library schemas', ({ Order, Page }) => {
  const handler = signalbox(
    loadBalancer([
      post('/orders', { body: Order }, ({ body }) => json(body)),
      get('/orders', { query: Page }, ({ query }) => json(query)),
      get('/pages/{page}/{tag}', { headers: Page, params: Page }, ({ params }) => json(params)),
      post('/pages', { body: Page, accepts: ['form'] }, ({ body }) => json(body)),
      post('/texts', { body: fromJson(Order), accepts: ['text'] }, ({ body }) => json(body)),
    ]),
  )

  describe.each(headerModes)('with %s', (_headers, multiValue) => {
    const call = async (...[method, path, init]: Parameters<typeof httpEvent>) => {
      const { statusCode, body } = await handler(httpEvent(method, path, { multiValue, ...init }))
      return { statusCode, body: JSON.parse(body as string) }
    }

    it('gets the decoded values', async () => {
      expect(await call('POST', '/orders', { body: order })).toEqual({ statusCode: 200, body: order })
      const body = JSON.stringify(order)
      const asText = { body, headers: { 'content-type': 'text/plain' } }
      expect(await call('POST', '/texts', asText)).toEqual({ statusCode: 200, body: order })
    })

    it('gets a list even for a single query value when the schema expects a list', async () => {
      expect(await call('GET', '/orders?page=7&tag=a%20b')).toEqual({
        statusCode: 200,
        body: { page: 7, tag: ['a b'] },
      })
      const form = new URLSearchParams('page=7&tag=a&tag=b')
      expect(await call('POST', '/pages', { body: form })).toMatchObject({ body: { tag: ['a', 'b'] } })
    })

    it('answers 400 with the part and the pointer of each problem', async () => {
      const wrong = { ...order, lines: [{ sku: 'lamp', count: 'two' }] }
      expect(await call('POST', '/orders', { body: wrong })).toMatchObject({
        statusCode: 400,
        body: { problems: [{ in: 'body', pointer: '/lines/0/count', actual: "string 'two'" }] },
      })
      expect(await call('GET', '/orders?page=x&tag=a')).toMatchObject({
        statusCode: 400,
        body: { problems: [{ in: 'query', pointer: '/page' }] },
      })
    })
  })
})

describe('a route with asynchronous schemas', () => {
  const taken = async (id: string) => id !== 'taken'
  const handler = signalbox(
    loadBalancer([
      post(
        '/users/{id}',
        {
          params: z.object({ id: z.string().refine(taken, 'must be another id') }),
          body: v.objectAsync({ id: v.pipeAsync(v.string(), v.checkAsync(taken, 'must be another id')) }),
        },
        ({ params, body }) => json({ params, body }),
      ),
    ]),
  )

  it('waits for all schemas', async () => {
    const { body } = await handler(httpEvent('POST', '/users/a', { body: { id: 'b' } }))
    expect(JSON.parse(body as string)).toEqual({ params: { id: 'a' }, body: { id: 'b' } })
  })

  it('answers 400 with the problems from all schemas', async () => {
    const reply = await handler(httpEvent('POST', '/users/taken', { body: { id: 'taken' } }))
    expect(JSON.parse(reply.body as string)).toMatchObject({
      status: 400,
      problems: [
        { in: 'params', pointer: '/id', expected: 'another id' },
        { in: 'body', pointer: '/id', expected: 'another id' },
      ],
    })
  })
})

describe.each(headerModes)('a route with a cookie codec and %s', (_headers, multiValue) => {
  const handler = signalbox(
    loadBalancer([
      get('/', { cookies: z.object({ theme: z.enum(['dark', 'light']) }) }, ({ cookies }) =>
        json(cookies.theme),
      ),
    ]),
  )
  const ask = (cookie: string) => handler(httpEvent('GET', '/', { multiValue, headers: { cookie } }))

  it('gets the decoded cookies, or answers 400 to invalid cookies', async () => {
    expect(await ask('a=b; theme=dark')).toMatchObject({ statusCode: 200, body: '"dark"' })
    const refused = await ask('theme=blue')
    expect(JSON.parse(refused.body as string)).toMatchObject({
      status: 400,
      problems: [{ in: 'cookies', pointer: '/theme' }],
    })
  })
})
