export type { InvocationLogEntry } from '../invocation-log/entry.ts'
export type { EntryAbout } from '../invocation-log/scan.ts'
export { type InvocationFilters, type InvocationSearch, passes } from '../invocation-log/search.ts'
export { ApiError, found } from './api-error.ts'
export {
  type ApiRoute,
  type ApiRoutes,
  type HandlersOf,
  type OutputOf,
  Refusal,
  refusals,
  route,
} from './api-route.ts'
export type { Console, ConsoleContext, ConsoleFunction, OpenConsole } from './console.ts'
export type { ConsoleFile } from './console-file.ts'
export { ConsolePage } from './console-page.ts'
export type { AnyConsolePart, ConsoleFiles, ConsolePart, ConsoleView, EventNames } from './console-part.ts'
export { Failure, InvocationPage, InvocationSummary, Severity, Verdict } from './invocation-page.ts'
export { optional } from './optional.ts'
export { RefusedError } from './refused-error.ts'
export { type ConsoleSession, type SessionTable, sessionLimits, sessionStorage } from './session-storage.ts'
export { wholeNumber } from './whole-number.ts'
