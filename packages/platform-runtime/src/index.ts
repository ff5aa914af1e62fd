export { maskText } from '@signalbox/telemetry/masking'
export type { Answer as ControlAnswer } from './control/answer.ts'
export type { ControlApi, ControlRequest } from './control/control-api.ts'
export type { ControlRoute } from './control/documents.ts'
export { type TestPart, type TestRoute, testRoute } from './control/test-part.ts'
export { createFolder } from './create-folder.ts'
export type { Dialect, InvocationInfo, NamedDialect } from './dialect/dialect.ts'
export { payloadProblems } from './families/payload-problems.ts'
export type { PlatformFamily } from './families/platform-family.ts'
export type { Verdict } from './families/verdict.ts'
export type {
  ExecutionStart,
  ExecutionState,
  Executions,
  StartedExecution,
} from './invocation/executions.ts'
export type { Invocation } from './invocation/invocation.ts'
export type { InvocationLogEntry, InvocationLogQuery, NewInvocationLogEntry } from './invocation-log/entry.ts'
export { entryProblems } from './invocation-log/entry-problems.ts'
export { isEventOmitted } from './invocation-log/trimmed-entry.ts'
export type { Call, Failure, InvocationResult, LogLine } from './invoker/invoker.ts'
export { failurePayload, timeoutMessage } from './invoker/remote/failure-payload.ts'
export type { Address } from './listener/address.ts'
export { defaultLocation, functionArn, type Location } from './location.ts'
export { boundedNames, other } from './metrics/bounded-names.ts'
export type { Meter } from './metrics/meter.ts'
export type { Metric } from './metrics/metric.ts'
export { nearestName } from './nearest-name.ts'
export { type Random, randomHex, randomUuid, systemRandom } from './random.ts'
export { isReadableByOthers } from './readable-by-others.ts'
export { siblingModule } from './sibling-module.ts'
export type { OutboundMail, OutboundMailer } from './source/outbound-mail.ts'
export {
  type MappingChange,
  MappingRefusedError,
  type QueueDelivery,
  type QueueMapping,
  type QueueSender,
} from './source/queue-sender.ts'
export type { ClientReference, SignInClient, SignInPools, SignInRequest } from './source/sign-in-pools.ts'
export type { Source, SourceContext } from './source/source.ts'
export type { SourceConfig } from './source/source-config.ts'
export type {
  AnySourceModule,
  OpenContext,
  OpenedSource,
  Program,
  Services,
  SourceModule,
} from './source/source-module.ts'
export type { Starter, TestSyntax } from './source/starter.ts'
export { unknownName } from './unknown-name.ts'
