import type { InvocationContext, Plugin, Request } from './plugin.ts'

/**
 * Follows the work of one invocation, around which a middleware alone cannot stand: the handler, and each message of a
 * batch. Traces are made with it.
 */
export interface Observer {
  /** Runs the handler. What the handler starts belongs to the invocation. */
  readonly handle: <Result>(run: () => Result) => Result
  /**
   * Runs the handler of one message of a batch.
   * @param record the record of the message, as it is in the event
   */
  readonly message: <Result>(record: object, run: () => Promise<Result>) => Promise<Result>
  /**
   * Called when the invocation ends, also when another middleware has responded before the handler was called. The hooks
   * `after` and `onError` may come before it.
   */
  readonly end: (request: Request) => void
}

// A registered symbol, because a program may contain this package twice.
const key: unique symbol = Symbol.for('signalbox.observer') as never

/** Lets an observer follow the invocation of a context. The `before` hook of a middleware calls this. */
export function observe(context: InvocationContext, observer: Observer): void {
  // A context that is frozen stays without an observer.
  Reflect.set(context, key, observer)
}

/** Returns the observer of an invocation, or undefined. */
export function observerOf(context: InvocationContext | undefined): Observer | undefined {
  return (context as { readonly [key]?: Observer } | undefined)?.[key]
}

/** A request for which `signalbox()` has found the plugin that handles it. */
export type Recognized = Request & { [recognized]?: Plugin }

// A registered symbol, for the same reason.
export const recognized: unique symbol = Symbol.for('signalbox.plugin') as never

/** Returns whether `signalbox()` handles a request. Then it calls `end` of the request's observer. */
export function callsEnd(request: object): boolean {
  return recognized in request
}
