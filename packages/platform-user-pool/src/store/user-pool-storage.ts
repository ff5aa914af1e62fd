import type { StoragePort } from '@signalbox/platform-runtime/storage'
import type { UserPoolStore } from './user-pool-store.ts'

/** The storage port of user pools. Each storage engine implements this port and passes the shared test suite. */
export const userPoolStorage: StoragePort<() => Promise<UserPoolStore>> = { name: 'user pools' }
