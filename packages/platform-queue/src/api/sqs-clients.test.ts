import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { Consumer } from 'sqs-consumer'
import { type listeningQueues, queryClient, sqsClient } from '../testing/queue-engines.ts'
import { queuesOfEachTest } from '../testing/queues-of-each-test.ts'

let setup: Awaited<ReturnType<typeof listeningQueues>>
let sqs: ReturnType<typeof sqsClient>
let name: string
let QueueUrl: string
let FifoUrl: string
const queues = queuesOfEachTest()
beforeAll(queues.start)
afterAll(queues.end)
beforeEach(async () => {
  ;({ setup, sqs, name, QueueUrl, FifoUrl } = await queues.next())
})

describe.each([
  ['JSON', sqsClient],
  ['query', queryClient],
])('an SQS client of the %s protocol', (_, client) => {
  beforeAll(() => queues.use(client))
  afterAll(() => queues.use(sqsClient))

  it('creates, finds, lists and deletes queues', async () => {
    expect(QueueUrl).toBe(`${setup.url}/000000000000/${name}`)
    expect((await sqs.getQueueUrl({ QueueName: name })).QueueUrl).toBe(QueueUrl)
    expect((await sqs.listQueues({ QueueNamePrefix: name })).QueueUrls).toEqual([QueueUrl, FifoUrl])
    const { QueueUrls, NextToken } = await sqs.listQueues({ QueueNamePrefix: name, MaxResults: 1 })
    expect(QueueUrls).toEqual([QueueUrl])
    expect((await sqs.listQueues({ QueueNamePrefix: name, MaxResults: 1, NextToken })).QueueUrls).toEqual([
      FifoUrl,
    ])
    await sqs.deleteQueue({ QueueUrl })
    await expect(sqs.getQueueUrl({ QueueName: name })).rejects.toMatchObject({
      name: 'QueueDoesNotExist',
    })
  })

  it('checks the MD5 digests that SendMessage and ReceiveMessage return', async () => {
    const sent = await sqs.sendMessage({
      QueueUrl,
      MessageBody: 'ä body',
      MessageAttributes: {
        text: { DataType: 'String', StringValue: 'ü' },
        number: { DataType: 'Number.int', StringValue: '7' },
        bytes: { DataType: 'Binary', BinaryValue: Uint8Array.of(0, 1, 255) },
      },
      MessageSystemAttributes: { AWSTraceHeader: { DataType: 'String', StringValue: 'Root=1' } },
    })
    expect(sent).toMatchObject({
      MD5OfMessageBody: '90b9f638f52ae56cd4387638152f2694',
      MD5OfMessageAttributes: '9280859c4a0d7f1001ad7ed729d63b3a',
    })
    const { Messages } = await sqs.receiveMessage({
      QueueUrl,
      // SQS clients from 2022 support only this parameter, not MessageSystemAttributeNames.
      AttributeNames: ['All'],
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    })
    expect(Messages).toHaveLength(1)
    expect(Messages![0]).toMatchObject({
      MessageId: sent.MessageId,
      Body: 'ä body',
      MD5OfMessageAttributes: sent.MD5OfMessageAttributes,
      Attributes: {
        SenderId: 'AKIATEST',
        ApproximateReceiveCount: '1',
        AWSTraceHeader: 'Root=1',
        SentTimestamp: String(setup.clock.now()),
      },
    })
    expect(Messages![0]!.MessageAttributes!.bytes!.BinaryValue).toEqual(Uint8Array.of(0, 1, 255))
  })

  it('receives only the message attributes that it requests', async () => {
    const MessageAttributes = {
      'a.b': { DataType: 'String', StringValue: '1' },
      c: { DataType: 'String', StringValue: '2' },
    }
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x', MessageAttributes })
    const ask = (names?: string[]) =>
      sqs.receiveMessage({ QueueUrl, VisibilityTimeout: 0, ...(names && { MessageAttributeNames: names }) })
    expect(Object.keys((await ask(['a.*'])).Messages![0]!.MessageAttributes!)).toEqual(['a.b'])
    expect(Object.keys((await ask(['c'])).Messages![0]!.MessageAttributes!)).toEqual(['c'])
    expect((await ask()).Messages![0]).not.toHaveProperty('MessageAttributes')
    expect((await ask()).Messages![0]).not.toHaveProperty('Attributes')
  })

  it('sends the valid entries of a batch, and gets an error for each invalid one', async () => {
    const { Successful, Failed } = await sqs.sendMessageBatch({
      QueueUrl,
      Entries: [
        { Id: 'good', MessageBody: 'x' },
        { Id: 'bad', MessageBody: 'a\u0000b' },
        { Id: 'late', MessageBody: 'y', DelaySeconds: 901 },
      ],
    })
    expect(Successful!.map(({ Id }) => Id)).toEqual(['good'])
    expect(Failed).toMatchObject([
      { Id: 'bad', Code: 'InvalidMessageContents', SenderFault: true },
      { Id: 'late', Code: 'InvalidParameterValue', SenderFault: true },
    ])
  })

  it('receives a message by long polling, makes it visible again, and deletes it', async () => {
    const waiting = sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 20 })
    await new Promise(resolve => setTimeout(resolve, 20))
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x' })
    const { ReceiptHandle } = (await waiting).Messages![0]!
    await sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 })
    const again = (await sqs.receiveMessage({ QueueUrl })).Messages![0]!
    await sqs.deleteMessage({ QueueUrl, ReceiptHandle: again.ReceiptHandle })
    await setup.clock.advance(60_000)
    expect(await sqs.receiveMessage({ QueueUrl })).not.toHaveProperty('Messages')
  })

  it('reads with GetQueueAttributes what it wrote with SetQueueAttributes', async () => {
    await sqs.setQueueAttributes({ QueueUrl, Attributes: { VisibilityTimeout: '77', DelaySeconds: '3' } })
    expect((await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] })).Attributes).toMatchObject({
      QueueArn: `arn:aws:sqs:local:000000000000:${name}`,
      VisibilityTimeout: '77',
      DelaySeconds: '3',
      MessageRetentionPeriod: '345600',
      ApproximateNumberOfMessages: '0',
    })
    const Attributes = {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: `arn:aws:sqs:local:000000000000:${name}`,
        maxReceiveCount: '3',
      }),
    }
    const { QueueUrl: other } = await sqs.createQueue({ QueueName: `${name}-other`, Attributes })
    const { Attributes: shown } = await sqs.getQueueAttributes({
      QueueUrl: other,
      AttributeNames: ['RedrivePolicy'],
    })
    expect(JSON.parse(shown!.RedrivePolicy!)).toEqual({
      deadLetterTargetArn: `arn:aws:sqs:local:000000000000:${name}`,
      maxReceiveCount: 3,
    })
  })

  it('gets only the SQS attributes that are set on the queue', async () => {
    const AttributeNames = ['KmsMasterKeyId', 'Policy', 'DelaySeconds'] as const
    const { Attributes } = await sqs.getQueueAttributes({ QueueUrl, AttributeNames: [...AttributeNames] })
    expect(Attributes).toEqual({ DelaySeconds: '0' })
  })

  it('cannot name a missing dead-letter queue in CreateQueue or SetQueueAttributes', async () => {
    const deadLetterTargetArn = `arn:aws:sqs:local:000000000000:${name}-dead`
    const Attributes = { RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 3 }) }
    const refused = { name: 'InvalidParameterValue', message: expect.stringContaining('does not exist') }
    await expect(sqs.setQueueAttributes({ QueueUrl, Attributes })).rejects.toMatchObject(refused)
    const QueueName = `${name}-other`
    await expect(sqs.createQueue({ QueueName, Attributes })).rejects.toMatchObject(refused)
    await expect(sqs.getQueueUrl({ QueueName })).rejects.toMatchObject({ name: 'QueueDoesNotExist' })
  })

  it('purges all messages of a queue, at most once a minute', async () => {
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x' })
    await sqs.purgeQueue({ QueueUrl })
    expect(await sqs.receiveMessage({ QueueUrl })).not.toHaveProperty('Messages')
    await expect(sqs.purgeQueue({ QueueUrl })).rejects.toMatchObject({ name: 'PurgeQueueInProgress' })
  })
})

it('the library sqs-consumer handles and deletes messages', async () => {
  const handled: string[] = []
  const consumer = Consumer.create({
    queueUrl: QueueUrl,
    sqs: sqs as never,
    waitTimeSeconds: 20,
    handleMessage: async message => {
      handled.push(message.Body!)
      return message
    },
  })
  const processed = new Promise(resolve => consumer.once('message_processed', resolve))
  consumer.start()
  await sqs.sendMessage({ QueueUrl, MessageBody: 'for the consumer' })
  await processed
  consumer.stop({ abort: true })
  expect(handled).toEqual(['for the consumer'])
})
