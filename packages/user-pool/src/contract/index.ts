export { eventCodec, triggerEventCodec } from './event-codec.ts'
export { type ChallengeName, challengeNames } from './fields/challenge.ts'
export { type ClaimValue, groupClaims, reservedClaims, scopeVersions, takesScopes } from './fields/claim.ts'
export type { Field, Fields, OnWire, Seen } from './fields/field.ts'
export type { Shape, TextMap } from './fields/shape.ts'
export {
  type ReadAttributes,
  type TakeoverAttributes,
  takeoverAttributeNames,
  type UserAttributes,
  type UserStatus,
  userAttributeNames,
  userStatuses,
} from './fields/user-attribute.ts'
export { emailMessageLength, smsMessageLength, triggerAttempts, triggerTimeout } from './limits.ts'
export type {
  CommonFields,
  FilledResponse,
  Key,
  Source,
  SourcesOf,
  Trigger,
  TriggerEvent,
  TriggerOf,
  TriggerRequest,
  TriggerResponse,
  WireEvent,
} from './trigger-event.ts'
export type { ProviderType } from './triggers/account-triggers.ts'
export { commonFields, commonFieldsOfSenders } from './triggers/common-fields.ts'
export {
  expectedSource,
  type KnownSource,
  knownSource,
  sources,
  sourcesOf,
  triggerNames,
} from './triggers/source.ts'
export type { SourceRow, TriggerRow } from './triggers/trigger-row.ts'
export { triggers } from './triggers/triggers.ts'
export { responseCodec } from './verdict/response-codec.ts'
export { responseProblems } from './verdict/response-problems.ts'
export { returnedProblems } from './verdict/returned-problems.ts'
export { deniedMessage, type TriggerVerdict, triggerVerdict } from './verdict/verdict.ts'
export { titleOf, whenCalled } from './wording.ts'
