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
import { type ReadyRow, sourceOrNew } from '../contract/triggers/ready-source.ts'
import { isKey } from '../contract/triggers/source.ts'
import { type Decrypt, withPlainCode } from '../messages/decrypt.ts'
import { fillResponse, type Preexisting, preexistingFields, type Sent } from '../response/fill-response.ts'
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
export function triggerRouter(written: WrittenRoutes, options: RouterOptions = {}): TriggerHandler {
  const routes = written as Routes
  refuseUnknownOptions('triggerRouter()', options, ['decrypt'])
  refuseNonTable(routes)
  const { otherwise, ...keyed } = routes
  if (otherwise !== undefined) refuseNonFunction('otherwise', otherwise)
  const rest = otherwise && (options.decrypt ? withPlainCode(otherwise, options.decrypt) : otherwise)
  const byKey = routesOf(keyed, options.decrypt)
  if (byKey.size === 0 && rest === undefined) {
    throw new InvalidOptionError('The route table has no routes. Add one, or an `otherwise`.')
  }
  const keys = Object.keys(keyed)
  const warn = process.env.NODE_ENV !== 'production' && inDevelopment() ? warnOfProviderNames : undefined

  const handler: TriggerHandler = (event, context, invocation) => {
    const { triggerSource, userPoolId, userName, response } = event
    const sent = { triggerSource, userPoolId, userName }
    const source = sourceOrNew(triggerSource)
    const route = (source && (byKey.get(source.source) ?? byKey.get(source.row.trigger))) ?? rest
    if (route === undefined) throw new UnroutedError(triggerSource, keys)
    warn?.(event)
    const preexisting = preexistingFields(response, source?.row)
    const answer = route(event, context, invocation)
    return isThenable(answer)
      ? fillLater(event, answer, sent, source?.row, preexisting)
      : fillResponse(event, answer, sent, source?.row, preexisting)
  }
  return notAnAnswer('a handler', handler)
}

async function fillLater(
  event: TriggerEvent,
  answer: PromiseLike<unknown>,
  ...others: readonly [Sent, ReadyRow | undefined, Preexisting]
): Promise<TriggerEvent> {
  return fillResponse(event, await answer, ...others)
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
  const meant =
    process.env.NODE_ENV === 'production'
      ? undefined
      : nearest(key, ['otherwise', ...triggerNames, ...sources])
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  return `There is no trigger or trigger source ${JSON.stringify(key)}.${hint}`
}
