export { isObject, pointerTo } from '@signalbox/codec'
export { InvalidConfigError } from './config-error.ts'
export {
  type Field,
  type Fields,
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
export { defaultHost, type ListenerAddress, listenerAt } from './listener-addresses.ts'
export type {
  ControlConfig,
  FunctionConfig,
  InvocationLogConfig,
  RuntimeConfig,
  TimedFunctions,
} from './runtime-config.ts'
export type { FunctionSettings, Settings } from './settings.ts'
