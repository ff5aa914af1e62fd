import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { invocationContext } from '@signalbox/core/testing'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { setCookie } from 'hono/cookie'
import { etag } from 'hono/etag'
import { serveStatic } from 'hono/serve-static'
import { headerModes } from '../../fixtures/header-modes.ts'
import { get, type LoadBalancerOptions, loadBalancer, type Method, text } from '../index.ts'
import { exchange, type HttpEventOptions, httpEvent } from '../testing/index.ts'
import { type FetchBindings, fromFetch } from './from-fetch.ts'

const app = new Hono()
  .get('/api', c => c.text('root'))
  .get('/api/', c => c.text('slash'))
  .get('/api/hello/:name', c => c.json({ hello: c.req.param('name'), tags: c.req.queries('tag') ?? [] }))
  .post('/api/echo', async c => c.body(await c.req.arrayBuffer(), 201, { 'content-type': 'image/png' }))
  .post('/api/form', async c => c.json(await c.req.parseBody()))
  .get('/api/cookies', c => {
    setCookie(c, 'a', '1')
    setCookie(c, 'b', '2', { expires: new Date(0) })
    return c.body(null, 204)
  })
  .get('/admin', c => c.text('admin'))
  .get('/api/env', c => {
    const { event, requestContext, lambdaContext, ...more } = c.env as FetchBindings
    return c.json({
      requestId: lambdaContext.requestId,
      isOf: requestContext === event.requestContext,
      path: event.path,
      isMultiValue: event.multiValueHeaders !== undefined,
      more,
    })
  })

const assets: { readonly [path: string]: string } = { '/public/app.js': 'let app' }
const withMiddlewares = new Hono()
  .use('/text/*', compress(), etag())
  .get('/text/long', c => c.text('long '.repeat(1000)))
  .get('/public/*', serveStatic({ root: '', getContent: async path => assets[path] ?? null }))

it('fromFetch() refuses an application object, and the error suggests its fetch function', () => {
  expect(() => fromFetch(app as never)).toThrow('takes a function such as app.fetch, not an object')
})

describe.each(headerModes)('a Hono app behind a load balancer with %s', (_headers, multiValue) => {
  const serve = (routes: Parameters<typeof loadBalancer>[0], options: LoadBalancerOptions = {}) => {
    const handler = signalbox(loadBalancer(routes, { log: () => undefined, ...options }))
    return (method: Method, path: string, more: HttpEventOptions = {}) =>
      exchange(handler, httpEvent(method, path, { ...more, multiValue }))
  }
  const whole = serve([get('/api/ours', () => text('ours')), fromFetch(app.fetch)])

  it('gets every request that no route of the load balancer serves', async () => {
    expect((await whole('GET', '/api/ours')).text).toBe('ours')
    expect((await whole('GET', '/api')).text).toBe('root')
    expect((await whole('GET', '/api/')).text).toBe('slash')
    expect((await whole('GET', '/api/hello/J%C3%BCrgen?tag=a&tag=b+c')).json).toEqual({
      hello: 'Jürgen',
      tags: multiValue ? ['a', 'b c'] : ['b c'],
    })
    expect(await whole('GET', '/none')).toMatchObject({ status: 404, text: '404 Not Found' })
    expect(await whole('GET', '/')).toMatchObject({ status: 404, text: '404 Not Found' })
    expect(await whole('HEAD', '/api')).toMatchObject({ status: 200, text: '' })
  })

  it('gets and returns bytes and forms unchanged', async () => {
    const body = new Uint8Array([0, 255, 128])
    const echo = await whole('POST', '/api/echo', { body })
    expect(echo.status).toBe(201)
    expect([...echo.verdict.body]).toEqual([...body])
    const form = await whole('POST', '/api/form', { body: new URLSearchParams({ 'a b': 'ü&' }) })
    expect(form.json).toEqual({ 'a b': 'ü&' })
  })

  it('gets the event and the context in c.env, as with the adapter of Hono for AWS Lambda', async () => {
    expect((await whole('GET', '/api/env')).json).toEqual({
      requestId: invocationContext().requestId,
      isOf: true,
      path: '/api/env',
      isMultiValue: multiValue,
      more: {},
    })
  })

  it('sets several cookies if the headers are multi-value, and answers 500 otherwise', async () => {
    const result = await whole('GET', '/api/cookies')
    expect(result.status).toBe(multiValue ? 204 : 500)
    expect(result.header('set-cookie')).toEqual(
      multiValue ? ['a=1; Path=/', 'b=2; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT'] : [],
    )
  })

  it('runs the middlewares of Hono that compress, tag and serve files', async () => {
    const ask = serve([fromFetch(withMiddlewares.fetch)])
    const long = await ask('GET', '/text/long', { headers: { 'accept-encoding': 'gzip, br' } })
    expect(long.header('content-encoding')).toEqual(['gzip'])
    expect(gunzipSync(long.verdict.body).toString()).toBe('long '.repeat(1000))
    const [tag = ''] = long.header('etag')
    expect(tag).toMatch(/^W\/"/)
    expect(await ask('GET', '/text/long', { headers: { 'if-none-match': tag } })).toMatchObject({
      status: 304,
      text: '',
    })
    const plain = await ask('GET', '/text/long', { headers: { 'accept-encoding': 'br' } })
    expect([plain.text, plain.header('content-encoding')]).toEqual(['long '.repeat(1000), []])
    const script = await ask('GET', '/public/app.js')
    expect([script.text, script.header('content-type')]).toEqual([
      'let app',
      ['text/javascript; charset=utf-8'],
    ])
    expect(await ask('GET', '/public/none.js')).toMatchObject({ status: 404 })
  })

  it('never gets a path with dot segments', async () => {
    for (const path of ['/foo/../admin', '/./admin', '/api/%2e%2e/admin']) {
      expect(await whole('GET', path)).toMatchObject({ status: 400 })
    }
    expect(await whole('GET', '//evil/admin')).toMatchObject({ status: 404 })
  })

  it('serves only paths below a given prefix', async () => {
    const below = serve([fromFetch(app.fetch, '/api')])
    expect((await below('GET', '/api')).text).toBe('root')
    expect((await below('GET', '/api/')).text).toBe('slash')
    expect((await below('GET', '/api/hello/x')).json).toMatchObject({ hello: 'x' })
    expect((await below('GET', '/admin')).json).toMatchObject({ detail: 'No route matches this path' })
  })
})
