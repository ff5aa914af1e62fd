import { signatureHeaders } from '@signalbox/platform-runtime/signature'
import type { Goal, Row, Table } from '../harness/results.ts'
import { spread } from '../harness/spread.ts'
import { load, type PostRequest } from './load.ts'
import { queueKey } from './queue-key.ts'
import { type Server, startServer } from './server.ts'

/** The number of rounds that count. The disk's speed varies from second to second, so many short rounds are compared. */
const rounds = 40

/** The number of seconds for which each server is under load in a round. */
const duration = 1

const body = JSON.stringify({ order: '1001', country: 'DE', parcels: 1, status: 'paid' })

/** The operations that SQS clients send. The goal applies to all of them. */
const operations: { readonly [operation: string]: (url: string) => object } = {
  SendMessage: QueueUrl => ({ QueueUrl, MessageBody: body }),
  SendMessageBatch: QueueUrl => ({
    QueueUrl,
    Entries: Array.from({ length: 10 }, (_, i) => ({ Id: String(i), MessageBody: body })),
  }),
  ReceiveMessage: QueueUrl => ({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }),
}

/**
 * The goal for the listener: with signature checks, it handles at least this fraction of the requests per second that
 * it handles without them.
 */
const goal = 0.85

/**
 * Measures requests per second of the queue listener with and without `access`. Both servers get the same request,
 * which was signed beforehand, and the server without `access` ignores the signature. The client signs nothing under
 * load, and each server runs in a separate process. The difference is therefore the cost of the access log and of
 * checking signatures and permissions. It does not include the cost of signing.
 */
export async function signed(): Promise<Table> {
  const servers = [await startServer('queues'), await startServer('queues', 'access')] as const
  try {
    const parts = []
    for (const operation of Object.keys(operations)) {
      const figures = servers.map(() => ({ perSecond: [] as number[], processor: [] as number[] }))
      // The first round is for warming up.
      for (let round = 0; round <= rounds; round++) {
        // The servers take turns at going first, so that neither always follows the other's writes to the disk.
        for (const position of round % 2 === 0 ? [0, 1] : [1, 0]) {
          const { perSecond, processor } = await measured(servers[position]!, operation)
          if (round === 0) continue
          figures[position]!.perSecond.push(perSecond)
          figures[position]!.processor.push(processor)
        }
      }
      parts.push(tabulate(operation, figures))
    }
    return {
      name: 'signed-queue-calls',
      title: 'Platform: queue calls with a checked signature',
      about:
        'SQS clients with 32 connections kept alive; sent messages are on the disk. Each server gets the same bytes, which were signed before the load.',
      columns: [
        { key: 'perSecond', title: 'requests', unit: 'per second' },
        { key: 'ratio', title: '× without access', unit: 'ratio' },
        { key: 'processor', title: "server's processor time each", unit: 'ns' },
        { key: 'byProcessor', title: '× without access, by processor time', unit: 'ratio' },
      ],
      rows: parts.flatMap(({ rows }) => rows),
      goals: parts.flatMap(({ goals }) => goals),
    }
  } finally {
    await Promise.all(servers.map(server => server.end()))
  }
}

async function measured(server: Server, operation: string) {
  const request = signedRequest(server.url, operation)
  const before = await server.usage('processor')
  const { requests, perSecond } = await load(server.url, { duration }, request)
  const after = await server.usage('processor')
  return { perSecond, processor: ((after.processor - before.processor) * 1000) / requests }
}

/** Returns a request with the headers that the SDK for JavaScript sends. It stays valid for fifteen minutes. */
function signedRequest(url: string, operation: string): PostRequest {
  const { host } = new URL(url)
  const text = JSON.stringify(operations[operation]!(`${url}/000000000000/orders`))
  const headers = {
    'amz-sdk-invocation-id': '5f8f7dd1-21a9-4a3b-9a3f-5b7c1ad7d0a2',
    'amz-sdk-request': 'attempt=1; max=3',
    'content-length': String(Buffer.byteLength(text)),
    'content-type': 'application/x-amz-json-1.0',
    host,
    'x-amz-target': `AmazonSQS.${operation}`,
    'x-amz-user-agent': 'aws-sdk-js/3.600.0 ua/2.0 os/linux lang/js md/nodejs#24.0.0 api/sqs#3.600.0',
    'x-amzn-query-mode': 'true',
  }
  const signature = signatureHeaders(
    { method: 'POST', target: '/', headers: Object.entries(headers).flat(), body: Buffer.from(text) },
    queueKey,
    { region: 'eu-central-1', service: 'sqs', now: Date.now() },
  )
  // The HTTP client adds these two headers itself.
  const { host: _, 'content-length': __, ...sent } = headers
  return { method: 'POST', headers: { ...sent, ...signature }, body: text }
}

function tabulate(
  operation: string,
  figures: readonly { readonly perSecond: readonly number[]; readonly processor: readonly number[] }[],
): Pick<Table, 'rows' | 'goals'> {
  const [without] = figures
  const ratios = figures.map(({ perSecond, processor }) => ({
    ratio: spread(perSecond.map((each, round) => each / without!.perSecond[round]!)),
    byProcessor: spread(processor.map((each, round) => without!.processor[round]! / each)),
  }))
  const rows = ['without access', 'with access'].map(
    (contender, position): Row => ({
      setup: operation,
      contender,
      role: position === 0 ? 'limit' : 'ours',
      figures: {
        perSecond: spread(figures[position]!.perSecond),
        processor: spread(figures[position]!.processor),
        ...ratios[position]!,
      },
    }),
  )
  const { ratio } = ratios[1]!
  const goals: Goal[] = [
    {
      goal: `at least ${goal} × the requests per second without access (${operation})`,
      figure: ratio,
      unit: 'ratio',
      reached: ratio.median >= goal,
      reason:
        'The canonical text of the request, and the digests of it and of the body, in the thread that also serves.',
    },
  ]
  return { rows, goals }
}
