/** The facts that successive entries share. */
export interface EntryAbout {
  readonly functionName: string
  readonly source: string
  readonly family: string | undefined
  readonly generation: number
  readonly verdict: { readonly kind: string; readonly ok: boolean } | undefined
  /** Whether the function returned nothing because of a failure. */
  readonly failed: boolean
}

/** A span of time for numbers of the log. Milliseconds since the epoch. */
export interface LogSpan {
  /** The start, inclusive. */
  readonly from: number
  /** The end, exclusive. */
  readonly to: number
}

/** Gets the numbers of an entry. `about` is the same object for all entries: copy what you keep. */
export type VisitEntry = (about: EntryAbout, started: number, duration: number) => void
