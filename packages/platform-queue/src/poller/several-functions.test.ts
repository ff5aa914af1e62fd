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

describe('a queue with a filter', () => {
  it('deletes messages that do not match, without invoking the function', async () => {
    await using setup = await queuePlatformWith({ work: fine }, { function: 'work', filter: starting('a') })
    await setup.send('a1', 'b1', 'a2', 'b2')
    await setup.pass(31)
    expect(setup.invocations).toEqual([['work', 'a1', 'a2']])
    expect(await countsOf(setup)).toEqual(['0', '0'])
  })

  it('deletes a batch in which no message matches, and continues to poll', async () => {
    await using setup = await queuePlatformWith({ work: fine }, { function: 'work', filter: starting('a') })
    await setup.send('b1', 'b2')
    expect(await countsOf(setup)).toEqual(['0', '0'])
    await setup.send('a1')
    expect(setup.invocations).toEqual([['work', 'a1']])
  })

  it('invokes the function for messages whose body or attributes match one of several patterns', async () => {
    const filter = [starting('a'), { messageAttributes: { n: { stringValue: ['7'] } } }]
    await using setup = await queuePlatformWith({ work: fine }, { function: 'work', filter })
    await setup.send('a1', 'b1')
    const MessageAttributes = { n: { DataType: 'Number', StringValue: '7' } }
    await setup.sqs.sendMessage({ QueueUrl: setup.QueueUrl, MessageBody: 'c1', MessageAttributes })
    await setup.pass(1)
    expect(setup.invocations.flatMap(([, ...bodies]) => bodies)).toEqual(['a1', 'c1'])
  })

  it('fills a batch with matching messages', async () => {
    const queue = { function: 'work', filter: starting('a'), batchSize: 12, batchWindow: 5 }
    await using setup = await queuePlatformWith({ work: fine }, queue)
    for (const at of [1, 2, 3])
      await setup.send(...Array.from({ length: 8 }, (_, n) => `${'ab'[n % 2]}${at}${n}`))
    expect(setup.invocations.map(([, ...bodies]) => bodies)).toEqual([
      ['a10', 'a12', 'a14', 'a16', 'a20', 'a22', 'a24', 'a26', 'a30', 'a32', 'a34', 'a36'],
    ])
  })

  it('continues a FIFO group after a message that does not match', async () => {
    const queue = { function: 'work', filter: { body: [{ suffix: '1' }] }, batchSize: 1 }
    await using setup = await queuePlatformWith({ work: fine }, queue, { name: 'orders.fifo' })
    await setup.send('a1', 'a2', 'a11')
    await setup.pass(1)
    expect(setup.invocations).toEqual([
      ['work', 'a1'],
      ['work', 'a11'],
    ])
  })
})

