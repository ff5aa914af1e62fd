import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SQS } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { createPlatform, type Platform } from '@signalbox/platform'
import { describeWith } from '@signalbox/platform-runtime/testing/installed-program'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import type { QueueEvent } from '@signalbox/queue/contract'

describeWith(['go'], describe, 'a function in Go for a queue', () => {
  const folder = temporaryFolder()
  const clock = manualClock(Date.now(), { runsDueTimers: true })
  let handled = 0
  let platform: Platform
  let sqs: SQS
  beforeAll(async () => {
    const program = join(folder.path, 'orders')
    // The first build compiles the standard library.
    execFileSync('go', ['build', '-o', program, './orders'], { cwd: import.meta.dirname })
    platform = createPlatform(
      {
        functions: { orders: { command: [program], dialect: 'aws' } },
        queues: {
          orders: {
            function: 'orders',
            reportBatchItemFailures: true,
            deadLetter: { queue: 'orders-dead', maxReceiveCount: 1 },
          },
        },
        queueListener: { port: 0 },
        dataDir: ':memory:',
      },
      {
        root: import.meta.dirname,
        clock,
        onInvocation: ({ event }) => {
          handled += (JSON.parse(event) as QueueEvent).Records.length
        },
      },
    )
    const [queues] = await platform.start()
    sqs = new SQS({
      endpoint: queues!.url,
      region: 'local',
      credentials: { accessKeyId: 'example', secretAccessKey: 'example' },
    })
  })
  afterAll(async () => {
    sqs?.destroy()
    await platform?.stop()
    folder[Symbol.dispose]()
  })

  it('a message that fails goes to the dead-letter queue, and the others of its batch are deleted', async () => {
    const urlOf = async (QueueName: string) => (await sqs.getQueueUrl({ QueueName })).QueueUrl!
    const bodies = [
      '{"order":"1","parcels":2}',
      '{"order":"2","parcels":0}',
      'no order',
      '{"order":"4","parcels":1}',
    ]
    await sqs.sendMessageBatch({
      QueueUrl: await urlOf('orders'),
      Entries: bodies.map((MessageBody, index) => ({ Id: `${index}`, MessageBody })),
    })
    while (handled < bodies.length) await Promise.all([clock.advance(1), delay(20)])
    const dead = new Set<string>()
    while (dead.size < 2) {
      // A message that failed is visible again after its visibility timeout.
      await clock.advance(60_000)
      const { Messages = [] } = await sqs.receiveMessage({
        QueueUrl: await urlOf('orders-dead'),
        MaxNumberOfMessages: 10,
      })
      for (const { Body } of Messages) dead.add(Body!)
    }
    expect([...dead].sort()).toEqual(['no order', '{"order":"2","parcels":0}'])
    const { Attributes } = await sqs.getQueueAttributes({
      QueueUrl: await urlOf('orders'),
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    })
    expect(Attributes).toEqual({
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesNotVisible: '0',
    })
  })
})
