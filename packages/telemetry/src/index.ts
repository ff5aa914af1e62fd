export { type TelemetryOptions, telemetry, traceHeader, traceparent } from './telemetry.ts'
