import { invocationSpanId, rootTraceId } from '../traces/span.ts'
import type { InvocationLogEntry } from './entry.ts'
import { type InvocationLogReader, traceLimit } from './invocation-log.ts'

/** An invocation in the chain of those that have one cause. */
export interface TraceStep {
  readonly entry: InvocationLogEntry
  /** The number of invocations of which this one is a consequence. */
  readonly depth: number
  /** Milliseconds from the start of the first invocation. */
  readonly offset: number
  /** Milliseconds from the sending of a message to this attempt. Undefined for all else. */
  readonly waited: number | undefined
}

/** Returns the id of an invocation's trace. */
export function traceOf({ trace, requestId, started }: InvocationLogEntry): string {
  return trace?.traceId ?? rootTraceId(requestId, started)
}

/**
 * Returns the chain to which an invocation belongs: those of its trace, and of the traces whose messages it got. It has no
 * more invocations than one trace, because clients decide how many traces a batch has.
 */
export async function readChain(
  log: Pick<InvocationLogReader, 'trace'>,
  entry: InvocationLogEntry,
): Promise<readonly TraceStep[]> {
  const found = new Map([[entry.id, entry]])
  for (const traceId of new Set([traceOf(entry), ...(entry.trace?.links ?? []).map(each => each.traceId)]))
    if (found.size < traceLimit)
      for (const each of (await log.trace(traceId)).slice(0, traceLimit - found.size))
        found.set(each.id, each)
  return chainOf([...found.values()])
}

/**
 * Returns invocations in the order in which they started, each after what it is a consequence of: the invocation that its trace
 * names, or the one that was running when its event began. A function's own spans are not in the log.
 */
export function chainOf(entries: readonly InvocationLogEntry[]): readonly TraceStep[] {
  const sorted = [...entries].sort(byStart)
  const start = sorted[0]?.started ?? 0
  const bySpan = new Map(sorted.map(each => [invocationSpanId(each.requestId, each.attempt), each]))
  const consequences = new Map<InvocationLogEntry | undefined, InvocationLogEntry[]>()
  for (const [at, entry] of sorted.entries()) {
    const cause = bySpan.get(entry.trace?.parentId ?? '') ?? runningCause(sorted.slice(0, at), entry)
    const list = consequences.get(cause)
    if (list === undefined) consequences.set(cause, [entry])
    else list.push(entry)
  }
  const shown = new Set<InvocationLogEntry>()
  const stepsOf = (list: readonly InvocationLogEntry[], depth: number): readonly TraceStep[] =>
    list.flatMap(entry => {
      if (shown.has(entry)) return []
      shown.add(entry)
      const sent = sentAt(entry)
      const waited = sent === undefined ? undefined : Math.max(0, entry.started - sent)
      const step = { entry, depth, offset: entry.started - start, waited }
      return [step, ...stepsOf(consequences.get(entry) ?? [], depth + 1)]
    })
  const steps = stepsOf(consequences.get(undefined) ?? [], 0)
  // Machines whose clocks differ can seem to cause each other.
  return [...steps, ...stepsOf(sorted, 0)]
}

function byStart(a: InvocationLogEntry, b: InvocationLogEntry): number {
  const isCaused = ({ trace }: InvocationLogEntry) => (trace?.parentId === undefined ? 0 : 1)
  return a.started - b.started || isCaused(a) - isCaused(b) || a.id - b.id
}

/** Returns the latest of some invocations that was running when the event of another one began, or the first of them. */
function runningCause(
  earlier: readonly InvocationLogEntry[],
  entry: InvocationLogEntry,
): InvocationLogEntry | undefined {
  // Messages have whole milliseconds.
  const began = Math.floor(sentAt(entry) ?? entry.started)
  const isRunning = ({ started, duration }: InvocationLogEntry) =>
    Math.floor(started) <= began && began <= started + duration
  return earlier.findLast(isRunning) ?? earlier[0]
}

/** Returns the time when the first message of an event was sent. */
function sentAt({ event }: InvocationLogEntry): number | undefined {
  if (!event.includes('"SentTimestamp"')) return undefined
  try {
    const { Records } = JSON.parse(event) as {
      readonly Records: readonly { readonly attributes: { readonly SentTimestamp: string } }[]
    }
    const times = Records.map(({ attributes }) => Number(attributes.SentTimestamp))
    return Number.isFinite(times[0]) ? Math.min(...times) : undefined
  } catch {
    // The log did not keep the event, or it is of another family.
    return undefined
  }
}
