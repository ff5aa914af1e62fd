import {
  InvalidOptionError,
  type Invocation,
  type InvocationContext,
  inDevelopment,
  notAnAnswer,
  refuseUnknownOptions,
  UnroutedError,
} from '@signalbox/core'
import { knownSource, sourcesOf, type TriggerEvent } from './contract/index.ts'
import { type Decrypt, withPlainCode } from './decrypt.ts'
import {
  type Fillable,
  fillResponse,
  refuseAnother,
  type Sent,
  type Strangers,
  strangersIn,
} from './fill-response.ts'
import { warnOfForgottenClaims } from './forgotten-claims.ts'
import { nearestKey } from './nearest-key.ts'
import type { Routes } from './route.ts'
import { fieldNames } from './unknown-fields.ts'

/** Options of the router. */
export interface RouterOptions {
  /** Turns the opaque `code` of a sender's event into plain text for its route. */
  readonly decrypt?: Decrypt
}

/** Answers user-pool events by their trigger source. Usable as the handler of any middy stack. */
export type TriggerHandler = (
  event: TriggerEvent,
  context: InvocationContext,
  invocation: Invocation,
) => TriggerEvent | Promise<TriggerEvent>

type AnyRoute = (event: TriggerEvent, context: InvocationContext, invocation: Invocation) => unknown

/**
 * The plain handler that picks a route by `triggerSource` and puts what it answers into the event. Synchronous as
 * long as the routes are.
 *
 * @throws InvalidOptionError at once, for no route, and for a route or an option that nobody knows. The handler throws UnroutedError
 * for a source without a route, InvalidResponseError for an answer with foreign fields or an event that its route
 * made another of, and whatever a route throws.
 */
export function triggerRouter(routes: Routes, options: RouterOptions = {}): TriggerHandler {
  refuseUnknownOptions('triggerRouter()', options, ['decrypt'])
  refuseNonTable(routes)
  const { otherwise, ...keyed } = routes
  if (otherwise !== undefined) refuseNonFunction('otherwise', otherwise)
  const rest = otherwise && (options.decrypt ? withPlainCode(otherwise, options.decrypt) : otherwise)
  const byKey = routesOf(keyed, options.decrypt)
  if (byKey.size === 0 && rest === undefined) {
    throw new InvalidOptionError('The route table has no routes. Add one, or an `otherwise`.')
  }
  const unrouted: Entry = { route: rest, known: undefined }
  const bySource = new Map<unknown, Entry>()
  const keys = Object.keys(keyed)

  // For the first event of a source: a function sees few sources, and starts sooner.
  const entryOf = (source: string): Entry => {
    const found = knownSource(source)
    if (found === undefined) return unrouted
    const { row, trigger } = found
    const entry = {
      route: byKey.get(source) ?? byKey.get(trigger) ?? rest,
      known: { answer: row.answer, fields: fieldNames(trigger) },
    }
    bySource.set(source, entry)
    return entry
  }
  const handler: TriggerHandler = (event, context, invocation) => {
    const { route, known } = bySource.get(event.triggerSource) ?? entryOf(event.triggerSource)
    if (route === undefined) throw new UnroutedError(event.triggerSource, keys)
    // Apart, and not as an object that is made for each event: only routes that are awaited need it as one.
    const { triggerSource, userPoolId, userName } = event
    const strangers = strangersIn(event.response, known)
    const answer = route(event, context, invocation)
    if (isThenable(answer))
      return fillLater(event, answer, known, { triggerSource, userPoolId, userName }, strangers)
    if (
      event.triggerSource !== triggerSource ||
      event.userPoolId !== userPoolId ||
      event.userName !== userName
    )
      refuseAnother(event, { triggerSource, userPoolId, userName })
    return fillResponse(event, answer, known, strangers)
  }
  return notAnAnswer('a handler', handler)
}

// A function of its own, so that for a route that is synchronous nothing is kept for a closure.
async function fillLater(
  event: TriggerEvent,
  answer: PromiseLike<unknown>,
  known: Fillable | undefined,
  sent: Sent,
  strangers: Strangers,
): Promise<TriggerEvent> {
  const settled = await answer
  refuseAnother(event, sent)
  return fillResponse(event, settled, known, strangers)
}

interface Entry {
  readonly route: AnyRoute | undefined
  readonly known: Fillable | undefined
}

/** The routes by their keys, which are trigger sources and triggers. */
function routesOf(routes: object, decrypt: Decrypt | undefined): ReadonlyMap<string, AnyRoute> {
  const byKey = new Map<string, AnyRoute>()
  for (const [key, route] of Object.entries(routes)) {
    if (sourcesOf(key).length === 0) throw new InvalidOptionError(unknownKey(key))
    if (route === undefined) continue
    refuseNonFunction(key, route)
    const noted =
      key.startsWith('TokenGeneration') && inDevelopment() ? warnOfForgottenClaims(key, route) : route
    byKey.set(key, decrypt ? withPlainCode(noted, decrypt) : noted)
  }
  return byKey
}

// Of a Map or a function there would be no routes at all, which shows only when the first event comes.
function refuseNonTable(routes: unknown): void {
  if (typeof routes === 'object' && routes !== null && !(Symbol.iterator in routes)) return
  throw new InvalidOptionError('A route table is an object of routes, such as { PreSignUp: event => … }.')
}

function refuseNonFunction(key: string, route: unknown): asserts route is AnyRoute {
  if (typeof route !== 'function') throw new InvalidOptionError(`The route ${key} is not a function.`)
}

function unknownKey(key: string): string {
  const meant = nearestKey(key)
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  return `There is no trigger or trigger source ${JSON.stringify(key)}.${hint}`
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value instanceof Promise ||
    (typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function')
  )
}
