import type { Deadline, InvocationContext } from '@signalbox/core'
import { batchRun, isThenable } from './batch-run.ts'
import type { QueueEnvelope } from './contract/event.ts'
import type { BatchResponse } from './contract/response.ts'
import type { Message } from './message.ts'
import { running } from './outcomes.ts'
import { runLanes } from './run-lanes.ts'
import type { BatchOptions } from './settings.ts'

/**
 * What is done with one message. To return is to be done with it; whatever is thrown, `undefined` included,
 * fails it and no other. What is returned is not looked at.
 */
export type MessageHandler<Body> = (message: Message<Body>) => unknown

/**
 * Works through a batch, message by message. Nothing is a promise until a handler returns one, so synchronous
 * handlers are answered for synchronously, and without a timer.
 * @param open makes the message of a record; what it throws fails that message
 */
export function processBatch<Body>(
  event: QueueEnvelope,
  context: InvocationContext | undefined,
  open: (record: unknown, deadline: Deadline) => Message<Body>,
  handle: MessageHandler<Body>,
  options: BatchOptions,
): BatchResponse | Promise<BatchResponse> {
  const run = batchRun(event, context, options)
  const step = (position: number): boolean | Promise<boolean> => {
    let message: Message<Body> | undefined
    try {
      message = open(run.records[position], run.deadline)
      run.outcomes[position] = running
      const result = handle(message)
      if (!isThenable(result)) return run.succeed(position)
      const opened = message
      return Promise.resolve(result).then(
        () => run.succeed(position),
        reason => run.fail(position, reason, opened),
      )
    } catch (reason) {
      return run.fail(position, reason, message)
    }
  }
  return run.conclude(runLanes(run.lanes, options.concurrency ?? 10, step, run.stopped))
}
