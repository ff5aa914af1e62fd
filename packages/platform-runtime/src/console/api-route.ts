import * as t from 'io-ts'

/** A route of the console's API: the codecs of its requests and of its answers. */
export interface ApiRoute<
  M extends string = string,
  P extends string = string,
  Query extends t.Mixed | undefined = t.Mixed | undefined,
  Body extends t.Mixed | undefined = t.Mixed | undefined,
  Returns extends Answers = Answers,
> {
  /** `GET` needs the right to read, and every other method the right to act. */
  readonly method: M
  /** The path below `/console/api`. */
  readonly path: P
  readonly query?: Query
  readonly body?: Body
  /** The codec of the answer for each status, or null if the answer has no body. */
  readonly returns: Returns
  /** Whether the access log has each request, because the answer has mails, messages, users or events. */
  readonly isLogged?: boolean
}

/** The routes of a part of the API, by their names. */
export interface ApiRoutes {
  readonly [name: string]: ApiRoute
}

interface Answers {
  readonly [status: number]: t.Mixed | null
}

/**
 * Describes a route.
 * @example
 * route('GET', '/queues/{name}', { returns: { 200: QueueState, ...refusals } })
 */
export function route<
  const M extends 'GET' | 'POST' | 'DELETE',
  const P extends `/${string}`,
  const Returns extends Answers,
  Query extends t.Mixed | undefined = undefined,
  Body extends t.Mixed | undefined = undefined,
>(
  method: M,
  path: P,
  {
    query,
    body,
    returns,
    isLogged = false,
  }: {
    readonly query?: Query
    readonly body?: Body
    readonly returns: Returns
    readonly isLogged?: boolean
  },
): ApiRoute<M, P, Query, Body, Returns> {
  return {
    method,
    path,
    ...(query !== undefined && { query }),
    ...(body !== undefined && { body }),
    returns,
    isLogged,
  } as ApiRoute<M, P, Query, Body, Returns>
}

/** The body of an error response. Its message says what was wrong and what was expected. */
export const Refusal = t.readonly(t.type({ error: t.string }))

/**
 * The error responses: 400 for an invalid request, 404 if something does not exist, and 409 if a source refuses an
 * operation.
 */
export const refusals = { 400: Refusal, 404: Refusal, 409: Refusal }

/** A handler for each route, which returns the value of the successful answer. */
export type HandlersOf<Routes extends ApiRoutes> = {
  readonly [Name in keyof Routes]: (input: InputOf<Routes[Name]>) => OutputOf<Routes[Name]>
}

/** The input of a route's handler: the path parameters, and the decoded query and body. */
interface InputOf<R extends ApiRoute> {
  readonly params: { readonly [Name in NamesIn<R['path']>]: string }
  readonly query: R extends ApiRoute<string, string, infer Query> ? ValueOf<Query> : never
  readonly body: R extends ApiRoute<string, string, t.Mixed | undefined, infer Body> ? ValueOf<Body> : never
}

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

type ValueOf<C> = C extends t.Mixed ? t.TypeOf<C> : undefined

/** The result of a route's handler: the value of the successful answer, or nothing for an answer without a body. */
export type OutputOf<R extends ApiRoute> = R['returns'][200] extends t.Mixed
  ? Promise<t.TypeOf<R['returns'][200]>>
  : Promise<void>
