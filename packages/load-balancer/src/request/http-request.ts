import type { Invocation, InvocationContext } from '@signalbox/core'
import type { LoadBalancerEvent, Method } from '../contract/index.ts'
import { type BodySource, bodyByType, bodyBytes } from './body.ts'
import { clientAddress } from './client-address.ts'
import { type Cookies, parseCookies } from './cookies.ts'
import { queryValues } from './query-values.ts'
import { allHeaders, type EventMap, firstHeader, headerValues, type Values } from './values.ts'
import { webRequest } from './web-request.ts'

/**
 * What a route is given: one shape for both modes. Everything but `params` is worked out when it is first read, so
 * take what you need, `({ params, body }) => …`; methods may be taken like this too.
 */
export interface HttpRequest<Params = unknown, Query = Values, Headers = Values, Body = unknown> {
  readonly method: Method
  /** The path as it was sent, not decoded. */
  readonly path: string
  /** The parameters of the route's path, percent-decoded once; or what the codec makes of them. */
  readonly params: Params
  /** The query, percent-decoded once; or what the codec makes of it. */
  readonly query: Query
  /** Headers, whatever the case of their names; or what the codec makes of them. */
  readonly headers: Headers
  readonly cookies: Cookies
  /**
   * What the codec makes of the body. Without one: parsed JSON, URLSearchParams of a form, text or bytes, as the
   * content type says, and undefined when there is none.
   * @throws HttpError 400 for what is no JSON, 413 above the limit
   */
  readonly body: Body
  /** The body as it was sent. */
  readonly bytes: () => Uint8Array
  /** From `x-forwarded-for`, as the last hop saw it that is trusted (`trustedHops`). */
  readonly clientAddress: string | undefined
  /** What the client spoke with the load balancer: `http` or `https`. */
  readonly protocol: string
  /** `x-cloud-trace-id`, or else the invocation's own id. */
  readonly correlationId: string | undefined
  /** Whether it is the load balancer that asks, to see whether the function is well. */
  readonly isHealthCheck: boolean
  readonly event: LoadBalancerEvent
  /** Aborted shortly before the platform would end the invocation. */
  readonly signal: AbortSignal
  /**
   * The request as the web's own `Request`.
   * @throws HttpError 400 for a path with dot segments, which a URL cannot hold as it is
   */
  readonly toWebRequest: () => Request
}

/** What requests need to know of the handler they come to. */
export interface RequestSettings {
  readonly trustedHops: number
  /** Bytes that a body may have. */
  readonly bodyLimit: number
}

/** What codecs made of parts of a request, to stand in their place. */
export interface DecodedParts {
  params?: unknown
  query?: unknown
  headers?: unknown
  body?: unknown
}

// A class, because getters on a prototype cost nothing until they are read: one is made for every request, and of
// its dozen parts a route reads two or three.
export class LazyRequest implements HttpRequest<unknown, unknown, unknown, unknown> {
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

  get cookies(): Cookies {
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
    // What a client sends has headers of the load balancer's, whatever the client says it is.
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

/** Whether every request has a field of this name. */
export function isRequestField(name: string): boolean {
  return name in LazyRequest.prototype || name === 'event' || name === 'context' || name === 'params'
}

/** What was read already. */
interface ReadParts {
  query: Values | undefined
  headers: Values | undefined
  cookies: Cookies | undefined
  body: { readonly content: unknown } | undefined
}

// Contract D, health checks; extension.
const healthCheckAgent = 'ELB-HealthChecker/'

/** The header map of the mode that an event is in. */
export function headerMap(event: LoadBalancerEvent): EventMap {
  return event.multiValueHeaders ?? event.headers ?? {}
}

/** The parameters of an event. Should it have both maps, the one with every value counts for names in both. */
export function queryMap(event: LoadBalancerEvent): EventMap {
  const { queryStringParameters: single, multiValueQueryStringParameters: multi } = event
  if (!multi) return single ?? {}
  return single ? { ...single, ...multi } : multi
}

/** Where the body of an event is read from. */
export function bodySource(event: LoadBalancerEvent, limit: number): BodySource {
  const headers = headerMap(event)
  return {
    event,
    contentType: firstHeader(headers, 'content-type'),
    contentEncoding: firstHeader(headers, 'content-encoding'),
    limit,
  }
}
