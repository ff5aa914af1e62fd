import * as sdk from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { signatureHeaders } from '@signalbox/platform-runtime/signature'
import * as querySdk from 'client-sqs-query'
import { operationRights } from '../testing/operation-rights.ts'
import { createPlatform } from '../testing/queue-program.ts'
import { demandsOf } from './operations/demands.ts'
import { inputs, type Operation } from './operations/inputs.ts'

const region = 'eu-central-1'
const secretOf = (name: string) => `a long secret of ${name}`
const all = ['send', 'receive', 'administer'] as const
const key = (id: string) => ({ keys: [{ id, secret: secretOf(id) }] })
const now = Date.UTC(2026, 10, 22, 12)
const clock = manualClock(now)

let url = ''
let platform: ReturnType<typeof createPlatform>
beforeAll(async () => {
  // Clients sign with the system time, so the test sets the manual clock to that time.
  await clock.advance(Date.now() - now)
  platform = createPlatform(
    {
      queues: { orders: {}, invoices: {} },
      queueListener: { port: 0 },
      dataDir: ':memory:',
      access: {
        identities: {
          nothing: key('nothing'),
          guessed: key('guessed'),
          busy: { ...key('busy'), limits: { requests: 1, window: 60 } },
          ...Object.fromEntries(
            all.map(right => [
              right,
              { ...key(right), rights: { queues: { [right]: ['orders', 'matrix'] } } },
            ]),
          ),
          all: { ...key('all'), rights: { queues: { send: ['*'], receive: ['*'], administer: ['*'] } } },
          some: { ...key('some'), rights: { queues: { administer: ['inv*s', 'new-*'] } } },
        },
      },
    },
    { clock },
  )
  const [address] = await platform.start()
  url = address!.url
})
afterAll(() => platform.stop())

type Client = new (settings: sdk.SQSClientConfig) => sdk.SQS

function client(
  accessKeyId: string,
  secretAccessKey = secretOf(accessKeyId),
  SQS: Client = sdk.SQS,
  maxAttempts = 1,
) {
  const made = new SQS({
    endpoint: url,
    region,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts,
  })
  return Object.assign(made, { [Symbol.dispose]: () => made.destroy() })
}

const protocols: readonly (readonly [string, Client])[] = [
  ['JSON', sdk.SQS],
  ['query', querySdk.SQS as unknown as Client],
]

describe.each(protocols)('an SQS client of the %s protocol', (_, SQS) => {
  it('works with a valid access key, and gets AWS errors for an invalid key or a missing right', async () => {
    const QueueUrl = `${url}/000000000000/orders`
    const message = { QueueUrl, MessageBody: 'body' }
    using sender = client('send', undefined, SQS)
    expect(await sender.sendMessage(message)).toHaveProperty('MessageId')
    using receiver = client('receive', undefined, SQS)
    const { Messages } = await receiver.receiveMessage({ QueueUrl, AttributeNames: ['All'] })
    expect(Messages).toMatchObject([{ Body: 'body', Attributes: { SenderId: 'send' } }])
    await receiver.deleteMessage({ QueueUrl, ReceiptHandle: Messages![0]!.ReceiptHandle! })

    await expect(receiver.sendMessage(message)).rejects.toMatchObject({
      name: 'AccessDenied',
      message:
        'User: receive is not authorized to perform: sqs:sendmessage on resource: arn:aws:sqs:local:000000000000:orders because the identity has no right to send there.',
      $metadata: { httpStatusCode: 403 },
    })
    using wrong = client('send', 'another secret, also long', SQS)
    await expect(wrong.sendMessage(message)).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
      $metadata: { httpStatusCode: 403 },
    })
    using unknown = client('AKIAUNKNOWN', undefined, SQS)
    await expect(unknown.sendMessage(message)).rejects.toMatchObject({
      name: 'InvalidClientTokenId',
      message: 'The security token included in the request is invalid.',
      $metadata: { httpStatusCode: 403 },
    })
  })
})

