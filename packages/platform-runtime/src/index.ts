export type { ControlRoute } from './control/documents.ts'
export { createFolder } from './create-folder.ts'
export type { Dialect, InvocationInfo, NamedDialect } from './dialect/dialect.ts'
export type { Invocation } from './invocation/invocation.ts'
export type { Verdict } from './invocation/verdict.ts'
export type { InvocationLogEntry, InvocationLogQuery, NewInvocationLogEntry } from './invocation-log/entry.ts'
export { mayHoldSecret } from './invocation-log/masking/mask.ts'
export { isEventOmitted } from './invocation-log/trimmed-entry.ts'
export type { Failure, LogLine } from './invoker/invoker.ts'
export { failurePayload } from './invoker/remote/remote-failure.ts'
export { defaultLocation, type Location } from './location.ts'
export { nearestName } from './nearest-name.ts'
export { hexSource, type Random, randomHex, randomUuid, systemRandom } from './random.ts'
export { siblingModule } from './sibling-module.ts'
export type { OutboundMail, OutboundMailer } from './source/outbound-mail.ts'
export { payloadProblems } from './source/payload-problems.ts'
export type { PlatformFamily } from './source/platform-family.ts'
export type { QueueSender } from './source/queue-sender.ts'
export type { Address, Source, SourceContext } from './source/source.ts'
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
