import { AsyncLocalStorage } from 'node:async_hooks'
import type { DurableContext } from '@aws/durable-execution-sdk-js'
import { type DurableExecution, executionStorage } from '../durable-execution.ts'
import { SignalboxError } from '../errors.ts'

/** Thrown by a durable operation that is called outside of a durable function. */
export class NotDurableError extends SignalboxError {
  override readonly name = 'NotDurableError'
  readonly code = 'NOT_DURABLE'

  constructor(operation: string) {
    super(
      `${operation}() works only in a durable function: wrap the handler, as in durable(signalbox(…)), and call it in a route or a message handler`,
    )
  }
}

interface Current extends DurableExecution {
  readonly context: DurableContext
}

const storage = executionStorage<Current>(() => new AsyncLocalStorage())

/** Runs a function whose durable operations belong to `context`. */
export function within<Result>(context: DurableContext, run: () => Result): Result {
  return storage.run(
    {
      context,
      arn: context.executionContext.durableExecutionArn,
      get isReplaying() {
        // The SDK keeps this to itself, and only its loggers follow it.
        const { durableExecutionMode: mode } = context as { readonly durableExecutionMode?: unknown }
        return mode === 'ReplayMode' || mode === 'ReplaySucceededContext'
      },
      step: (name, run) => Promise.resolve(context.step(name, run)),
    },
    run,
  )
}

/**
 * Returns the context of the SDK to which the running code belongs, for operations that have no function here, such as
 * `invoke` and `parallel`.
 * @throws NotDurableError outside of a durable function
 * @example
 * ```ts
 * import { durableContext } from '@signalbox/core/durable'
 *
 * export const charge = (order: string) => durableContext().invoke<object, string>('charge', 'payments', { order })
 * ```
 */
export function durableContext(): DurableContext {
  return contextFor('durableContext')
}

/** @throws NotDurableError outside of a durable function */
export function contextFor(operation: string): DurableContext {
  const current = storage.getStore()
  if (current === undefined) throw new NotDurableError(operation)
  return current.context
}
