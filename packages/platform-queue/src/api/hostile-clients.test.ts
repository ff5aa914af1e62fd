import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { talk } from '../../../platform-runtime/src/testing/raw-client.ts'
import { listeningQueues, sqsClient } from '../testing/queue-engines.ts'

let box: Awaited<ReturnType<typeof listeningQueues>>
let QueueUrl: string

beforeAll(async () => {
  box = await listeningQueues()
  const sqs = sqsClient(box.url)
  QueueUrl = (await sqs.createQueue({ QueueName: 'orders' })).QueueUrl!
  sqs.destroy()
})
afterAll(() => box.end())

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
  'DNS rebinding: a web page of the host %j reads no queue',
  async host => {
    const { responses } = await talk(box.url, call('ListQueues', {}, host))
    expect(responses[0]!.status).toBe(403)
    expect(JSON.parse(responses[0]!.body.toString())).toMatchObject({
      __type: expect.stringContaining('AccessDenied'),
      message: expect.stringContaining('The Host header'),
    })
  },
)

it.each(['localhost:9324', '127.0.0.1', '[::1]:9324'])('the host %s is this machine', async host => {
  const { responses } = await talk(box.url, call('ListQueues', {}, host))
  expect(responses[0]!.status).toBe(200)
})

it('pipelined requests are served in their order', async () => {
  const bodies = Array.from({ length: 20 }, (_, i) => `${i}`)
  const calls = bodies.flatMap(MessageBody => [
    call('SendMessage', { QueueUrl, MessageBody }),
    call('ReceiveMessage', { QueueUrl }),
  ])
  const { responses } = await talk(box.url, calls.join(''), { responses: calls.length })
  const received = responses.flatMap(({ body }) =>
    ((JSON.parse(body.toString()) as { Messages?: { Body: string }[] }).Messages ?? []).map(
      ({ Body }) => Body,
    ),
  )
  expect(received).toEqual(bodies)
})
