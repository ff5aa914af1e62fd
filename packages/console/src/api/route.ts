import type { DeclaredIn, PathParams, Route, WireOf } from '@signalbox/load-balancer'
import type * as t from 'io-ts'

/** A route of the API: the codecs of its requests and of its answers. */
export interface ApiRoute<
  M extends string = string,
  P extends string = string,
  Query extends t.Mixed | undefined = t.Mixed | undefined,
  Body extends t.Mixed | undefined = t.Mixed | undefined,
  Returns extends Answers = Answers,
> {
  readonly method: M
  /** The path below `/console/api`. */
  readonly path: P
  readonly query?: Query
  readonly body?: Body
  /** The codec of the answer for each status, or null if the answer has no body. */
  readonly returns: Returns
}

interface Answers {
  readonly [status: number]: t.Mixed | null
}

/** Describes a route. */
export function route<
  const M extends 'GET' | 'POST' | 'DELETE',
  const P extends `/${string}`,
  const Returns extends Answers,
  Query extends t.Mixed | undefined = undefined,
  Body extends t.Mixed | undefined = undefined,
>(
  method: M,
  path: P,
  { query, body, returns }: { readonly query?: Query; readonly body?: Body; readonly returns: Returns },
): ApiRoute<M, P, Query, Body, Returns> {
  return {
    method,
    path,
    ...(query !== undefined && { query }),
    ...(body !== undefined && { body }),
    returns,
  } as ApiRoute<M, P, Query, Body, Returns>
}

/** The types of the routes in a table, in the form that `@signalbox/load-balancer/client` needs. */
export type ClientRoutes<Table> = readonly RouteOf<Table[keyof Table]>[]

type RouteOf<R> =
  R extends ApiRoute<infer M, infer P, infer Query, infer Body, infer Returns>
    ? Route<{
        readonly method: M & DeclaredMethod
        readonly path: P
        readonly query: Query extends t.Mixed ? WireOf<Query> : unknown
        readonly headers: unknown
        readonly body: Body extends t.Mixed ? WireOf<Body> : unknown
        readonly returns: Returns
      }>
    : never

type DeclaredMethod = DeclaredIn<readonly Route[]>['method']

/** The input of a route's handler: the path parameters, and the decoded query and body. */
export interface InputOf<R extends ApiRoute> {
  readonly params: PathParams<R['path']>
  readonly query: R extends ApiRoute<string, string, infer Query> ? ValueOf<Query> : never
  readonly body: R extends ApiRoute<string, string, t.Mixed | undefined, infer Body> ? ValueOf<Body> : never
}

type ValueOf<C> = C extends t.Mixed ? t.TypeOf<C> : undefined

/**
 * The result of a route's handler: the value of the successful answer, or nothing for an answer without a body.
 */
export type OutputOf<R extends ApiRoute> = R['returns'][200] extends t.Mixed
  ? Promise<t.TypeOf<R['returns'][200]>>
  : Promise<void>
