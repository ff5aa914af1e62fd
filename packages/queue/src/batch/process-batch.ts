import { isLater } from '@signalbox/codec/ready'
import type { Message } from '../message/message.ts'
import type { MessageReader } from '../message/read-message.ts'
import { type FailureCollector, failureCollector } from '../response/failure-collector.ts'
import { refuseReturnedFailures } from '../response/returned-failures.ts'
import { type Batch, type Entry, fail, isStopped, succeed } from './run-batch.ts'

/**
 * Handles a whole batch. Messages that the handler adds to `failures` fail, and all other messages succeed. When the
 * handler throws, all messages fail. The return value is ignored.
 */
export type BatchHandler<Body> = (messages: readonly Message<Body>[], failures: FailureCollector) => unknown

/**
 * Calls the handler once with all readable messages. Unreadable messages fail before that. In a FIFO queue, the later
 * messages of a failed message's group fail with it.
 */
export async function processBatch<Body>(
  batch: Batch,
  read: MessageReader<Body>,
  handle: BatchHandler<Body>,
): Promise<void> {
  if (isStopped(batch)) return
  const messages = await readAll(batch, read)
  if (messages.size === 0 || isStopped(batch)) return
  const failures = failureCollector({ Records: batch.entries.map(({ record }) => record) })
  const given = batch.entries.flatMap(entry => messages.get(entry) ?? [])
  try {
    refuseReturnedFailures(
      'onBatch',
      await handle(given, failures),
      'nothing: call failures.add(…) for each message that failed',
    )
  } catch (reason) {
    for (const [entry, message] of messages) fail(batch, entry, reason, message)
    return
  }
  for (const group of batch.groups)
    for (const entry of group) {
      const message = messages.get(entry)
      if (message === undefined) break
      const { messageId } = entry.record
      if (!failures.has(messageId)) succeed(batch, entry)
      else if (!fail(batch, entry, failures.reasons.get(messageId), message)) break
    }
}

async function readAll<Body>(
  batch: Batch,
  read: MessageReader<Body>,
): Promise<ReadonlyMap<Entry, Message<Body>>> {
  const messages = new Map<Entry, Message<Body>>()
  for (const group of batch.groups)
    for (const entry of group) {
      entry.state = 'running'
      try {
        const reading = read(entry.record, batch)
        // Only the result of an asynchronous schema is awaited, so that other messages need no promise.
        messages.set(entry, isLater(reading) ? await reading : reading)
      } catch (reason) {
        fail(batch, entry, reason)
        break
      }
    }
  return messages
}
