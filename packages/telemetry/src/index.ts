export { type Log, type LogOptions, log, type WriteLog } from './log/log.ts'
export type { LoggerLike } from './log/loggers.ts'
export { type TelemetryOptions, telemetry, traceHeader, traceparent } from './telemetry.ts'
