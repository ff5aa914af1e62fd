import type { Hint } from '@signalbox/codec'
import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core'
import { isFieldValue, type LoadBalancerEvent, methods } from '../contract/index.ts'
import { type RouteIndex, routesKey } from '../paths/route-index.ts'
import { headerMap } from '../request/http-request.ts'
import { firstHeader } from '../request/values.ts'
import type { Reply, ReplyHeaders } from '../response/reply.ts'
import { withHeaders, withVary } from '../response/reply-headers.ts'
import { serialize } from '../response/serializer.ts'
import { everyReply, type HttpMiddleware, httpMiddleware } from './http-middleware.ts'

/** Options of `cors`. They determine which pages of other origins can read responses. */
export interface CorsOptions {
  /**
   * The allowed origins: exact origins, patterns that must match the whole origin, or a function. `'*'` allows every
   * origin, but browsers refuse it together with `credentials`.
   */
  readonly origins: '*' | readonly (string | RegExp)[] | ((origin: string) => boolean)
  /** Whether requests may carry cookies and other credentials. Default false. */
  readonly credentials?: boolean
  /** Request headers that pages may send. Default: all headers that the browser asks for. */
  readonly headers?: readonly string[]
  /** Response headers that pages may read in addition to the headers that every page can read. */
  readonly exposeHeaders?: readonly string[]
  /** How long a browser may cache the answer to a preflight, in seconds. */
  readonly maxAge?: number
}

const optionNames = [
  'origins',
  'credentials',
  'headers',
  'exposeHeaders',
  'maxAge',
] as const satisfies readonly (keyof CorsOptions)[]

/**
 * Returns the middleware that lets pages of other origins read responses, including errors. It answers preflights with
 * the methods of the path, before any later middleware can refuse them.
 * @example group('/api', [cors({ origins: ['https://shop.example'] })], routes)
 * @throws InvalidOptionError for an unknown option, missing or invalid origins, or `'*'` with credentials
 */
export function cors(options: CorsOptions): HttpMiddleware
/**
 * Makes a call without origins fail to compile: the result is not a middleware, and the compile error says what to
 * write.
 */
export function cors(): Hint<"write cors({ origins: ['https://shop.example'] }), or '*' for every origin">
export function cors(options?: CorsOptions): unknown {
  check(options)
  const { origins, credentials = false, headers, exposeHeaders = [], maxAge } = options
  const isAllowed = matcherOf(origins)
  const isOpen = origins === '*'

  const permissions = (origin: string): ReplyHeaders => ({
    'access-control-allow-origin': isOpen ? '*' : origin,
    'access-control-allow-credentials': credentials ? 'true' : undefined,
  })
  const addHeaders = (reply: Reply, event: LoadBalancerEvent): Reply => {
    // Without Vary, a shared cache would serve the response for one origin to all other origins.
    const varied = isOpen ? reply : withVary(reply, 'origin')
    const origin = sent(event, 'origin')
    if (origin === undefined || !isAllowed(origin)) return varied
    const exposed = exposeHeaders.length > 0 ? exposeHeaders.join(', ') : undefined
    return withHeaders(varied, { ...permissions(origin), 'access-control-expose-headers': exposed })
  }
  const preflight = (event: LoadBalancerEvent, allow: string): Reply => {
    const origin = sent(event, 'origin')!
    const reply = withVary(
      { statusCode: 204, headers: { allow } },
      ...(isOpen ? [] : ['origin']),
      'access-control-request-method',
      'access-control-request-headers',
    )
    if (!isAllowed(origin)) return reply
    const requested = sent(event, 'access-control-request-headers')
    return withHeaders(reply, {
      ...permissions(origin),
      'access-control-allow-methods': allow,
      'access-control-allow-headers': headers ? headers.join(', ') : requested,
      'access-control-max-age': maxAge,
    })
  }
  return httpMiddleware('cors', {
    before: ({ event, internal }) => {
      if (!isPreflight(event)) return undefined
      const routes = internal[routesKey] as RouteIndex<unknown> | undefined
      const allowed = routes?.allowed(event.path) ?? methods
      // An unknown path is still answered with 404. In a middy stack, an early answer skips the serializer, so the
      // preflight is serialized here.
      if (allowed.length === 0) return undefined
      return serialize(preflight(event, allowed.join(', ')), event)
    },
    ...everyReply(addHeaders),
  })
}

