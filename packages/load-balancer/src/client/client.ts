import type { Declared, Returns, WireOf } from '../routing/declared.ts'
import type { DeclaredIn } from '../routing/group.ts'
import type { PathParams } from '../routing/path-params.ts'
import type { Status } from './status.ts'

/** Options of `client`: the URL of the API, and settings for all requests. */
export interface ClientOptions {
  /** The URL of the API, such as `https://api.example.com` or `https://example.com/api`. */
  readonly baseUrl: string
  /** The headers of every request, or a function that returns them, for example with a token that expires. */
  readonly headers?: Sent | (() => Sent | Promise<Sent>)
  /** Sends a request. Default: the `fetch` of the runtime. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

interface Sent {
  readonly [name: string]: string
}

/**
 * The functions that call the routes of an API. Each function has the name of the function that makes the route, such
 * as `get`. Its first argument is the path of the route.
 */
export type Client<Routes> = {
  readonly [M in keyof MethodNames]: Call<ByPath<DeclaredIn<Routes>, MethodNames[M]>>
}

/**
 * The declared types of the routes for a method, by path. If each call searched all routes, compiling would
 * take quadratic time.
 */
type ByPath<D extends Declared, M> = {
  readonly [Each in Extract<D, { readonly method: M }> as Each['path']]: Each
}

type Call<T> = <P extends keyof T & string>(
  path: P,
  ...input: InputOf<T[P]>
) => Promise<AnswerOf<ReturnsOf<T[P]>>>

type ReturnsOf<D> = D extends Declared ? D['returns'] : never

interface MethodNames {
  readonly get: 'GET'
  readonly post: 'POST'
  readonly put: 'PUT'
  readonly patch: 'PATCH'
  readonly del: 'DELETE'
  readonly head: 'HEAD'
  readonly options: 'OPTIONS'
}

/** The input of a call. It is optional when no part of it is required. */
type InputOf<D> = D extends Declared
  ? Record<never, never> extends Input<D>
    ? [input?: Input<D>]
    : [input: Input<D>]
  : never

type Input<D extends Declared> = Part<'params', ParamsOf<D['path']>> &
  Part<'query', QueryOf<D['query']>> &
  Part<'headers', unknown extends D['headers'] ? Partial<Sent> : D['headers']> &
  Part<'body', D['body']> & {
    /** Aborts the call. */
    readonly signal?: AbortSignal
  }

/** A part of the input. It is required if it has required fields. */
type Part<Name extends string, Value> =
  Record<never, never> extends Value
    ? { readonly [N in Name]?: Value }
    : unknown extends Value
      ? { readonly [N in Name]?: Value }
      : { readonly [N in Name]: Value }

type ParamsOf<P extends string> = { readonly [Name in keyof PathParams<P>]: QueryValue }

type QueryOf<Query> = unknown extends Query
  ? { readonly [name: string]: QueryValue | readonly QueryValue[] | undefined }
  : Query

type QueryValue = string | number | boolean | bigint | Date

/** An answer. The type of its body depends on its status. */
export type AnswerOf<R> = [R] extends [never]
  ? Answered<Status, unknown>
  :
      | { [S in keyof R & number]: Answered<S, R extends Returns ? WireOf<R[S]> : never> }[keyof R & number]
      | Answered<Exclude<Status, keyof R>, unknown>

/** An answer with one status. */
export interface Answered<S, Body> {
  readonly status: S
  /** The parsed JSON body, the text of a body that is not JSON, or undefined if there is no body. */
  readonly body: Body
  readonly headers: Headers
}

/**
 * Returns a client whose calls are typed by the routes of an API. The client needs only the types of the routes, not
 * their code. A wrong path is a compile error, and so are parameters, a query, headers or a body that do not fit the
 * route. An answer has one of the statuses that the route declares in `returns`, with the declared body, or another
 * status with an unknown body. The client does not check answers.
 *
 * A date is sent in ISO format, and each value of a list on its own. A name whose value is undefined is left out.
 *
 * Each call throws TypeError for a parameter that no path can contain, such as `..`, and for a value that has no text,
 * such as null or NaN. It also throws the errors of `fetch`.
 *
 * @example
 * // import type { routes } from './routes.ts'
 * const api = client<typeof routes>({ baseUrl: 'https://api.example.com' })
 * const answer = await api.get('/orders/{id}', { params: { id: '7' } })
 * if (answer.status === 200) console.log(answer.body.lines)
 *
 * @throws TypeError for an unknown option, and for a `baseUrl` that is not text
 */
export function client<Routes>(options: ClientOptions): Client<Routes> {
  checkOptions(options)
  const { baseUrl, headers, fetch = globalThis.fetch } = options
  const call =
    (method: string) =>
    async (path: string, { params = {}, query = {}, headers: own, body, signal }: AnyInput = {}) => {
      const search = new URLSearchParams()
      for (const [name, value] of Object.entries(query)) {
        for (const each of [value].flat())
          if (each !== undefined) search.append(name, textOf(each, `query.${name}`))
      }
      const target = path.replace(/\{(.*?)(\+?)\}/g, (_, name, rest) => {
        const text = textOf(params[name], `params.${name}`)
        const segments = rest ? text.split('/') : [text]
        return segments.map(segmentOf).join('/')
      })
      const isJson = body !== undefined && typeof body !== 'string' && !isRaw(body)
      const response = await fetch(
        `${baseUrl.replace(/\/$/, '')}${target}${search.size > 0 ? `?${search}` : ''}`,
        {
          method,
          headers: {
            ...(isJson ? { 'content-type': 'application/json' } : {}),
            ...headersOf(typeof headers === 'function' ? await headers() : headers),
            ...headersOf(own),
          },
          ...(body === undefined
            ? {}
            : { body: isJson ? JSON.stringify(body, withoutLoss) : (body as string) }),
          ...(signal ? { signal } : {}),
        },
      )
      const text = await response.text()
      const isJsonAnswer = /[/+]json\b/.test(response.headers.get('content-type') ?? '')
      return {
        status: response.status,
        body: text === '' ? undefined : isJsonAnswer ? JSON.parse(text) : text,
        headers: response.headers,
      }
    }
  return {
    get: call('GET'),
    post: call('POST'),
    put: call('PUT'),
    patch: call('PATCH'),
    del: call('DELETE'),
    head: call('HEAD'),
    options: call('OPTIONS'),
  } as never
}

const optionNames: readonly string[] = [
  'baseUrl',
  'headers',
  'fetch',
] satisfies readonly (keyof ClientOptions)[]

// A client can run in a browser, so it does not import the checks of `@signalbox/core`.
function checkOptions(options: ClientOptions): void {
  const unknown = Object.keys(options ?? {}).find(name => !optionNames.includes(name))
  if (unknown !== undefined)
    throw new TypeError(
      `client() has no option ${JSON.stringify(unknown)}. The options are ${optionNames.join(', ')}.`,
    )
  if (typeof options?.baseUrl !== 'string')
    throw new TypeError('client() needs a baseUrl that is text: the address of the API')
}

interface AnyInput {
  readonly params?: { readonly [name: string]: unknown }
  readonly query?: { readonly [name: string]: unknown }
  readonly headers?: { readonly [name: string]: unknown }
  readonly body?: unknown
  readonly signal?: AbortSignal
}

// Returns the text of a value. A value that would arrive as a word of JavaScript, such as `null` or `NaN`, is refused.
function textOf(value: unknown, where: string): string {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString()
  const isText = ['string', 'boolean', 'bigint'].includes(typeof value) || Number.isFinite(value)
  if (isText) return `${value}`
  const what = value === null || typeof value !== 'object' ? `${String(value)}` : 'an object'
  throw new TypeError(`${where} is ${what}, expected text, a finite number, a boolean or a date`)
}

function headersOf(headers: { readonly [name: string]: unknown } = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [
            [
              name,
              [value]
                .flat()
                .map(each => textOf(each, `headers.${name}`))
                .join(', '),
            ],
          ],
    ),
  )
}

// JSON would contain null for a number that is not finite, and {} for a Map.
function withoutLoss(this: unknown, name: string, value: unknown): unknown {
  const where = `body${name && `: ${name}`}`
  for (const kind of [Map, Set, FormData])
    if (value instanceof kind) throw new TypeError(`${where} is a ${kind.name}, which JSON shows as {}`)
  return typeof value === 'number' ? Number(textOf(value, where)) : value
}

// Encodes a path parameter. Refuses `.` and `..`, because browsers and servers remove them from a path, and another
// route would then get the request.
function segmentOf(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`No path holds the parameter ${JSON.stringify(value)}`)
  return encodeURIComponent(value)
}

function isRaw(body: unknown): boolean {
  return body instanceof URLSearchParams || body instanceof Uint8Array
}
