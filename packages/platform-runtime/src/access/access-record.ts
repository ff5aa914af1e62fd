/** An operation that a client carried out or attempted. */
export interface AccessRecord {
  /** The name of the identity. Undefined for a client that did not prove who it is. */
  readonly identity: string | undefined
  /** The part of the platform, such as `queues`. */
  readonly source: string
  /** The name of the operation, such as `SendMessage`. */
  readonly operation: string
  /** The name of the resource. Undefined for an operation without a resource, and while the resource is unknown. */
  readonly resource: string | undefined
  /** `allowed`, `denied` when a right is missing, or the name of an error, such as `InvalidSignature`. */
  readonly result: string
  readonly address: string
}

/** A log entry, which combines all equal records of one minute. */
export interface AccessLogEntry extends AccessRecord {
  readonly id: number
  /** The time of the first record, in milliseconds since the epoch. */
  readonly first: number
  /** The time of the last record, in milliseconds since the epoch. */
  readonly last: number
  readonly count: number
}

/** Filters for the access log. An entry has to pass all filters. */
export interface AccessLogQuery {
  readonly identity?: string | undefined
  readonly source?: string | undefined
  /** A substring of the operation, the resource or the address. */
  readonly text?: string | undefined
  /** Whether to return only refused requests. */
  readonly refused?: boolean
  /** The maximum number of entries to return. If more entries match, the latest ones are returned. Default 100. */
  readonly last?: number
}

/** The log of client operations. */
export interface AccessLog {
  /** Adds a record, which is written within a second. Returns at once and never throws. */
  readonly add: (record: AccessRecord) => void
  /** Returns the latest entries, in chronological order. */
  readonly read: (query?: AccessLogQuery) => Promise<readonly AccessLogEntry[]>
  readonly close: () => Promise<void>
}
