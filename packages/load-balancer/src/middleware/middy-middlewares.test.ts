import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import doNotWaitForEmptyEventLoop from '@middy/do-not-wait-for-empty-event-loop'
import errorLogger from '@middy/error-logger'
import httpContentEncoding from '@middy/http-content-encoding'
import httpContentNegotiation from '@middy/http-content-negotiation'
import httpCors from '@middy/http-cors'
import httpErrorHandler from '@middy/http-error-handler'
import httpEventNormalizer from '@middy/http-event-normalizer'
import httpHeaderNormalizer from '@middy/http-header-normalizer'
import httpJsonBodyParser from '@middy/http-json-body-parser'
import httpMultipartBodyParser from '@middy/http-multipart-body-parser'
import httpPartialResponse from '@middy/http-partial-response'
import httpResponseSerializer from '@middy/http-response-serializer'
import httpSecurityHeaders from '@middy/http-security-headers'
import httpUrlencodeBodyParser from '@middy/http-urlencode-body-parser'
import httpUrlencodePathParser from '@middy/http-urlencode-path-parser'
import inputOutputLogger from '@middy/input-output-logger'
import warmup from '@middy/warmup'
import { InvalidOptionError, type Middleware, type Plugin, type Request, signalbox } from '@signalbox/core'
import { invocationContext } from '@signalbox/core/testing'
import * as t from 'io-ts'
import { headerModes } from '../../fixtures/header-modes.ts'
import {
  get,
  group,
  HttpError,
  json,
  loadBalancer,
  type MiddyHandler,
  post,
  type Route,
  withCookie,
} from '../index.ts'
import { exchange, type HttpEventOptions, httpEvent } from '../testing/index.ts'

type Method = 'GET' | 'POST'
/** Sends a request to a handler that has one route and these middlewares. */
type Ask = (
  middlewares: readonly unknown[],
  route: Route,
  method: Method,
  path: string,
  options?: HttpEventOptions,
) => ReturnType<typeof exchange>

