import { InvalidOptionError, type Middleware, named, type Request } from '@signalbox/core'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { inMultiValueMode } from '../contract/mode.ts'
import { loadBalancerFamily } from '../family.ts'
import { isOwn } from './http-middleware.ts'

/** Matches the hook names of the middy middlewares that cannot be used here. */
const refused = /^http(?:Cors|SecurityHeaders)MiddlewareAfter$|^httpUrlencodePathParserMiddlewareBefore$/

/** Matches the hook names of middy's HTTP middlewares. They would change the responses to events of other families. */
const forRequests = /^http[A-Z][A-Za-z]*Middleware(?:Before|After|OnError)$/

/** Returns an error text that names the middleware with this hook, and its replacement. */
function instead(hook: string): string {
  if (hook.startsWith('httpCors')) return 'http-cors adds nothing to errors. Use cors()'
  return hook.startsWith('httpSecurity')
    ? 'http-security-headers adds nothing to errors. Use securityHeaders()'
    : 'http-urlencode-path-parser is not needed: `params` are decoded'
}

/**
 * Makes a middleware work with single-value and multi-value headers. Most HTTP middlewares read only
 * single-value headers. With multi-value headers, they also get a map with the last value of each name. In a handler
 * for several families, middy's HTTP middlewares run only for requests.
 * @throws InvalidOptionError, except in production, for a middleware of middy that cannot be used here; the message names
 * the replacement
 */
export function adaptMiddleware(middleware: Middleware): Middleware {
  if (isOwn(middleware)) return middleware
  const hooks = ['before', 'after', 'onError'] as const
  const adapted: { -readonly [When in keyof Middleware]: Middleware[When] } = { ...middleware }
  for (const when of hooks) {
    const hook = middleware[when] as ((request: Request) => unknown) | undefined
    if (!hook) continue
    if (process.env.NODE_ENV !== 'production' && refused.test(hook.name))
      throw new InvalidOptionError(`@middy/${instead(hook.name)}.`)
    const onlyRequests = forRequests.test(hook.name)
    adapted[when] = named(hook.name, (request: Request) => {
      if (!loadBalancerFamily.recognizes(request.event)) return onlyRequests ? undefined : hook(request)
      showSingleMaps(request.event as LoadBalancerEvent)
      return when === 'onError' ? keepingErrors(request, hook) : hook(request)
    })
  }
  return adapted
}

/**
 * Runs an `onError` hook. An error of the hook becomes the error of the request, so that later hooks turn it into an
 * answer. Otherwise middy would end the invocation.
 */
function keepingErrors(request: Request, hook: (request: Request) => unknown): unknown {
  const keep = (error: unknown): void => {
    request.error = error
  }
  try {
    const result = hook(request)
    return result instanceof Promise ? result.catch(keep) : result
  } catch (error) {
    return keep(error)
  }
}

/** Adds single-value maps, with the last value of each name, to an event with multi-value headers. */
export function showSingleMaps(event: LoadBalancerEvent): void {
  if (!inMultiValueMode(event)) return
  show(event, 'headers', event.multiValueHeaders)
  show(event, 'queryStringParameters', event.multiValueQueryStringParameters)
}

function show(event: LoadBalancerEvent, name: 'headers' | 'queryStringParameters', lists: unknown): void {
  if ((event[name] !== undefined && event[name] !== null) || !Object.isExtensible(event)) return
  const last = Object.entries(lists ?? {}).flatMap(([key, values]) =>
    Array.isArray(values) && values.length > 0 ? [[key, values.at(-1)]] : [],
  )
  // The map is not enumerable, because loggers that omit secrets by path would log the secrets in this second copy.
  Object.defineProperty(event, name, {
    value: Object.fromEntries(last),
    configurable: true,
    enumerable: false,
    writable: true,
  })
}
