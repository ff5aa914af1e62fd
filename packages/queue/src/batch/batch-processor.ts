import type { InvocationContext } from '@signalbox/core'
import type { BatchOptions } from '../batch-options.ts'
import type { QueueEnvelope } from '../contract/event.ts'
import type { BatchResponse } from '../contract/response.ts'
import type { Message } from '../message/message.ts'
import type { MessageReader } from '../message/read-message.ts'
import { type BatchRun, batchRun, fail, succeed } from './batch-run.ts'
import { isThenable } from './is-thenable.ts'
import { running } from './outcomes.ts'
import { resume, runGroups, type Step } from './run-groups.ts'

/**
 * What is done with one message. To return is to be done with it; whatever is thrown, `undefined` included,
 * fails it and no other. What is returned is not looked at.
 */
export type MessageHandler<Body> = (message: Message<Body>) => unknown

/** What is done with a batch. */
export type BatchProcessor = (
  event: QueueEnvelope,
  context: InvocationContext | undefined,
) => BatchResponse | Promise<BatchResponse>

/**
 * Works through batches, message by message. Nothing is a promise until a handler returns one, so synchronous
 * handlers are answered for synchronously, and without a timer.
 */
export function batchProcessor<Body>(
  reader: MessageReader<Body>,
  handle: MessageHandler<Body>,
  options: BatchOptions,
): BatchProcessor {
  const step: Step = (run, position) => {
    const record = run.records[position]
    let message: Message<Body> | undefined
    try {
      message = reader.read(record, run.deadline)
      if (message === undefined)
        return fail(run, position, run.needsReason ? reader.refusal(record) : undefined)
      const result = handle(message)
      if (!isThenable(result)) return succeed(run, position)
      resumeAfter(run, step, position, result, message)
      return undefined
    } catch (reason) {
      return fail(run, position, reason, message)
    }
  }
  return (event, context) => {
    const run = batchRun(event, context, options)
    return run.conclude(runGroups(run, step))
  }
}

// A function of its own: were these closures made in the step, it would set memory aside for what they hold on to
// for every message, also for those that take no time.
function resumeAfter(
  run: BatchRun,
  step: Step,
  position: number,
  result: PromiseLike<unknown>,
  message: Message<unknown>,
): void {
  run.outcomes[position] = running
  // Not its own `then`, which is anybody's: this one calls back once, and not before it has returned.
  then.call(
    Promise.resolve(result),
    () => resume(run, step, position, succeed(run, position)),
    reason => resume(run, step, position, fail(run, position, reason, message)),
  )
}

const { then } = Promise.prototype
