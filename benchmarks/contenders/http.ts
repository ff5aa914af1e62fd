import { STATUS_CODES } from 'node:http'
import { Router } from '@aws-lambda-powertools/event-handler/http'
import httpErrorHandler from '@middy/http-error-handler'
import httpEventNormalizer from '@middy/http-event-normalizer'
import httpHeaderNormalizer from '@middy/http-header-normalizer'
import httpResponseSerializer from '@middy/http-response-serializer'
import httpRouter from '@middy/http-router'
import { signalbox } from '@signalbox/core'
import { get, json, loadBalancer, type Route } from '@signalbox/load-balancer'
import { Hono } from 'hono'
import { handle } from 'hono/aws-lambda'
import { answerOf, type Path } from '../data/http.ts'
import { lambdaApi as newLambdaApi } from './lambda-api.ts'
import { isObject } from './shapes.ts'
import { type Handler, stack } from './stack.ts'

/** The fields of an event that the contenders read. */
export interface HttpEvent {
  readonly httpMethod: string
  readonly path: string
  readonly queryStringParameters?: Readonly<Record<string, string>>
  readonly multiValueQueryStringParameters?: Readonly<Record<string, readonly string[]>>
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>
  readonly pathParameters?: Readonly<Record<string, string>>
}

/**
 * Returns an answer in the header mode of the request, with every field of
 * docs/contract/load-balancer.md#response.
 */
export function answerByHand(event: HttpEvent, status: number, description: string, value: object): object {
  const body = JSON.stringify(value)
  return event.multiValueHeaders == null
    ? {
        statusCode: status,
        statusDescription: description,
        isBase64Encoded: false,
        headers: { 'content-type': 'application/json' },
        body,
      }
    : {
        statusCode: status,
        statusDescription: description,
        isBase64Encoded: false,
        multiValueHeaders: { 'content-type': ['application/json'] },
        body,
      }
}

/** Checks an event against docs/contract/load-balancer.md by hand. No contender can take less time. */
export function isHttpEvent(u: unknown): u is HttpEvent {
  if (!isObject(u) || !isObject(u.requestContext) || !isObject(u.requestContext.elb)) return false
  return (
    typeof u.requestContext.elb.targetGroupArn === 'string' &&
    isMethod(u.httpMethod) &&
    typeof u.path === 'string' &&
    typeof u.isBase64Encoded === 'boolean' &&
    (u.body == null || typeof u.body === 'string') &&
    (u.headers == null || isSingleMap(u.headers)) &&
    (u.queryStringParameters == null || isSingleMap(u.queryStringParameters)) &&
    (u.multiValueHeaders == null || isMultiMap(u.multiValueHeaders)) &&
    (u.multiValueQueryStringParameters == null || isMultiMap(u.multiValueQueryStringParameters))
  )
}

function isMethod(u: unknown): boolean {
  switch (u) {
    case 'GET':
    case 'POST':
    case 'PUT':
    case 'DELETE':
    case 'PATCH':
    case 'HEAD':
    case 'OPTIONS':
      return true
    default:
      return false
  }
}

function isSingleMap(u: unknown): boolean {
  if (!isObject(u)) return false
  for (const name in u) if (typeof u[name] !== 'string') return false
  return true
}

function isMultiMap(u: unknown): boolean {
  if (!isObject(u)) return false
  for (const name in u) {
    const list = u[name]
    if (!Array.isArray(list)) return false
    for (let i = 0; i < list.length; i++) if (typeof list[i] !== 'string') return false
  }
  return true
}

/** A handwritten router with one lookup. No router can take less time. */
export function byHand(routes: readonly Path[]): Handler {
  const table = new Map(routes.map(path => [path.method + path.resource + path.rest, path]))
  return (async (event: unknown) => {
    if (!isHttpEvent(event)) throw new Error('the event is not valid')
    const { path } = event
    let key = event.httpMethod
    let id: string | undefined
    let item: string | undefined
    const first = path.indexOf('/', '/api/resource-'.length)
    if (first < 0) key += path
    else {
      const second = path.indexOf('/', first + 1)
      key += path.slice(0, first)
      if (second < 0) {
        id = decoded(path.slice(first + 1))
        key += '/{id}'
      } else if (path.startsWith('/items/', second)) {
        id = decoded(path.slice(first + 1, second))
        item = decoded(path.slice(second + '/items/'.length))
        key += '/{id}/items/{item}'
      }
    }
    const route = table.get(key)
    if (route === undefined) return answerByHand(event, 404, '404 Not Found', { status: 404 })
    return answerByHand(event, 200, '200 OK', answerOf(route, id, item, decodedQuery(pageOf(event))))
  }) as Handler
}

