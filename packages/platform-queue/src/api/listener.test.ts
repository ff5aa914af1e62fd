import { once } from 'node:events'
import { connect } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '@signalbox/platform-runtime'
import { headerOf, talk } from '@signalbox/platform-runtime/testing/raw-client'
import { Consumer } from 'sqs-consumer'
import { localStore } from '../store/sqlite/local-store.ts'
import { listeningQueues, queryClient, sqsClient } from '../testing/queue-engines.ts'
import { createPlatform } from '../testing/queue-program.ts'
import { queueListener } from './listener.ts'

let setup: Awaited<ReturnType<typeof listeningQueues>>
let sqs: ReturnType<typeof sqsClient>
let QueueUrl: string
let FifoUrl: string
let number = 0

beforeAll(async () => {
  setup = await listeningQueues()
  sqs = sqsClient(setup.url)
})
afterAll(async () => {
  sqs.destroy()
  await setup.end()
})
/** Makes all tests of a describe block use this client. */
function use(client: typeof sqsClient) {
  let before: typeof sqs
  beforeAll(() => {
    before = sqs
    sqs = client(setup.url)
  })
  afterAll(() => {
    sqs.destroy()
    sqs = before
  })
}
beforeEach(async () => {
  number++
  QueueUrl = (await sqs.createQueue({ QueueName: `q${number}` })).QueueUrl!
  const Attributes = { FifoQueue: 'true' }
  FifoUrl = (await sqs.createQueue({ QueueName: `q${number}.fifo`, Attributes })).QueueUrl!
})

describe.each([
  ['JSON', sqsClient],
  ['query', queryClient],
])('an SQS client of the %s protocol', (_, client) => {
  use(client)

  it('creates, finds, lists and deletes queues', async () => {
    expect(QueueUrl).toBe(`${setup.url}/000000000000/q${number}`)
    expect((await sqs.getQueueUrl({ QueueName: `q${number}` })).QueueUrl).toBe(QueueUrl)
    expect((await sqs.listQueues({ QueueNamePrefix: `q${number}` })).QueueUrls).toEqual([QueueUrl, FifoUrl])
    const { QueueUrls, NextToken } = await sqs.listQueues({ QueueNamePrefix: `q${number}`, MaxResults: 1 })
    expect(QueueUrls).toEqual([QueueUrl])
    expect(
      (await sqs.listQueues({ QueueNamePrefix: `q${number}`, MaxResults: 1, NextToken })).QueueUrls,
    ).toEqual([FifoUrl])
    await sqs.deleteQueue({ QueueUrl })
    await expect(sqs.getQueueUrl({ QueueName: `q${number}` })).rejects.toMatchObject({
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
      QueueArn: `arn:aws:sqs:local:000000000000:q${number}`,
      VisibilityTimeout: '77',
      DelaySeconds: '3',
      MessageRetentionPeriod: '345600',
      ApproximateNumberOfMessages: '0',
    })
    const Attributes = {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: `arn:aws:sqs:local:000000000000:q${number}`,
        maxReceiveCount: '3',
      }),
    }
    const { QueueUrl: other } = await sqs.createQueue({ QueueName: `q${number}-other`, Attributes })
    const { Attributes: shown } = await sqs.getQueueAttributes({
      QueueUrl: other,
      AttributeNames: ['RedrivePolicy'],
    })
    expect(JSON.parse(shown!.RedrivePolicy!)).toEqual({
      deadLetterTargetArn: `arn:aws:sqs:local:000000000000:q${number}`,
      maxReceiveCount: 3,
    })
  })

  it('gets only the SQS attributes that are set on the queue', async () => {
    const AttributeNames = ['KmsMasterKeyId', 'Policy', 'DelaySeconds'] as const
    const { Attributes } = await sqs.getQueueAttributes({ QueueUrl, AttributeNames: [...AttributeNames] })
    expect(Attributes).toEqual({ DelaySeconds: '0' })
  })

  it('cannot name a missing dead-letter queue in CreateQueue or SetQueueAttributes', async () => {
    const deadLetterTargetArn = `arn:aws:sqs:local:000000000000:q${number}-dead`
    const Attributes = { RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 3 }) }
    const refused = { name: 'InvalidParameterValue', message: expect.stringContaining('does not exist') }
    await expect(sqs.setQueueAttributes({ QueueUrl, Attributes })).rejects.toMatchObject(refused)
    const QueueName = `q${number}-other`
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

