import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQS } from '@aws-sdk/client-sqs'
import type { LoadBalancerEvent } from '@signalbox/load-balancer/contract'
import type { MailEvent } from '@signalbox/mail-flow/contract'
import { createPlatform, type InvocationLogEntry, type UserPool } from '@signalbox/platform'
import type { QueueEvent } from '@signalbox/queue/contract'
import type { Email } from 'postal-mime'
import { type Posted, postOffice } from './post-office.ts'
import { handler as accounts } from './sign-up/journey.ts'
import { config } from './signalbox.config.ts'

/** A running platform with the examples, on free ports. */
export interface ExamplePlatform extends AsyncDisposable {
  /** Sends the request in the event over HTTP, and returns the response in the form of a function's payload. */
  readonly request: (event: LoadBalancerEvent) => Promise<string>
  /**
   * Sends the messages of a batch to a queue with an ordinary SQS client, and returns the function's payload.
   */
  readonly enqueue: (event: QueueEvent) => Promise<string>
  /**
   * Sends the mail that an event describes, and returns the function's payload and what happened to the mail.
   */
  readonly post: (event: MailEvent) => Promise<Posted>
  /** Sends an event to a function, and returns the function's payload. */
  readonly invoke: (functionName: string, event: unknown) => Promise<string>
  /** The pool whose triggers call the function `accounts`, which runs in this process. */
  readonly staff: UserPool
  /** Returns the mails in a mailbox, latest first. */
  readonly inbox: (address: string) => Promise<readonly Email[]>
  /** The URL of the shop. */
  readonly shop: string
}

export async function openPlatform(): Promise<ExamplePlatform> {
  const invocations = new EventEmitter()
  const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-demo-'))
  const { functions, loadBalancers = {}, queues = {}, mail = {}, userPools = {} } = config
  // The shop must know the issuer of tokens before the pools start.
  const poolPort = await freePort()
  const env = { ISSUER: `http://127.0.0.1:${poolPort}/${userPools.staff!.id}` }
  const onFreePorts = Object.entries(loadBalancers).map(([name, each]) => [name, { ...each, port: 0 }])
  const platform = createPlatform(
    {
      functions: {
        ...Object.fromEntries(
          // The examples keep their state in memory, so each function has only one instance.
          Object.entries(functions).map(([name, each]) => [name, { ...each, instances: 1, timeout: 2, env }]),
        ),
        accounts: { handler: accounts },
      },
      loadBalancers: Object.fromEntries(onFreePorts),
      queues,
      queueListener: { port: 0 },
      mail: { ...mail, port: 0 },
      userPools,
      userPoolListener: { port: poolPort },
      control: { port: 0 },
      dataDir,
    },
    { root: import.meta.dirname, onInvocation: entry => invocations.emit(entry.source, entry) },
  )
  const [, single, multi, queueAddress, mailAddress] = await platform.start()
  const sqs = new SQS({
    endpoint: queueAddress!.url,
    region: 'local',
    credentials: { accessKeyId: 'demo', secretAccessKey: 'demo' },
  })
  const post = postOffice(mailAddress!.url, platform, async () => {
    const [entry] = (await once(invocations, 'mail inbound', { signal: AbortSignal.timeout(30_000) })) as [
      InvocationLogEntry,
    ]
    return entry
  })
  return {
    post: post.send,
    inbox: post.inbox,
    staff: platform.userPools.get('staff'),
    shop: single!.url,
    request: event => send(event.multiValueHeaders ? multi!.url : single!.url, event),
    async enqueue({ Records }) {
      const QueueName = Records[0]!.eventSourceARN.split(':').at(-1)!
      const { QueueUrl } = await sqs.getQueueUrl({ QueueName })
      const invoked = once(invocations, `queue ${QueueName}`) as Promise<[InvocationLogEntry]>
      const { Successful = [] } = await sqs.sendMessageBatch({ QueueUrl, Entries: Records.map(entryOf) })
      const [{ payload }] = await invoked
      // The queue assigns its own message ids.
      const idOf = (position: number) => Records[position]!.messageId
      return Successful.reduce(
        (text, { Id, MessageId }) => text.replace(MessageId!, idOf(Number(Id))),
        payload,
      )
    },
    invoke: async (functionName, event) => (await platform.invoke(functionName, event)).payload,
    async [Symbol.asyncDispose]() {
      sqs.destroy()
      post.close()
      await platform.stop()
      rmSync(dataDir, { recursive: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function entryOf({ body, attributes }: QueueEvent['Records'][number], position: number) {
  const { MessageGroupId, MessageDeduplicationId } = attributes
  return {
    Id: `${position}`,
    MessageBody: body,
    ...(MessageGroupId && { MessageGroupId }),
    ...(MessageDeduplicationId && { MessageDeduplicationId }),
  }
}

async function send(url: string, event: LoadBalancerEvent): Promise<string> {
  const { hostname, port } = new URL(url)
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')
  const headers = lines(event.multiValueHeaders ?? event.headers).filter(([name]) => !ownHeaders.test(name))
  const query = lines(event.multiValueQueryStringParameters ?? event.queryStringParameters)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({
      hostname,
      port,
      method: event.httpMethod,
      path: `${event.path}${query.length === 0 ? '' : '?'}${query.map(pair => pair.join('=')).join('&')}`,
      headers: [...headers, ['content-length', String(body.length)]].flat(),
    })
    sent.on('response', resolve).on('error', reject).end(body)
  })
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return asAnswer(response, Buffer.concat(chunks))
}

/** Matches the headers that the load balancer itself sets. */
const ownHeaders = /^(?:x-forwarded-|x-cloud-trace-id$|connection$|content-length$)/

type Line = [name: string, value: string]

function lines(map: { readonly [name: string]: string | readonly string[] } | null | undefined): Line[] {
  return Object.entries(map ?? {}).flatMap(([name, values]) =>
    [values].flat().map((value): Line => [name, value]),
  )
}

function asAnswer({ statusCode, statusMessage, rawHeaders }: IncomingMessage, body: Buffer): string {
  const headers = new Map<string, string[]>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), rawHeaders[i + 1]!])
  }
  return JSON.stringify({
    statusCode,
    statusDescription: `${statusCode} ${statusMessage}`,
    isBase64Encoded: true,
    headers: Object.fromEntries([...headers].map(([name, values]) => [name, values.at(-1)])),
    multiValueHeaders: Object.fromEntries(headers),
    body: body.toString('base64'),
  })
}
