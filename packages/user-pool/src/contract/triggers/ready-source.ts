import { exactAnswers, requestGuards, rowTexts } from '../ready.ts'
import type { Source, Trigger } from '../trigger-event.ts'
import { type ResponseRule, responseRules } from '../verdict/response-rules.ts'
import type { RowText } from './trigger-row.ts'

/** A row of the table of triggers, as functions have it. */
export interface ReadyRow {
  readonly trigger: Trigger
  readonly answer: RowText[0]
  /** The position of the node for the answer. */
  readonly response: number
  /** The positions of the nodes for requests, by the part of `triggerSource` after the underscore. */
  readonly sources: ReadonlyMap<string, number>
  /** Accepts an answer whose fields are valid and known. An answer that it refuses may still be valid. */
  readonly isExact: (answer: unknown) => boolean
  /** Returns the problems with a valid answer that breaks a rule. */
  readonly rule: ResponseRule | undefined
}

/** A trigger source, as functions have it. */
export interface ReadySource {
  readonly source: Source
  readonly row: ReadyRow
  /** The position of the node for the request of this source. */
  readonly request: number
  /** Accepts the request of a normalized event. */
  readonly isRequest: (request: unknown) => boolean
}

const rows = new Map<string, ReadyRow>()
const known = new Map<unknown, ReadySource>()

/** Returns a trigger source, or undefined for any other value. */
export function readySource(source: unknown): ReadySource | undefined {
  return known.get(source) ?? find(source)
}

const unlisted = new Map<string, ReadySource>()

/**
 * Returns a trigger source, or for a source that the table lacks the fields and rules of its trigger. A provider may add
 * a source to a trigger at any time. Returns undefined if the trigger is unknown, too.
 */
export function sourceOrNew(source: unknown): ReadySource | undefined {
  return readySource(source) ?? newSource(source)
}

/** Returns the fields and rules for a source that the table lacks, if the table has its trigger. */
export function newSource(source: unknown): ReadySource | undefined {
  const [trigger, suffix] = typeof source === 'string' ? source.split(/_(.*)/s, 2) : []
  const row = suffix && readySource(source) === undefined ? readyRow(trigger!) : undefined
  if (row === undefined) return undefined
  // All new sources of a trigger are equal, so that their names cannot fill the memory.
  const known = unlisted.get(row.trigger)
  if (known) return known
  const [request] = row.sources.values() as unknown as readonly [number]
  const name = row.trigger as string as Source
  const found = { source: name, row, request: request!, isRequest: requestGuards[row.trigger]! }
  unlisted.set(row.trigger, found)
  return found
}

// A source is looked up in the table when its first event arrives, because a function gets events of few sources.
function find(source: unknown): ReadySource | undefined {
  if (typeof source !== 'string') return undefined
  const [trigger] = source.split('_', 1) as [Trigger]
  const suffix = source.slice(trigger.length + 1)
  const row = readyRow(trigger)
  const request = row?.sources.get(suffix)
  if (row === undefined || request === undefined) return undefined
  const isRequest = requestGuards[source] ?? requestGuards[trigger]!
  const found = { source: source as Source, row, request, isRequest }
  known.set(source, found)
  return found
}

/** Returns the row of a trigger, or undefined for another name. */
export function readyRow(name: string): ReadyRow | undefined {
  const read = rows.get(name)
  if (read || !Object.hasOwn(rowTexts, name)) return read
  const trigger = name as Trigger
  const [answer, response, ...requests] = JSON.parse(rowTexts[trigger]) as RowText
  const sources = new Map<string, number>()
  for (let i = 0; i < requests.length; i += 2)
    for (const suffix of (requests[i + 1] as string).split(' ')) sources.set(suffix, requests[i] as number)
  const row: ReadyRow = {
    trigger,
    answer,
    response,
    sources,
    isExact: exactAnswers[trigger] ?? (() => false),
    rule: responseRules[trigger],
  }
  rows.set(name, row)
  return row
}
