export { UserPoolError } from '../user-pool-error.ts'
export { lockTime, longestLock } from './lockout.ts'
export { userPoolStorage } from './user-pool-storage.ts'
export type {
  Change,
  Credential,
  Group,
  LongestLives,
  Message,
  Refusal,
  StoredKey,
  StoredPool,
  StoredUser,
  User,
  UserFilter,
  UserPoolStore,
  UserQuery,
} from './user-pool-store.ts'
