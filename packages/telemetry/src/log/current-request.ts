import { AsyncLocalStorage } from 'node:async_hooks'
import { type InvocationContext, observe, type Request } from '@signalbox/core'

// A registered symbol, because a program may contain this package twice.
const key: unique symbol = Symbol.for('signalbox.telemetry.request') as never

const current = new AsyncLocalStorage<Request>()

/** Lets log lines find a request: by its context, and, where a handler has none, by what is running. */
export function followRequest(request: Request): void {
  const run = <Result>(work: () => Result): Result =>
    current.getStore() === request ? work() : current.run(request, work)
  request.context ??= {}
  Reflect.set(request.context, key, request)
  observe(request.context, { handle: run, message: (_record, work) => run(work), end() {} })
}

/** Returns the request of a context, or else the one that is handled, if `telemetry()` has seen it. */
export function requestOf(context: InvocationContext | undefined): Request | undefined {
  const store = current.getStore()
  // Some tests give many events the same context.
  if (context === undefined || store?.context === context) return store
  return (context as { readonly [key]?: Request })[key]
}
