import { manualClock } from '@signalbox/core/testing'
import type { FunctionConfig } from '@signalbox/platform-runtime/config'
import type { QueueEvent } from '@signalbox/queue/contract'
import type { QueueConfig } from '../config/queue-config.ts'
import { sqsClient } from './queue-engines.ts'
import { type Config, createPlatform } from './queue-program.ts'

export type Answer = (event: QueueEvent) => unknown

/** Starts a platform with one queue, one function and a manual clock. */
export function queuePlatform(
  answer: Answer,
  config: Partial<QueueConfig> = {},
  name = 'orders',
  dataDir = ':memory:',
) {
  return queuePlatformWith({ work: { handler: answer } }, { function: 'work', ...config }, { name, dataDir })
}

/** Starts a platform with one queue and several functions, and records the batches by function name. */
export async function queuePlatformWith(
  given: { readonly [name: string]: Omit<FunctionConfig, 'handler'> & { readonly handler: Answer } },
  queue: QueueConfig,
  { name = 'orders', ...more }: { readonly name?: string } & Partial<Config> = {},
) {
  const clock = manualClock(1_700_000_000_000)
  const events: QueueEvent[] = []
  const invocations: (readonly [functionName: string, ...bodies: string[]])[] = []
  const notices: string[] = []
  const functions = Object.entries(given).map(([functionName, { handler, ...rest }]) => [
    functionName,
    {
      timeout: 20,
      ...rest,
      handler: (event: never) => {
        const { Records } = event as QueueEvent
        events.push(event)
        invocations.push([functionName, ...Records.map(({ body }) => body)])
        return handler(event)
      },
    },
  ])
  const platform = createPlatform(
    {
      functions: Object.fromEntries(functions),
      queues: { [name]: { visibilityTimeout: 30, ...queue } },
      queueListener: { port: 0 },
      dataDir: ':memory:',
      grace: 1,
      ...more,
    },
    { clock, onNotice: text => notices.push(text) },
  )
  const [address] = await platform.start()
  const sqs = sqsClient(address!.url)
  const QueueUrl = `${address!.url}/000000000000/${name}`
  const pass = async (seconds: number) => {
    for (let i = 0; i < seconds; i++) await clock.advance(1000)
    await clock.advance(0)
  }
  return {
    clock,
    events,
    /** The function name and the message bodies of each batch. */
    invocations,
    notices,
    platform,
    sqs,
    QueueUrl,
    pass,
    /** The bodies of each batch. */
    get batches() {
      return events.map(({ Records }) => Records.map(({ body }) => body))
    },
    async send(...bodies: string[]) {
      const fifo = name.endsWith('.fifo')
      const Entries = bodies.map((MessageBody, at) => ({
        Id: `${at}`,
        MessageBody,
        ...(fifo && { MessageGroupId: MessageBody[0]!, MessageDeduplicationId: MessageBody }),
      }))
      await sqs.sendMessageBatch({ QueueUrl, Entries })
      await clock.advance(0)
    },
    async [Symbol.asyncDispose]() {
      sqs.destroy()
      const stopped = platform.stop()
      await clock.advance(2000)
      await stopped
    },
  }
}