// Returns a header value of the request, but only if a response header can carry it, because the response echoes the
// value.
function sent(event: LoadBalancerEvent, name: string): string | undefined {
  const value = firstHeader(headerMap(event), name)
  return value !== undefined && isFieldValue(value) ? value : undefined
}

function isPreflight(event: LoadBalancerEvent): boolean {
  if (event.httpMethod !== 'OPTIONS') return false
  return sent(event, 'origin') !== undefined && sent(event, 'access-control-request-method') !== undefined
}

function matcherOf(origins: CorsOptions['origins']): (origin: string) => boolean {
  if (origins === '*') return () => true
  // The result is compared with `true`, because a promise is truthy and would allow every origin.
  if (typeof origins === 'function') return origin => origins(origin) === true
  const exact = new Set(origins.filter(each => typeof each === 'string'))
  // The patterns are anchored. Otherwise a pattern for `https://shop.example` would allow
  // `https://shop.example.evil.test`.
  const patterns = origins
    .filter(each => each instanceof RegExp)
    .map(({ source, flags }) => new RegExp(`^(?:${source})$`, flags.replace(/[gy]/g, '')))
  return origin => exact.has(origin) || patterns.some(pattern => pattern.test(origin))
}

function check(options: CorsOptions | undefined): asserts options is CorsOptions {
  const invalid = (why: string) => new InvalidOptionError(`cors(): ${why}`)
  const missing =
    "origins are missing. Write cors({ origins: ['https://shop.example'] }), or '*' for every origin"
  if (options === undefined) throw invalid(missing)
  refuseUnknownOptions('cors()', options, optionNames)
  const { origins, credentials, maxAge } = options
  if (origins === '*' && credentials === true) {
    throw invalid("browsers refuse credentials for the origins '*': name the origins")
  }
  if (origins === undefined || (Array.isArray(origins) && origins.length === 0)) throw invalid(missing)
  if (origins !== '*' && typeof origins !== 'function' && !Array.isArray(origins))
    throw invalid(`origins is ${JSON.stringify(origins)}, expected a list, a function, or '*'`)
  for (const origin of Array.isArray(origins) ? origins : []) {
    const why = reasonAgainst(origin)
    if (why !== undefined) throw invalid(why)
  }
  if (maxAge !== undefined && !(Number.isInteger(maxAge) && maxAge >= 0)) {
    throw invalid(`maxAge is ${maxAge}, expected seconds`)
  }
}

/** Returns why an entry of `origins` never matches an origin that a browser sends, or undefined if it can. */
function reasonAgainst(origin: unknown): string | undefined {
  if (origin instanceof RegExp) {
    // A pattern of letters, dots and hyphens matches a host name, which is only a part of an origin.
    if (!/^\^?(?:\w|-|\\[.-])+\$?$/.test(origin.source)) return undefined
    return `${origin} never matches a whole origin: write ${new RegExp(`https://${origin.source.replace(/^\^/, '')}`)}`
  }
  if (typeof origin !== 'string' || origin === 'null') return undefined
  const isNotOrigin = `${JSON.stringify(origin)} is not an origin`
  if (origin === '*') return `${isNotOrigin}: write origins: '*', without a list`
  if (origin.includes('*')) {
    const pattern = origin.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]+')
    return `${isNotOrigin}: write a pattern, such as ${new RegExp(pattern)}`
  }
  const url = URL.parse(origin)
  // The origin of an address with a scheme of an app, such as capacitor://localhost, is `null` for URL. Browsers and web
  // views send the scheme and the host.
  if (
    url?.origin === origin ||
    (url?.origin === 'null' && /^(?!file:)[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/.test(origin))
  )
    return undefined
  const isWeb = url !== null && /^https?:$/.test(url.protocol)
  return `${isNotOrigin}: ${isWeb ? `write "${url.origin}"` : 'such as "https://shop.example"'}`
}
