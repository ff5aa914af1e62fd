import type { Clock } from '@signalbox/core'
import type { StoragePort } from '../storage/storage-engine.ts'
import type { AccessLogTable, BucketTable, KeyTable } from './access-tables.ts'

/** The environment variable that may contain the key that encrypts stored secrets: 32 bytes in base64. */
export const accessKeyVariable = 'SIGNALBOX_ACCESS_KEY'

/** The stored keys, the access log, and how much of their limits clients have used. */
export interface AccessStore {
  readonly keys: KeyTable
  readonly log: AccessLogTable
  /** The token buckets that all platforms share. Undefined for a storage that only one platform uses. */
  readonly buckets?: BucketTable | undefined
  readonly close: () => Promise<void>
}

export interface AccessStoreOptions {
  /** Milliseconds for which entries of the access log are kept. */
  readonly age: number
  readonly clock: Clock
}

/**
 * The storage port of access keys and of the access log. Each engine implements it and passes
 * `accessStorageSuite`.
 */
export const accessStorage: StoragePort<(options: AccessStoreOptions) => Promise<AccessStore>> = {
  name: 'access',
}
