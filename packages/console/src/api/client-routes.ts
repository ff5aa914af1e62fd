import type { DeclaredIn, Route, WireOf } from '@signalbox/load-balancer'
import type { ApiRoute } from '@signalbox/platform-runtime/console'
import type * as t from 'io-ts'

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
