import type { AsyncLocalStorage } from 'node:async_hooks'

/**
 * The durable execution to which the running code belongs, as far as families and telemetry need it. An execution is made
 * of invocations: each runs the handler from its start, and gets the results of the steps before it without running them.
 */
export interface DurableExecution {
  readonly arn: string
  /** Whether the code runs again only to reach the place at which the last invocation ended. */
  readonly isReplaying: boolean
  /** Runs a function once, and in later invocations returns its result, which JSON must be able to hold. */
  readonly step: <Result>(name: string, run: () => Promise<Result>) => Promise<Result>
}

// A registered symbol, because a program may contain this package twice. The storage is made by the entry `durable`, so that
// other programs do not load it.
const key = Symbol.for('signalbox.durable')

/**
 * Returns the durable execution to which the running code belongs, or undefined outside of a durable function.
 * @example
 * ```ts
 * import { durableExecution } from '@signalbox/core'
 *
 * const report = (text: string) => {
 *   if (!durableExecution()?.isReplaying) console.log(text)
 * }
 * ```
 */
export function durableExecution(): DurableExecution | undefined {
  return (globalThis as { readonly [key]?: AsyncLocalStorage<DurableExecution> })[key]?.getStore()
}

/** Returns the storage of executions, and makes it with `make` when there is none. */
export function executionStorage<Execution extends DurableExecution>(
  make: () => AsyncLocalStorage<Execution>,
): AsyncLocalStorage<Execution> {
  const shared = globalThis as { [key]?: AsyncLocalStorage<Execution> }
  shared[key] ??= make()
  return shared[key]
}
