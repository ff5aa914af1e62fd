export { isObject, pointerTo } from '@signalbox/codec'
export type { AccessConfig, IdentityConfig, KeyConfig, RightsConfig } from '../access/access-config.ts'
export { InvalidConfigError } from '../fields/config-error.ts'
export { failureDestinationProblems } from '../fields/failure-destination.ts'
export {
  type ConfigOf,
  days,
  type Field,
  hostNames,
  integerFrom,
  listOf,
  mapOf,
  matching,
  megabytes,
  minutes,
  nonEmptyText,
  numberFrom,
  object,
  objectOf,
  optional,
  port,
  type Rule,
  required,
  seconds,
  textLike,
  type ValuesOf,
  valuesOf,
  wholeSeconds,
} from '../fields/field.ts'
export {
  durableReferenceProblems,
  fieldProblems,
  functionReferenceProblems,
  insideProblems,
  isDurable,
  type UncheckedObject,
} from '../fields/field-problems.ts'
export { isLoopback } from '../fields/is-loopback.ts'
export { isPublicAddress } from '../fields/is-public-address.ts'
export { type LimitsConfig, type ListenerLimitsConfig, listenerLimits } from '../fields/limits.ts'
export { readSecret, type SecretConfig, secretProblems, secretText } from '../fields/secret.ts'
export {
  authorityProblems,
  certificateProblems,
  readTlsFiles,
  type TlsConfig,
  type TlsFiles,
  tlsFields,
  tlsFiles,
} from '../fields/tls-files.ts'
export {
  type DurableConfig,
  durableFields,
  type FunctionConfig,
  functionFields,
  type LambdaConfig,
  type TimedFunctions,
} from '../invoker/function-config.ts'
export type { FunctionSettings } from '../invoker/function-settings.ts'
export { clientsOf, defaultHost, type ListenerAddress, listenerAt } from '../listener/listener-addresses.ts'
export { isOwnAddress } from '../listener/own-host.ts'
export { configFields } from './config-problems.ts'
export type { ControlConfig, InvocationLogConfig, RuntimeConfig } from './runtime-config.ts'
export type { Settings } from './settings.ts'
