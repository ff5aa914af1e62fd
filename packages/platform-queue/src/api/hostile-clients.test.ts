import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { talk } from '@signalbox/platform-runtime/testing/raw-client'
import { listeningQueues, sqsClient } from '../testing/queue-engines.ts'

let setup: Awaited<ReturnType<typeof listeningQueues>>
let QueueUrl: string

beforeAll(async () => {
  setup = await listeningQueues()
  const sqs = sqsClient(setup.url)
  QueueUrl = (await sqs.createQueue({ QueueName: 'orders' })).QueueUrl!
  sqs.destroy()
})
afterAll(() => setup.end())

const call = (operation: string, input: object, host = 'localhost') => {
  const body = JSON.stringify(input)
  const head = [
    'POST / HTTP/1.1',
    `Host: ${host}`,
    'Content-Type: application/x-amz-json-1.0',
    `X-Amz-Target: AmazonSQS.${operation}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

it.each(['attacker.example', '127.0.0.1.attacker.example', '10.0.0.7', ''])(
  'the queue listener refuses the Host header %j, which could come from DNS rebinding',
  async host => {
    const { responses } = await talk(setup.url, call('ListQueues', {}, host))
    expect(responses[0]!.status).toBe(403)
    expect(JSON.parse(responses[0]!.body.toString())).toMatchObject({
      __type: expect.stringContaining('AccessDenied'),
      message: expect.stringContaining('Host header'),
    })
  },
)

it.each(['localhost:9324', '127.0.0.1', '[::1]:9324'])(
  'the queue listener accepts the Host header "%s", which names this machine',
  async host => {
    const { responses } = await talk(setup.url, call('ListQueues', {}, host))
    expect(responses[0]!.status).toBe(200)
  },
)

it('the queue listener answers pipelined requests in order', async () => {
  const bodies = Array.from({ length: 20 }, (_, i) => `${i}`)
  const calls = bodies.flatMap(MessageBody => [
    call('SendMessage', { QueueUrl, MessageBody }),
    call('ReceiveMessage', { QueueUrl }),
  ])
  const { responses } = await talk(setup.url, calls.join(''), { responses: calls.length })
  const received = responses.flatMap(({ body }) =>
    ((JSON.parse(body.toString()) as { Messages?: { Body: string }[] }).Messages ?? []).map(
      ({ Body }) => Body,
    ),
  )
  expect(received).toEqual(bodies)
})

it('clients that never read their responses get at most one response each, and 256 MB of responses in total', async () => {
  const [clients, size] = [40, 10 * 1024 * 1024]
  await setup.store.createQueue('large')
  const body = 'x'.repeat(size / 10)
  for (let count = 0; count < 10; count++) await setup.store.send('large', [{ body }])
  const input = { QueueUrl: `${setup.url}/0/large`, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }
  const { hostname, port } = new URL(setup.url)
  const sockets = Array.from({ length: clients }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(call('ReceiveMessage', input).repeat(20))
    return socket
  })
  const received = async () => {
    const [message] = await setup.store.receive('large', { max: 1, wait: 0, visibilityTimeout: 0 })
    return message!.receiveCount
  }
  let own = 1
  while ((await received()) - own < clients) {
    own++
    await delay(50)
  }
  await delay(200)
  expect((await received()) - own - 1).toBe(clients)

  const whole = await Promise.all(sockets.map(socket => getsWhole(socket, size)))
  // The operating system buffers some of the bytes.
  expect(whole.filter(Boolean).length).toBeLessThan(256 / 10 + 4)
  expect(whole.filter(Boolean).length).toBeGreaterThan(0)
})

/**
 * Reads until more than `size` bytes have arrived, or until the server closes the connection. Returns whether that many
 * bytes arrived.
 */
async function getsWhole(socket: Socket, size: number): Promise<boolean> {
  let length = 0
  socket.on('data', data => {
    length += data.length
    if (length > size) socket.destroy()
  })
  await once(socket, 'close')
  return length > size
}
