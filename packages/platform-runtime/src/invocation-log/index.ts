export type { InvocationLogEntry, InvocationLogQuery, NewInvocationLogEntry } from './entry.ts'
export {
  type InvocationLog,
  type InvocationLogOptions,
  type InvocationLogReader,
  invocationLogStorage,
} from './invocation-log.ts'
export { invocationRecords } from './invocation-records.ts'
export { type InvocationEntries, invocationTransfer } from './invocation-transfer.ts'
export { maskedEntry } from './masked-entry.ts'
export type { EntryAbout, LogSpan, VisitEntry } from './scan.ts'
export { type InvocationFilters, type InvocationPage, type InvocationSearch, passes } from './search.ts'
export { loggedErrors, type Severity, severityOf } from './severity.ts'
export { minimalEntry, trimmedEntry } from './trimmed-entry.ts'
