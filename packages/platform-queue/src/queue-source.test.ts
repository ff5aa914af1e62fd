import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { listeningQueues, sqsClient } from './testing/queue-engines.ts'
import { createPlatform } from './testing/queue-program.ts'

it('the platform polls a queue of another engine, and deletes processed messages there', async () => {
  const engine = await listeningQueues()
  await engine.store.createQueue('far', { visibilityTimeout: 30_000 })
  await engine.store.send('far', [{ body: 'good' }, { body: 'bad' }])
  const handled: string[] = []
  const handler = ({ Records }: { Records: { messageId: string; body: string }[] }) => {
    handled.push(...Records.map(({ body }) => body))
    const bad = Records.filter(({ body }) => body === 'bad')
    return { batchItemFailures: bad.map(({ messageId }) => ({ itemIdentifier: messageId })) }
  }
  const platform = createPlatform({
    functions: { work: { handler } },
    queues: { far: { function: 'work', engine: { endpoint: engine.url } } },
    dataDir: ':memory:',
    grace: 1,
  })
  await platform.start()
  const settled = { visible: 0, inFlight: 1, delayed: 0 }
  const isSettled = async () => JSON.stringify(await engine.store.depth('far')) === JSON.stringify(settled)
  while (!(await isSettled())) await new Promise(resolve => setTimeout(resolve, 5))
  expect(handled.sort()).toEqual(['bad', 'good'])
  await platform.stop()
  await engine.end()
})

it('after a restart, queues have their messages, the configured attributes, and the other attributes that clients set', async () => {
  using folder = temporaryFolder()
  const start = async (visibilityTimeout: number) => {
    const platform = createPlatform(
      {
        functions: {},
        queues: { orders: { visibilityTimeout, deadLetter: { queue: 'dead', maxReceiveCount: 1 } } },
        queueListener: { port: 0 },
      },
      { root: folder.path },
    )
    const [address] = await platform.start()
    return { platform, sqs: sqsClient(address!.url), QueueUrl: `${address!.url}/000000000000/orders` }
  }
  const first = await start(5)
  await first.sqs.sendMessage({ QueueUrl: first.QueueUrl, MessageBody: 'kept' })
  expect((await first.sqs.listQueues({})).QueueUrls).toHaveLength(2)
  await first.sqs.setQueueAttributes({
    QueueUrl: first.QueueUrl,
    Attributes: {
      VisibilityTimeout: '120',
      DelaySeconds: '9',
      RedrivePolicy: '',
      ReceiveMessageWaitTimeSeconds: '2',
    },
  })
  await first.sqs.tagQueue({ QueueUrl: first.QueueUrl, Tags: { team: 'shop' } })
  await first.sqs.createQueue({ QueueName: 'made', Attributes: { VisibilityTimeout: '90' } })
  await first.platform.stop()

  const second = await start(7)
  const { Attributes } = await second.sqs.getQueueAttributes({
    QueueUrl: second.QueueUrl,
    AttributeNames: ['VisibilityTimeout', 'DelaySeconds', 'RedrivePolicy', 'ReceiveMessageWaitTimeSeconds'],
  })
  expect(Attributes).toEqual({
    VisibilityTimeout: '7',
    DelaySeconds: '0',
    RedrivePolicy: expect.stringContaining('"maxReceiveCount":1'),
    ReceiveMessageWaitTimeSeconds: '2',
  })
  expect((await second.sqs.listQueueTags({ QueueUrl: second.QueueUrl })).Tags).toEqual({ team: 'shop' })
  const made = await second.sqs.getQueueAttributes({
    QueueUrl: second.QueueUrl.replace('orders', 'made'),
    AttributeNames: ['VisibilityTimeout'],
  })
  expect(made.Attributes).toEqual({ VisibilityTimeout: '90' })
  expect((await second.sqs.receiveMessage({ QueueUrl: second.QueueUrl })).Messages).toMatchObject([
    { Body: 'kept' },
  ])
  await second.platform.stop()
})

it('a start fails and names the port if the port of the queue listener is in use', async () => {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const platform = createPlatform({
    functions: {},
    queues: { orders: {} },
    queueListener: { port },
    dataDir: ':memory:',
  })
  await expect(platform.start()).rejects.toThrow(`port ${port} of 127.0.0.1`)
  server.close()
})