describe('errors of the JSON protocol', () => {
  const entries = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ Id: `${at}`, MessageBody: 'x'.repeat(200_000) }))

  it.each([
    [
      'QueueDoesNotExist',
      'an unknown queue',
      () => sqs.sendMessage({ QueueUrl: `${setup.url}/000000000000/none`, MessageBody: 'x' }),
    ],
    [
      'QueueNameExists',
      'a queue that exists with other attributes',
      () => sqs.createQueue({ QueueName: `q${number}`, Attributes: { DelaySeconds: '5' } }),
    ],
    ['InvalidParameterValue', 'an invalid queue name', () => sqs.createQueue({ QueueName: 'no spaces' })],
    [
      'InvalidAttributeName',
      'an unknown attribute',
      () => sqs.setQueueAttributes({ QueueUrl, Attributes: { Colour: 'red' } as never }),
    ],
    [
      'InvalidAttributeValue',
      'a delay above the maximum',
      () => sqs.setQueueAttributes({ QueueUrl, Attributes: { DelaySeconds: '901' } }),
    ],
    [
      'InvalidMessageContents',
      'a control character in a body',
      () => sqs.sendMessage({ QueueUrl, MessageBody: '\u0001' }),
    ],
    [
      'MissingParameter',
      'a FIFO message without a group',
      () => sqs.sendMessage({ QueueUrl: FifoUrl, MessageBody: 'x' }),
    ],
    [
      'InvalidParameterValue',
      'a FIFO message without a deduplication id',
      () => sqs.sendMessage({ QueueUrl: FifoUrl, MessageBody: 'x', MessageGroupId: 'g' }),
    ],
    [
      'InvalidParameterValue',
      'a deduplication id for a standard queue',
      () => sqs.sendMessage({ QueueUrl, MessageBody: 'x', MessageDeduplicationId: 'd' }),
    ],
    [
      'InvalidParameterValue',
      'a body above 1 MiB',
      () => sqs.sendMessage({ QueueUrl, MessageBody: 'x'.repeat(1024 * 1024 + 1) }),
    ],
    [
      'InvalidParameterValue',
      'a receive of more than 10 messages',
      () => sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 11 }),
    ],
    [
      'InvalidParameterValue',
      'a wait above 20 seconds',
      () => sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 21 }),
    ],
    ['EmptyBatchRequest', 'a batch without entries', () => sqs.sendMessageBatch({ QueueUrl, Entries: [] })],
    [
      'TooManyEntriesInBatchRequest',
      'a batch of 11 entries',
      () => sqs.sendMessageBatch({ QueueUrl, Entries: entries(11) }),
    ],
    [
      'BatchRequestTooLong',
      'a batch above 1 MiB',
      () => sqs.sendMessageBatch({ QueueUrl, Entries: entries(6) }),
    ],
    [
      'BatchEntryIdsNotDistinct',
      'equal ids in a batch',
      () => sqs.sendMessageBatch({ QueueUrl, Entries: [...entries(1), ...entries(1)] }),
    ],
    [
      'InvalidBatchEntryId',
      'an invalid id in a batch',
      () => sqs.deleteMessageBatch({ QueueUrl, Entries: [{ Id: 'a b', ReceiptHandle: 'x' }] }),
    ],
    [
      'ReceiptHandleIsInvalid',
      'an invalid receipt handle',
      () => sqs.deleteMessage({ QueueUrl, ReceiptHandle: 'nonsense' }),
    ],
    [
      'ResourceNotFoundException',
      'a move task of an unknown queue',
      () => sqs.startMessageMoveTask({ SourceArn: 'arn:aws:sqs:local:0:none' }),
    ],
  ])('%s is the error for %s', async (name, _case, call) => {
    await expect(call()).rejects.toMatchObject({ name })
  })

  it('a response header contains the error code of the query protocol', async () => {
    await expect(sqs.getQueueUrl({ QueueName: 'none' })).rejects.toMatchObject({
      Code: 'AWS.SimpleQueueService.NonExistentQueue',
    })
  })

  it('MessageNotInflight is the error for a FIFO message that is visible again', async () => {
    const QueueUrl = FifoUrl
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x', MessageGroupId: 'g', MessageDeduplicationId: 'd' })
    const { ReceiptHandle } = (await sqs.receiveMessage({ QueueUrl })).Messages![0]!
    await setup.clock.advance(31_000)
    await expect(
      sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 5 }),
    ).rejects.toMatchObject({ name: 'MessageNotInflight' })
  })
})

