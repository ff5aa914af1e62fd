import type { Severity } from './severity.ts'

/** The facts that are the same for many successive entries. */
export interface EntryAbout {
  readonly functionName: string
  readonly source: string
  readonly family: string | undefined
  readonly generation: number
  readonly verdict: { readonly kind: string; readonly ok: boolean } | undefined
  /** How much the result hurts. Entries of an earlier version have what their verdict alone says. */
  readonly severity: Severity
}

/** The time span of a scan of the log, in milliseconds since the epoch. */
export interface LogSpan {
  /** The start, inclusive. */
  readonly from: number
  /** The end, exclusive. */
  readonly to: number
  /** The only function whose entries are visited. By default, those of all functions are. */
  readonly functionName?: string | undefined
}

/**
 * Called with the start and the duration of an entry. The same `about` object is used for many entries, so copy what
 * you keep.
 */
export type VisitEntry = (about: EntryAbout, started: number, duration: number) => void
