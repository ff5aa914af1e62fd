export { InvalidConfigError } from './config-error.ts'
export {
  type Field,
  type Fields,
  integerFrom,
  is,
  may,
  need,
  numberFrom,
  object,
  port,
  someText,
} from './field.ts'
export { defaultInstances } from './function-defaults.ts'
export { defaultHost, type ListenerAddress, listenerAt } from './listener-addresses.ts'
export {
  below,
  functionReference,
  innerProblems,
  isPart,
  namedParts,
  type Part,
  partProblems,
} from './part-problems.ts'
export type {
  ControlConfig,
  FunctionConfig,
  JournalConfig,
  RuntimeConfig,
  TimedFunctions,
} from './runtime-config.ts'
export type { FunctionSettings, Settings } from './settings.ts'
