import type { InvocationContext } from '@signalbox/core'
import { batchRun } from './batch-run.ts'
import type { QueueEnvelope } from './contract/event.ts'
import type { BatchResponse } from './contract/response.ts'
import { isThenable } from './is-thenable.ts'
import type { Message } from './message.ts'
import { running } from './outcomes.ts'
import type { MessageReader } from './read-message.ts'
import { runLanes, type Step } from './run-lanes.ts'
import type { BatchOptions } from './settings.ts'

/**
 * What is done with one message. To return is to be done with it; whatever is thrown, `undefined` included,
 * fails it and no other. What is returned is not looked at.
 */
export type MessageHandler<Body> = (message: Message<Body>) => unknown

/**
 * Works through a batch, message by message. Nothing is a promise until a handler returns one, so synchronous
 * handlers are answered for synchronously, and without a timer.
 */
export function processBatch<Body>(
  event: QueueEnvelope,
  context: InvocationContext | undefined,
  reader: MessageReader<Body>,
  handle: MessageHandler<Body>,
  options: BatchOptions,
): BatchResponse | Promise<BatchResponse> {
  const run = batchRun(event, context, options)
  const { records, outcomes, deadline, curious } = run
  // A function of its own: were these closures made in the step, it would set memory aside for what they hold on to
  // for every message, also for those that take no time.
  const wait = (
    result: PromiseLike<unknown>,
    position: number,
    message: Message<Body>,
    settle: Parameters<Step>[1],
  ): void => {
    outcomes[position] = running
    // Not its own `then`, which is anybody's: this one calls back once, and not before it has returned.
    then.call(
      Promise.resolve(result),
      () => settle(position, run.succeed(position)),
      reason => settle(position, run.fail(position, reason, message)),
    )
  }
  const step: Step = (position, settle) => {
    const record = records[position]
    let message: Message<Body> | undefined
    try {
      message = reader.read(record, deadline)
      if (message === undefined) return run.fail(position, curious ? reader.refusal(record) : undefined)
      const result = handle(message)
      if (!isThenable(result)) return run.succeed(position)
      wait(result, position, message, settle)
      return undefined
    } catch (reason) {
      return run.fail(position, reason, message)
    }
  }
  return run.conclude(runLanes(run.lanes, options.concurrency ?? 10, step, run.stopped))
}

const { then } = Promise.prototype
