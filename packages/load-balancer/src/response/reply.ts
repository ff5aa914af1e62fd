import { type Hint, kindOf, nearest } from '@signalbox/codec'
import { isThenable, showOption } from '@signalbox/core'
import { jsonText } from './json-text.ts'

/**
 * Response headers. Values that are null or undefined are omitted, numbers and booleans become strings, and a list means
 * several values.
 */
export interface ReplyHeaders {
  readonly [name: string]: HeaderValue | readonly HeaderValue[] | null | undefined
}

type HeaderValue = string | number | boolean

/**
 * A response before serialization: the result of functions such as `json`, or a plain response of the contract
 * (docs/contract/load-balancer.md#response.statusCode). The serializer encodes bytes as Base64 and adds missing fields.
 */
export interface Reply {
  readonly statusCode: number
  /** The status with a reason phrase, such as `200 OK`. Default: the status with its standard phrase. */
  readonly statusDescription?: string | undefined
  readonly headers?: ReplyHeaders | null | undefined
  readonly multiValueHeaders?: ReplyHeaders | null | undefined
  readonly body?: string | Uint8Array | null | undefined
  /** Whether a string body is already encoded as Base64. */
  readonly isBase64Encoded?: boolean | undefined
}

/**
 * What a reply sends, for the compiler to compare with `returns`. It exists only as a type. A reply without it, such as
 * one that is written by hand, is compared at run time only.
 */
export interface Sends<Status extends number, Body> {
  readonly sends?: { readonly status: Status; readonly body: AsJson<Body> }
}

/** The type of a value after `JSON.stringify` and `JSON.parse`. */
type AsJson<T> = T extends { toJSON(): infer Json }
  ? AsJson<Json>
  : T extends string | number | boolean | null | undefined
    ? T
    : { readonly [K in keyof T]: AsJson<T[K]> }

/** The values that a route can return. */
export type Answer = Reply | Response

/** Returns whether a value is a reply or a web `Response`. */
export function isAnswer(value: unknown): value is Answer {
  if (typeof value !== 'object' || value === null) return false
  // `Response` is tested last, because Node loads its whole Fetch API at the first use of that name.
  return 'statusCode' in value || value instanceof Response
}

/** Options of the functions that return replies, such as `json`. */
export interface ReplyInit<S extends number = number> {
  /** The status. Default 200. */
  readonly status?: S
  readonly headers?: ReplyHeaders
}

/**
 * A value that JSON can represent. A promise or a function is probably a forgotten `await` or call, so the compile
 * error shows a hint, as it does for a Map or a Set, which JSON would show as `{}`.
 */
export type Sendable<T> =
  T extends PromiseLike<unknown>
    ? 'write json(await …)'
    : T extends undefined | bigint | symbol | ((...args: never) => unknown)
      ? 'a value that JSON can carry'
      : T extends { readonly size: number; [Symbol.iterator](): unknown }
        ? T extends { toJSON(): unknown }
          ? T
          : T extends ReadonlyMap<infer _Key, infer _Value>
            ? 'write json(Object.fromEntries(…))'
            : 'write json([...…])'
        : T

/**
 * Returns a JSON reply.
 * @example get('/orders/{id}', async ({ params }) => json(await find(params.id)))
 * @throws TypeError for a promise and for undefined. Except in production, also for a Map, a Set or an Error, which JSON would
 * show as `{}`, and for an unknown option
 */
export function json<const T, S extends number = 200>(
  value: Sendable<T>,
  init?: ReplyInit<S> | Hint<'write { status: 404 }'>,
): Reply & Sends<NoInfer<S>, T> {
  if (isThenable(value)) throw new TypeError('json() got a promise: write json(await …)')
  return reply(init, 'application/json; charset=utf-8', jsonText(value, 'json()'))
}

/**
 * Returns a plain-text reply.
 * @example get('/health', () => text('ok'))
 */
export function text(content: string, init?: ReplyInit | Hint<'write { status: 404 }'>): Reply {
  return reply(init, 'text/plain; charset=utf-8', content)
}

/**
 * Returns an HTML reply. The markup is sent as it is, without escaping.
 * @example html('<h1>Orders</h1>')
 */
export function html(markup: string, init?: ReplyInit | Hint<'write { status: 404 }'>): Reply {
  return reply(init, 'text/html; charset=utf-8', markup)
}

/**
 * Returns a binary reply, whose type is `application/octet-stream` unless `init` has a `content-type`.
 * @example bytes(image, { headers: { 'content-type': 'image/png' } })
 */
export function bytes(content: Uint8Array, init?: ReplyInit | Hint<'write { status: 404 }'>): Reply {
  return reply(init, 'application/octet-stream', content)
}

/**
 * Returns a file for the client to save. The name can contain any characters.
 * @example file(report, 'Größen 2026.csv')
 * @throws TypeError for a name that is not text
 */
