export { type Access, type AccessProblem, type Identity, type SignedRequest, unmetDemand } from './access.ts'
export type { AccessLog, AccessLogEntry, AccessLogQuery, AccessRecord } from './access-record.ts'
export { accessLogRecords, accessRecords } from './access-records.ts'
export { type AccessStore, type AccessStoreOptions, accessStorage } from './access-storage.ts'
export {
  type AccessLogTable,
  accessLogLimits,
  type BucketTable,
  type KeyTable,
  minuteOf,
  type SealedKey,
  type StoredKey,
} from './access-tables.ts'
export { operatorName } from './identities.ts'
export type { KeyStore } from './key-store.ts'
export { readOperatorKey } from './operator-key.ts'
export { requestClaim } from './request-claim.ts'
export type { Demand, ResourceRights } from './rights.ts'
