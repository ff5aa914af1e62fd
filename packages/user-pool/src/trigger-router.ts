import {
  InvalidOptionError,
  type Invocation,
  type InvocationContext,
  refuseUnknownOptions,
  UnroutedError,
} from '@signalbox/core'
import { knownSource, sources, sourcesOf, type TriggerEvent } from './contract/index.ts'
import { type Decrypt, withPlainCode } from './decrypt.ts'
import { type Fillable, fillResponse, noteSent, type Sent } from './fill-response.ts'
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
 * @throws InvalidOptionError at once, for a route or an option that nobody knows. The handler throws UnroutedError
 * for a source without a route, InvalidResponseError for an answer with foreign fields or an event that its route
 * made another of, and whatever a route throws.
 */
export function triggerRouter(routes: Routes, options: RouterOptions = {}): TriggerHandler {
  refuseUnknownOptions('triggerRouter()', options, ['decrypt'])
  refuseNonTable(routes)
  const { otherwise, ...keyed } = routes
  if (otherwise !== undefined) refuseNonFunction('otherwise', otherwise)
  const rest = otherwise && (options.decrypt ? withPlainCode(otherwise, options.decrypt) : otherwise)
  const bySource = tableOf(keyed, options.decrypt, rest)
  const unrouted: Entry = { route: rest, known: undefined }
  const keys = Object.keys(keyed)
  return function triggerRouter(event, context, invocation) {
    const { route, known } = bySource.get(event.triggerSource) ?? unrouted
    if (route === undefined) throw new UnroutedError(event.triggerSource, keys)
    const sent = noteSent(event)
    const answer = route(event, context, invocation)
    return isThenable(answer)
      ? fillLater(event, answer, known, sent)
      : fillResponse(event, answer, known, sent)
  }
}

// A function of its own, so that a request whose route is synchronous keeps nothing for a closure.
function fillLater(
  event: TriggerEvent,
  answer: PromiseLike<unknown>,
  known: Fillable | undefined,
  sent: Sent,
): Promise<TriggerEvent> {
  return Promise.resolve(answer).then(settled => fillResponse(event, settled, known, sent))
}

const fillables = new Map<string, Fillable>(
  sources.map(source => {
    const { row, trigger } = knownSource(source)!
    return [source, { answer: row.answer, fields: fieldNames(trigger) }]
  }),
)

interface Entry {
  readonly route: AnyRoute | undefined
  readonly known: Fillable | undefined
}

/** What answers each trigger source, all worked out beforehand. */
function tableOf(
  routes: object,
  decrypt: Decrypt | undefined,
  rest: AnyRoute | undefined,
): ReadonlyMap<string, Entry> {
  const table = new Map<string, Entry>(
    sources.map(source => [source, { route: rest, known: fillables.get(source) }]),
  )
  // Triggers first, so that an exact source overwrites its trigger's route.
  const entries = Object.entries(routes).sort(
    ([a], [b]) => Number(knownSource(a) !== undefined) - Number(knownSource(b) !== undefined),
  )
  for (const [key, route] of entries) {
    const meant = sourcesOf(key)
    if (meant.length === 0) throw new InvalidOptionError(unknownKey(key))
    if (route === undefined) continue
    refuseNonFunction(key, route)
    const own = decrypt ? withPlainCode(route, decrypt) : route
    for (const source of meant) table.set(source, { route: own, known: fillables.get(source) })
  }
  return table
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
