import { AsyncLocalStorage } from 'node:async_hooks'
import type { InvocationContext, Observer, Request } from '@signalbox/core'

// A registered symbol, because a program may contain this package twice.
const key: unique symbol = Symbol.for('signalbox.telemetry.request') as never

const current = new AsyncLocalStorage<Request>()

/** Keeps the request of a context for its log lines. Does nothing for a context that cannot be changed. */
export function keepRequest(context: InvocationContext, request: Request): void {
  Reflect.set(context, key, request)
}

/** Returns an observer that lets log lines without a context find their request. */
export function followRequest(request: Request): Observer {
  const run = <Result>(work: () => Result): Result =>
    current.getStore() === request ? work() : current.run(request, work)
  return { handle: run, message: (_record, work) => run(work), end() {} }
}

/** Returns the request of a context, or else the one that is handled, if `telemetry()` has seen it. */
export function requestOf(context: InvocationContext | undefined): Request | undefined {
  const store = current.getStore()
  // Some tests give many events the same context.
  if (context === undefined || store?.context === context) return store
  return (context as { readonly [key]?: Request })[key]
}
