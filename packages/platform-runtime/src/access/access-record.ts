/** An operation that a client carried out or attempted. */
export interface AccessRecord {
  /** The name of the identity. Undefined for a client that did not prove who it is. */
  readonly identity: string | undefined
  /** The part of the platform, such as `queues`. */
  readonly source: string
  /** The name of the operation, such as `SendMessage`. */
  readonly operation: string
  /** The name of the resource. Undefined for an operation without one, and before it is known. */
  readonly resource: string | undefined
  /** `allowed`, `denied` for a missing right, or what was wrong, such as `InvalidSignature`. */
  readonly result: string
  readonly address: string
}

/** One log entry for all equal records of one minute. */
export interface AccessLogEntry extends AccessRecord {
  readonly id: number
  /** The times of the first and the last record, in milliseconds since the epoch. */
  readonly first: number
  readonly last: number
  readonly count: number
}

/** Filters of the access log. An entry has to pass all of them. */
export interface AccessLogQuery {
  readonly identity?: string | undefined
  readonly source?: string | undefined
  /** Part of the operation, the resource or the address. */
  readonly text?: string | undefined
  /** Only refused requests. */
  readonly refused?: boolean
  /** The maximum number of entries to return, which are the latest ones. Default 100. */
  readonly last?: number
}

/** The log of client operations. */
export interface AccessLog {
  /** Adds a record, which is written within a second. Returns at once and never throws. */
  readonly add: (record: AccessRecord) => void
  /** Returns the latest entries, the oldest of them first. */
  readonly read: (query?: AccessLogQuery) => Promise<readonly AccessLogEntry[]>
  readonly close: () => Promise<void>
}
