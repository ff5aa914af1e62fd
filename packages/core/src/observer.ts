import type { InvocationContext, Plugin, Request } from './plugin.ts'

/** How the handler of a message ended, unless it failed. */
export type MessageEnd = 'handled' | 'discarded'

/**
 * Follows the work of one invocation, around which a middleware alone cannot stand: the handler, and each message of a
 * batch. Traces are made with it. Its functions must not throw.
 */
export interface Observer {
  /** Runs the handler. What the handler starts belongs to the invocation. */
  readonly handle: <Result>(run: () => Result) => Result
  /**
   * Runs the handler of one message of a batch.
   * @param record the record of the message, as it is in the event
   */
  readonly message: (record: object, run: () => Promise<MessageEnd>) => Promise<MessageEnd>
  /**
   * Called when the invocation ends, also when another middleware has responded before the handler was called. The hooks
   * `after` and `onError` may come before it.
   */
  readonly end: (request: Request) => void
  /**
   * Called instead of `end` when the invocation of a durable function ends before the execution has an answer. Messages that
   * have started continue in another invocation.
   */
  readonly suspend?: () => void
}

// A registered symbol, because a program may contain this package twice.
const key: unique symbol = Symbol.for('signalbox.observer') as never

/**
 * Lets an observer follow the invocation of a context, beside those that follow it already. The `before` hook of a
 * middleware calls this. Returns false for a context that cannot be changed.
 * @example
 * ```ts
 * import { namedMiddleware, observe, type Request } from '@signalbox/core'
 *
 * export const messageTimes = () =>
 *   namedMiddleware('message-times', {
 *     before({ context }: Request) {
 *       observe(context, {
 *         handle: run => run(),
 *         async message(_record, run) {
 *           const start = performance.now()
 *           return run().finally(() => console.log(performance.now() - start))
 *         },
 *         end: () => {},
 *       })
 *     },
 *   })
 * ```
 */
export function observe(context: InvocationContext, observer: Observer): boolean {
  const other = observerOf(context)
  try {
    return Reflect.set(context, key, other === undefined ? observer : both(other, observer))
  } catch {
    // The context is a proxy.
    return false
  }
}

function both(outer: Observer, inner: Observer): Observer {
  return {
    handle: run => outer.handle(() => inner.handle(run)),
    message: (record, run) => outer.message(record, () => inner.message(record, run)),
    end(request) {
      inner.end(request)
      outer.end(request)
    },
    suspend() {
      inner.suspend?.()
      outer.suspend?.()
    },
  }
}

/**
 * Returns the observer of an invocation, or undefined.
 * @example
 * ```ts
 * import { type InvocationContext, observerOf } from '@signalbox/core'
 *
 * export async function handleAll(records: readonly object[], context: InvocationContext) {
 *   const handle = async (record: object) => (console.log(record), 'handled' as const)
 *   for (const record of records)
 *     await (observerOf(context)?.message(record, () => handle(record)) ?? handle(record))
 * }
 * ```
 */
export function observerOf(context: InvocationContext | undefined): Observer | undefined {
  return (context as { readonly [key]?: Observer } | undefined)?.[key]
}

/**
 * Tells the observer of a request that its invocation has ended.
 * @example
 * ```ts
 * import { endObserved, namedMiddleware, type Request } from '@signalbox/core'
 *
 * // For a middy stack without `signalbox()`, which does this itself.
 * export const ending = () =>
 *   namedMiddleware('ending', { after: (request: Request) => endObserved(request) })
 * ```
 */
export function endObserved(request: Request): void {
  const observer = observerOf(request.context)
  if (observer === undefined) return
  // Some tests give many events the same context.
  Reflect.set(request.context, key, undefined)
  observer.end(request)
}

/** Tells the observer of an invocation that it has ended before its execution has an answer. */
export function suspendObserved(context: InvocationContext | undefined): void {
  observerOf(context)?.suspend?.()
}

/** A request for which `signalbox()` has found the plugin that handles it. */
export type Recognized = Request & { [recognized]?: Plugin }

// A registered symbol, for the same reason.
export const recognized: unique symbol = Symbol.for('signalbox.plugin') as never

/**
 * Returns whether `signalbox()` handles a request. Then it tells the request's observer when the invocation ends.
 * @example
 * ```ts
 * import { callsEnd, endObserved, namedMiddleware, type Request } from '@signalbox/core'
 *
 * export const ending = () =>
 *   namedMiddleware('ending', {
 *     after: (request: Request) => {
 *       if (!callsEnd(request)) endObserved(request)
 *     },
 *   })
 * ```
 */
export function callsEnd(request: object): boolean {
  return recognized in request
}
