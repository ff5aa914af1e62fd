import { once } from 'node:events'
import { connect } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '@signalbox/platform-runtime'
import { headerOf, talk } from '@signalbox/platform-runtime/testing/raw-client'
import { localStore } from '../store/sqlite/local-store.ts'
import { type listeningQueues, queryClient, sqsClient } from '../testing/queue-engines.ts'
import { createPlatform } from '../testing/queue-program.ts'
import { queuesOfEachTest } from '../testing/queues-of-each-test.ts'
import { queueListener } from './listener.ts'

let setup: Awaited<ReturnType<typeof listeningQueues>>
let name: string
let QueueUrl: string
const queues = queuesOfEachTest()
beforeAll(queues.start)
afterAll(queues.end)
beforeEach(async () => {
  ;({ setup, name, QueueUrl } = await queues.next())
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
    async (_, member, attributes) => {
      const bad = { MessageBody: 'x', [member]: attributes }
      const single = await call(operation('SendMessage'), JSON.stringify({ QueueUrl, ...bad }))
      expect(single.status).toBe(400)
      const Entries = [
        { Id: 'bad', ...bad },
        { Id: 'good', MessageBody: 'y' },
      ]
      const batch = await call(operation('SendMessageBatch'), JSON.stringify({ QueueUrl, Entries }))
      expect(await batch.json()).toMatchObject({ Successful: [{ Id: 'good' }], Failed: [{ Id: 'bad' }] })
      expect(await setup.store.depth(name)).toMatchObject({ visible: 1 })
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
