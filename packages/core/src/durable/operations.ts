import type {
  BatchResult,
  DurablePromise,
  Duration,
  MapConfig,
  StepConfig,
  StepFunc,
} from '@aws/durable-execution-sdk-js'
import { contextFor, within } from './current.ts'

/** What the function of a step gets: its `attempt`, from 1, and a logger. */
export type StepContext = Parameters<StepFunc<unknown>>[0]

/** Options of `callback`. */
export interface CallbackConfig<Result> {
  /** The time after which the callback fails if nothing completed it. */
  readonly timeout?: Duration
  /** The time after which the callback fails if no heartbeat was sent. */
  readonly heartbeatTimeout?: Duration
  /** Whether and when a submitter that failed runs again. */
  readonly retryStrategy?: NonNullable<StepConfig<void>['retryStrategy']>
  /** Reads the result. Default: the text as it was sent. */
  readonly serdes?: Pick<NonNullable<StepConfig<Result>['serdes']>, 'deserialize'>
}

/**
 * Runs a function once in an execution and keeps its result, which later invocations get without running it again. A
 * function that throws runs again, by default up to five times, with growing delays; then the step fails.
 *
 * The steps of an execution are told apart by their order, so the code between them must not depend on anything that
 * another invocation would see differently, such as the time.
 *
 * @param name names the step in the history of the execution
 * @throws NotDurableError outside of a durable function
 * @example
 * const receipt = await step('charge', () => charge(body))
 */
export function step<Result>(
  name: string,
  run: (context: StepContext) => Result | Promise<Result>,
  config?: StepConfig<Result>,
): DurablePromise<Result> {
  return contextFor('step').step(name, async context => run(context), config)
}

/**
 * Waits, without an instance that runs in the meantime: the invocation ends, and another continues.
 * @param duration from a second to a year
 * @throws NotDurableError outside of a durable function
 * @example
 * await wait('trial', { days: 14 })
 */
export function wait(name: string, duration: Duration): DurablePromise<void> {
  return contextFor('wait').wait(name, duration)
}

/**
 * Waits until somebody else completes a callback, through SendDurableExecutionCallbackSuccess or -Failure. The invocation
 * ends, and another continues with the result.
 * @param submit hands the id of the callback over, such as in a mail; it runs once, as a step
 * @throws NotDurableError outside of a durable function
 * @example
 * const approval = await callback('approval', id => askForApproval(id, order), { timeout: { days: 7 } })
 */
export function callback<Result = string>(
  name: string,
  submit: (callbackId: string) => void | Promise<void>,
  config?: CallbackConfig<Result>,
): DurablePromise<Result> {
  return contextFor('callback').waitForCallback<Result>(name, async id => submit(id), config as never)
}

/**
 * Calls a function for each item of a list, each in a context of its own, so that items may have steps and waits and may
 * run concurrently. By default, a failed item does not stop the others.
 * @returns the results in the order of the items, with `throwIfError()` and `getResults()`
 * @throws NotDurableError outside of a durable function
 * @example
 * const sent = await map('mails', addresses, address => step('send', () => send(address)), { maxConcurrency: 5 })
 */
export function map<Item, Result>(
  name: string,
  items: readonly Item[],
  each: (item: Item, index: number) => Result | Promise<Result>,
  config?: MapConfig<Item, Result>,
): DurablePromise<BatchResult<Result>> {
  return contextFor('map').map<Item, Result>(
    name,
    [...items],
    async (context, item, index) => within(context, () => each(item, index)),
    config,
  )
}
