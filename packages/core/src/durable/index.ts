// Durable functions. This entry point loads the SDK, `@aws/durable-execution-sdk-js`, which is a peer dependency.
export { durableContext, NotDurableError } from './current.ts'
export { type DurableHandler, type DurableOptions, durable } from './durable.ts'
export { durableOperations } from './durable-operations.ts'
export { oncePerExecution } from './once-per-execution.ts'
export { type CallbackConfig, callback, map, type StepContext, step, wait } from './operations.ts'
