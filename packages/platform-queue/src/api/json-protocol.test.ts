import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { listeningQueues, sqsClient } from '../testing/queue-engines.ts'
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
      () => sqs.createQueue({ QueueName: name, Attributes: { DelaySeconds: '5' } }),
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
