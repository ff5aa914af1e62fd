import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from '@jest/globals'
import { compile, formatProblems, problems } from '@signalbox/codec'
import { type BatchResponse, QueueEvent } from '@signalbox/queue/contract'
import { temporaryFolder } from '../../../platform-runtime/src/testing/temporary-folder.ts'
import { type Answer, queuePlatform } from '../testing/queue-platform.ts'

const failing =
  (...bodies: string[]) =>
  ({ Records }: QueueEvent): BatchResponse => ({
    batchItemFailures: Records.filter(({ body }) => bodies.includes(body)).map(({ messageId }) => ({
      itemIdentifier: messageId,
    })),
  })

/** The first letters of the messages of each batch. */
const initials = (batches: readonly (readonly string[])[]) =>
  batches.map(batch => batch.map(body => body[0]).join(''))

describe('a queue with a function', () => {
  it('sends events that keep the contract, at once', async () => {
    await using box = await queuePlatform(() => null)
    await box.sqs.sendMessage({
      QueueUrl: box.QueueUrl,
      MessageBody: 'hello',
      MessageAttributes: { n: { DataType: 'Number', StringValue: '1' } },
    })
    await box.clock.advance(0)
    const [event] = box.events
    expect(formatProblems(problems(QueueEvent, event))).toBe('')
    expect(compile(QueueEvent)(event)).toBe(true)
    expect(event!.Records[0]).toMatchObject({
      body: 'hello',
      eventSource: 'cloud:queue',
      eventSourceARN: 'arn:cloud:queue:local:000000000000:orders',
      md5OfBody: '5d41402abc4b2a76b9719d911017c592',
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: String(box.clock.now()),
        SenderId: 'AKIATEST',
      },
      messageAttributes: { n: { dataType: 'Number', stringValue: '1' } },
    })
  })

  it.each([
    ['`batchItemFailures` empty', () => ({ batchItemFailures: [] })],
    ['`batchItemFailures` null', () => ({ batchItemFailures: null })],
    ['the response is empty', () => undefined],
    ['the response is null', () => null],
  ])('batch completely successful: %s', async (_, answer) => {
    await using box = await queuePlatform(answer)
    await box.send('a', 'b')
    await box.pass(31)
    expect(box.batches).toEqual([['a', 'b']])
  })

  it.each<[string, Answer]>([
    ['an `itemIdentifier` that is empty', () => ({ batchItemFailures: [{ itemIdentifier: '' }] })],
    ['an `itemIdentifier` that is null', () => ({ batchItemFailures: [{ itemIdentifier: null }] })],
    ['an `itemIdentifier` under a wrong key name', () => ({ batchItemFailures: [{ id: 'x' }] })],
    ['a message id that does not exist', () => ({ batchItemFailures: [{ itemIdentifier: 'none' }] })],
    [
      'an error',
      () => {
        throw new Error('broken')
      },
    ],
  ])('batch completely failed: %s', async (_, answer) => {
    await using box = await queuePlatform(answer)
    await box.send('a', 'b')
    await box.pass(31)
    expect(box.batches).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
    expect(box.events[1]!.Records[0]!.attributes.ApproximateReceiveCount).toBe('2')
    expect(box.events[1]!.Records[0]!.receiptHandle).not.toBe(box.events[0]!.Records[0]!.receiptHandle)
  })

  it('partial failure: those messages come back, and no others', async () => {
    await using box = await queuePlatform(failing('b'))
    await box.send('a', 'b', 'c')
    await box.pass(31)
    expect(box.batches).toEqual([['a', 'b', 'c'], ['b']])
  })

  it('Default batch size: up to 10 messages per invocation', async () => {
    await using box = await queuePlatform(() => new Promise(() => {}), { maximumConcurrency: 1 })
    for (const part of ['a', 'b']) await box.send(...Array.from({ length: 9 }, (_, at) => `${part}${at}`))
    await box.pass(20)
    expect(Math.max(...box.events.map(({ Records }) => Records.length))).toBeLessThanOrEqual(10)
    expect(box.events.at(-1)!.Records).toHaveLength(9)
  })

  it('gathers a larger batch for as long as its window is open', async () => {
    await using box = await queuePlatform(() => null, { batchSize: 100, batchWindow: 5 })
    for (const part of ['a', 'b', 'c']) {
      await box.send(...Array.from({ length: 10 }, (_, at) => `${part}${at}`))
      await box.pass(1)
    }
    expect(box.events).toHaveLength(0)
    await box.pass(3)
    expect(box.events.map(({ Records }) => Records.length)).toEqual([30])
  })

  it('hands over what it has gathered when it stops', async () => {
    const box = await queuePlatform(() => null, { batchSize: 100, batchWindow: 5 })
    await box.send('a', 'b')
    await box.pass(1)
    expect(box.batches).toEqual([])
    await box[Symbol.asyncDispose]()
    expect(box.batches).toEqual([['a', 'b']])
    expect(box.notices).toEqual([])
  })

  it('hands over what it has gathered when it cannot receive more', async () => {
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
    await using box = await queuePlatform(answer, { batchSize: 100, batchWindow: 5 }, 'orders', folder.path)
    await box.send('a', 'b')
    rename('messages', 'elsewhere')
    await box.pass(6)
    expect(box.batches).toEqual([['a', 'b']])
    expect(box.notices).toEqual([expect.stringMatching(/^queue orders: .*no such table/)])
    await box.pass(60)
    expect(box.batches).toEqual([['a', 'b']])
  })

  it('hands over a batch above 6 MB in parts, and one that is full in size at once', async () => {
    await using box = await queuePlatform(() => null, { batchSize: 100, batchWindow: 5 })
    const large = (letter: string) => letter.repeat(1000 * 1000)
    for (const letter of 'abcdefgh') await box.send(large(letter))
    expect(initials(box.batches)).toEqual(['abcdef'])
    await box.pass(5)
    expect(initials(box.batches)).toEqual(['abcdef', 'gh'])
  })

  it.each([
    ['quotation marks, which JSON writes as two bytes each', '"'],
    ['letters of two bytes', 'é'],
  ])('no event is larger than 6 MB, of %s', async (_, character) => {
    await using box = await queuePlatform(() => null, {
      batchSize: 100,
      batchWindow: 5,
      maximumConcurrency: 1,
    })
    const body = character.repeat(1_000_000 / Buffer.byteLength(character))
    for (const id of 'abcdefgh') await box.send(id + body)
    await box.pass(10)
    expect(initials(box.batches).join('')).toBe('abcdefgh')
    for (const event of box.events)
      expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(6 * 1024 * 1024)
    await box.pass(60)
    expect(box.batches.flat()).toHaveLength(8)
  })

  it('FIFO: a part that fails keeps the later parts of its group', async () => {
    let isFree = () => {}
    const first = new Promise<void>(resolve => {
      isFree = resolve
    })
    const answer = async ({ Records }: QueueEvent) => {
      if (Records[0]!.body === 'first') await first
      else if (Records[0]!.attributes.ApproximateReceiveCount === '1') throw new Error('broken')
      return null
    }
    await using box = await queuePlatform(answer, { maximumConcurrency: 1, batchSize: 10 }, 'orders.fifo')
    const send = (MessageBody: string, MessageGroupId: string) =>
      box.sqs.sendMessage({
        QueueUrl: box.QueueUrl,
        MessageBody,
        MessageGroupId,
        MessageDeduplicationId: MessageBody.slice(0, 5),
      })
    await send('first', 'other')
    await box.clock.advance(0)
    for (const id of 'abcde') await send(id + '"'.repeat(1_000_000), 'one')
    isFree()
    await box.pass(60)
    expect(initials(box.batches)).toEqual(['f', 'abc', 'abc', 'de'])
  })

  it('works on no more batches at a time than maximumConcurrency', async () => {
    const release: (() => void)[] = []
    const answer = () => new Promise<null>(resolve => release.push(() => resolve(null)))
    await using box = await queuePlatform(answer, { batchSize: 1, maximumConcurrency: 2 })
    await box.send('a', 'b', 'c')
    expect(box.batches).toEqual([['a'], ['b']])
    release[0]!()
    await box.clock.advance(0)
    expect(box.batches).toEqual([['a'], ['b'], ['c']])
    for (const each of release) each()
  })

  it('pauses for longer and longer while the function fails', async () => {
    await using box = await queuePlatform(
      () => {
        throw new Error('broken')
      },
      { batchSize: 1, maximumConcurrency: 1 },
    )
    await box.send('a')
    expect(box.events).toHaveLength(1)
    await box.send('b', 'c', 'd')
    expect(box.events).toHaveLength(1)
    await box.clock.advance(250)
    expect(box.events).toHaveLength(2)
    await box.clock.advance(499)
    expect(box.events).toHaveLength(2)
    await box.clock.advance(1)
    expect(box.events).toHaveLength(3)
    await box.clock.advance(1000)
    expect(box.events).toHaveLength(4)
  })

  it('does not read what a function returns that does not report single failures', async () => {
    await using box = await queuePlatform(failing('a'), { reportBatchItemFailures: false })
    await box.send('a')
    await box.pass(31)
    expect(box.batches).toEqual([['a']])
  })

  it('gives up to the dead-letter queue, which keeps the message id', async () => {
    await using box = await queuePlatform(failing('poison'), {
      deadLetter: { queue: 'dead', maxReceiveCount: 2 },
    })
    await box.send('poison')
    await box.pass(65)
    expect(box.batches).toEqual([['poison'], ['poison']])
    const QueueUrl = box.QueueUrl.replace('orders', 'dead')
    const { Messages } = await box.sqs.receiveMessage({ QueueUrl, MessageSystemAttributeNames: ['All'] })
    expect(Messages).toMatchObject([
      {
        MessageId: box.events[0]!.Records[0]!.messageId,
        Attributes: { DeadLetterQueueSourceArn: 'arn:aws:sqs:local:000000000000:orders' },
      },
    ])
  })

  it('keeps for 14 days what was given up, in a dead-letter queue that nothing else is said of', async () => {
    const day = 24 * 60 * 60
    const deadLetter = { queue: 'dead', maxReceiveCount: 1 }
    await using box = await queuePlatform(failing('poison'), { deadLetter, retentionPeriod: 14 * day })
    const QueueUrl = box.QueueUrl.replace('orders', 'dead')
    const { Attributes } = await box.sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] })
    expect(Attributes).toMatchObject({ MessageRetentionPeriod: String(14 * day) })
  })

  it('writes each batch into the invocation log', async () => {
    await using box = await queuePlatform(failing('b'))
    await box.send('a', 'b')
    expect(await box.platform.invocationLog.list()).toMatchObject([
      { source: 'queue orders', family: 'queue', attempt: 1, verdict: { kind: 'partial', ok: true } },
    ])
  })
})

describe('a FIFO queue with a function', () => {
  it('delivers the next message of a group when the one before it is done', async () => {
    await using box = await queuePlatform(failing(), { batchSize: 1, maximumConcurrency: 4 }, 'orders.fifo')
    await box.send('a1', 'a2', 'b1', 'a3')
    await box.pass(1)
    const order = box.batches.flat()
    expect(order.filter(body => body.startsWith('a'))).toEqual(['a1', 'a2', 'a3'])
    expect(order).toContain('b1')
  })

  it('warns of a success behind a failure of the same group', async () => {
    await using box = await queuePlatform(failing('a1'), {}, 'orders.fifo')
    await box.send('a1', 'a2', 'b1')
    expect(box.notices).toEqual([
      'work reported a failed message of group "a" in queue orders.fifo, but not every later one: they are deleted, and the group is out of order.',
    ])
    await box.pass(31)
    expect(box.batches).toEqual([['a1', 'a2', 'b1'], ['a1']])
  })
})
