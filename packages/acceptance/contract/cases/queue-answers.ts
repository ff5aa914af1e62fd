import assert from 'node:assert/strict'
import { signalbox } from '@signalbox/core'
import { type Answer, queuePlatform } from '@signalbox/platform-queue/testing/queue-platform'
import { partialFailures, queueFamily } from '@signalbox/queue'
import { batchVerdict, type QueueEvent } from '@signalbox/queue/contract'
import { queueEvent } from '@signalbox/queue/testing'
import type { Sides } from '../contract-case.ts'
import { copyOf } from '../copy-of.ts'

let answering: Answer
const handler = signalbox({
  family: queueFamily,
  middlewares: [partialFailures()],
  handler: async (event: QueueEvent) => answering(event),
} as never)

/**
 * Sends a batch to a function that uses the plugin and returns `answer`. Returns the function's response.
 * @throws InvalidResponseError for a refused answer, and the errors of the function
 */
export async function letOut(event: QueueEvent, answer: unknown): Promise<unknown> {
  answering = typeof answer === 'function' ? (answer as Answer) : () => answer
  return handler(copyOf(event))
}

/** The bodies of the messages in a test. */
const bodies = ['a', 'b', 'c']

/** Returns the bodies of the messages that a queue redelivers after its function has returned this answer once. */
export async function returning(answer: Answer, sent: readonly string[] = bodies, name?: string) {
  let isFirst = true
  const once: Answer = event => {
    if (!isFirst) return { batchItemFailures: [] }
    isFirst = false
    return answer(event)
  }
  await using setup = await queuePlatform(once, {}, name)
  await setup.send(...sent)
  // The visibility timeout is thirty seconds, so the messages are visible again after this step.
  await setup.pass(31)
  return setup.batches.slice(1).flat()
}

/** Returns a function that reports a failure for each message with one of these bodies. */
export const listed =
  (...failed: readonly string[]) =>
  ({ Records }: QueueEvent) => ({
    batchItemFailures: Records.filter(({ body }) => failed.includes(body)).map(({ messageId }) => ({
      itemIdentifier: messageId,
    })),
  })

/** Returns two checks: the plugin accepts this answer, and the platform redelivers these messages. */
export function comesBack(answer: Answer, expected: readonly string[]): Sides {
  return {
    async function() {
      const event = queueEvent({ bodies })
      const verdict = batchVerdict(JSON.stringify(await letOut(event, answer)), event)
      const failed = verdict.kind === 'partial' ? verdict.failed : []
      assert.notEqual(verdict.kind, 'failure', verdict.why)
      const named = event.Records.filter(({ messageId }) => failed.includes(messageId))
      assert.deepEqual(
        named.map(({ body }) => body),
        expected,
      )
    },
    platform: async () => assert.deepEqual(await returning(answer), expected),
  }
}

/** Returns two checks: the plugin refuses this answer, and the platform redelivers these messages. */
export function isRefused(answer: Answer, expected: readonly string[] = bodies): Sides {
  return {
    function: () => assert.rejects(letOut(queueEvent({ bodies }), answer)),
    platform: async () => assert.deepEqual(await returning(answer), expected),
  }
}
