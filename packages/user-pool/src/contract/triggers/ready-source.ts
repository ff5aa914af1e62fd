import { rowTexts } from '../ready.ts'
import type { Source, Trigger } from '../trigger-event.ts'
import type { ReadyRow } from './trigger-row.ts'

/** A trigger source, as functions have it. */
export interface ReadySource extends Omit<ReadyRow, 'sources'> {
  readonly source: Source
  readonly trigger: Trigger
  /** The position of the node for the request of this source. */
  readonly request: number
}

const rows = new Map<string, ReadyRow>()
const known = new Map<unknown, ReadySource>()

/** Returns a trigger source, or undefined for any other value. */
export function readySource(source: unknown): ReadySource | undefined {
  return known.get(source) ?? find(source)
}

// A source is looked up in the table when its first event arrives, because a function gets events of few sources.
function find(source: unknown): ReadySource | undefined {
  if (typeof source !== 'string') return undefined
  const [trigger] = source.split('_', 1) as [Trigger]
  const suffix = source.slice(trigger.length + 1)
  const row = readyRow(trigger)
  if (!row || !Object.hasOwn(row.sources, suffix)) return undefined
  const { answer, sources, response } = row
  const found = { source: source as Source, trigger, answer, request: sources[suffix]!, response }
  known.set(source, found)
  return found
}

/** Returns the row of a trigger, or undefined for another name. */
export function readyRow(trigger: string): ReadyRow | undefined {
  const read = rows.get(trigger)
  if (read || !Object.hasOwn(rowTexts, trigger)) return read
  const row = JSON.parse(rowTexts[trigger as Trigger]) as ReadyRow
  rows.set(trigger, row)
  return row
}