describe('the functions of a queue', () => {
  const routed = {
    functions: [
      { function: 'first', filter: starting('a') },
      { function: 'second', filter: starting('b') },
    ],
  }

  it('each get the messages that their filters match', async () => {
    await using setup = await queuePlatformWith({ first: fine, second: fine }, routed)
    for (let at = 0; at < 5; at++) await setup.send(`a${at}`, `b${at}`, `c${at}`)
    await setup.pass(1)
    const of = (name: string) =>
      setup.invocations.filter(([each]) => each === name).flatMap(([, ...bodies]) => bodies)
    expect(of('first')).toEqual(['a0', 'a1', 'a2', 'a3', 'a4'])
    expect(of('second')).toEqual(['b0', 'b1', 'b2', 'b3', 'b4'])
    expect(await countsOf(setup)).toEqual(['0', '0'])
  })

  it('take turns if the filters of several of them match', async () => {
    const functions = [{ function: 'first' }, { function: 'second' }]
    await using setup = await queuePlatformWith({ first: fine, second: fine }, { functions })
    for (const body of ['1', '2', '3', '4']) await setup.send(body)
    expect(setup.invocations).toEqual([
      ['first', '1'],
      ['second', '2'],
      ['first', '3'],
      ['second', '4'],
    ])
  })

  it('each have their own batch size and concurrency', async () => {
    const release: (() => void)[] = []
    const handler = () => new Promise(resolve => release.push(() => resolve(null)))
    const functions = [
      { function: 'first', filter: starting('a'), batchSize: 1, maximumConcurrency: 2 },
      { function: 'second', filter: starting('b') },
    ]
    await using setup = await queuePlatformWith({ first: { handler }, second: fine }, { functions })
    await setup.send('a1', 'a2', 'a3')
    expect(setup.invocations).toEqual([
      ['first', 'a1'],
      ['first', 'a2'],
    ])
    release[0]!()
    await setup.clock.advance(0)
    expect(setup.invocations.at(-1)).toEqual(['first', 'a3'])
    for (const each of release) each()
  })

  it('get only their own failed messages again', async () => {
    await using setup = await queuePlatformWith({ first: failing('a1'), second: fine }, routed)
    await setup.send('a1', 'a2', 'b1')
    await setup.pass(31)
    expect(setup.invocations).toEqual([
      ['first', 'a1', 'a2'],
      ['second', 'b1'],
      ['first', 'a1'],
    ])
  })

  it('never process the same FIFO group at the same time', async () => {
    const release: (() => void)[] = []
    const handler = () => new Promise(resolve => release.push(() => resolve(null)))
    const functions = [
      { function: 'first', filter: { body: [{ suffix: 'x' }] } },
      { function: 'second', filter: { body: [{ suffix: 'y' }] } },
    ]
    await using setup = await queuePlatformWith(
      { first: { handler }, second: fine },
      { functions },
      { name: 'orders.fifo' },
    )
    await setup.send('a1x', 'a2y', 'b1y')
    expect(setup.invocations).toEqual([
      ['first', 'a1x'],
      ['second', 'b1y'],
    ])
    // If the visibility timeout of the waiting messages had not been extended, they would be visible again now.
    await setup.pass(15)
    release[0]!()
    await setup.pass(1)
    expect(setup.invocations.slice(2)).toEqual([['second', 'a2y']])
    await setup.pass(60)
    expect(setup.invocations).toHaveLength(3)
  })

  it('are no longer invoked once the grace period of stop() is over', async () => {
    const handler = () => new Promise(() => {})
    const functions = [
      { function: 'first', filter: { body: [{ suffix: 'x' }] } },
      { function: 'second', filter: { body: [{ suffix: 'y' }] } },
    ]
    const setup = await queuePlatformWith(
      { first: { handler }, second: fine },
      { functions },
      { name: 'orders.fifo' },
    )
    await setup.send('a1x', 'b1y', 'b2x')
    setup.sqs.destroy()
    let isStopped = false
    const stopped = setup.platform.stop().then(() => {
      isStopped = true
    })
    while (!isStopped) {
      await setup.pass(1)
      await setTimeout(1)
    }
    await stopped
    expect(setup.invocations).toEqual([
      ['first', 'a1x'],
      ['second', 'b1y'],
    ])
    expect(setup.notices).toEqual([])
  })

  it('get no more messages of a FIFO group after another function has failed on one of its messages', async () => {
    const functions = [
      { function: 'first', filter: { body: [{ suffix: 'x' }] } },
      { function: 'second', filter: { body: [{ suffix: 'y' }] } },
    ]
    const flaky = failing('a1x')
    let isFailing = true
    const handler = (event: QueueEvent) => (isFailing ? flaky.handler(event) : null)
    await using setup = await queuePlatformWith(
      { first: { handler }, second: fine },
      { functions },
      { name: 'orders.fifo' },
    )
    await setup.send('a1x', 'a2y', 'b1y')
    await setup.pass(20)
    expect(setup.invocations).toEqual([
      ['first', 'a1x'],
      ['second', 'b1y'],
    ])
    isFailing = false
    await setup.pass(11)
    expect(setup.invocations.slice(2)).toEqual([
      ['first', 'a1x'],
      ['second', 'a2y'],
    ])
    expect(setup.notices).toEqual([])
  })
})

describe('functions with the dialect "aws"', () => {
  const location = { region: 'eu-central-1', account: '123456789012' }

  it('get the same queue ARN as SQS clients, with the platform’s region and account', async () => {
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
    await using setup = await queuePlatformWith({ work: { handler, dialect: 'aws' } }, queue, {
      ...location,
      queues: { orders: { visibilityTimeout: 30, ...queue }, dead },
    })
    await setup.send('x')
    await setup.pass(31)
    const QueueUrl = setup.QueueUrl.replace('000000000000', location.account)
    const { Attributes } = await setup.sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] })
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
    expect((await setup.sqs.getQueueUrl({ QueueName: 'orders' })).QueueUrl).toBe(QueueUrl)
  })

  it('succeed with any response, as on AWS, unless reportBatchItemFailures is set', async () => {
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

  it('cause a single notice if they report failures, which are ignored', async () => {
    const work = { ...failing('a', 'b'), dialect: 'aws' } as const
    await using setup = await queuePlatformWith({ work }, { function: 'work', batchSize: 1 })
    await setup.send('a', 'b')
    await setup.pass(31)
    expect(setup.invocations).toEqual([
      ['work', 'a'],
      ['work', 'b'],
    ])
    expect(setup.notices).toEqual([
      'work returned batchItemFailures for queue orders, but reportBatchItemFailures is off, so the reported messages are deleted. Set it to true to keep them.',
    ])
  })
})
