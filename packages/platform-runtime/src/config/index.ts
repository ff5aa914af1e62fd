export { isObject, pointerTo } from '@signalbox/codec'
export type { AccessConfig, IdentityConfig, KeyConfig, RightsConfig } from '../access/access-config.ts'
export { isOwnAddress } from '../listener/own-host.ts'
export { InvalidConfigError } from './config-error.ts'
export {
  type Field,
  type Fields,
  hostNames,
  integerFrom,
  matching,
  nonEmptyText,
  numberFrom,
  object,
  optional,
  port,
  required,
} from './field.ts'
export {
  fieldProblems,
  functionReferenceProblems,
  mapProblems,
  nestedProblems,
  type UncheckedObject,
} from './field-problems.ts'
export { defaultInstances } from './function-defaults.ts'
export { isLoopback } from './is-loopback.ts'
export type { LimitsConfig, ListenerLimitsConfig } from './limits.ts'
export { defaultHost, type ListenerAddress, listenerAt } from './listener-addresses.ts'
export type {
  ControlConfig,
  FunctionConfig,
  InvocationLogConfig,
  LambdaConfig,
  RuntimeConfig,
  TimedFunctions,
} from './runtime-config.ts'
export { readSecret, type SecretConfig, secretProblems, secretText } from './secret.ts'
export type { FunctionSettings, Settings } from './settings.ts'
export {
  certificateProblems,
  readTlsFiles,
  type TlsConfig,
  type TlsFiles,
  tlsFields,
} from './tls-files.ts'
