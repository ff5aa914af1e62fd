import { isLater } from '@signalbox/codec/ready'
import type { InvocationContext } from '@signalbox/core'
import type { BatchOptions } from '../batch-options.ts'
import type { QueueEnvelope } from '../contract/event.ts'
import type { BatchResponse } from '../contract/response.ts'
import type { Message } from '../message/message.ts'
import type { MessageReader } from '../message/read-message.ts'
import { type FailureCollector, failureCollector } from '../response/failure-collector.ts'
import { firstOf, nextInGroup } from '../response/fifo.ts'
import { running, stopGroups, valid } from '../response/record-states.ts'
import { returnedFailures } from '../response/returned-failures.ts'
import { batchRun, conclude, fail, isStopped, succeed } from './batch-run.ts'
import type { ExaminedBatch } from './examine-batch.ts'

/**
 * Handles a whole batch. Messages that the handler adds to `failures` fail, and all other messages succeed. When the
 * handler throws, all messages fail. The return value is ignored.
 */
export type BatchHandler<Body> = (messages: readonly Message<Body>[], failures: FailureCollector) => unknown

/**
 * Calls the handler once with all readable messages. Unreadable messages fail before that. In a FIFO queue, the later
 * messages of their groups fail with them.
 */
export function processBatch<Body>(
  event: QueueEnvelope,
  context: InvocationContext | undefined,
  reader: MessageReader<Body>,
  handle: BatchHandler<Body>,
  options: BatchOptions,
  examined?: ExaminedBatch,
): BatchResponse | Promise<BatchResponse> {
  const run = batchRun(event, context, options, examined)
  if (isStopped(run)) return conclude(run, undefined)
  return conclude(run, work())

  async function work(): Promise<void> {
    const messages = new Map<number, Message<Body>>()
    for (let group = 0; group < run.groups.count; group++) {
      for (let at = firstOf(run.groups, group); at >= 0; at = nextInGroup(run.groups, at)) {
        const reading = read(at)
        // Only the result of an asynchronous schema is awaited, so that other messages need no promise.
        const message = isLater(reading) ? await reading : reading
        if (message === undefined) break
        messages.set(at, message)
      }
    }
    if (messages.size === 0 || isStopped(run)) return
    for (const at of messages.keys()) run.states[at] = running
    const positions = [...messages.keys()].sort((one, other) => one - other)
    const failures = failureCollector(event)
    let recordOutcome: (position: number) => unknown
    try {
      const returned = await handle(
        positions.map(position => messages.get(position)!),
        failures,
      )
      const error = returnedFailures(
        'onBatch',
        returned,
        'nothing: call failures.add(…) for each message that failed',
      )
      if (error !== undefined) throw error
      recordOutcome = position => {
        const { messageId } = run.records[position]!
        return failures.has(messageId)
          ? fail(run, position, failures.reasons.get(messageId), messages.get(position))
          : succeed(run, position)
      }
    } catch (reason) {
      recordOutcome = position => fail(run, position, reason, messages.get(position))
    }
    for (const position of positions) recordOutcome(position)
    stopGroups(run.records, run.states)
  }
  function read(position: number): Message<Body> | undefined | Promise<Message<Body> | undefined> {
    const record = run.records[position]
    const refuse = (reason: unknown): undefined => {
      fail(run, position, reason)
      return undefined
    }
    try {
      const isReadable = run.states[position] === valid
      const message = isReadable ? reader.read(record!, run.deadline, run.context) : undefined
      if (isLater(message)) return message.catch(refuse)
      if (message === undefined) fail(run, position, run.needsReason ? reader.refusal(record) : undefined)
      return message
    } catch (reason) {
      return refuse(reason)
    }
  }
}
