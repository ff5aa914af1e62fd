import type { Invocation, InvocationContext } from '@signalbox/core'
import type { LoadBalancerEvent, Method } from '../contract/index.ts'
import { type BodySource, bodyByType, bodyBytes } from './body.ts'
import { clientAddress } from './client-address.ts'
import { type Cookies, parseCookies } from './cookies.ts'
import { queryValues } from './query-values.ts'
import { allHeaders, type EventMap, firstHeader, headerValues, type Values } from './values.ts'

/**
 * The request that a route gets. It has the same fields for single-value and multi-value headers. Each field except
 * `params` is computed when it is first read, so destructure only the fields that you need: `({ params, body }) => …`.
 * Methods can be destructured, too.
 */
export interface HttpRequest<
  Params = unknown,
  Query = Values,
  Headers = Values,
  Body = unknown,
  CookieValues = Cookies,
> {
  readonly method: Method
  /** The path as the client sent it, not decoded. */
  readonly path: string
  /** The path parameters of the route, percent-decoded once, or the result of the codec. */
  readonly params: Params
  /** The query parameters, percent-decoded once, or the result of the codec. */
  readonly query: Query
  /** The headers by name, ignoring case, or the result of the codec. */
  readonly headers: Headers
  /** The cookies by name, or the result of the codec. */
  readonly cookies: CookieValues
  /**
   * The result of the codec. Without a codec, it is parsed JSON, URLSearchParams of a form, text or bytes, depending on
   * the content type. It is undefined if the request has no body.
   * @throws HttpError 400 for invalid JSON, 413 above the limit
   */
  readonly body: Body
  /** Returns the body as the client sent it. */
  readonly bytes: () => Uint8Array
  /** The address of the client that the first trusted hop wrote into `x-forwarded-for` (`trustedHops`). */
  readonly clientAddress: string | undefined
  /** The protocol between client and load balancer: `http` or `https`. */
  readonly protocol: string
  /** The header `x-cloud-trace-id`, or the invocation id if the request does not have this header. */
  readonly correlationId: string | undefined
  /** Whether this is a health check of the load balancer (docs/contract/load-balancer.md#request.health-check). */
  readonly isHealthCheck: boolean
  readonly event: LoadBalancerEvent
  /** A signal that aborts shortly before the platform ends the invocation. */
  readonly signal: AbortSignal
}

/** Settings for reading requests. */
export interface RequestSettings {
  readonly trustedHops: number
  /** The maximum size of a body in bytes. */
  readonly bodyLimit: number
}

/** The parts of a request that codecs have decoded. They replace the original parts. */
export interface DecodedParts {
  params?: unknown
  query?: unknown
  headers?: unknown
  cookies?: unknown
  body?: unknown
}

/** The parts of a request without codecs. */
const nothing: DecodedParts = {}

/** The value of a part that has not been read. */
const unread = Symbol('unread')

/**
 * A request whose parts are computed when they are first read. It is a class, because a getter on a prototype costs
 * nothing until it is used, and most routes use only two or three of the dozen parts.
 */
export class LazyRequest implements HttpRequest<unknown, unknown, unknown, unknown, unknown> {
  readonly event: LoadBalancerEvent
  readonly context: InvocationContext
  readonly params: unknown
  readonly #invocation: Invocation
  readonly #settings: RequestSettings
  #query: unknown
  #headers: unknown
  #cookies: unknown
  #body: unknown

  /** @param fields the fields that guards have added to the request */
  constructor(
    event: LoadBalancerEvent,
    context: InvocationContext,
    invocation: Invocation,
    settings: RequestSettings,
    params: unknown,
    decoded: DecodedParts = nothing,
    fields?: object,
  ) {
    if (fields !== undefined) Object.assign(this, fields)
    this.event = event
    this.context = context
    this.params = 'params' in decoded ? decoded.params : params
    this.#invocation = invocation
    this.#settings = settings
    this.#query = 'query' in decoded ? decoded.query : unread
    this.#headers = 'headers' in decoded ? decoded.headers : unread
    this.#cookies = 'cookies' in decoded ? decoded.cookies : unread
    this.#body = 'body' in decoded ? decoded.body : unread
  }

  get method(): Method {
    return this.event.httpMethod
  }

  get path(): string {
    return this.event.path
  }

  get query(): unknown {
    if (this.#query === unread) this.#query = queryValues(queryMap(this.event))
    return this.#query
  }

  get headers(): unknown {
    if (this.#headers === unread) this.#headers = headerValues(headerMap(this.event))
    return this.#headers
  }

  get cookies(): unknown {
    if (this.#cookies === unread) this.#cookies = parseCookies(allHeaders(headerMap(this.event), 'cookie'))
    return this.#cookies
  }

  get body(): unknown {
    if (this.#body === unread) this.#body = bodyByType(bodySource(this.event, this.#settings.bodyLimit))
    return this.#body
  }

  get bytes(): () => Uint8Array {
    return () => bodyBytes(bodySource(this.event, this.#settings.bodyLimit))
  }

  get clientAddress(): string | undefined {
    return clientAddress(allHeaders(headerMap(this.event), 'x-forwarded-for'), this.#settings.trustedHops)
  }

  get protocol(): string {
    return allHeaders(headerMap(this.event), 'x-forwarded-proto').at(-1)?.toLowerCase() === 'https'
      ? 'https'
      : 'http'
  }

  get correlationId(): string | undefined {
    // An empty header does not count as an id.
    return firstHeader(headerMap(this.event), 'x-cloud-trace-id') || this.context.requestId
  }

  get isHealthCheck(): boolean {
    const headers = headerMap(this.event)
    const isAgent = firstHeader(headers, 'user-agent')?.startsWith(healthCheckAgent) ?? false
    // The load balancer adds headers to requests of clients, so a client cannot imitate a health check.
    return isAgent && Object.keys(headers).length === 1
  }

  get signal(): AbortSignal {
    return this.#invocation.signal
  }
}

/** Returns whether a name is one of the fields that every request has. */
export function isRequestField(name: string): boolean {
  return name in anyRequest
}

const anyRequest = /* @__PURE__ */ new LazyRequest({} as never, {}, {} as never, {} as never, {})

// docs/contract/load-balancer.md#request.health-check
const healthCheckAgent = 'ELB-HealthChecker/'

/** Returns the header map of an event. Its values are strings or lists of strings. */
export function headerMap(event: LoadBalancerEvent): EventMap {
  return event.multiValueHeaders ?? event.headers ?? {}
}

/**
 * Returns the query parameters of an event. If the event has both maps, they are merged, and the values of the
 * multi-value map have priority.
 */
export function queryMap(event: LoadBalancerEvent): EventMap {
  const { queryStringParameters: single, multiValueQueryStringParameters: multi } = event
  if (!multi) return single ?? {}
  return single ? { ...single, ...multi } : multi
}

/** Returns the parts of an event from which its body is read. */
export function bodySource(event: LoadBalancerEvent, limit: number): BodySource {
  const headers = headerMap(event)
  return {
    event,
    contentType: firstHeader(headers, 'content-type'),
    contentEncoding: firstHeader(headers, 'content-encoding'),
    limit,
  }
}
