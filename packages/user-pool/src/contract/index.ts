export type { ProviderType } from './account-triggers.ts'
export { type ChallengeName, challengeNames } from './challenge.ts'
export { type ClaimValue, groupClaims, reservedClaims, scopeVersions, takesScopes } from './claim.ts'
export { commonFields, commonFieldsOfSenders } from './common-fields.ts'
export { eventCodec, triggerEventCodec } from './event-codec.ts'
export type { Field, Fields, OnWire, Seen } from './field.ts'
export { emailMessageLength, smsMessageLength, triggerAttempts, triggerTimeout } from './limits.ts'
export { responseCodec } from './response-codec.ts'
export { responseProblems } from './response-problems.ts'
export { returnedProblems } from './returned-problems.ts'
export type { Shape, TextMap } from './shape.ts'
export { expectedSource, type KnownSource, knownSource, sources, sourcesOf, triggerNames } from './source.ts'
export type {
  CommonFields,
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
export type { SourceRow, TriggerRow } from './trigger-row.ts'
export { triggers } from './triggers.ts'
export {
  type TakeoverAttributes,
  takeoverAttributeNames,
  type UserAttributes,
  type UserStatus,
  userAttributeNames,
  userStatuses,
} from './user-attribute.ts'
export { deniedMessage, type TriggerVerdict, triggerVerdict } from './verdict.ts'
export { titleOf, whenCalled } from './wording.ts'
