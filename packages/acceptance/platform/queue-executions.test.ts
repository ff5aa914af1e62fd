import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type LambdaClient, StopDurableExecutionCommand } from '@aws-sdk/client-lambda'
import {
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs'
import { afterAll, describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { callback, durable, step } from '@signalbox/core/durable'
import { createPlatform } from '@signalbox/platform'
import { queue } from '@signalbox/queue'
import { executionSources } from './testing/execution-sources.ts'

const folder = mkdtempSync(join(tmpdir(), 'queue-executions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A function that asks for an approval of each message, and refuses what is not approved. */
function approvals() {
  const asked: { readonly body: string; readonly callbackId: string }[] = []
  const shipped: string[] = []
  const handlerOf = (client: LambdaClient) =>
    durable(
      signalbox(
        queue({
          onMessage: async ({ body }) => {
            const answer = await callback('approval', callbackId => void asked.push({ body, callbackId }))
            if (answer !== 'yes') throw new Error('not approved')
            await step('ship', () => void shipped.push(body))
          },
        }),
      ),
      { client, logger: { error() {} } } as never,
    )
  return { asked, shipped, handlerOf }
}

type Sources = Awaited<ReturnType<typeof executionSources>>

const send = (under: Sources, name: string, MessageBody: string) =>
  under.sqs.send(
    new SendMessageCommand({
      ...{ QueueUrl: under.QueueUrl(name), MessageBody },
      ...(name.endsWith('.fifo') && { MessageGroupId: MessageBody[0]!, MessageDeduplicationId: MessageBody }),
    }),
  )

/** Returns the numbers of visible and of hidden messages. */
async function depth(under: Sources, name: string): Promise<readonly [number, number]> {
  const { Attributes = {} } = await under.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: under.QueueUrl(name), AttributeNames: ['All'] }),
  )
  return [
    Number(Attributes.ApproximateNumberOfMessages),
    Number(Attributes.ApproximateNumberOfMessagesNotVisible),
  ]
}

/** Returns how many messages the function got, by the invocation log. */
const concluded = async (under: Sources) =>
  (await under.platform.invocationLog.list()).filter(({ source }) => source === 'queue orders').length

const orders = (executionPerMessage: object, more: object = {}) => ({
  queues: { orders: { function: 'order', visibilityTimeout: 30, executionPerMessage, ...more } },
  queueListener: { port: 0 },
})

describe('a queue with an execution for each batch', () => {
  const batches = (more: object = {}) => ({
    queues: { orders: { function: 'order', visibilityTimeout: 30 } },
    queueListener: { port: 0 },
    ...more,
  })

  it('keeps the messages of an execution that was stopped without an error', async () => {
    const { handlerOf } = approvals()
    await using under = await executionSources(handlerOf, batches())
    await send(under, 'orders', 'a')
    await under.until(() => under.rest(1))
    const [{ arn }] = (await under.executions()) as unknown as [{ readonly arn: string }]
    await under.lambda.send(new StopDurableExecutionCommand({ DurableExecutionArn: arn }))
    await under.clock.advance(31_000)
    await under.until(async () => (await under.executions()).length === 2)
  })

  it('keeps the messages of an execution when the platform stops', async () => {
    const { handlerOf } = approvals()
    const config = batches({ dataDir: join(folder, 'batch') })
    const first = await executionSources(handlerOf, config)
    const { clock } = first
    await send(first, 'orders', 'a')
    await first.until(() => first.rest(1))
    await first.stop()
    await using second = await executionSources(handlerOf, config, { clock })
    await clock.advance(31_000)
    await second.until(() => second.rest(2))
    expect(await depth(second, 'orders')).toEqual([0, 1])
  })

  it('keeps the messages of an execution that takes longer than a source waits', async () => {
    const { handlerOf } = approvals()
    const config = batches()
    await using under = await executionSources(handlerOf, {
      ...config,
      queues: { orders: { ...config.queues.orders, visibilityTimeout: 3600 } },
    })
    await send(under, 'orders', 'a')
    await under.until(() => under.rest(1))
    await under.clock.advance(15 * 60_000)
    await under.until(async () => (await concluded(under)) === 1)
    expect(await depth(under, 'orders')).toEqual([0, 1])
    await under.clock.advance(3_600_000)
    await under.until(() => under.rest(2))
  })

  it('keeps the messages for which no execution was started', async () => {
    const dataDir = join(folder, 'refused')
    const { handlerOf } = approvals()
    await using under = await executionSources(handlerOf, batches({ dataDir }))
    const database = new DatabaseSync(join(dataDir, 'executions.sqlite'))
    database.exec(
      `create trigger refuse before insert on executions begin select raise(abort, 'no room'); end`,
    )
    await send(under, 'orders', 'a')
    await under.until(async () => (await concluded(under)) === 1)
    expect(await depth(under, 'orders')).toEqual([0, 1])
    database.exec('drop trigger refuse')
    database.close()
    await under.clock.advance(31_000)
    await under.until(() => under.rest(1))
  })
})

describe('a queue with an execution for each message', () => {
  it('keeps a message hidden until its execution has succeeded, and starts nothing else for it', async () => {
    const { asked, shipped, handlerOf } = approvals()
    await using under = await executionSources(handlerOf, orders({}))
    const { MessageId } = await send(under, 'orders', 'a')
    await send(under, 'orders', 'b')
    await under.until(() => under.rest(2))
    const executions = await under.executions()
    expect(executions).toHaveLength(2)
    expect(executions.map(({ name }) => name)).toContain(MessageId)
    // Longer than a message can be hidden: it is received again, and finds its execution.
    await under.clock.advance(13 * 3_600_000)
    await under.until(async () => (await depth(under, 'orders'))[1] === 2)
    expect(await under.executions()).toHaveLength(2)
    for (const { callbackId } of asked) await under.answer(callbackId, 'yes')
    await under.until(async () => (await depth(under, 'orders')).join() === '0,0')
    expect(shipped.toSorted()).toEqual(['a', 'b'])
    expect((await under.executions()).map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED'])
  })

  it('finds the execution of a message after a restart', async () => {
    const { asked, shipped, handlerOf } = approvals()
    const config = { ...orders({}), dataDir: join(folder, 'restart') }
    const first = await executionSources(handlerOf, config)
    const { clock } = first
    await send(first, 'orders', 'a')
    await first.until(() => first.rest(1))
    await first.stop()
    await using second = await executionSources(handlerOf, config, { clock })
    await clock.advance(31_000)
    await second.until(async () => (await depth(second, 'orders'))[1] === 1)
    await second.answer(asked[0]!.callbackId, 'yes')
    await second.until(async () => (await depth(second, 'orders')).join() === '0,0')
    expect(shipped).toEqual(['a'])
    expect(await second.executions()).toHaveLength(1)
  })

  it('gives a message that is received again to the function that has its execution', async () => {
    const { asked, handlerOf } = approvals()
    let others = 0
    const other = { handler: () => void others++, durable: { timeout: 3600 } } as never
    await using under = await executionSources(handlerOf, {
      functions: { other },
      queues: {
        orders: { functions: [{ function: 'order' }, { function: 'other' }], executionPerMessage: {} },
      },
      queueListener: { port: 0 },
    })
    await send(under, 'orders', 'a')
    await under.until(() => under.rest(1))
    await send(under, 'orders', 'b')
    await under.until(() => under.rest(2))
    await under.clock.advance(13 * 3_600_000)
    for (const { callbackId } of asked) await under.answer(callbackId, 'yes')
    await under.until(async () => (await depth(under, 'orders')).join() === '0,0')
    expect([asked.length, others]).toEqual([2, 0])
  })

  it('holds as many messages as its concurrency', async () => {
    const { asked, handlerOf } = approvals()
    await using under = await executionSources(handlerOf, orders({}, { maximumConcurrency: 1 }))
    for (const body of ['a', 'b', 'c']) await send(under, 'orders', body)
    for (let count = 1; count <= 3; count++) {
      await under.until(() => under.rest(1))
      expect([await depth(under, 'orders'), asked.length]).toEqual([[3 - count, 1], count])
      await under.answer(asked.at(-1)!.callbackId, 'yes')
      await under.until(
        async () =>
          (await depth(under, 'orders')).join() === `${Math.max(0, 2 - count)},${Number(count < 3)}`,
      )
    }
  })

  it('shows its messages to other platforms when it stops', async () => {
    const { asked, shipped, handlerOf } = approvals()
    const config = { ...orders({}), dataDir: join(folder, 'stopped') }
    const first = await executionSources(handlerOf, config)
    const { clock } = first
    await send(first, 'orders', 'a')
    await first.until(() => first.rest(1))
    await first.stop()
    await using second = await executionSources(handlerOf, config, { clock })
    await second.until(async () => (await concluded(second)) === 2)
    await second.answer(asked[0]!.callbackId, 'yes')
    await second.until(async () => (await depth(second, 'orders')).join() === '0,0')
    expect([shipped, (await second.executions()).length]).toEqual([['a'], 1])
  })

  it('says that a message is gone whose execution runs', async () => {
    const { handlerOf } = approvals()
    await using under = await executionSources(handlerOf, orders({}))
    const { MessageId } = await send(under, 'orders', 'a')
    await under.until(() => under.rest(1))
    await under.sqs.send(new PurgeQueueCommand({ QueueUrl: under.QueueUrl('orders') }))
    await under.clock.advance(15_000)
    const text = `queue orders: the message ${MessageId} is gone, or was received elsewhere, while its execution runs. The execution goes on.`
    await under.until(() => under.notices.includes(text))
    await under.clock.advance(60_000)
    expect(under.notices.filter(each => each === text)).toHaveLength(1)
  })

  it('delivers a message again whose execution failed, until it is dead', async () => {
    const { asked, handlerOf } = approvals()
    const config = orders({}, { deadLetter: { queue: 'dead', maxReceiveCount: 4 } })
    await using under = await executionSources(handlerOf, config, { timeout: 3600 })
    const { MessageId } = await send(under, 'orders', 'a')
    for (let attempt = 1; attempt <= 4; attempt++) {
      await under.until(() => under.rest(1))
      expect(asked).toHaveLength(attempt)
      await under.answer(asked.at(-1)!.callbackId, 'no')
      await under.until(async () => (await under.executions()).every(({ status }) => status === 'FAILED'))
      await under.clock.advance(31_000)
    }
    await under.until(async () => (await depth(under, 'dead'))[0] === 1)
    const names = (await under.executions()).map(({ name }) => name)
    expect(names).toEqual([...[1, 2, 3].map(attempt => `${MessageId}-${attempt}`), MessageId])
  })

  it.each(['end', 'start'] as const)(
    'sends failures to a queue, and deletes messages at the %s',
    async deleteAt => {
      const { asked, handlerOf } = approvals()
      const { queues, ...rest } = orders({ deleteAt, onFailure: 'failed' })
      await using under = await executionSources(handlerOf, { ...rest, queues: { ...queues, failed: {} } })
      await send(under, 'orders', 'a')
      await under.until(() => under.rest(1))
      await under.until(
        async () => (await depth(under, 'orders')).join() === (deleteAt === 'end' ? '0,1' : '0,0'),
      )
      await under.answer(asked[0]!.callbackId, 'no')
      await under.until(async () => (await depth(under, 'failed'))[0] === 1)
      await under.until(async () => (await depth(under, 'orders')).join() === '0,0')
      const { Messages = [] } = await under.sqs.send(
        new ReceiveMessageCommand({ QueueUrl: under.QueueUrl('failed') }),
      )
      const [{ arn }] = (await under.executions()) as unknown as [{ readonly arn: string }]
      expect(JSON.parse(Messages[0]!.Body!)).toMatchObject({
        requestContext: { durableExecutionArn: arn, condition: 'FAILED' },
        requestPayload: { Records: [{ body: 'a' }] },
        responsePayload: { errorType: 'BatchItemFailure' },
      })
    },
  )

  it('sends the whole document about a failure once the queue can be written again', async () => {
    const { asked, handlerOf } = approvals()
    const { queues, ...rest } = orders({ onFailure: 'failed' })
    const dataDir = join(folder, 'documents')
    await using under = await executionSources(handlerOf, {
      ...{ ...rest, dataDir, queues: { ...queues, failed: {} } },
    })
    const body = 'long '.repeat(1000)
    await send(under, 'orders', body)
    await under.until(() => under.rest(1))
    const database = new DatabaseSync(join(dataDir, 'queues.sqlite'))
    database.exec(
      `create trigger refuse before insert on messages when length(new.body) > 4000 begin select raise(abort, 'no room'); end`,
    )
    await under.answer(asked[0]!.callbackId, 'no')
    await under.until(() => under.notices.some(each => each.includes('no room')))
    database.exec('drop trigger refuse')
    database.close()
    await under.clock.advance(60_000)
    await under.until(async () => (await depth(under, 'failed'))[0] === 1)
    const { Messages = [] } = await under.sqs.send(
      new ReceiveMessageCommand({ QueueUrl: under.QueueUrl('failed') }),
    )
    expect(JSON.parse(Messages[0]!.Body!)).toMatchObject({ requestPayload: { Records: [{ body }] } })
  })

  it('keeps a group of a FIFO queue locked until the end, while other groups go on', async () => {
    const { asked, shipped, handlerOf } = approvals()
    const name = 'orders.fifo'
    await using under = await executionSources(handlerOf, {
      queues: { [name]: { function: 'order', executionPerMessage: {} } },
      queueListener: { port: 0 },
    })
    for (const body of ['a1', 'a2', 'b1']) await send(under, name, body)
    await under.until(() => under.rest(2))
    expect(asked.map(({ body }) => body).toSorted()).toEqual(['a1', 'b1'])
    await under.clock.advance(3_600_000)
    expect(asked).toHaveLength(2)
    await under.answer(asked.find(({ body }) => body === 'a1')!.callbackId, 'yes')
    await under.until(() => under.rest(2))
    expect(asked[2]!.body).toBe('a2')
    for (const { callbackId, body } of asked) if (body !== 'a1') await under.answer(callbackId, 'yes')
    await under.until(() => shipped.length === 3)
    await under.until(async () => (await depth(under, name)).join() === '0,0')
  })

  it('says what its configuration lacks', () => {
    const functions = {
      order: { handler: () => null, durable: { timeout: 3 * 24 * 3600 } },
      month: { handler: () => null, durable: { timeout: 30 * 24 * 3600 } },
      plain: { handler: () => null },
    }
    const refusal = (queues: object) => {
      try {
        createPlatform({ functions, invoke: { port: 0 }, queues } as never)
      } catch (error) {
        return (error as Error).message
      }
      return 'accepted'
    }
    expect(refusal({ a: { function: 'plain', executionPerMessage: {} } })).toContain('durable functions only')
    expect(refusal({ a: { executionPerMessage: {} } })).toContain('a function beside it')
    expect(
      refusal({ 'a.fifo': { function: 'order', executionPerMessage: { deleteAt: 'start' } } }),
    ).toContain('end for a FIFO queue')
    expect(refusal({ a: { function: 'order', executionPerMessage: { onFailure: 'b.fifo' } } })).toContain(
      'a standard queue',
    )
    expect(
      refusal({
        a: {
          ...{ function: 'order', executionPerMessage: {} },
          deadLetter: { queue: 'dead', maxReceiveCount: 6 },
        },
      }),
    ).toContain('at least 7, since a message is received again every 12 hours')
    expect(
      refusal({
        'a.fifo': {
          ...{ function: 'order', executionPerMessage: {} },
          deadLetter: { queue: 'dead.fifo', maxReceiveCount: 9 },
        },
      }),
    ).toContain('set executionPerMessage.onFailure')
    expect(refusal({ a: { function: 'order', executionPerMessage: {}, retentionPeriod: 3600 } })).toContain(
      'a retentionPeriod of at least 259200 seconds',
    )
    expect(refusal({ a: { function: 'month', executionPerMessage: {} } })).toContain(
      "functions whose durable.timeout is at most 1209600, or deleteAt: 'start'",
    )
    expect(refusal({ 'a.fifo': { function: 'month', executionPerMessage: {} } })).not.toContain(
      "deleteAt: 'start'",
    )
  })
})
