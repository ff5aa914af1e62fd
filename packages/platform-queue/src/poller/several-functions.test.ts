import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import type { QueueEvent } from '@signalbox/queue/contract'
import { queuePlatformWith } from '../testing/queue-platform.ts'

const starting = (letter: string) => ({ body: [{ prefix: letter }] })
const fine = { handler: () => null }
const failing = (...bodies: string[]) => ({
  handler: ({ Records }: QueueEvent) => ({
    batchItemFailures: Records.filter(({ body }) => bodies.some(each => body === each)).map(
      ({ messageId }) => ({ itemIdentifier: messageId }),
    ),
  }),
})
const countsOf = async ({ sqs, QueueUrl }: Awaited<ReturnType<typeof queuePlatformWith>>) => {
  const { Attributes } = await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] })
  return [Attributes!.ApproximateNumberOfMessages, Attributes!.ApproximateNumberOfMessagesNotVisible]
}

describe('a filter', () => {
  it('deletes what it does not match without an invocation', async () => {
    await using box = await queuePlatformWith({ work: fine }, { function: 'work', filter: starting('a') })
    await box.send('a1', 'b1', 'a2', 'b2')
    await box.pass(31)
    expect(box.invocations).toEqual([['work', 'a1', 'a2']])
    expect(await countsOf(box)).toEqual(['0', '0'])
  })

  it('deletes a batch of which nothing matches, and goes on', async () => {
    await using box = await queuePlatformWith({ work: fine }, { function: 'work', filter: starting('a') })
    await box.send('b1', 'b2')
    expect(await countsOf(box)).toEqual(['0', '0'])
    await box.send('a1')
    expect(box.invocations).toEqual([['work', 'a1']])
  })

  it('may have several patterns, of which one is enough, and sees attributes', async () => {
    const filter = [starting('a'), { messageAttributes: { n: { stringValue: ['7'] } } }]
    await using box = await queuePlatformWith({ work: fine }, { function: 'work', filter })
    await box.send('a1', 'b1')
    const MessageAttributes = { n: { DataType: 'Number', StringValue: '7' } }
    await box.sqs.sendMessage({ QueueUrl: box.QueueUrl, MessageBody: 'c1', MessageAttributes })
    await box.pass(1)
    expect(box.invocations.flatMap(([, ...bodies]) => bodies)).toEqual(['a1', 'c1'])
  })

  it('does not stop a batch from filling up with what matches', async () => {
    const queue = { function: 'work', filter: starting('a'), batchSize: 12, batchWindow: 5 }
    await using box = await queuePlatformWith({ work: fine }, queue)
    for (const at of [1, 2, 3])
      await box.send(...Array.from({ length: 8 }, (_, n) => `${'ab'[n % 2]}${at}${n}`))
    expect(box.invocations.map(([, ...bodies]) => bodies)).toEqual([
      ['a10', 'a12', 'a14', 'a16', 'a20', 'a22', 'a24', 'a26', 'a30', 'a32', 'a34', 'a36'],
    ])
  })

  it('lets a group of a FIFO queue go on behind what it does not match', async () => {
    const queue = { function: 'work', filter: { body: [{ suffix: '1' }] }, batchSize: 1 }
    await using box = await queuePlatformWith({ work: fine }, queue, { name: 'orders.fifo' })
    await box.send('a1', 'a2', 'a11')
    await box.pass(1)
    expect(box.invocations).toEqual([
      ['work', 'a1'],
      ['work', 'a11'],
    ])
  })
})

