export type { StorageTime } from './commit-times.ts'
export { type DamageReporter, damageReporter, wrapFunctions } from './damaged-file.ts'
export { type DataDirectory, DataDirectoryInUseError, dataDirectory, readHolder } from './data-directory.ts'
export { databaseFiles, fileOf, hasDatabase, openForReading } from './database-files.ts'
export { durability } from './durability.ts'
export { freeSpaceOf, type Need } from './free-space.ts'
export { groupCommit } from './group-commit.ts'
export { IncompleteDataError } from './incomplete-data-error.ts'
export { correctColumns, latestTime, prepareLatestTime, storedLatestTime } from './latest-time.ts'
export { layoutOf, UnknownLayoutError, upgradeLayout } from './layout-of.ts'
export { logTime } from './log-time.ts'
export type {
  OpenStorageEngine,
  SharingPlatform,
  StorageContext,
  StorageEngine,
  StorageEngineModule,
  StoragePort,
  StorageReservation,
} from './storage-engine.ts'
export { rollBack, transactions, type Write } from './transactions.ts'
export { type Begun, begunCopy, copyRecords } from './transfer/copy-records.ts'
export { sqliteTransfer } from './transfer/sqlite-transfer.ts'
export type { RecordKind, Transfer, TransferRecord } from './transfer/transfer.ts'
export { engineTransfer, type TransferableStore } from './transfer/transferable-store.ts'
