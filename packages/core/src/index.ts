export { type Clock, systemClock } from './clock.ts'
export { type ClosestFamily, closestFamily } from './closest-family.ts'
export { type Deadline, type DeadlineOptions, deadline } from './deadline.ts'
export { inDevelopment } from './development.ts'
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
export { type KeyvLike, keyvStore } from './keyv-store.ts'
export { type MemoryStoreOptions, memoryStore } from './memory-store.ts'
export { named } from './named.ts'
export { normalizer } from './normalizer.ts'
export { notAnAnswer, problemOfAnswer, refusalAsAnswer } from './not-an-answer.ts'
export { refuseUnknownOptions } from './options.ts'
export type {
  AfterMiddleware,
  BaseHandler,
  BeforeMiddleware,
  Drift,
  Family,
  InlineMiddleware,
  Invocation,
  InvocationContext,
  Middleware,
  Plugin,
  Request,
} from './plugin.ts'
export { receiver } from './receiver.ts'
export { type EventOf, type ResultOf, type SignalboxOptions, signalbox } from './signalbox.ts'
export type { SignalboxHandler } from './signalbox-handler.ts'
export type { Store } from './store.ts'
export { validator } from './validator.ts'