describe('several functions of a queue', () => {
  const routed = {
    functions: [
      { function: 'first', filter: starting('a') },
      { function: 'second', filter: starting('b') },
    ],
  }

  it('get each what their filters match, and none loses what another one wants', async () => {
    await using box = await queuePlatformWith({ first: fine, second: fine }, routed)
    for (let at = 0; at < 5; at++) await box.send(`a${at}`, `b${at}`, `c${at}`)
    await box.pass(1)
    const of = (name: string) =>
      box.invocations.filter(([each]) => each === name).flatMap(([, ...bodies]) => bodies)
    expect(of('first')).toEqual(['a0', 'a1', 'a2', 'a3', 'a4'])
    expect(of('second')).toEqual(['b0', 'b1', 'b2', 'b3', 'b4'])
    expect(await countsOf(box)).toEqual(['0', '0'])
  })

  it('take turns where they want the same messages, each of which goes to one of them', async () => {
    const functions = [{ function: 'first' }, { function: 'second' }]
    await using box = await queuePlatformWith({ first: fine, second: fine }, { functions })
    for (const body of ['1', '2', '3', '4']) await box.send(body)
    expect(box.invocations).toEqual([
      ['first', '1'],
      ['second', '2'],
      ['first', '3'],
      ['second', '4'],
    ])
  })

  it('have each their own size of batches and number of them', async () => {
    const release: (() => void)[] = []
    const handler = () => new Promise(resolve => release.push(() => resolve(null)))
    const functions = [
      { function: 'first', filter: starting('a'), batchSize: 1, maximumConcurrency: 2 },
      { function: 'second', filter: starting('b') },
    ]
    await using box = await queuePlatformWith({ first: { handler }, second: fine }, { functions })
    await box.send('a1', 'a2', 'a3')
    expect(box.invocations).toEqual([
      ['first', 'a1'],
      ['first', 'a2'],
    ])
    release[0]!()
    await box.clock.advance(0)
    expect(box.invocations.at(-1)).toEqual(['first', 'a3'])
    for (const each of release) each()
  })

  it('fail each for itself: only what one reports comes back, and to it', async () => {
    await using box = await queuePlatformWith({ first: failing('a1'), second: fine }, routed)
    await box.send('a1', 'a2', 'b1')
    await box.pass(31)
    expect(box.invocations).toEqual([
      ['first', 'a1', 'a2'],
      ['second', 'b1'],
      ['first', 'a1'],
    ])
  })

  it('work on a group of a FIFO queue one after the other', async () => {
    const release: (() => void)[] = []
    const handler = () => new Promise(resolve => release.push(() => resolve(null)))
    const functions = [
      { function: 'first', filter: { body: [{ suffix: 'x' }] } },
      { function: 'second', filter: { body: [{ suffix: 'y' }] } },
    ]
    await using box = await queuePlatformWith(
      { first: { handler }, second: fine },
      { functions },
      { name: 'orders.fifo' },
    )
    await box.send('a1x', 'a2y', 'b1y')
    expect(box.invocations).toEqual([
      ['first', 'a1x'],
      ['second', 'b1y'],
    ])
    // The function took so long that what waits behind it would be visible again by now.
    await box.pass(15)
    release[0]!()
    await box.pass(1)
    expect(box.invocations.slice(2)).toEqual([['second', 'a2y']])
    await box.pass(60)
    expect(box.invocations).toHaveLength(3)
  })

  it('begin nothing when the grace of a stop is over', async () => {
    const handler = () => new Promise(() => {})
    const functions = [
      { function: 'first', filter: { body: [{ suffix: 'x' }] } },
      { function: 'second', filter: { body: [{ suffix: 'y' }] } },
    ]
    const box = await queuePlatformWith(
      { first: { handler }, second: fine },
      { functions },
      { name: 'orders.fifo' },
    )
    await box.send('a1x', 'b1y', 'b2x')
    box.sqs.destroy()
    let isStopped = false
    const stopped = box.platform.stop().then(() => {
      isStopped = true
    })
    while (!isStopped) {
      await box.pass(1)
      await setTimeout(1)
    }
    await stopped
    expect(box.invocations).toEqual([
      ['first', 'a1x'],
      ['second', 'b1y'],
    ])
    expect(box.notices).toEqual([])
  })

  it('do not get what is behind a failure of its group in another function', async () => {
    const functions = [
      { function: 'first', filter: { body: [{ suffix: 'x' }] } },
      { function: 'second', filter: { body: [{ suffix: 'y' }] } },
    ]
    const flaky = failing('a1x')
    let isFailing = true
    const handler = (event: QueueEvent) => (isFailing ? flaky.handler(event) : null)
    await using box = await queuePlatformWith(
      { first: { handler }, second: fine },
      { functions },
      { name: 'orders.fifo' },
    )
    await box.send('a1x', 'a2y', 'b1y')
    await box.pass(20)
    expect(box.invocations).toEqual([
      ['first', 'a1x'],
      ['second', 'b1y'],
    ])
    isFailing = false
    await box.pass(11)
    expect(box.invocations.slice(2)).toEqual([
      ['first', 'a1x'],
      ['second', 'a2y'],
    ])
    expect(box.notices).toEqual([])
  })
})

