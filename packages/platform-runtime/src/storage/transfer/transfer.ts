/** The value of a field. A boolean is 0 or 1, and times are milliseconds since the epoch. */
export type TransferValue = string | number | null | Uint8Array

/** A record as all engines keep it, by the names of its fields. */
export type TransferRecord = { readonly [field: string]: TransferValue }

/** The records of one kind, such as the messages of all queues. */
export interface RecordKind {
  readonly name: string
  /** The fields that identify a record. Records are copied in the order of these fields. */
  readonly key: readonly string[]
  /** The fields that are not part of the key. */
  readonly fields: readonly string[]
  /** The number of records that are copied at once. Default 500. */
  readonly atOnce?: number
}

/** All records of a store, for copies to another engine while no platform uses the store. */
export interface Transfer {
  /** Reads the records that come after a given key, in the order of their keys. */
  readonly read: (
    kind: RecordKind,
    after: readonly TransferValue[] | undefined,
    limit: number,
  ) => Promise<readonly TransferRecord[]>
  /**
   * Stores records, except for those whose keys already exist. All records are stored when it resolves, and none when
   * it rejects.
   */
  readonly write: (kind: RecordKind, records: readonly TransferRecord[]) => Promise<void>
  /** Prepares the store for its next use, after all records were written. */
  readonly finish: () => Promise<void>
  readonly close: () => Promise<void>
}
