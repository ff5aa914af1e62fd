import { isLater } from '@signalbox/codec/ready'
import { type InvocationContext, isThenable } from '@signalbox/core'
import type { BatchOptions } from '../batch-options.ts'
import type { QueueEnvelope } from '../contract/event.ts'
import type { BatchResponse } from '../contract/response.ts'
import type { Message } from '../message/message.ts'
import type { MessageReader } from '../message/read-message.ts'
import { running, valid } from '../response/record-states.ts'
import { returnedFailures } from '../response/returned-failures.ts'
import { type BatchRun, batchRun, conclude, fail, succeed } from './batch-run.ts'
import type { ExaminedBatch } from './examine-batch.ts'
import { resume, runGroups, type Step } from './run-groups.ts'

/**
 * Handles one message. The message succeeds when the handler returns and fails when it throws anything, including
 * `undefined`. The return value is ignored, except that a message whose handler returns `batchItemFailures` fails.
 */
export type MessageHandler<Body> = (message: Message<Body>) => unknown

/** Handles a batch. */
export type BatchProcessor = (
  event: QueueEnvelope,
  context: InvocationContext | undefined,
) => BatchResponse | Promise<BatchResponse>

/**
 * Handles the messages of a batch one by one. It creates a promise only when a handler returns one, so that synchronous
 * handlers have a synchronous response and no timer.
 */
export function batchProcessor<Body>(
  reader: MessageReader<Body>,
  handle: MessageHandler<Body>,
  options: BatchOptions,
  examined?: ExaminedBatch,
): BatchProcessor {
  const step: Step = (run, position) => {
    const record = run.records[position]
    let message: Message<Body> | undefined
    try {
      const read = run.states[position] === valid && reader.read(record!, run.deadline, run.context)
      if (!read) return fail(run, position, run.needsReason ? reader.refusal(record) : undefined)
      if (!isLater(read)) message = read
      const result = isLater(read) ? read.then(handle) : handle(read)
      if (!isThenable(result)) return finishMessage(run, position, result, message)
      resumeAfter(run, step, position, result, message)
      return undefined
    } catch (reason) {
      return fail(run, position, reason, message)
    }
  }
  return (event, context) => {
    const run = batchRun(event, context, options, examined)
    return conclude(run, runGroups(run, step))
  }
}

// This is a separate function, because closures in `step` would allocate memory for every message, even for synchronous
// ones.
function resumeAfter(
  run: BatchRun,
  step: Step,
  position: number,
  result: PromiseLike<unknown>,
  message: Message<unknown> | undefined,
): void {
  run.states[position] = running
  // `Promise.prototype.then` is called, because the `then` method of a custom promise might call its callback twice, or
  // before it returns.
  then.call(
    Promise.resolve(result),
    returned => resume(run, step, position, finishMessage(run, position, returned, message)),
    reason => resume(run, step, position, fail(run, position, reason, message)),
  )
}

function finishMessage(
  run: BatchRun,
  position: number,
  returned: unknown,
  message: Message<unknown> | undefined,
): boolean {
  const error = returnedFailures('onMessage', returned, 'nothing: to fail the message, throw an error')
  return error === undefined ? succeed(run, position) : fail(run, position, error, message)
}

const { then } = Promise.prototype
