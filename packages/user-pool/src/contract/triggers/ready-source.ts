import { isObject } from '@signalbox/codec'
import { requestGuards, responseGuards, rowTexts } from '../ready.ts'
import type { Source, Trigger } from '../trigger-event.ts'
import { type ResponseRule, responseRules } from '../verdict/response-rules.ts'
import type { RowText } from './trigger-row.ts'

/** A row of the table of triggers, as functions have it. */
export interface ReadyRow extends RowText {
  readonly trigger: Trigger
  /** Accepts an answer whose fields are valid. */
  readonly isAnswer: (answer: unknown) => boolean
  /** The rules that a valid answer must also follow. */
  readonly rules: readonly ResponseRule[]
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
let latest: ReadySource | undefined

/** Returns a trigger source, or undefined for any other value. */
export function readySource(source: unknown): ReadySource | undefined {
  // Each event is looked up several times, and most events have the same source as the event before. Comparing the
  // source with the latest one takes a fifth of the time of the Map.
  if (latest !== undefined && latest.source === source) return latest
  const found = known.get(source) ?? find(source)
  if (found !== undefined) latest = found
  return found
}

// A source is looked up in the table when its first event arrives, because a function gets events of few sources.
function find(source: unknown): ReadySource | undefined {
  if (typeof source !== 'string') return undefined
  const [trigger] = source.split('_', 1) as [Trigger]
  const suffix = source.slice(trigger.length + 1)
  const row = readyRow(trigger)
  if (!row || !Object.hasOwn(row.sources, suffix)) return undefined
  const isRequest = requestGuards[source] ?? requestGuards[trigger]!
  const found = { source: source as Source, row, request: row.sources[suffix]!, isRequest }
  known.set(source, found)
  return found
}

/** Returns the row of a trigger, or undefined for another name. */
export function readyRow(name: string): ReadyRow | undefined {
  const read = rows.get(name)
  if (read || !Object.hasOwn(rowTexts, name)) return read
  const trigger = name as Trigger
  const row: ReadyRow = {
    ...(JSON.parse(rowTexts[trigger]) as RowText),
    trigger,
    isAnswer: responseGuards[trigger] ?? isObject,
    rules: responseRules[trigger] ?? [],
  }
  rows.set(name, row)
  return row
}
