import type { InvocationLogEntry } from '@signalbox/platform-runtime'
import type { ConsoleContext } from '@signalbox/platform-runtime/console'
import type { View } from './views.ts'

/** The maximum number of ids to search for in one event. */
const mostIds = 6
/** The maximum number of related invocations to find for each id. */
const mostForEach = 20

/** Invocations with the same mail address are related if at most this many milliseconds lie between them. */
const addressSpan = 10 * 60_000

/** The maximum length of the text that is searched for ids, in characters. */
const readLimit = 200_000

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi
const traceRoot = /\b1-[0-9a-f]{8}-[0-9a-f]{24}\b/g
const address = /[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+/g

/** A related invocation, and the id that the two invocations share. */
export interface Related {
  readonly entry: InvocationLogEntry
  readonly by: 'attempt' | 'shares'
  readonly id: string
}

/**
 * The earlier and later invocations that are related to an invocation, oldest first, and what the sources have of the ids
 * and addresses in its event, by the names of `ConsolePart.related`.
 */
export interface Story {
  readonly related: readonly Related[]
  readonly ofSources: { readonly [name: string]: readonly unknown[] }
}

/**
 * Finds the invocations that are related to an invocation: its other attempts, which have the same request id;
 * invocations with the same message id, user id or trace id in their events; and, within ten minutes, invocations
 * with the same mail address.
 */
export async function storyOf(
  entry: InvocationLogEntry,
  view: View,
  parts: ConsoleContext['parts'],
): Promise<Story> {
  const { invocationLog } = view
  const text = `${entry.event.slice(0, readLimit)}\n${entry.payload}`
  const ids = distinct([...text.matchAll(uuid), ...text.matchAll(traceRoot)]).slice(0, mostIds)
  const addresses = distinct([...text.matchAll(address)]).slice(0, mostIds)
  const span = { from: entry.started - addressSpan, to: entry.started + addressSpan }
  const found = new Map<number, Related>()
  const add = (entries: readonly InvocationLogEntry[], by: Related['by'], id: string) => {
    for (const each of entries)
      if (each.id !== entry.id && !found.has(each.id)) found.set(each.id, { entry: each, by, id })
  }
  const { requestId } = entry
  add((await invocationLog.search({ requestId, last: mostForEach })).entries, 'attempt', requestId)
  for (const id of ids)
    add((await invocationLog.search({ text: id, last: mostForEach })).entries, 'shares', id)
  for (const each of addresses)
    add((await invocationLog.search({ text: each, ...span, last: mostForEach })).entries, 'shares', each)
  const related = [...found.values()].sort((a, b) => a.entry.id - b.entry.id)
  const names = [...ids, ...addresses]
  const ofSources: Record<string, readonly unknown[]> = {}
  for (const { related: own } of parts)
    if (own !== undefined)
      ofSources[own.name] = names.length === 0 ? [] : await own.find({ names, ...span }, view)
  return { related, ofSources }
}

function distinct(matches: readonly RegExpMatchArray[]): readonly string[] {
  return [...new Set(matches.map(([id]) => id))]
}
