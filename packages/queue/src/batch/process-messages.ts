import { isLater } from '@signalbox/codec/ready'
import { isThenable, type Observer, observerOf } from '@signalbox/core'
import type { QueueRecord } from '../contract/record.ts'
import { DiscardError } from '../discard.ts'
import type { Message } from '../message/message.ts'
import type { MessageReader } from '../message/read-message.ts'
import { refuseReturnedFailures } from '../response/returned-failures.ts'
import { type Batch, fail, isStopped, succeed } from './run-batch.ts'

/**
 * Handles one message. The message succeeds when the handler returns and fails when it throws anything, including
 * `undefined`. The return value is ignored, except that a message whose handler returns `batchItemFailures` fails.
 */
export type MessageHandler<Body> = (message: Message<Body>) => unknown

/**
 * Handles the messages of a batch one by one, and at most `concurrency` groups at a time: each worker takes the next group
 * that no other has taken. A promise is made only for what is asynchronous.
 */
export function processMessages<Body>(
  batch: Batch,
  read: MessageReader<Body>,
  handle: MessageHandler<Body>,
): Promise<unknown> {
  const { groups } = batch
  const { concurrency = 10 } = batch.options
  const observer = observerOf(batch.context)
  let taken = 0
  const work = async () => {
    while (taken < groups.length) {
      const group = groups[taken++]!
      for (let i = 0; i < group.length && !isStopped(batch); i++) {
        const entry = group[i]!
        let message: Message<Body> | undefined
        try {
          entry.state = 'running'
          if (observer !== undefined)
            await observed(observer, entry.record, async () => {
              message = await read(entry.record, batch)
              refuseReturnedFailures('onMessage', await handle(message), expected)
            })
          else {
            const reading = read(entry.record, batch)
            message = isLater(reading) ? await reading : reading
            const returned = handle(message)
            refuseReturnedFailures('onMessage', isThenable(returned) ? await returned : returned, expected)
          }
          succeed(batch, entry)
        } catch (reason) {
          if (!fail(batch, entry, reason, message)) break
        }
      }
    }
  }
  const workers: Promise<void>[] = []
  while (workers.length < concurrency && taken < groups.length) workers.push(work())
  return Promise.all(workers)
}

/** Runs the handler of a message. The observer learns a discarded message as such, and not as a failure. */
async function observed(observer: Observer, record: QueueRecord, run: () => Promise<void>): Promise<void> {
  let discarded: DiscardError | undefined
  await observer.message(record, async () => {
    try {
      await run()
      return 'handled'
    } catch (reason) {
      if (!DiscardError.is(reason)) throw reason
      discarded = reason
      return 'discarded'
    }
  })
  if (discarded !== undefined) throw discarded
}

const expected = 'nothing: to fail the message, throw an error'