it('a client whose authentication fails too often gets RequestThrottled', async () => {
  for (let guess = 0; guess < 30; guess++) await send('ListQueues', {}, 'guessed', { body: '{"a":1}' })
  using made = client('guessed')
  await expect(made.listQueues({})).rejects.toMatchObject({
    name: 'RequestThrottled',
    message: 'Too many failed authentications. Try again later.',
    $metadata: { httpStatusCode: 403 },
  })
})

it.each(protocols)(
  'a client of the %s protocol retries when its identity exceeds its request limit',
  async (_, SQS) => {
    using made = client('busy', undefined, SQS, 2)
    let attempts = 0
    const { requestHandler } = made.config
    const handle = requestHandler.handle.bind(requestHandler)
    requestHandler.handle = async (...request) => {
      if (++attempts === 3) await clock.advance(60_000)
      return handle(...request)
    }
    await clock.advance(60_000)
    await made.listQueues({})
    await made.listQueues({})
    expect(attempts).toBe(3)
    using last = client('busy', undefined, SQS)
    await expect(last.listQueues({})).rejects.toMatchObject({
      name: 'RequestThrottled',
      message: 'Rate exceeded. Try again after 60 seconds.',
      $metadata: { httpStatusCode: 403 },
    })
  },
)

it('ListQueues returns only the queues that the identity has rights to', async () => {
  const names = async (id: string) => {
    using made = client(id)
    const { QueueUrls = [] } = await made.listQueues({})
    return QueueUrls.map(each => each.slice(each.lastIndexOf('/') + 1))
  }
  expect(await names('send')).toEqual(['orders'])
  expect(await names('some')).toEqual(['invoices'])
  expect(await names('nothing')).toEqual([])
  expect(await names('all')).toEqual(['invoices', 'orders'])
})

it.each(protocols)(
  'ListDeadLetterSourceQueues of the %s protocol returns only the sources that the identity has rights to',
  async (_, SQS) => {
    using everything = client('all')
    const QueueUrl = (await everything.createQueue({ QueueName: 'new-dead' })).QueueUrl!
    const deadLetterTargetArn = 'arn:aws:sqs:local:000000000000:new-dead'
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 1 })
    for (const QueueName of ['new-source', 'hidden'])
      await everything.createQueue({ QueueName, Attributes: { RedrivePolicy } })
    const names = async (id: string) => {
      using made = client(id, undefined, SQS)
      const { queueUrls = [] } = await made.listDeadLetterSourceQueues({ QueueUrl })
      return queueUrls.map(each => each.slice(each.lastIndexOf('/') + 1))
    }
    expect(await names('all')).toEqual(['hidden', 'new-source'])
    expect(await names('some')).toEqual(['new-source'])
    for (const name of ['hidden', 'new-source', 'new-dead'])
      await everything.deleteQueue({ QueueUrl: `${url}/0/${name}` })
  },
)

it('a right to a name pattern covers all matching queues, even queues that are created later', async () => {
  using made = client('some')
  await made.createQueue({ QueueName: 'new-1' })
  await expect(made.createQueue({ QueueName: 'newer' })).rejects.toMatchObject({
    name: 'AccessDenied',
  })
  await made.deleteQueue({ QueueUrl: `${url}/0/new-1` })
})

it('an administrator of one queue cannot send to another queue through a redrive policy or a move task', async () => {
  using made = client('some')
  const arn = (queue: string) => `arn:aws:sqs:local:000000000000:${queue}`
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arn('orders'), maxReceiveCount: 1 })
  const denied = { name: 'AccessDenied', message: expect.stringContaining('orders') as unknown as string }
  const QueueUrl = `${url}/0/invoices`
  await expect(made.setQueueAttributes({ QueueUrl, Attributes: { RedrivePolicy } })).rejects.toMatchObject(
    denied,
  )
  await expect(made.createQueue({ QueueName: 'new-2', Attributes: { RedrivePolicy } })).rejects.toMatchObject(
    denied,
  )
  await expect(
    made.startMessageMoveTask({ SourceArn: arn('invoices'), DestinationArn: arn('orders') }),
  ).rejects.toMatchObject(denied)
})

