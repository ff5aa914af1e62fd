import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from '@jest/globals'
import { compile, formatProblems, problems } from '@signalbox/codec'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { type BatchResponse, QueueEvent } from '@signalbox/queue/contract'
import { type Answer, queuePlatform } from '../testing/queue-platform.ts'

const failing =
  (...bodies: string[]) =>
  ({ Records }: QueueEvent): BatchResponse => ({
    batchItemFailures: Records.filter(({ body }) => bodies.includes(body)).map(({ messageId }) => ({
      itemIdentifier: messageId,
    })),
  })

/** Returns the first letters of all messages, batch by batch. */
const initials = (batches: readonly (readonly string[])[]) =>
  batches.map(batch => batch.map(body => body[0]).join(''))

describe('a queue with a function', () => {
  it('invokes the function immediately with an event that follows the contract', async () => {
    await using setup = await queuePlatform(() => null)
    await setup.sqs.sendMessage({
      QueueUrl: setup.QueueUrl,
      MessageBody: 'hello',
      MessageAttributes: { n: { DataType: 'Number', StringValue: '1' } },
    })
    await setup.clock.advance(0)
    const [event] = setup.events
    expect(formatProblems(problems(QueueEvent, event))).toBe('')
    expect(compile(QueueEvent)(event)).toBe(true)
    expect(event!.Records[0]).toMatchObject({
      body: 'hello',
      eventSource: 'cloud:queue',
      eventSourceARN: 'arn:cloud:queue:local:000000000000:orders',
      md5OfBody: '5d41402abc4b2a76b9719d911017c592',
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: String(setup.clock.now()),
        SenderId: 'AKIATEST',
      },
      messageAttributes: { n: { dataType: 'Number', stringValue: '1' } },
    })
  })

  it.each([
    ['returns an empty `batchItemFailures`', () => ({ batchItemFailures: [] })],
    ['returns null for `batchItemFailures`', () => ({ batchItemFailures: null })],
    ['returns nothing', () => undefined],
    ['returns null', () => null],
  ])('deletes all messages if the function %s', async (_, answer) => {
    await using setup = await queuePlatform(answer)
    await setup.send('a', 'b')
    await setup.pass(31)
    expect(setup.batches).toEqual([['a', 'b']])
  })

  it.each<[string, Answer]>([
    ['reports an empty `itemIdentifier`', () => ({ batchItemFailures: [{ itemIdentifier: '' }] })],
    ['reports null as an `itemIdentifier`', () => ({ batchItemFailures: [{ itemIdentifier: null }] })],
    ['reports a failure without an `itemIdentifier`', () => ({ batchItemFailures: [{ id: 'x' }] })],
    ['reports a message id that does not exist', () => ({ batchItemFailures: [{ itemIdentifier: 'none' }] })],
    [
      'throws an error',
      () => {
        throw new Error('broken')
      },
    ],
  ])('redelivers all messages if the function %s', async (_, answer) => {
    await using setup = await queuePlatform(answer)
    await setup.send('a', 'b')
    await setup.pass(31)
    expect(setup.batches).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
    expect(setup.events[1]!.Records[0]!.attributes.ApproximateReceiveCount).toBe('2')
    expect(setup.events[1]!.Records[0]!.receiptHandle).not.toBe(setup.events[0]!.Records[0]!.receiptHandle)
  })

  it('redelivers only the failed messages after a partial failure', async () => {
    await using setup = await queuePlatform(failing('b'))
    await setup.send('a', 'b', 'c')
    await setup.pass(31)
    expect(setup.batches).toEqual([['a', 'b', 'c'], ['b']])
  })

  it('puts up to 10 messages into a batch by default', async () => {
    await using setup = await queuePlatform(() => new Promise(() => {}), { maximumConcurrency: 1 })
    for (const part of ['a', 'b']) await setup.send(...Array.from({ length: 9 }, (_, at) => `${part}${at}`))
    await setup.pass(20)
    expect(Math.max(...setup.events.map(({ Records }) => Records.length))).toBeLessThanOrEqual(10)
    expect(setup.events.at(-1)!.Records).toHaveLength(9)
  })

  it('collects a larger batch during its batch window', async () => {
    await using setup = await queuePlatform(() => null, { batchSize: 100, batchWindow: 5 })
    for (const part of ['a', 'b', 'c']) {
      await setup.send(...Array.from({ length: 10 }, (_, at) => `${part}${at}`))
      await setup.pass(1)
    }
    expect(setup.events).toHaveLength(0)
    await setup.pass(3)
    expect(setup.events.map(({ Records }) => Records.length)).toEqual([30])
  })

  it('invokes the function with the collected messages when the platform stops', async () => {
    const setup = await queuePlatform(() => null, { batchSize: 100, batchWindow: 5 })
    await setup.send('a', 'b')
    await setup.pass(1)
    expect(setup.batches).toEqual([])
    await setup[Symbol.asyncDispose]()
    expect(setup.batches).toEqual([['a', 'b']])
    expect(setup.notices).toEqual([])
  })

  it('invokes the function with the collected messages when a receive request fails', async () => {
    using folder = temporaryFolder()
    const rename = (from: string, to: string) => {
      const database = new DatabaseSync(join(folder.path, 'queues.sqlite'))
      database.exec(`alter table ${from} rename to ${to}`)
      database.close()
    }
    const answer = () => {
      rename('elsewhere', 'messages')
      return null
    }
    await using setup = await queuePlatform(answer, { batchSize: 100, batchWindow: 5 }, 'orders', folder.path)
    await setup.send('a', 'b')
    rename('messages', 'elsewhere')
    await setup.pass(6)
    expect(setup.batches).toEqual([['a', 'b']])
    expect(setup.notices).toEqual([expect.stringMatching(/^queue orders: .*no such table/)])
    await setup.pass(60)
    expect(setup.batches).toEqual([['a', 'b']])
  })

  it('splits a batch above 6 MB, and does not wait for more messages once it has that size', async () => {
    await using setup = await queuePlatform(() => null, { batchSize: 100, batchWindow: 5 })
    const large = (letter: string) => letter.repeat(1000 * 1000)
    for (const letter of 'abcdefgh') await setup.send(large(letter))
    expect(initials(setup.batches)).toEqual(['abcdef'])
    await setup.pass(5)
    expect(initials(setup.batches)).toEqual(['abcdef', 'gh'])
  })

  it.each([
    ['quotation marks, which take two bytes in JSON', '"'],
    ['letters of two bytes', 'é'],
  ])('makes no event above 6 MB from messages that consist of %s', async (_, character) => {
    await using setup = await queuePlatform(() => null, {
      batchSize: 100,
      batchWindow: 5,
      maximumConcurrency: 1,
    })
    const body = character.repeat(1_000_000 / Buffer.byteLength(character))
    for (const id of 'abcdefgh') await setup.send(id + body)
    await setup.pass(10)
    expect(initials(setup.batches).join('')).toBe('abcdefgh')
    for (const event of setup.events)
      expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(6 * 1024 * 1024)
    await setup.pass(60)
    expect(setup.batches.flat()).toHaveLength(8)
  })

  it('does not process the rest of a FIFO group when an event with its first messages fails', async () => {
    let isFree = () => {}
    const first = new Promise<void>(resolve => {
      isFree = resolve
    })
    const answer = async ({ Records }: QueueEvent) => {
      if (Records[0]!.body === 'first') await first
      else if (Records[0]!.attributes.ApproximateReceiveCount === '1') throw new Error('broken')
      return null
    }
    await using setup = await queuePlatform(answer, { maximumConcurrency: 1, batchSize: 10 }, 'orders.fifo')
    const send = (MessageBody: string, MessageGroupId: string) =>
      setup.sqs.sendMessage({
        QueueUrl: setup.QueueUrl,
        MessageBody,
        MessageGroupId,
        MessageDeduplicationId: MessageBody.slice(0, 5),
      })
    await send('first', 'other')
    await setup.clock.advance(0)
    for (const id of 'abcde') await send(id + '"'.repeat(1_000_000), 'one')
    isFree()
    await setup.pass(60)
    expect(initials(setup.batches)).toEqual(['f', 'abc', 'abc', 'de'])
  })

  it('processes at most maximumConcurrency batches at a time', async () => {
    const release: (() => void)[] = []
    const answer = () => new Promise<null>(resolve => release.push(() => resolve(null)))
    await using setup = await queuePlatform(answer, { batchSize: 1, maximumConcurrency: 2 })
    await setup.send('a', 'b', 'c')
    expect(setup.batches).toEqual([['a'], ['b']])
    release[0]!()
    await setup.clock.advance(0)
    expect(setup.batches).toEqual([['a'], ['b'], ['c']])
    for (const each of release) each()
  })

  it('pauses longer after each failure of the function', async () => {
    await using setup = await queuePlatform(
      () => {
        throw new Error('broken')
      },
      { batchSize: 1, maximumConcurrency: 1 },
    )
    await setup.send('a')
    expect(setup.events).toHaveLength(1)
    await setup.send('b', 'c', 'd')
    expect(setup.events).toHaveLength(1)
    await setup.clock.advance(250)
    expect(setup.events).toHaveLength(2)
    await setup.clock.advance(499)
    expect(setup.events).toHaveLength(2)
    await setup.clock.advance(1)
    expect(setup.events).toHaveLength(3)
    await setup.clock.advance(1000)
    expect(setup.events).toHaveLength(4)
  })

  it('ignores the result of a function without reportBatchItemFailures', async () => {
    await using setup = await queuePlatform(failing('a'), { reportBatchItemFailures: false })
    await setup.send('a')
    await setup.pass(31)
    expect(setup.batches).toEqual([['a']])
  })

  it('moves a message to the dead-letter queue, and keeps its message id', async () => {
    await using setup = await queuePlatform(failing('poison'), {
      deadLetter: { queue: 'dead', maxReceiveCount: 2 },
    })
    await setup.send('poison')
    await setup.pass(65)
    expect(setup.batches).toEqual([['poison'], ['poison']])
    const { messageId } = setup.events[0]!.Records[0]!
    expect(setup.notices).toEqual([
      `Message ${messageId} of queue orders moved to the dead-letter queue dead after 2 receives. To move it back: signalbox redrive dead`,
    ])
    const QueueUrl = setup.QueueUrl.replace('orders', 'dead')
    const { Messages } = await setup.sqs.receiveMessage({ QueueUrl, MessageSystemAttributeNames: ['All'] })
    expect(Messages).toMatchObject([
      {
        MessageId: setup.events[0]!.Records[0]!.messageId,
        Attributes: { DeadLetterQueueSourceArn: 'arn:aws:sqs:local:000000000000:orders' },
      },
    ])
  })

  it('creates the dead-letter queue with a retention period of 14 days', async () => {
    const day = 24 * 60 * 60
    const deadLetter = { queue: 'dead', maxReceiveCount: 1 }
    await using setup = await queuePlatform(failing('poison'), { deadLetter, retentionPeriod: 14 * day })
    const QueueUrl = setup.QueueUrl.replace('orders', 'dead')
    const { Attributes } = await setup.sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] })
    expect(Attributes).toMatchObject({ MessageRetentionPeriod: String(14 * day) })
  })

  it('writes each batch to the invocation log', async () => {
    await using setup = await queuePlatform(failing('b'))
    await setup.send('a', 'b')
    expect(await setup.platform.invocationLog.list()).toMatchObject([
      { source: 'queue orders', family: 'queue', attempt: 1, verdict: { kind: 'partial', ok: true } },
    ])
  })
})

describe('a FIFO queue with a function', () => {
  it('delivers the next message of a group after the previous one was processed', async () => {
    await using setup = await queuePlatform(failing(), { batchSize: 1, maximumConcurrency: 4 }, 'orders.fifo')
    await setup.send('a1', 'a2', 'b1', 'a3')
    await setup.pass(1)
    const order = setup.batches.flat()
    expect(order.filter(body => body.startsWith('a'))).toEqual(['a1', 'a2', 'a3'])
    expect(order).toContain('b1')
  })

  it('warns when a message succeeds after a failed one of the same group', async () => {
    await using setup = await queuePlatform(failing('a1'), {}, 'orders.fifo')
    await setup.send('a1', 'a2', 'b1')
    expect(setup.notices).toEqual([
      'work reported a failed message of group "a" in queue orders.fifo, but not all later messages of the group: those are deleted, and the group loses its order.',
    ])
    await setup.pass(31)
    expect(setup.batches).toEqual([['a1', 'a2', 'b1'], ['a1']])
  })
})
