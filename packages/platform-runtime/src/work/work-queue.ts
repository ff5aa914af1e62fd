/** Work to be put into a queue. */
export interface NewWork {
  /** The name of the queue. A worker claims the work of one queue. */
  readonly queue: string
  /** Identifies the work among the work of all queues. */
  readonly key: string
  /** Identifies what the work belongs to, such as a mail. Default: empty */
  readonly owner?: string
  /** What has to be done, in a form of the user's own. */
  readonly data: string
}

/** Work that a platform has claimed in order to do it. */
export interface ClaimedWork extends Required<NewWork> {
  /** Increases with each piece of work. */
  readonly number: number
  /** The time when the work was put into the queue. Milliseconds since the epoch. */
  readonly putAt: number
  /**
   * The number of claims since the work was put into the queue or was last retried, including this one. It is greater
   * than one if an attempt ended without a result, for example because its platform was killed.
   */
  readonly tries: number
  /** The number of the claim. Only the latest claim on a piece of work can change it. */
  readonly claim: number
}

/** Claimed work, earliest first. */
export interface Claimed<Work> {
  readonly work: readonly Work[]
  /** The time at which more work becomes due if the data does not change before. Milliseconds since the epoch. */
  readonly nextAt: number | undefined
}

/**
 * The storage port of durable work. Work stays in its queue until it is finished. A claim is a lease that lasts as long
 * as its platform is alive: if the platform ends, or gives no sign of life for some time, others can claim the work, and
 * late changes by the first platform have no effect. Times are milliseconds since the epoch. An engine whose database
 * has a clock of its own uses only their distance from the caller's `now`.
 */
export interface WorkQueue {
  /** Puts work into its queue, where it is due at once. Resolves once it is durable. Rejects if its key exists. */
  readonly put: (work: NewWork, now: number) => Promise<void>
  /** Claims due work of a queue, and counts a try of each piece. */
  readonly claim: (queue: string, now: number, limit: number) => Promise<Claimed<ClaimedWork>>
  /** Removes work that is done. Returns whether the caller still had the claim. */
  readonly finish: (work: ClaimedWork, now: number) => Promise<boolean>
  /**
   * Ends a claim with new data. The work is due again at the given time, without any tries. Returns whether the caller
   * still had the claim.
   */
  readonly retry: (work: ClaimedWork, data: string, dueAt: number, now: number) => Promise<boolean>
  /** Ends a claim without a result. The work is due again at the given time, and its tries still count. */
  readonly giveBack: (work: ClaimedWork, dueAt: number, now: number) => Promise<void>
  /** Ends a claim on work that was not begun, as if the work had not been claimed. */
  readonly unclaim: (work: ClaimedWork) => Promise<void>
  /** Returns the amount of work in each queue. */
  readonly counts: () => Promise<ReadonlyMap<string, number>>
  /** Calls a function when another platform may have changed the work. Returns a function that ends these calls. */
  readonly watch: (changed: () => void) => () => void
  /** Removes all work. Absent if several platforms share it. */
  readonly clear?: () => Promise<void>
  readonly close: () => Promise<void>
}
