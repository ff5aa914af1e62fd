import type { Declared, Returns, WireOf } from '../routing/declared.ts'
import type { DeclaredIn } from '../routing/group.ts'
import type { PathParams } from '../routing/path-params.ts'
import type { Status } from './status.ts'

/** The address of an API, and how a client sends requests to it. */
export interface ClientOptions {
  /** Such as `https://api.example.com`, with a path if the API is below one. */
  readonly baseUrl: string
  /** Headers of every request, or a function that makes them, for tokens that expire. */
  readonly headers?: Sent | (() => Sent | Promise<Sent>)
  /** Default: the `fetch` of the runtime. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

interface Sent {
  readonly [name: string]: string
}

/** Calls to the routes of an API. Each has the name of the function that makes such a route, and takes the route's path. */
export type Client<Routes> = {
  readonly [M in keyof MethodNames]: Call<ByPath<DeclaredIn<Routes>, MethodNames[M]>>
}

/** What the routes for a method declare, by path: searching all routes at each call would take quadratic time. */
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

/** The input of a call. It may be omitted when nothing in it is required. */
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

/** A part of the input, which is required where it has required fields. */
type Part<Name extends string, Value> =
  Record<never, never> extends Value
    ? { readonly [N in Name]?: Value }
    : unknown extends Value
      ? { readonly [N in Name]?: Value }
      : { readonly [N in Name]: Value }

type ParamsOf<P extends string> = { readonly [Name in keyof PathParams<P>]: string | number }

type QueryOf<Query> = unknown extends Query
  ? { readonly [name: string]: QueryValue | readonly QueryValue[] | undefined }
  : Query

type QueryValue = string | number | boolean

/** An answer. Its status determines the type of its body. */
export type AnswerOf<R> = [R] extends [never]
  ? Answered<Status, unknown>
  :
      | { [S in keyof R & number]: Answered<S, R extends Returns ? WireOf<R[S]> : never> }[keyof R & number]
      | Answered<Exclude<Status, keyof R>, unknown>

interface Answered<S, Body> {
  readonly status: S
  /** Parsed JSON, or else text; undefined without a body. */
  readonly body: Body
  readonly headers: Headers
}

/**
 * Returns a client of an API, typed from its routes. It imports only their types. A wrong path, and parameters, a
 * query, headers or a body that the route does not take, do not compile. An answer has one of the statuses that the
 * route declares in `returns`, with its body, or another status with an unknown body. The client does not check
 * answers.
 *
 * @example
 * // import type { routes } from './routes.ts'
 * const api = client<typeof routes>({ baseUrl: 'https://api.example.com' })
 * const answer = await api.get('/orders/{id}', { params: { id: '7' } })
 * if (answer.status === 200) console.log(answer.body.lines)
 *
 * Each call throws TypeError for a parameter that no path can hold, such as `..`, and what `fetch` throws.
 */
export function client<Routes>({
  baseUrl,
  headers,
  fetch = globalThis.fetch,
}: ClientOptions): Client<Routes> {
  const call =
    (method: string) =>
    async (path: string, { params = {}, query = {}, headers: own, body, signal }: AnyInput = {}) => {
      const search = new URLSearchParams()
      for (const [name, value] of Object.entries(query)) {
        for (const each of [value].flat()) if (each !== undefined) search.append(name, `${each}`)
      }
      const target = path.replace(/\{(.*?)(\+?)\}/g, (_, name, rest) => {
        const segments = rest ? `${params[name]}`.split('/') : [`${params[name]}`]
        return segments.map(segmentOf).join('/')
      })
      const isJson = body !== undefined && typeof body !== 'string' && !isRaw(body)
      const response = await fetch(
        `${baseUrl.replace(/\/$/, '')}${target}${search.size > 0 ? `?${search}` : ''}`,
        {
          method,
          headers: {
            ...(isJson ? { 'content-type': 'application/json' } : {}),
            ...(typeof headers === 'function' ? await headers() : headers),
            ...own,
          },
          ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as string) }),
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

interface AnyInput {
  readonly params?: { readonly [name: string]: unknown }
  readonly query?: { readonly [name: string]: unknown }
  readonly headers?: Sent
  readonly body?: unknown
  readonly signal?: AbortSignal
}

// Browsers and servers take dot segments out of a path, so that another route would get the request.
function segmentOf(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`No path holds the parameter ${JSON.stringify(value)}`)
  return encodeURIComponent(value)
}

function isRaw(body: unknown): boolean {
  return body instanceof URLSearchParams || body instanceof Uint8Array
}