describe('a request to the queue listener', () => {
  const json = 'application/x-amz-json-1.0'
  const call = (headers: Record<string, string>, body: string, method = 'POST') =>
    fetch(setup.url, { method, headers, ...(method === 'POST' && { body }) })
  const operation = (name: string) => ({ 'content-type': json, 'x-amz-target': `AmazonSQS.${name}` })

  it.each([
    ['without the header X-Amz-Target', { 'content-type': json }, '{}', 400, 'UnknownOperationException'],
    ['of an unknown operation', operation('Nonsense'), '{}', 400, 'UnknownOperationException'],
    ['of the operation "constructor"', operation('constructor'), '{}', 400, 'UnknownOperationException'],
    [
      'with a content type other than JSON',
      { ...operation('ListQueues'), 'content-type': 'text/plain' },
      '{}',
      400,
      'UnknownOperationException',
    ],
    ['with a body that is not JSON', operation('ListQueues'), '{', 400, 'SerializationException'],
    ['with a JSON list as its body', operation('ListQueues'), '[]', 400, 'SerializationException'],
    [
      'with a number instead of a string',
      operation('SendMessage'),
      '{"QueueUrl":1}',
      400,
      'SerializationException',
    ],
    ['without required parameters', operation('SendMessage'), '{}', 400, 'MissingRequiredParameterException'],
    [
      'with a URL that names no queue',
      operation('PurgeQueue'),
      '{"QueueUrl":"http://a/b/c/d"}',
      400,
      'QueueDoesNotExist',
    ],
    [
      'from a web page',
      { ...operation('ListQueues'), origin: 'http://evil' },
      '{}',
      403,
      'AccessDeniedException',
    ],
  ])('%s is refused', async (_, headers, body, status, type) => {
    const response = await call(headers, body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({
      __type: `com.amazonaws.sqs#${type}`,
      message: expect.any(String),
    })
    expect(response.headers.get('x-amzn-query-error')).toMatch(/;Sender$/)
  })

  it('that is not HTTP makes the listener close the connection, even if the client keeps it half-open', async () => {
    const { hostname, port } = new URL(setup.url)
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    socket.on('error', () => undefined).resume()
    for (let i = 0; i < 40 && !socket.destroyed; i++) {
      socket.write('HELO there\r\n\r\n')
      await delay(100)
    }
    const isCut = socket.destroyed
    socket.destroy()
    expect(isCut).toBe(true)
  })

  it.each(['HELO there\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'])(
    'that begins with %j gets an error that names the supported protocols',
    async words => {
      const { responses, closed } = await talk(setup.url, words)
      expect({ status: responses[0]!.status, body: String(responses[0]!.body), closed }).toEqual({
        status: 400,
        body: expect.stringContaining('the JSON or the query protocol'),
        closed: true,
      })
    },
  )

  it.each([
    [
      'with a trace header without a value',
      'MessageSystemAttributes',
      { AWSTraceHeader: { DataType: 'String' } },
    ],
    [
      'with a binary trace header',
      'MessageSystemAttributes',
      { AWSTraceHeader: { DataType: 'Binary', BinaryValue: 'AA==' } },
    ],
    [
      'with an unknown system attribute',
      'MessageSystemAttributes',
      { A: { DataType: 'String', StringValue: 'a' } },
    ],
    [
      'with a list of values in a message attribute',
      'MessageAttributes',
      { a: { DataType: 'String', StringValue: 'a', StringListValues: ['b'] } },
    ],
  ])(
    '%s is refused, both alone and in a batch, and its message is not stored',
    async (_, name, attributes) => {
      const bad = { MessageBody: 'x', [name]: attributes }
      const single = await call(operation('SendMessage'), JSON.stringify({ QueueUrl, ...bad }))
      expect(single.status).toBe(400)
      const Entries = [
        { Id: 'bad', ...bad },
        { Id: 'good', MessageBody: 'y' },
      ]
      const batch = await call(operation('SendMessageBatch'), JSON.stringify({ QueueUrl, Entries }))
      expect(await batch.json()).toMatchObject({ Successful: [{ Id: 'good' }], Failed: [{ Id: 'bad' }] })
      expect(await setup.store.depth(`q${number}`)).toMatchObject({ visible: 1 })
    },
  )

  it('can contain null for absent values, and parameters in its content type', async () => {
    const text = { DataType: 'String', StringValue: 'a', BinaryValue: null, StringListValues: [] }
    const Entries = [{ Id: 'a', MessageBody: 'x', DelaySeconds: null, MessageAttributes: { text } }]
    const headers = { ...operation('SendMessageBatch'), 'content-type': `${json}; charset=utf-8` }
    const response = await call(headers, JSON.stringify({ QueueUrl, Entries }))
    expect(await response.json()).toMatchObject({ Successful: [{ Id: 'a' }] })
  })

  it('with an unknown receipt handle is refused with 404', async () => {
    const body = JSON.stringify({ QueueUrl, ReceiptHandle: 'nonsense' })
    expect((await call(operation('DeleteMessage'), body)).status).toBe(404)
  })

  it('with a body that is too large is refused with 413', async () => {
    const response = await call(operation('SendMessage'), ' '.repeat(9 * 1024 * 1024))
    expect(response.status).toBe(413)
  })

  it('with a Content-Length that is too large is refused before its body is complete', async () => {
    const { hostname, port } = new URL(setup.url)
    const socket = connect(Number(port), hostname).pause()
    let failed: Error | undefined
    socket.on('error', error => {
      failed = error
    })
    const { 'x-amz-target': operationName } = operation('SendMessage')
    const head = [
      'Host: localhost',
      `Content-Type: ${json}`,
      `X-Amz-Target: ${operationName}`,
      'Content-Length: 50000000',
    ]
    socket.write(`POST / HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
    for (let i = 0; i < 10; i++) {
      socket.write(Buffer.alloc(64 * 1024))
      await delay(20)
    }
    const [answer] = failed ? [failed] : await once(socket.resume(), 'data')
    socket.destroy()
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /)
  })
})

it('the queue listener answers an internal failure with InternalFailure, and logs it', async () => {
  const database = new DatabaseSync(':memory:')
  const notices: string[] = []
  const store = localStore(database, manualClock(), systemRandom)
  const address = { host: '127.0.0.1', port: 0 }
  const listener = queueListener(address, store, systemRandom, { notice: text => notices.push(text) })
  const client = sqsClient(await listener.start())
  await client.createQueue({ QueueName: 'orders' })
  database.exec('drop table messages')
  const sent = client.sendMessage({ QueueUrl: 'http://setup/0/orders', MessageBody: 'x' })
  await expect(sent).rejects.toMatchObject({ name: 'InternalFailure', $metadata: { httpStatusCode: 500 } })
  expect(notices).toEqual([
    expect.stringMatching(/^The queue listener could not serve a request: .*no such table/),
  ])
  client.destroy()
  await listener.stop()
  await store.close()
})

it('a client address that exceeds its limits gets RequestThrottled and a Retry-After header', async () => {
  const clock = manualClock(0)
  const platform = createPlatform(
    {
      queues: { orders: {} },
      queueListener: { port: 0, limits: { requests: 1, window: 60 } },
      dataDir: ':memory:',
    },
    { clock },
  )
  const [address] = await platform.start()
  for (const make of [sqsClient, queryClient]) {
    const made = make(address!.url)
    await made.listQueues({})
    await expect(made.listQueues({})).rejects.toMatchObject({ name: 'RequestThrottled' })
    made.destroy()
    const { responses } = await talk(
      address!.url,
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    )
    expect(headerOf(responses[0]!, 'retry-after')).toBe('60')
    await clock.advance(60_000)
  }
  await platform.stop()
})