const Order = t.type({ id: t.string })
const order = post('/orders', { body: Order }, ({ body }) => json({ got: body.id }))
const boom = get('/boom', () => Promise.reject(new Error('boom')))
const form = (text: string): HttpEventOptions => ({
  body: Buffer.from(text),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

/** For each usable middleware of middy, a function that checks its effect in one header mode. */
const works: { readonly [name: string]: (ask: Ask, multiValue: boolean) => Promise<void> } = {
  async 'http-json-body-parser'(ask) {
    const result = await ask([httpJsonBodyParser()], order, 'POST', '/orders', { body: { id: 'a' } })
    expect(result).toMatchObject({ status: 200, json: { got: 'a' } })
    const plain = post('/orders', ({ body }) => json(body as object))
    const revived = httpJsonBodyParser({
      reviver: (key: string, value: unknown) => (key === 'id' ? 'revived' : value),
    })
    expect((await ask([revived], plain, 'POST', '/orders', { body: { id: 'a' } })).json).toEqual({
      id: 'revived',
    })
    expect(await ask([httpJsonBodyParser()], order, 'POST', '/orders', { body: 'a' })).toMatchObject({
      status: 415,
    })
    const bytes = post('/orders', request => json(request.bytes().length))
    expect(await ask([httpJsonBodyParser()], bytes, 'POST', '/orders', { body: {} })).toMatchObject({
      status: 500,
    })
  },
  async 'http-urlencode-body-parser'(ask) {
    const result = await ask([httpUrlencodeBodyParser()], order, 'POST', '/orders', form('id=a%20b'))
    expect(result).toMatchObject({ status: 200, json: { got: 'a b' } })
  },
  async 'http-multipart-body-parser'(ask) {
    const part = '--x\r\ncontent-disposition: form-data; name="id"\r\n\r\na\r\n--x--\r\n'
    const options = {
      body: Buffer.from(part),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    }
    const result = await ask([httpMultipartBodyParser()], order, 'POST', '/orders', options)
    expect(result).toMatchObject({ status: 200, json: { got: 'a' } })
  },
  async 'http-header-normalizer'(ask) {
    const route = get('/a', ({ headers, event }) =>
      json([headers.all('x-a'), Object.keys(event.headers ?? {}).includes('X-A')]),
    )
    const middleware = httpHeaderNormalizer({ canonical: true })
    const result = await ask([middleware], route, 'GET', '/a', { headers: { 'x-a': 'b' } })
    expect(result.json).toEqual([['b'], true])
  },
  async 'http-event-normalizer'(ask, multiValue) {
    const route = get('/a', ({ query, event }) =>
      json([query.all('q'), 'pathParameters' in event], cookies(multiValue)),
    )
    const result = await ask([httpEventNormalizer()], route, 'GET', '/a?q=1')
    expect(result.json).toEqual([['1'], true])
    expect(result.header('set-cookie')).toHaveLength(multiValue ? 2 : 1)
  },
  async 'http-content-negotiation'(ask) {
    const route = get('/a', (_, context) =>
      json((context as { preferredLanguage?: string }).preferredLanguage ?? null),
    )
    const middleware = httpContentNegotiation({ availableLanguages: ['de', 'en'] })
    const options = { headers: { 'accept-language': 'fr, de;q=0.5' } }
    expect((await ask([middleware], route, 'GET', '/a', options)).json).toBe('de')
    const none = { headers: { 'accept-language': 'fr' } }
    expect(await ask([middleware], route, 'GET', '/a', none)).toMatchObject({ status: 406 })
  },
  async 'http-content-encoding'(ask) {
    const route = get('/a', () => json('a'.repeat(2000)))
    const both = [httpContentNegotiation(), httpContentEncoding()]
    const result = await ask(both, route, 'GET', '/a', { headers: { 'accept-encoding': 'br' } })
    expect(result.header('content-encoding')).toEqual(['br'])
    expect(result.header('vary')).toEqual(['Accept-Encoding'])
    const content = await promisify(brotliDecompress)(result.verdict.body)
    expect(JSON.parse(content.toString())).toHaveLength(2000)
  },
  async 'http-error-handler'(ask) {
    const logged: unknown[] = []
    const middleware = httpErrorHandler({
      logger: (error: unknown) => void logged.push(error),
      fallbackMessage: 'sorry',
    })
    expect(await ask([middleware], boom, 'GET', '/boom')).toMatchObject({ status: 500, text: 'sorry' })
    expect(logged).toHaveLength(1)
    const gone = get('/gone', () => Promise.reject(new HttpError(410, 'It is gone')))
    const result = await ask([middleware], gone, 'GET', '/gone')
    expect(result.status).toBe(410)
    expect(result.text).toContain('It is gone')
  },
  async 'http-response-serializer'(ask) {
    const serializers = [
      { regex: /^application\/json$/, serializer: ({ body }: { body?: unknown }) => JSON.stringify(body) },
    ]
    const route = get('/a', () => ({ statusCode: 200, body: { a: 1 } }) as never)
    const middleware = httpResponseSerializer({ serializers, defaultContentType: 'application/json' })
    const result = await ask([middleware], route, 'GET', '/a')
    expect(result).toMatchObject({ status: 200, json: { a: 1 } })
    expect(result.header('content-type')).toEqual(['application/json'])
  },
  async 'http-partial-response'(ask) {
    const route = get('/a', () => json({ a: 1, b: 2 }))
    expect((await ask([httpPartialResponse()], route, 'GET', '/a?fields=b')).json).toEqual({ b: 2 })
  },
  async 'input-output-logger'(ask, multiValue) {
    const logged: unknown[] = []
    const omitPaths = ['event.headers.authorization', 'event.multiValueHeaders.authorization']
    const middleware = inputOutputLogger({
      logger: (message: unknown) => void logged.push(message),
      omitPaths,
    })
    const options = { headers: { authorization: 'secret' } }
    // The header normalizer adds a second map to the event. The logger must not log that map.
    await ask(
      [httpHeaderNormalizer(), middleware],
      get('/a', () => json('out')),
      'GET',
      '/a',
      options,
    )
    expect(logged).toHaveLength(2)
    const text = JSON.stringify(logged)
    expect(text).toContain('"path":"/a"')
    expect(text).toContain('out')
    expect(text).not.toContain('secret')
    expect(text.includes('"multiValueHeaders"')).toBe(multiValue)
  },
  async 'error-logger'(ask) {
    const logged: unknown[] = []
    const middleware = errorLogger({ logger: ({ error }: { error: unknown }) => void logged.push(error) })
    expect(await ask([middleware], boom, 'GET', '/boom')).toMatchObject({ status: 500 })
    expect(logged).toEqual([new Error('boom')])
  },
  async 'do-not-wait-for-empty-event-loop'(ask) {
    const route = get('/a', (_, context) => json(context as object))
    const result = await ask([doNotWaitForEmptyEventLoop()], route, 'GET', '/a')
    expect(result.json).toMatchObject({ callbackWaitsForEmptyEventLoop: false })
  },
  async 'cloudwatch-metrics'(ask) {
    const { AWS_EMF_ENVIRONMENT } = process.env
    const { log } = console
    const lines: string[] = []
    // Without this setting, the metrics library would detect its environment over the network. With the setting, it
    // writes to the console.
    process.env.AWS_EMF_ENVIRONMENT = 'Local'
    console.log = (line: string) => void lines.push(line)
    try {
      const { default: cloudwatchMetrics } = await import('@middy/cloudwatch-metrics')
      const route = get('/a', (_, context) => {
        const { metrics } = context as { metrics: { putMetric(name: string, value: number): void } }
        metrics.putMetric('orders', 7)
        return json(true)
      })
      const result = await ask([cloudwatchMetrics({ namespace: 'shop' })], route, 'GET', '/a')
      expect(result).toMatchObject({ status: 200, json: true })
    } finally {
      console.log = log
      if (AWS_EMF_ENVIRONMENT === undefined) delete process.env.AWS_EMF_ENVIRONMENT
      else process.env.AWS_EMF_ENVIRONMENT = AWS_EMF_ENVIRONMENT
    }
    expect(lines.map(line => JSON.parse(line))).toEqual([expect.objectContaining({ orders: 7 })])
  },
}

/** The middlewares of middy that are refused, and a pattern for the replacement that the error names. */
const refused: { readonly [name: string]: readonly [middleware: unknown, instead: RegExp] } = {
  'http-cors': [httpCors(), /Use cors\(\)/],
  'http-security-headers': [httpSecurityHeaders(), /Use securityHeaders\(\)/],
  'http-urlencode-path-parser': [httpUrlencodePathParser(), /`params` are decoded/],
  warmup: [warmup(), /middy\(\)\.use\(warmup\(\)\)\.handler\(handler\)/],
}

const cookies = (several: boolean) => ({ headers: { 'set-cookie': several ? ['a=1', 'b=2'] : ['a=1'] } })

describe('middlewares of middy', () => {
  const table = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    .split('## Middy’s own middlewares')[1]!
    .split('\n## ')[0]!
  const rows = [...table.matchAll(/^\| `([a-z-]+)` +\| (\S+)/gm)].map(
    ([, name, verb]) => [name, verb] as const,
  )

  it('are all listed in the README, either as usable or as refused', () => {
    const expected = [
      ...Object.keys(works).map(name => [name, 'works'] as const),
      ...Object.keys(refused).map(name => [name, 'refused'] as const),
    ]
    const sorted = (list: readonly (readonly [string | undefined, string | undefined])[]) =>
      list.map(row => row.join(' ')).sort()
    expect(sorted(rows.map(([name, verb]) => [name, verb?.replace(/\W.*/, '')]))).toEqual(sorted(expected))
  })

  describe.each(headerModes)('with %s', (_headers, multiValue) => {
    const asked = (
      handler: Parameters<typeof exchange>[0],
      method: Method,
      path: string,
      options: HttpEventOptions,
    ) => exchange(handler, httpEvent(method, path, { ...options, multiValue }), invocationContext())

    it.each(Object.keys(works))('%s can be used around the handler', async name => {
      await works[name]!(
        (middlewares, route, method, path, options = {}) =>
          asked(
            signalbox(loadBalancer([route], { log: () => undefined })).use(middlewares as Middleware[]),
            method,
            path,
            options,
          ),
        multiValue,
      )
    })

    it.each(Object.keys(works))('%s can be used around a group', async name => {
      await works[name]!((middlewares, route, method, path, options = {}) => {
        const routes = [group('/', middlewares as Middleware[], [route])]
        return asked(signalbox(loadBalancer(routes, { log: () => undefined })), method, path, options)
      }, multiValue)
    })

    it('http-json-body-parser can be used inside the middy handler of a route', async () => {
      const inner = middy({ timeoutEarlyInMillis: 0 })
      inner.use(httpJsonBodyParser() as never)
      inner.handler((async (event: { body: unknown }) => ({
        statusCode: 200,
        body: JSON.stringify(event.body),
      })) as never)
      const handler = signalbox(loadBalancer([post('/orders', inner as unknown as MiddyHandler)]))
      expect((await asked(handler, 'POST', '/orders', { body: { id: 'a' } })).json).toEqual({ id: 'a' })
    })
  })

  it.each(Object.keys(refused))('%s is refused with an error that names the replacement', name => {
    const [middleware, instead] = refused[name]!
    const handler = () => signalbox(loadBalancer([order]))
    for (const add of [
      () => handler().use(middleware as Middleware),
      () => handler().use([middleware as Middleware]),
      ...(name === 'warmup' ? [] : [() => group('/', [middleware as Middleware], [order])]),
    ]) {
      expect(add).toThrow(InvalidOptionError)
      expect(add).toThrow(instead)
    }
  })

  it.each(headerModes)(
    'http-event-normalizer can be used outside of signalbox() with %s',
    async (_headers, multiValue) => {
      const around = middy({ timeoutEarlyInMillis: 0 })
      around.use(httpEventNormalizer() as never)
      around.handler(
        signalbox(
          loadBalancer([get('/a', ({ query }) => json(query.all('q'), cookies(multiValue)))]),
        ) as never,
      )
      const ask = around as unknown as (event: unknown, context: unknown) => Promise<unknown>
      for (const path of ['/a', '/a?q=1']) {
        const event = httpEvent('GET', path, { multiValue })
        const result = await exchange(() => ask(structuredClone(event), invocationContext()), event)
        expect(result.json).toEqual(path === '/a' ? [] : ['1'])
        expect(result.header('set-cookie')).toHaveLength(multiValue ? 2 : 1)
      }
    },
  )

  it('for HTTP run only for requests when a handler serves other families, too', async () => {
    const denied = new Error('Staff addresses only')
    const letters: Plugin = {
      family: {
        name: 'letters',
        keys: ['letter'],
        recognizes: event => Object.hasOwn(event as object, 'letter'),
        correlationId: () => undefined,
        event: t.type({ letter: t.string }),
        normalize() {},
      },
      middlewares: [],
      handler: ({ letter }: { letter: string }) => {
        if (letter === 'x') throw denied
        return { letter }
      },
    }
    const handler = signalbox(letters, loadBalancer([order], { log: () => undefined })).use([
      httpErrorHandler({ logger: false as never, fallbackMessage: 'sorry' }),
      httpJsonBodyParser(),
      httpResponseSerializer({ serializers: [], defaultContentType: 'text/plain' }),
      httpContentEncoding(),
      httpEventNormalizer(),
      httpHeaderNormalizer(),
    ] as never as Middleware[])
    expect(await handler({ letter: 'a' } as never, {})).toEqual({ letter: 'a' })
    await expect(handler({ letter: 'x' } as never, {})).rejects.toBe(denied)
    expect(await handler(httpEvent('POST', '/orders', { body: { id: 'a' } }), {})).toMatchObject({
      statusCode: 200,
    })
  })

  it('warmup can be used outside of signalbox(), as the error message says', async () => {
    const around = middy({ timeoutEarlyInMillis: 0 })
    around.use(warmup() as never)
    around.handler(signalbox(loadBalancer([order])) as never)
    const ask = around as unknown as (event: unknown, context: unknown) => Promise<unknown>
    expect(await ask({ source: 'serverless-plugin-warmup' }, {})).toBe('warmup')
    expect(await ask(httpEvent('POST', '/orders', { body: { id: 'a' } }), {})).toMatchObject({
      statusCode: 200,
    })
  })
})

it('in multi-value mode, a middleware can read single-value maps, which are not enumerable', async () => {
  const seen: unknown[] = []
  const handler = signalbox(
    loadBalancer([
      get('/a', ({ event, query }) => withCookie(json([Object.keys(event), query.all('q')]), 'a', '1')),
    ]),
  ).before((request: Request<{ headers: object; queryStringParameters: object }>) => {
    seen.push(request.event.headers, request.event.queryStringParameters)
  })
  const event = httpEvent('GET', '/a?q=1&q=2', { multiValue: true, headers: { 'x-a': ['1', '2'] } })
  const result = await exchange(handler, event)
  expect(result.json).toEqual([Object.keys(event), ['1', '2']])
  expect(seen).toEqual([expect.objectContaining({ 'x-a': '2' }), { q: '2' }])
  // Some tests use a frozen event, to which the maps cannot be added.
  expect(await handler(Object.freeze(event), {})).toMatchObject({ statusCode: 200 })
})
