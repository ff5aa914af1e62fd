import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core/base'
import { type LoadBalancerEvent, type Method, methods, requestEvent } from '../contract/index.ts'

/** The parts of a request besides its method and path. */
export interface HttpEventOptions {
  /** Whether multi-value headers are enabled on the target group. Off by default. */
  readonly multiValue?: boolean
  /**
   * Headers by name. A list means several header lines. These headers are added to the default headers, such as `host`,
   * or replace them.
   */
  readonly headers?: { readonly [name: string]: string | readonly string[] }
  /** Parameters by name, which are percent-encoded, or the text after the question mark, which is not changed. */
  readonly query?: string | { readonly [name: string]: string | readonly string[] }
  /**
   * The body. Text and bytes are sent unchanged, URLSearchParams as a form, and other values as JSON. `content-type` is
   * set if it is missing.
   */
  readonly body?: unknown
  readonly targetGroupArn?: string
}

const optionNames = ['multiValue', 'headers', 'query', 'body', 'targetGroupArn'] as const

const usualHeaders = {
  host: 'shop.example',
  'user-agent': 'signalbox-testing',
  'x-cloud-trace-id': 'Root=1-5c536348-3d683b8b04734faae651f476',
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-port': '443',
  'x-forwarded-proto': 'https',
}

/**
 * Makes the event for a request, as a load balancer does. The path is not changed, and can have a query after a
 * question mark.
 * @example httpEvent('POST', '/orders', { body: { item: 'widget', quantity: 2 }, multiValue: true })
 * @throws InvalidOptionError for an unknown option, an unknown method, or a path that does not begin with a slash
 */
export function httpEvent(method: Method, path: string, options: HttpEventOptions = {}): LoadBalancerEvent {
  if (!methods.includes(method))
    throw new InvalidOptionError(`httpEvent(): ${JSON.stringify(method)} is not one of ${methods.join(', ')}`)
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw new InvalidOptionError(`httpEvent(): the path ${JSON.stringify(path)} does not begin with a slash`)
  refuseUnknownOptions('httpEvent()', options, optionNames)
  const {
    multiValue = false,
    headers = {},
    query,
    body,
    targetGroupArn = 'arn:cloud:balancer:region-1:123456789012:targetgroup/shop/49e9d65c45c6791a',
  } = options
  const { bytes, type } = bodyOf(body)
  const own = lines(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const unset = (name: string) => own.every(([known]) => known !== name)
  const defaults = { ...usualHeaders, ...(type === undefined ? {} : { 'content-type': type }) }
  const question = path.indexOf('?')
  return requestEvent(
    {
      method,
      path: question < 0 ? path : path.slice(0, question),
      query: queryOf(query) ?? (question < 0 ? '' : path.slice(question + 1)),
      headers: [...Object.entries(defaults).filter(([name]) => unset(name)), ...own],
      ...(bytes ? { body: bytes } : {}),
    },
    { targetGroupArn, multiValue },
  )
}

function bodyOf(body: unknown): { bytes?: Uint8Array; type?: string } {
  if (body === undefined) return {}
  if (typeof body === 'string') return { bytes: Buffer.from(body), type: 'text/plain; charset=utf-8' }
  if (body instanceof Uint8Array) return { bytes: body, type: 'application/octet-stream' }
  if (body instanceof URLSearchParams) {
    return { bytes: Buffer.from(body.toString()), type: 'application/x-www-form-urlencoded' }
  }
  return { bytes: Buffer.from(JSON.stringify(body)), type: 'application/json' }
}

function queryOf(query: HttpEventOptions['query']): string | undefined {
  if (query === undefined || typeof query === 'string') return query
  return lines(query)
    .map(pair => pair.map(encodeURIComponent).join('='))
    .join('&')
}

function lines(map: { readonly [name: string]: string | readonly string[] }): (readonly [string, string])[] {
  return Object.entries(map).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((each): readonly [string, string] => [name, each]),
  )
}
