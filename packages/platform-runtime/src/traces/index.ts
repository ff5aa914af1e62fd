export {
  fromTraceHeader,
  fromTraceparent,
  type RemoteSpan,
  toTraceHeader,
  toTraceparent,
} from '@signalbox/telemetry/otlp'
export { inAcceptSpan } from './accept-span.ts'
export { activeCause, activeSpan, runInSpan } from './active-span.ts'
export { type Cause, causeOf, invocationSpan, rootTraceId, traceIdOf } from './span.ts'
export type { Traces } from './traces.ts'
