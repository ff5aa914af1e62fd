import { caseCosts } from '@signalbox/platform-runtime/testing/case-costs'
import fc from 'fast-check'
import { listeningQueues } from '../testing/queue-engines.ts'
import { inputs } from './operations/inputs.ts'

const names = [
  ...['QueueUrl', 'QueueName', 'Attributes', 'AttributeNames', 'Entries', 'MessageBody', 'MessageAttributes'],
  ...['MessageSystemAttributes', 'ReceiptHandle', 'VisibilityTimeout', 'DelaySeconds', 'MessageGroupId'],
  ...['MaxNumberOfMessages', 'MaxResults', 'NextToken', 'SourceArn', '__proto__', 'constructor'],
  ...['MessageDeduplicationId', 'ReceiveRequestAttemptId', 'DestinationArn', 'MaxNumberOfMessagesPerSecond'],
  ...['TaskHandle', 'Tags', 'TagKeys', 'Label', 'AWSAccountIds', 'Actions', 'MessageAttributeNames'],
]

/** Generates values that operations accept, and arbitrary values. */
const value = (url: string) =>
  fc.oneof(
    fc.constantFrom<unknown>(
      `${url}/0/there`,
      `${url}/0/there.fifo`,
      'there',
      'fresh',
      'MS4xLjA',
      'arn:aws:sqs:local:000000000000:there',
      'arn:aws:sqs:local:000000000000:dead',
      Buffer.from('{"taskId":"a","sourceArn":"arn:aws:sqs:local:0:dead"}').toString('base64'),
      0,
      1,
      '1',
      'All',
    ),
    fc.constantFrom<unknown>(
      { FifoQueue: 'true' },
      { RedrivePolicy: '{"deadLetterTargetArn":"arn:aws:sqs:a:b:c","maxReceiveCount":1}' },
      { RedrivePolicy: '[]' },
      { RedriveAllowPolicy: '{"redrivePermission":"byQueue","sourceQueueArns":[null]}' },
      { Policy: '{"Statement":"text"}' },
      { Policy: '[null]' },
      { KmsMasterKeyId: 'key', KmsDataKeyReusePeriodSeconds: '60' },
      ['000000000000'],
      ['SendMessage', '*'],
      { a: { DataType: 'Binary', BinaryValue: '%' } },
      { AWSTraceHeader: { DataType: 'String' } },
      [{ Id: 'a', MessageBody: 'b', MessageSystemAttributes: { AWSTraceHeader: { DataType: 'Binary' } } }],
      [{ Id: 'a', MessageBody: 'b', ReceiptHandle: 'c', VisibilityTimeout: 1 }],
      [{}],
      ['All'],
    ),
    fc.jsonValue({ maxDepth: 3 }),
  )

/**
 * Sends random inputs to random operations. The response to each request must be a result or a protocol error.
 * @throws Error for a response that reports an internal failure
 */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  const setup = await listeningQueues()
  await setup.store.createQueue('dead')
  await setup.store.createQueue('there', { deadLetter: { queue: 'dead', maxReceiveCount: 1 } })
  await setup.store.createQueue('there.fifo')
  let refused = 0
  const call = async (operation: string, body: string) => {
    const response = await fetch(setup.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${operation}` },
      body,
    })
    const answer = (await response.json()) as { readonly __type?: string }
    if (response.ok) return
    refused++
    if (response.status >= 500 || !/^com\.amazonaws\.sqs#\w+$/.test(String(answer.__type)))
      throw new Error(`${operation} ${body}: ${response.status} ${JSON.stringify(answer)}`)
  }
  // No input contains `WaitTimeSeconds`, so no request waits for messages.
  const operations = fc.constantFrom(...Object.keys(inputs))
  const input = fc.dictionary(fc.constantFrom(...names), value(setup.url), { maxKeys: 6 })
  const texts = fc.oneof(
    input.map(given => JSON.stringify(given)),
    fc.string({ unit: 'binary' }),
  )
  const costs = caseCosts()
  try {
    await costs.inHalves(half =>
      fc.assert(
        fc.asyncProperty(operations, texts, (operation, text) =>
          costs.hold(
            () => `${operation} ${text}`,
            () => call(operation, text),
          ),
        ),
        { numRuns: Math.ceil(runs / 2), ...(seed !== undefined && { seed: seed + half }) },
      ),
    )
    return `${refused} of ${runs} requests refused, each with the protocol's error; ${costs.figures()}`
  } finally {
    await setup.end()
  }
}
