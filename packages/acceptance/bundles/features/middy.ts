import assert from 'node:assert/strict'
import middy from '@middy/core'
import doNotWaitForEmptyEventLoop from '@middy/do-not-wait-for-empty-event-loop'
import errorLogger from '@middy/error-logger'
import httpContentEncoding from '@middy/http-content-encoding'
import httpContentNegotiation from '@middy/http-content-negotiation'
import httpErrorHandler from '@middy/http-error-handler'
import httpEventNormalizer from '@middy/http-event-normalizer'
import httpHeaderNormalizer from '@middy/http-header-normalizer'
import httpJsonBodyParser from '@middy/http-json-body-parser'
import httpPartialResponse from '@middy/http-partial-response'
import httpResponseSerializer from '@middy/http-response-serializer'
import httpRouterHandler from '@middy/http-router'
import httpUrlencodeBodyParser from '@middy/http-urlencode-body-parser'
import inputOutputLogger from '@middy/input-output-logger'
import { signalbox } from '@signalbox/core'
import {
  created,
  del,
  get,
  json,
  loadBalancer,
  loadBalancerNormalizer,
  loadBalancerValidator,
  noContent,
  post,
  type Route,
  type RouteGroup,
  responseSerializer,
  router,
  serialize,
  text,
} from '@signalbox/load-balancer'
import { httpVerdict, requestEvent } from '@signalbox/load-balancer/contract'
import { fromMiddyRoutes, middyRoutes } from '@signalbox/load-balancer/middy-router'
import { exchange, httpEvent } from '@signalbox/load-balancer/testing'
import * as t from 'io-ts'
import type { Features } from '../features.ts'

type Routes = readonly (Route | RouteGroup)[]
type Options = Parameters<typeof httpEvent>[2]
const ask = (routes: Routes, method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS', path: string, more?: Options) =>
  exchange(signalbox(loadBalancer(routes as never, { log: () => {} })), httpEvent(method, path, more))

const Order = t.type({ id: t.string, lines: t.array(t.string) }, 'Order')
const orders = [
  get('/orders/{id}', { returns: { 200: Order } }, ({ params }) => json({ id: params.id, lines: [] })),
  post('/orders', { body: t.type({ item: t.string, quantity: t.number }) }, ({ body }) =>
    created('/orders/1', body),
  ),
  del('/orders/{id}', { returns: { 204: null } }, () => noContent()),
]

/** The features of `@signalbox/load-balancer` with middy. */
export const features: Features = {
  async 'middlewares of middy'() {
    const lines: unknown[] = []
    const logger = (line: unknown) => void lines.push(line)
    const through = async (middlewares: readonly unknown[], options: Options, multiValue: boolean) => {
      const routes = [
        post('/', ({ body }) => json(body)),
        get('/', () => json({ a: 1, b: 2 })),
        get('/long', () => text('a'.repeat(5000))),
        get('/error', () => {
          throw new TypeError('a detail')
        }),
      ]
      const handler = signalbox(loadBalancer(routes, { log: () => {} }))
      for (const each of middlewares) handler.use(each as never)
      const { path = '/', method = 'GET', ...more } = options as Record<string, never>
      return exchange(handler, httpEvent(method, path, { ...(more as Options), multiValue }))
    }
    for (const multiValue of [false, true]) {
      const parsed = async (parser: unknown, body: unknown, headers = {}) =>
        (await through([parser], { method: 'POST', body, headers } as never, multiValue)).json
      const unchecked = { disableContentTypeError: true } as never
      assert.deepEqual(await parsed(httpJsonBodyParser(unchecked), { a: 1 }), { a: 1 })
      assert.deepEqual(await parsed(httpUrlencodeBodyParser(unchecked), new URLSearchParams('a=1')), {
        a: '1',
      })
      const chain = [
        inputOutputLogger({ logger } as never),
        errorLogger({ logger } as never),
        doNotWaitForEmptyEventLoop(),
        httpHeaderNormalizer(),
        httpEventNormalizer(),
        httpResponseSerializer({ serializers: [], defaultContentType: 'application/json' } as never),
        httpPartialResponse(),
      ]
      const { log } = console
      console.log = () => {}
      try {
        assert.deepEqual((await through(chain, { query: { fields: 'a' } }, multiValue)).json, { a: 1 })
        const failed = { path: '/error' } as never
        assert.equal((await through([errorLogger({ logger } as never)], failed, multiValue)).status, 500)
        const own = httpErrorHandler({ logger: false, fallbackMessage: 'sorry' } as never)
        assert.match((await through([own], failed, multiValue)).text, /sorry|detail|"status":500/)
      } finally {
        console.log = log
      }
      const encoded = await through(
        [httpContentNegotiation(), httpContentEncoding()],
        { path: '/long', headers: { 'accept-encoding': 'gzip' } } as never,
        multiValue,
      )
      assert.deepEqual(encoded.header('content-encoding'), ['gzip'])
    }
    assert.ok(lines.length > 2)
  },
  // The libraries of the next two are CommonJS, and require modules of Node.
  async 'http-multipart-body-parser of middy'() {
    const { default: httpMultipartBodyParser } = await import('@middy/http-multipart-body-parser')
    const handler = signalbox(loadBalancer([post('/', ({ body }) => json(body))])).use(
      httpMultipartBodyParser({ disableContentTypeError: true } as never) as never,
    )
    const body = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    assert.deepEqual((await exchange(handler, httpEvent('POST', '/', { body, headers }))).json, { a: '1' })
  },
  async 'cloudwatch-metrics of middy'() {
    const { default: cloudwatchMetrics } = await import('@middy/cloudwatch-metrics')
    const { log } = console
    console.log = () => {}
    try {
      const handler = signalbox(
        loadBalancer([get('/', (_, context) => json(typeof (context as { metrics?: unknown }).metrics))]),
      ).use(cloudwatchMetrics({ namespace: 'n' } as never) as never)
      assert.equal((await exchange(handler, httpEvent('GET', '/'))).json, 'object')
    } finally {
      console.log = log
    }
  },
  async "middy's router"() {
    const old = async (event: { pathParameters?: { id: string } }) => ({
      statusCode: 200,
      body: String(event.pathParameters?.id),
    })
    const there = httpRouterHandler([
      ...middyRoutes(orders),
      { method: 'GET', path: '/customers/{id}', handler: old as never },
    ])
    const get7 = await exchange(there as never, httpEvent('GET', '/orders/7'))
    assert.deepEqual(get7.json, { id: '7', lines: [] })
    const here = [
      ...orders,
      fromMiddyRoutes([{ method: 'GET', path: '/customers/{id}', handler: old as never }]),
    ]
    assert.equal((await ask(here, 'GET', '/customers/8')).text, '8')
  },
  async 'the pieces in a middy stack'() {
    const handler = middy()
      .use([responseSerializer(), loadBalancerNormalizer(), loadBalancerValidator()])
      .handler(router([get('/', () => json('hello'))]))
    assert.equal((await exchange(handler as never, httpEvent('GET', '/'))).json, 'hello')
    const event = httpEvent('GET', '/')
    assert.equal(httpVerdict(JSON.stringify(serialize(json(1), event)), event).status, 200)
    assert.ok(
      requestEvent({ method: 'GET', path: '/', headers: [] } as never, { targetGroupArn: 'a' } as never),
    )
  },
}
