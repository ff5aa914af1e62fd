import type { BucketSize } from '../listener/token-buckets.ts'
import type { AccessLogEntry, AccessLogQuery } from './access-record.ts'

/** A stored key without its secret. Times are milliseconds since the epoch. */
export interface StoredKey {
  readonly id: string
  readonly identity: string
  readonly created: number
  /** The time when the key becomes invalid. Undefined for a key that stays valid. */
  readonly expires: number | undefined
  /** The time when the key was revoked. */
  readonly revoked: number | undefined
}

/** A key that is not revoked, with its encrypted secret. */
export interface SealedKey extends Omit<StoredKey, 'revoked'> {
  readonly sealed: string
}

/** The keys in a database. */
export interface KeyTable {
  readonly insert: (key: Omit<SealedKey, 'expires'>) => Promise<void>
  /** Lists the keys, the oldest first. */
  readonly list: () => Promise<readonly StoredKey[]>
  /** Sets the time when a key becomes invalid. Returns whether the key exists and is not revoked. */
  readonly expire: (id: string, at: number) => Promise<boolean>
  /** Deletes the secret of a key. Returns whether the key exists and was not revoked before. */
  readonly revoke: (id: string, at: number) => Promise<boolean>
  /**
   * Finds a key in memory, because every request needs one. A change that another process made takes effect at once if
   * the keys are in a file, and within a second if they are in a shared database.
   */
  readonly find: (id: string) => SealedKey | undefined
}

/**
 * Equal new records of one minute, combined into one entry. Its count is added to that of the stored entry for that
 * minute.
 */
export type AccessLogCount = Omit<AccessLogEntry, 'id'>

/** The access log in a database. */
export interface AccessLogTable {
  /** Adds each count to the entry of its minute, and deletes old entries from time to time. */
  readonly write: (counts: readonly AccessLogCount[]) => Promise<void>
  /** Returns the latest entries, in chronological order. */
  readonly read: (query?: AccessLogQuery) => Promise<readonly AccessLogEntry[]>
}

/** Tokens that a platform has taken from a bucket. */
export interface TakenTokens {
  readonly bucket: string
  readonly size: BucketSize
  readonly tokens: number
}

/** Token buckets in a database that several platforms share. The buckets are refilled by the clock of the database. */
export interface BucketTable {
  /**
   * Takes tokens from several buckets. Returns the number of tokens that each bucket has left, in the same order. A
   * negative number means that the bucket owes tokens.
   */
  readonly take: (taken: readonly TakenTokens[]) => Promise<readonly number[]>
}

/** Returns the number of minutes since the epoch. Equal records of the same minute become one entry. */
export function minuteOf(time: number): number {
  return Math.floor(time / 60_000)
}

/** The number of written counts after which old entries are deleted, and the maximum number of entries. */
export const accessLogLimits = { pruneEvery: 1000, entries: 200_000 } as const