describe('functions of the dialect aws', () => {
  const location = { region: 'eu-central-1', account: '123456789012' }

  it('see the ARN of the queue that clients see, in the region and account of the box', async () => {
    const queue = { function: 'work', deadLetter: { queue: 'dead', maxReceiveCount: 1 } }
    const dead = { function: 'work' }
    const seen: unknown[] = []
    const handler = (event: unknown) => {
      const [record] = (
        event as { Records: { awsRegion: string; eventSourceARN: string; attributes: object }[] }
      ).Records
      seen.push([record!.awsRegion, record!.eventSourceARN, record!.attributes])
      throw new Error('to the dead letters')
    }
    await using box = await queuePlatformWith({ work: { handler, dialect: 'aws' } }, queue, {
      ...location,
      queues: { orders: { visibilityTimeout: 30, ...queue }, dead },
    })
    await box.send('x')
    await box.pass(31)
    const QueueUrl = box.QueueUrl.replace('000000000000', location.account)
    const { Attributes } = await box.sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] })
    const arn = 'arn:aws:sqs:eu-central-1:123456789012:orders'
    expect(Attributes!.QueueArn).toBe(arn)
    expect(JSON.parse(Attributes!.RedrivePolicy!)).toMatchObject({
      deadLetterTargetArn: 'arn:aws:sqs:eu-central-1:123456789012:dead',
    })
    expect(seen).toEqual([
      ['eu-central-1', arn, expect.not.objectContaining({ DeadLetterQueueSourceArn: expect.anything() })],
      [
        'eu-central-1',
        'arn:aws:sqs:eu-central-1:123456789012:dead',
        expect.objectContaining({ DeadLetterQueueSourceArn: arn }),
      ],
    ])
    expect((await box.sqs.getQueueUrl({ QueueName: 'orders' })).QueueUrl).toBe(QueueUrl)
  })

  it('succeed with any text, as on the service, unless they report single failures', async () => {
    const handler = () => 'Successfully processed 1 messages'
    await using stock = await queuePlatformWith({ work: { handler, dialect: 'aws' } }, { function: 'work' })
    await stock.send('x')
    await stock.pass(31)
    expect(stock.invocations).toEqual([['work', 'x']])
    const reporting = { function: 'work', reportBatchItemFailures: true }
    await using strict = await queuePlatformWith({ work: { handler, dialect: 'aws' } }, reporting)
    await strict.send('x')
    await strict.pass(31)
    expect(strict.invocations).toHaveLength(2)
  })

  it('are told once when what they report is not read', async () => {
    const work = { ...failing('a', 'b'), dialect: 'aws' } as const
    await using box = await queuePlatformWith({ work }, { function: 'work', batchSize: 1 })
    await box.send('a', 'b')
    await box.pass(31)
    expect(box.invocations).toEqual([
      ['work', 'a'],
      ['work', 'b'],
    ])
    expect(box.notices).toEqual([
      'work answers batchItemFailures to queue orders, which are not read: set reportBatchItemFailures, or what it reports is deleted.',
    ])
  })
})