function decoded(text: string): string {
  return text.includes('%') ? decodeURIComponent(text) : text
}

/** Decodes a parameter, for routers that leave the decoding to the route. */
function decodedParam(text: string | undefined): string | undefined {
  return text === undefined ? undefined : decoded(text)
}

function decodedQuery(text: string | undefined): string | undefined {
  return text === undefined ? undefined : decoded(text.includes('+') ? text.replaceAll('+', ' ') : text)
}

function pageOf(event: HttpEvent): string | undefined {
  return event.queryStringParameters?.page ?? event.multiValueQueryStringParameters?.page?.[0]
}

export function ours(routes: readonly Path[]): Handler {
  return signalbox(
    loadBalancer(
      routes.map((path): Route => {
        // `get` stands for the helpers of all methods, because they differ only in the method.
        const route = get(`${path.resource}${path.rest}`, ({ params, query }) => {
          const { id, item } = params as { id?: string; item?: string }
          return json(answerOf(path, id, item, query.first('page')) as never)
        })
        return { ...route, method: path.method }
      }),
    ),
  ) as Handler
}

/** Uses middy's packages for HTTP. The route decodes parameters, because these packages do not. */
export function middyStack(routes: readonly Path[]): Handler {
  const router = httpRouter(
    routes.map(path => ({
      method: path.method,
      path: `${path.resource}${path.rest}`,
      handler: (event: HttpEvent) => {
        const { id, item } = event.pathParameters ?? {}
        const value = answerOf(path, decodedParam(id), decodedParam(item), decodedQuery(pageOf(event)))
        return {
          statusCode: 200,
          statusDescription: '200 OK',
          isBase64Encoded: false,
          headers: {},
          body: value,
        }
      },
    })) as never,
  )
  const inMode = ({ event, response }: { event: HttpEvent; response: Record<string, unknown> }) => {
    if (event.multiValueHeaders !== undefined) inLists(response)
  }
  const serializers = [
    {
      regex: /^application\/json$/,
      serializer: ({ body }: { body: unknown }) => JSON.stringify(body),
    },
  ]
  return stack()
    .after(inMode)
    .use(httpEventNormalizer())
    .use(httpHeaderNormalizer())
    .use(
      httpResponseSerializer({ serializers: serializers as never, defaultContentType: 'application/json' }),
    )
    .use(httpErrorHandler({ logger: false }))
    .handler(router)
}

/** Moves the headers of an answer to `multiValueHeaders`. */
function inLists(answer: Record<string, unknown>): void {
  const lists: Record<string, string[]> = {}
  const headers = answer.headers as Record<string, string>
  for (const name in headers) lists[name] = [headers[name]!]
  answer.multiValueHeaders = lists
  answer.headers = undefined
}

/** Adds the fields that docs/contract/load-balancer.md requires but an adapter omits. */
export function completed(handler: Handler): Handler {
  return async (event, context) => {
    const answer = (await handler(event, context)) as Record<string, unknown>
    answer.statusDescription ??= `${answer.statusCode} ${STATUS_CODES[answer.statusCode as number]}`
    answer.isBase64Encoded ??= false
    if ((event as HttpEvent).multiValueHeaders && !answer.multiValueHeaders) inLists(answer)
    return answer
  }
}

const withColons = ({ resource, rest }: Path) => `${resource}${rest}`.replace(/\{(\w+)\}/g, ':$1')

export function hono(routes: readonly Path[]): Handler {
  const app = new Hono()
  for (const path of routes) {
    app.on(path.method, withColons(path), c => {
      const { id, item } = c.req.param() as { id?: string; item?: string }
      return c.json(answerOf(path, id, item, c.req.query('page')))
    })
  }
  return completed(handle(app) as unknown as Handler)
}

export function lambdaApi(routes: readonly Path[]): Handler {
  const api = newLambdaApi()
  for (const path of routes) {
    api.METHOD(path.method, withColons(path), req =>
      answerOf(path, decodedParam(req.params.id), decodedParam(req.params.item), req.query.page),
    )
  }
  return completed((event, context) => api.run(event, context))
}

export function powertools(routes: readonly Path[]): Handler {
  const app = new Router({ logger: { debug() {}, info() {}, warn() {}, error() {} } as never })
  for (const path of routes) {
    app.route(
      (({ params, req }: { params: { id?: string; item?: string }; req: globalThis.Request }) => {
        const { id, item } = params
        return answerOf(path, id, item, new URL(req.url).searchParams.get('page') ?? undefined)
      }) as never,
      { method: path.method, path: withColons(path) as never },
    )
  }
  return completed((event, context) => app.resolve(event, context))
}