/** Signs a request with the given time, changes it, and sends it. Resolves to the error in the response. */
async function send(
  operation: string,
  input: object,
  id: string | undefined,
  changed: { readonly body?: string; readonly headers?: object; readonly at?: number } = {},
) {
  const body = JSON.stringify(input)
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `AmazonSQS.${operation}`,
  }
  const signed = Object.entries({ host: new URL(url).host, ...headers }).flat()
  const signature =
    id === undefined
      ? {}
      : signatureHeaders(
          { method: 'POST', target: '/', headers: signed, body: Buffer.from(body) },
          { accessKeyId: id, secretAccessKey: secretOf(id) },
          { region, service: 'sqs', now: changed.at ?? clock.now() },
        )
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, ...signature, ...changed.headers },
    body: changed.body ?? body,
  })
  const { __type = '' } = (await answer.json()) as { readonly __type?: string }
  return { type: __type.replace(/.*#/, ''), code: answer.headers.get('x-amzn-query-error') }
}

/** An input that every operation accepts. It names the queue `matrix`. */
const input = {
  QueueUrl: '/0/matrix',
  QueueName: 'matrix',
  SourceArn: 'arn:aws:sqs:local:000000000000:matrix',
  TaskHandle: Buffer.from(
    JSON.stringify({ taskId: 't', sourceArn: 'arn:aws:sqs:local:000000000000:matrix' }),
  ).toString('base64'),
}

describe.each(Object.keys(inputs) as Operation[])('%s', operation => {
  const outcomes = (['nothing', ...all] as const).map(id => {
    const isAllowed =
      operation === 'ListQueues' || (id !== 'nothing' && operationRights[operation].includes(id))
    const right = id === 'nothing' ? 'no right' : `the right ${id}`
    return [isAllowed ? 'is allowed' : 'is refused', right, id, isAllowed] as const
  })

  it('requires rights only to the queue that its input names', () => {
    const resources = demandsOf(operation, input).map(each => each.resource)
    expect(resources).toEqual(operation === 'ListQueues' ? [] : ['matrix'])
  })

  it.each(outcomes)('%s for an identity with %s', async (_outcome, _right, id, isAllowed) => {
    const { type } = await send(operation, input, id)
    expect(type === 'AccessDeniedException').toBe(!isAllowed)
  })

  const refusals = operation === 'ListQueues' ? '' : 'without rights to the queue, and '

  it(`is refused ${refusals}without an access key`, async () => {
    const other = JSON.parse(JSON.stringify(input).replaceAll('matrix', 'others'))
    other.TaskHandle = Buffer.from(
      Buffer.from(input.TaskHandle, 'base64').toString().replace('matrix', 'others'),
    ).toString('base64')
    for (const id of all)
      if (operation !== 'ListQueues')
        expect(await send(operation, other, id)).toMatchObject({ type: 'AccessDeniedException' })
    expect(await send(operation, input, undefined)).toEqual({
      type: 'MissingAuthenticationTokenException',
      code: 'MissingAuthenticationToken;Sender',
    })
  })
})

describe('a signed request', () => {
  it('is valid if its date is at most fifteen minutes in the past or in the future', async () => {
    const valid = { type: '', code: null }
    const refused = { type: 'InvalidSignatureException', code: 'SignatureDoesNotMatch;Sender' }
    const at = (minutes: number) => send('ListQueues', {}, 'send', { at: clock.now() + minutes * 60_000 })
    expect(await at(-14)).toEqual(valid)
    expect(await at(-16)).toEqual(refused)
    expect(await at(14)).toEqual(valid)
    expect(await at(16)).toEqual(refused)
  })

  it.each([
    ['its body changes', { body: '{"QueueNamePrefix":"o"}' }],
    ['its operation changes', { headers: { 'x-amz-target': 'AmazonSQS.CreateQueue' } }],
    ['its content type changes', { headers: { 'content-type': 'application/x-amz-json-1.0; x' } }],
    ['its date changes', { headers: { 'x-amz-date': '20200101T000000Z' } }],
    ['an x-amz header is added', { headers: { 'x-amz-meta': '1' } }],
  ])('is refused if %s after signing', async (_, changed) => {
    expect(await send('ListQueues', {}, 'send', changed)).toMatchObject({ type: 'InvalidSignatureException' })
  })

  it('is refused if it was signed for another service', async () => {
    using made = client('send')
    const signer = await made.config.signer({
      name: 'sigv4',
      signingName: 'sns',
      signingRegion: region,
      properties: {},
    })
    const { host, hostname, port } = new URL(url)
    const headers = {
      host,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.ListQueues',
    }
    const request = {
      method: 'POST',
      protocol: 'http:',
      hostname,
      port: Number(port),
      path: '/',
      headers,
      body: '{}',
    }
    const signed = (await signer.sign(request as never)) as { readonly headers: Record<string, string> }
    const answer = await fetch(url, { method: 'POST', headers: signed.headers, body: '{}' })
    expect(answer.headers.get('x-amzn-query-error')).toBe('SignatureDoesNotMatch;Sender')
  })
})

describe('a presigned URL', () => {
  const presigned = async (expiresIn: number, signingDate = new Date(clock.now())) => {
    using made = client('send')
    const signer = (await made.config.signer({
      name: 'sigv4',
      signingName: 'sqs',
      signingRegion: region,
      properties: {},
    })) as never as {
      presign(request: object, options: object): Promise<{ readonly query: Record<string, string> }>
    }
    const { host, hostname, port } = new URL(url)
    const { query } = await signer.presign(
      {
        method: 'GET',
        protocol: 'http:',
        hostname,
        port: Number(port),
        path: '/000000000000/orders',
        headers: { host },
        query: {
          Action: 'SendMessage',
          MessageBody: 'signed before, with spaces & signs',
          Version: '2012-11-05',
        },
      },
      { expiresIn, signingDate, signingService: 'sqs' },
    )
    return new URLSearchParams(query).toString().replaceAll('+', '%20')
  }
  const get = async (query: string) => {
    const answer = await fetch(`${url}/000000000000/orders?${query}`)
    const text = await answer.text()
    return /<Code>([^<]*)/.exec(text)?.[1] ?? answer.status
  }

  it('is valid only until it expires, and only if it is unchanged', async () => {
    const query = await presigned(60)
    expect(await get(query)).toBe(200)
    expect(await get(query.replace('MessageBody=signed', 'MessageBody=changed'))).toBe(
      'SignatureDoesNotMatch',
    )
    expect(await get(`${query}&DelaySeconds=1`)).toBe('SignatureDoesNotMatch')
    expect(await get(await presigned(60, new Date(clock.now() - 61_000)))).toBe('RequestExpired')
    expect(await get(await presigned(3600, new Date(clock.now() - 3_000_000)))).toBe(200)
    expect(await get(await presigned(60, new Date(clock.now() + 960_000)))).toBe('SignatureDoesNotMatch')
  })

  it('is valid by the wall clock, which was an hour ahead for a while', async () => {
    const early = clock.now()
    clock.jump(3_600_000)
    expect(await get(await presigned(60, new Date(clock.wall())))).toBe(200)
    expect(await get(await presigned(60, new Date(early)))).toBe('RequestExpired')
    clock.jump(-3_600_000)
    expect(await get(await presigned(60, new Date(early)))).toBe(200)
  })

  it('is refused if it repeats a signature parameter, or is valid for more than seven days', async () => {
    const query = await presigned(60)
    for (const name of ['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature']) {
      const [, value] = new RegExp(`X-Amz-${name}=([^&]*)`).exec(query)!
      expect(await get(`${query}&X-Amz-${name}=${value}`)).toBe('IncompleteSignature')
    }
    expect(await get(query.replace('X-Amz-Expires=60', 'X-Amz-Expires=604801'))).toBe('IncompleteSignature')
  })
})
