export type { InvocationLogEntry, InvocationLogQuery, NewInvocationLogEntry } from './entry.ts'
export { gatheredLog } from './gathered-log.ts'
export {
  type InvocationLog,
  type InvocationLogOptions,
  type InvocationLogReader,
  invocationLogStorage,
  restartedLog,
  traceLimit,
} from './invocation-log.ts'
export { invocationRecords } from './invocation-records.ts'
export { aboutOf, entryOf, type InvocationRow, rootOf, rowOf, sizeOf } from './invocation-row.ts'
export { type InvocationEntries, invocationTransfer } from './invocation-transfer.ts'
export { maskedEntry } from './masked-entry.ts'
export type { EntryAbout, LogSpan, VisitEntry } from './scan.ts'
export { type InvocationFilters, type InvocationPage, type InvocationSearch, passes } from './search.ts'
export { conditionsOf, joined, partsOf, searchSpans } from './search-spans.ts'
export { loggedErrors, type Severity, severityOf } from './severity.ts'
export { chainOf, readChain, type TraceStep, traceOf } from './trace-chain.ts'
