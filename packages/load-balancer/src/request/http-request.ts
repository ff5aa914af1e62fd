import type { Invocation, InvocationContext } from '@signalbox/core'
import type { LoadBalancerEvent, Method } from '../contract/index.ts'
import { type BodySource, bodyByType, bodyBytes } from './body.ts'
import { clientAddress } from './client-address.ts'
import { type Cookies, parseCookies } from './cookies.ts'
import { queryValues } from './query-values.ts'
import { allHeaders, type EventMap, firstHeader, headerValues, type Values } from './values.ts'
import { webRequest } from './web-request.ts'

/**
 * The request that a route gets, with the same fields in both header modes. Each field except `params` is computed when it
 * is first read, so destructure only what you need: `({ params, body }) => …`. Methods work when destructured.
 */
export interface HttpRequest<
  Params = unknown,
  Query = Values,
  Headers = Values,
  Body = unknown,
  CookieValues = Cookies,
> {
  readonly method: Method
  /** The path as it was sent, not decoded. */
  readonly path: string
  /** The parameters of the route's path, percent-decoded once, or as the codec decodes them. */
  readonly params: Params
  /** The query, percent-decoded once, or as the codec decodes it. */
  readonly query: Query
  /** Headers, by names in any case, or as the codec decodes them. */
  readonly headers: Headers
  /** By name, or as the codec decodes them. */
  readonly cookies: CookieValues
  /**
   * The body as the codec decodes it. Without a codec: parsed JSON, URLSearchParams of a form, text or bytes, by its
   * content type; undefined without a body.
   * @throws HttpError 400 for invalid JSON, 413 above the limit
   */
  readonly body: Body
  /** The body as it was sent. */
  readonly bytes: () => Uint8Array
  /** The client's address from `x-forwarded-for`, as the first trusted hop wrote it (`trustedHops`). */
  readonly clientAddress: string | undefined
  /** The protocol between client and load balancer: `http` or `https`. */
  readonly protocol: string
  /** `x-cloud-trace-id`, or else the invocation's own id. */
  readonly correlationId: string | undefined
  /** Whether the load balancer checks the function's health (docs/contract/load-balancer.md#request.health-check). */
  readonly isHealthCheck: boolean
  readonly event: LoadBalancerEvent
  /** Aborts shortly before the platform ends the invocation. */
  readonly signal: AbortSignal
  /**
   * The request as the web's own `Request`.
   * @throws HttpError 400 for a path with dot segments, which a URL cannot hold as it is
   */
  readonly toWebRequest: () => Request
}

/** How requests are read. */
export interface RequestSettings {
  readonly trustedHops: number
  /** The maximum size of a body in bytes. */
  readonly bodyLimit: number
}

/** The parts of a request that codecs have decoded. They replace the raw parts. */
export interface DecodedParts {
  params?: unknown
  query?: unknown
  headers?: unknown
  cookies?: unknown
  body?: unknown
}

/**
 * Computes each part of a request when it is first read. A class, because getters on a prototype cost nothing until then,
 * and a route reads two or three of a dozen parts.
 */
export class LazyRequest implements HttpRequest<unknown, unknown, unknown, unknown, unknown> {
  readonly event: LoadBalancerEvent
  readonly context: InvocationContext
  readonly params: unknown
  readonly #invocation: Invocation
  readonly #settings: RequestSettings
  readonly #decoded: DecodedParts | undefined
  #read: ReadParts | undefined

  /** @param fields what guards have added to the request */
  constructor(
    event: LoadBalancerEvent,
    context: InvocationContext,
    invocation: Invocation,
    settings: RequestSettings,
    params: unknown,
    decoded?: DecodedParts,
    fields?: object,
  ) {
    if (fields !== undefined) Object.assign(this, fields)
    this.event = event
    this.context = context
    this.params = decoded !== undefined && 'params' in decoded ? decoded.params : params
    this.#invocation = invocation
    this.#settings = settings
    this.#decoded = decoded
  }

  get method(): Method {
    return this.event.httpMethod
  }

  get path(): string {
    return this.event.path
  }

  get query(): unknown {
    if (this.#decoded !== undefined && 'query' in this.#decoded) return this.#decoded.query
    const read = this.#parts()
    read.query ??= queryValues(queryMap(this.event))
    return read.query
  }

  get headers(): unknown {
    if (this.#decoded !== undefined && 'headers' in this.#decoded) return this.#decoded.headers
    const read = this.#parts()
    read.headers ??= headerValues(headerMap(this.event))
    return read.headers
  }

  get cookies(): unknown {
    if (this.#decoded !== undefined && 'cookies' in this.#decoded) return this.#decoded.cookies
    const read = this.#parts()
    read.cookies ??= parseCookies(allHeaders(headerMap(this.event), 'cookie'))
    return read.cookies
  }

  get body(): unknown {
    if (this.#decoded !== undefined && 'body' in this.#decoded) return this.#decoded.body
    const read = this.#parts()
    read.body ??= { content: bodyByType(bodySource(this.event, this.#settings.bodyLimit)) }
    return read.body.content
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
    return firstHeader(headerMap(this.event), 'x-cloud-trace-id') ?? this.context.requestId
  }

  get isHealthCheck(): boolean {
    const headers = headerMap(this.event)
    const isAgent = firstHeader(headers, 'user-agent')?.startsWith(healthCheckAgent) ?? false
    // The load balancer adds headers to what clients send, so a client cannot imitate a health check.
    return isAgent && Object.keys(headers).length === 1
  }

  get signal(): AbortSignal {
    return this.#invocation.signal
  }

  get toWebRequest(): () => Request {
    return () =>
      webRequest({
        event: this.event,
        headers: headerMap(this.event),
        query: queryMap(this.event),
        protocol: this.protocol,
        signal: this.signal,
        bytes: this.bytes,
      })
  }

  #parts(): ReadParts {
    this.#read ??= { query: undefined, headers: undefined, cookies: undefined, body: undefined }
    return this.#read
  }
}

/** Returns whether every request has a field of this name. */
export function isRequestField(name: string): boolean {
  return name in LazyRequest.prototype || name === 'event' || name === 'context' || name === 'params'
}

/** The parts that were computed already. */
interface ReadParts {
  query: Values | undefined
  headers: Values | undefined
  cookies: Cookies | undefined
  body: { readonly content: unknown } | undefined
}

// docs/contract/load-balancer.md#request.health-check
const healthCheckAgent = 'ELB-HealthChecker/'

/** Returns the header map of an event, in either mode. */
export function headerMap(event: LoadBalancerEvent): EventMap {
  return event.multiValueHeaders ?? event.headers ?? {}
}

/** Returns the parameters of an event, in either mode. With both maps, the multi-value one wins for names in both. */
export function queryMap(event: LoadBalancerEvent): EventMap {
  const { queryStringParameters: single, multiValueQueryStringParameters: multi } = event
  if (!multi) return single ?? {}
  return single ? { ...single, ...multi } : multi
}

/** Returns the parts of an event that its body is read from. */
export function bodySource(event: LoadBalancerEvent, limit: number): BodySource {
  const headers = headerMap(event)
  return {
    event,
    contentType: firstHeader(headers, 'content-type'),
    contentEncoding: firstHeader(headers, 'content-encoding'),
    limit,
  }
}
