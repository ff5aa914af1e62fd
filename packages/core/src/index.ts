export { type Clock, systemClock } from './clock.ts'
export { type Deadline, type DeadlineOptions, deadline } from './deadline.ts'
export { inDevelopment, inDevelopmentOrTest } from './development.ts'
export { type DurableExecution, durableExecution } from './durable-execution.ts'
export {
  DeniedError,
  InvalidEventError,
  InvalidOptionError,
  InvalidResponseError,
  SignalboxError,
  UnknownEventError,
  UnroutedError,
} from './errors.ts'
export { fromTaskEither } from './from-task-either.ts'
export { isThenable } from './is-thenable.ts'
export { type ClosestFamily, closestFamily } from './middleware/closest-family.ts'
export { contractValidator } from './middleware/contract-validator.ts'
export { named, namedMiddleware } from './middleware/named.ts'
export { normalizer } from './middleware/normalizer.ts'
export { receiver } from './middleware/receiver.ts'
export { validator } from './middleware/validator.ts'
export { notAnAnswer, problemOfAnswer, refusalAsAnswer } from './not-an-answer.ts'
export { callsEnd, endObserved, type MessageEnd, type Observer, observe, observerOf } from './observer.ts'
export { refuseUnknownOptions, showOption } from './options.ts'
export type {
  AfterMiddleware,
  BaseHandler,
  BeforeMiddleware,
  Drift,
  Family,
  HookRequest,
  InlineMiddleware,
  Invocation,
  InvocationContext,
  Middleware,
  Plugin,
  Request,
} from './plugin.ts'
export type { SignalboxOptions } from './signalbox/arguments.ts'
export { type EventOf, type ResultOf, signalbox } from './signalbox/signalbox.ts'
export type { SignalboxHandler } from './signalbox/signalbox-handler.ts'
export { type KeyvLike, keyvStore } from './store/keyv-store.ts'
export { type MemoryStoreOptions, memoryStore } from './store/memory-store.ts'
export type { Store } from './store/store.ts'
export { warnOfName } from './warn-of-name.ts'
