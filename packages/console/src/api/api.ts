import { ConsolePage, InvocationPage, Refusal, refusals, route } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'
import { AccessLogEntry, AccessLogQuery } from './access-log.ts'
import type { ClientRoutes } from './client-routes.ts'
import { FunctionSeries, FunctionState, Span, Steps } from './functions.ts'
import { EventToSend, InvocationDetails, InvocationQuery, InvocationResult } from './invocations.ts'
import { Overview, PartState, Sample, SampleName } from './overview.ts'
import { SharingPlatform } from './platforms.ts'

/**
 * The console's own routes, below `/console/api`. Sources add theirs, see `ConsolePart`. Changes use `POST`
 * and `DELETE`, and need the header `x-signalbox-console: 1`. A request without a session gets 401, and a request
 * without the required right gets 403. Path parameters are written with `toSegment`.
 *
 * The API also has `GET /live` (server-sent events, see `LiveEvents`), and the files of sources.
 */
export const api = {
  /** Opens a session for the token of a console link, or for an access key, and sets the session cookie. */
  openSession: route('POST', '/session', {
    body: t.union([t.strict({ token: t.string }), t.strict({ id: t.string, secret: t.string })]),
    returns: { 204: null, 403: Refusal, 429: Refusal },
  }),
  /** Returns the visitor's name, and whether the visitor has the right to make changes. */
  session: route('GET', '/session', {
    returns: {
      200: t.readonly(t.type({ name: t.string, mayAct: t.boolean })),
      401: t.readonly(t.type({ error: t.string, takesKeys: t.boolean })),
      403: Refusal,
    },
  }),
  closeSession: route('DELETE', '/session', { returns: { 204: null } }),

  overview: route('GET', '/overview', { returns: { 200: Overview } }),

  /** Returns `functions`, `access`, `platforms` and the parts that sources bring, by their names. */
  parts: route('GET', '/parts', { returns: { 200: t.readonly(t.record(t.string, PartState)) } }),

  /** Lists the pages of all sources, for the web application. */
  pages: route('GET', '/pages', { returns: { 200: t.readonlyArray(ConsolePage) } }),

  invocations: route('GET', '/invocations', {
    query: InvocationQuery,
    returns: { 200: InvocationPage, 400: Refusal },
  }),
  invocation: route('GET', '/invocations/{id}', {
    isLogged: true,
    returns: { 200: InvocationDetails, ...refusals },
  }),
  invoke: route('POST', '/invocations', {
    body: EventToSend,
    returns: { 200: InvocationResult, ...refusals },
  }),

  functions: route('GET', '/functions', {
    query: Span,
    returns: { 200: t.readonlyArray(FunctionState), 400: Refusal },
  }),
  functionSeries: route('GET', '/functions/{name}/series', {
    query: Steps,
    returns: { 200: FunctionSeries, ...refusals },
  }),

  /** Lists the access log, latest first. The list is empty if the platform has no access control. */
  accessLog: route('GET', '/access-log', {
    query: AccessLogQuery,
    returns: { 200: t.readonlyArray(AccessLogEntry), ...refusals },
  }),

  /** Lists the platforms that share the storage, oldest first. */
  platforms: route('GET', '/platforms', {
    returns: {
      200: t.readonly(t.type({ isShared: t.boolean, platforms: t.readonlyArray(SharingPlatform) })),
    },
  }),

  samples: route('GET', '/samples', { returns: { 200: t.readonlyArray(SampleName) } }),
  sample: route('GET', '/samples/{name}', { returns: { 200: Sample, ...refusals } }),
} as const

/**
 * The type of the console's own routes, for a client:
 * `client<Api>({ baseUrl: '/console/api', headers: { 'x-signalbox-console': '1' } })`.
 */
export type Api = ClientRoutes<typeof api>
