import { nearest } from '@signalbox/codec'
import {
  InvalidOptionError,
  type Invocation,
  type InvocationContext,
  inDevelopment,
  inDevelopmentOrTest,
  isThenable,
  notAnAnswer,
  refuseUnknownOptions,
  UnroutedError,
} from '@signalbox/core'
import { sources, type TriggerEvent, triggerNames } from '../contract/index.ts'
import { type ReadyRow, type ReadySource, sourceOrNew } from '../contract/triggers/ready-source.ts'
import { isKey } from '../contract/triggers/source.ts'
import { type Decrypt, withPlainCode } from '../messages/decrypt.ts'
import type { CheckedAnswer } from '../response/checked-answer.ts'
import {
  fillResponse,
  type Preexisting,
  preexistingFields,
  refuseChangedIdentity,
  type Sent,
  withResponse,
} from '../response/fill-response.ts'
import { warnOfForgottenClaims } from '../response/forgotten-claims.ts'
import type { Routes, WrittenRoutes } from './route.ts'
import { warnOfProviderNames } from './warn-of-provider-names.ts'

/** Options of the router. */
export interface RouterOptions {
  /** Decrypts the `code` of a custom sender's event, so that the route gets the plain code. */
  readonly decrypt?: Decrypt
}

/** Answers each user-pool event with the route for its trigger source. It can be the handler of any middy stack. */
export type TriggerHandler = (
  event: TriggerEvent,
  context: InvocationContext,
  invocation: Invocation,
) => TriggerEvent | Promise<TriggerEvent>

type AnyRoute = (event: TriggerEvent, context: InvocationContext, invocation: Invocation) => unknown

/**
 * Returns a handler that picks a route by `triggerSource` and puts the route's answer into the event. It is synchronous
 * when the route is synchronous.
 *
 * @example
 * middy().use([userPoolNormalizer(), userPoolValidator(), userPoolSerializer()]).handler(triggerRouter(routes))
 *
 * @throws InvalidOptionError immediately, for a table without routes and for an unknown route or option. The handler
 * throws UnroutedError for a source without a route, InvalidResponseError for an answer with unknown fields or for an
 * event whose identity the route changed, and everything that a route throws.
 */
export function triggerRouter(routes: WrittenRoutes, options: RouterOptions = {}): TriggerHandler {
  return routerOf(routes as Routes, options)
}

/** Returns the router of a plugin. It sets `checked` when it has checked an answer completely. */
export function routerOf(routes: Routes, options: RouterOptions, checked?: CheckedAnswer): TriggerHandler {
  refuseUnknownOptions('triggerRouter()', options, ['decrypt'])
  refuseNonTable(routes)
  const { otherwise, ...keyed } = routes
  if (otherwise !== undefined) refuseNonFunction('otherwise', otherwise)
  const rest = otherwise && (options.decrypt ? withPlainCode(otherwise, options.decrypt) : otherwise)
  const byKey = routesOf(keyed, options.decrypt)
  if (byKey.size === 0 && rest === undefined) {
    throw new InvalidOptionError('The route table has no routes. Add one, or an `otherwise`.')
  }
  const unrouted: Entry = { source: undefined, route: rest }
  const bySource = new Map<ReadySource, Entry>()
  const keys = Object.keys(keyed)
  const warn = process.env.NODE_ENV !== 'production' && inDevelopment() ? warnOfProviderNames : undefined

  // The entry of a source is made when its first event arrives. A function gets events of few sources, so it starts
  // faster without the other entries.
  const entryOf = (source: ReadySource): Entry => {
    const entry = { source, route: byKey.get(source.source) ?? byKey.get(source.row.trigger) ?? rest }
    bySource.set(source, entry)
    return entry
  }
  // Most events have the same source as the event before. A comparison takes less time than the Map.
  let latest = unrouted
  const find = (source: ReadySource | undefined): Entry => {
    latest = source === undefined ? unrouted : (bySource.get(source) ?? entryOf(source))
    return latest
  }
  const handler: TriggerHandler = (event, context, invocation) => {
    // These are separate variables, because only asynchronous routes need them as an object.
    const { triggerSource, userPoolId, userName } = event
    const source = sourceOrNew(triggerSource)
    const { route } = latest.source === source ? latest : find(source)
    if (route === undefined) throw new UnroutedError(triggerSource, keys)
    warn?.(event)
    const row = source?.row
    const preexisting = preexistingFields(event.response, row)
    const answer = route(event, context, invocation)
    // The route may have called this handler for the same event.
    if (checked) checked.event = undefined
    const isUnchanged =
      event.triggerSource === triggerSource && event.userPoolId === userPoolId && event.userName === userName
    // Most answers are exact. They need no other check here, and a promise is not exact.
    if (isUnchanged && row?.isExact(answer)) {
      if (checked && !row.rule?.(answer as never, event as never, true)) {
        checked.event = event
        checked.trigger = row.trigger
      }
      return withResponse(event, answer)
    }
    if (isThenable(answer))
      return fillLater(event, answer, row, { triggerSource, userPoolId, userName }, preexisting)
    if (!isUnchanged) refuseChangedIdentity(event, { triggerSource, userPoolId, userName })
    return fillResponse(event, answer, row, preexisting)
  }
  return notAnAnswer('a handler', handler)
}

// This is a separate function, so that a synchronous route allocates no closure.
async function fillLater(
  event: TriggerEvent,
  answer: PromiseLike<unknown>,
  row: ReadyRow | undefined,
  sent: Sent,
  preexisting: Preexisting,
): Promise<TriggerEvent> {
  const settled = await answer
  refuseChangedIdentity(event, sent)
  return fillResponse(event, settled, row, preexisting)
}

interface Entry {
  /** The trigger source, or undefined for an unknown one. */
  readonly source: ReadySource | undefined
  readonly route: AnyRoute | undefined
}

/** Returns the routes by their keys, which are trigger sources and triggers. */
function routesOf(routes: object, decrypt: Decrypt | undefined): ReadonlyMap<string, AnyRoute> {
  const byKey = new Map<string, AnyRoute>()
  for (const [key, route] of Object.entries(routes)) {
    if (!isKey(key)) throw new InvalidOptionError(unknownKey(key))
    if (route === undefined) continue
    refuseNonFunction(key, route)
    const noted =
      process.env.NODE_ENV !== 'production' && inDevelopmentOrTest() && key.startsWith('TokenGeneration')
        ? warnOfForgottenClaims(key, route)
        : route
    byKey.set(key, decrypt ? withPlainCode(noted, decrypt) : noted)
  }
  return byKey
}

// A Map or a function would look like a table without routes, and the mistake would appear only at the first event.
function refuseNonTable(routes: unknown): void {
  if (typeof routes === 'object' && routes !== null && !(Symbol.iterator in routes)) return
  throw new InvalidOptionError('A route table is an object of routes, such as { PreSignUp: event => … }.')
}

function refuseNonFunction(key: string, route: unknown): asserts route is AnyRoute {
  if (typeof route !== 'function') throw new InvalidOptionError(`The route ${key} is not a function.`)
}

function unknownKey(key: string): string {
  const known = ['otherwise', ...triggerNames, ...sources]
  const meant = process.env.NODE_ENV === 'production' ? undefined : nearest(key, known)
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  return `There is no trigger or trigger source ${JSON.stringify(key)}.${hint}`
}