export function file(
  content: Uint8Array | string,
  name: string,
  init?: ReplyInit | Hint<'write { status: 404 }'>,
): Reply {
  if (typeof name !== 'string')
    throw new TypeError(`file(): the name is ${kindOf(name)}, expected text such as 'report.csv'`)
  const { headers, ...rest } = (init ?? {}) as ReplyInit
  if (process.env.NODE_ENV !== 'production') refuseIterable(headers)
  return bytes(content as Uint8Array, {
    ...rest,
    headers: { 'content-disposition': attachment(name), ...headers },
  })
}

/**
 * Returns a redirect, with the status 302 by default.
 * @example redirect('/sign-in', 303)
 * @throws TypeError for a location that is not text, and for another status
 */
export function redirect(location: string, status: 301 | 302 | 303 | 307 | 308 = 302): Reply {
  if (process.env.NODE_ENV !== 'production') checkRedirect(location, status)
  // Characters that a header cannot contain are percent-encoded. Existing escapes do not change.
  return {
    statusCode: status,
    headers: { location: location.replace(/[^!-~]+/gu, part => encodeURIComponent(part.toWellFormed())) },
  }
}

/**
 * Returns a 201 with the location of the new resource. If the resource is given, it is sent as JSON.
 * @example created(`/orders/${order.id}`, order)
 */
export function created<const T = null>(
  location: string,
  value?: Sendable<T>,
  init?: Omit<ReplyInit, 'status'>,
): Reply & Sends<201, T> {
  refuseUnknown?.(init, ['headers'])
  const { headers } = redirect(location)
  const withLocation = { status: 201, headers: { ...headers, ...init?.headers } }
  return value === undefined
    ? { statusCode: 201, headers: withLocation.headers }
    : (json(value as never, withLocation) as never)
}

/**
 * Returns a 204 without a body.
 * @example del('/orders/{id}', async ({ params }) => { await cancel(params.id); return noContent() })
 */
export function noContent(init?: Omit<ReplyInit, 'status'>): Reply & Sends<204, null> {
  refuseUnknown?.(init, ['headers'])
  return { statusCode: 204, headers: init?.headers }
}

function reply(
  options: ReplyInit | Hint<string> | undefined,
  type: string,
  body: string | Uint8Array,
): Reply {
  if (body === undefined || body === null)
    throw new TypeError(`The content of a reply is ${kindOf(body)}, expected text or bytes`)
  if (options === undefined) return { statusCode: 200, headers: { 'content-type': type }, body }
  if (typeof options !== 'object' || options === null)
    throw new TypeError(
      `The options of a reply are ${JSON.stringify(options)}, expected an object such as { status: 404 }`,
    )
  refuseUnknown?.(options as ReplyInit, initNames)
  const init = options as ReplyInit
  return { statusCode: init.status ?? 200, headers: { 'content-type': type, ...init.headers }, body }
}

const initNames = ['status', 'headers'] as const satisfies readonly (keyof ReplyInit)[]

// The compiler reports these mistakes, so they are not looked for in production. NODE_ENV is read once, because each
// reading takes as long as the check.
const refuseUnknown = process.env.NODE_ENV === 'production' ? undefined : refuseUnknownIn

function refuseUnknownIn(options: ReplyInit | undefined, known: readonly string[]): void {
  refuseIterable(options?.headers)
  for (const name in options) {
    if (known.includes(name)) continue
    const meant = nearest(name, known)
    const hint = meant === undefined ? `The options are ${known.join(' and ')}.` : `Did you mean ${meant}?`
    throw new TypeError(`A reply has no option ${JSON.stringify(name)}. ${hint}`)
  }
}

/** Throws a TypeError for headers in a Map or in web `Headers`, because copying them as an object would lose them. */
export function refuseIterable(headers: unknown): void {
  if (typeof (headers as Partial<Iterable<unknown>> | undefined)?.[Symbol.iterator] !== 'function') return
  throw new TypeError(
    'The headers of a reply are a list, a Map or Headers, expected a plain object: write Object.fromEntries(headers)',
  )
}

function checkRedirect(location: unknown, status: number): void {
  if (typeof location !== 'string')
    throw new TypeError(`The location of a redirect or a new resource is ${kindOf(location)}, expected text`)
  if (![301, 302, 303, 307, 308].includes(status))
    throw new TypeError(`redirect(): status is ${showOption(status)}, expected 301, 302, 303, 307 or 308`)
}

// Returns a `content-disposition` with a plain file name for old clients, and the real name for all other clients (RFC
// 6266).
function attachment(name: string): string {
  const plain = name.replace(/[^ -~]|["\\%/]/gu, '_')
  const real = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return plain === name
    ? `attachment; filename="${plain}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${real}`
}

/**
 * Returns the body of a reply as the bytes that are sent.
 * @throws TypeError for a body that is neither text nor bytes
 */
export function replyBytes({ body, isBase64Encoded }: Reply): Uint8Array {
  if (body instanceof Uint8Array) return body
  // Buffer would take the items of a list as bytes.
  if (typeof (body ?? '') !== 'string')
    throw new TypeError(`The body of the reply is ${kindOf(body)}, expected text or bytes`)
  return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8')
}
