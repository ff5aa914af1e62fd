import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import type { sqsClient } from '../../testing/queue-engines.ts'
import { queuesOfEachTest } from '../../testing/queues-of-each-test.ts'

let sqs: ReturnType<typeof sqsClient>
let QueueUrl: string
let FifoUrl: string
const queues = queuesOfEachTest()
beforeAll(queues.start)
afterAll(queues.end)
beforeEach(async () => {
  ;({ sqs, QueueUrl, FifoUrl } = await queues.next())
})

it.each([
  [
    'no deduplication id',
    { MessageGroupId: 'g' },
    /ContentBasedDeduplication enabled or MessageDeduplicationId provided/,
  ],
  ['no group', { MessageDeduplicationId: 'd' }, /must contain the parameter MessageGroupId/],
])(
  'SendMessageBatch to a FIFO queue refuses the whole batch if one entry has %s',
  async (_case, entry, message) => {
    const whole = { Id: 'whole', MessageBody: 'a', MessageGroupId: 'g', MessageDeduplicationId: 'a' }
    const Entries = [whole, { Id: 'part', MessageBody: 'b', ...entry }]
    await expect(sqs.sendMessageBatch({ QueueUrl: FifoUrl, Entries })).rejects.toMatchObject({
      name: 'InvalidParameterValue',
      message: expect.stringMatching(message),
    })
    expect(await sqs.receiveMessage({ QueueUrl: FifoUrl })).not.toHaveProperty('Messages')
  },
)

it('SendMessageBatch to a FIFO queue refuses only the entry with an invalid message', async () => {
  const entry = (Id: string, MessageGroupId: string) => ({
    Id,
    MessageBody: Id,
    MessageGroupId,
    MessageDeduplicationId: Id,
  })
  const Entries = [entry('good', 'g'), entry('bad', 'g g')]
  expect(await sqs.sendMessageBatch({ QueueUrl: FifoUrl, Entries })).toMatchObject({
    Successful: [{ Id: 'good' }],
    Failed: [{ Id: 'bad', Code: 'InvalidParameterValue', Message: expect.stringContaining('Value g g for') }],
  })
})

it('errors of a batch name its operation, and the entry that is too long', async () => {
  const refusal = (operation: string) =>
    `There should be at least one ${operation}RequestEntry in the request.`
  const Entries: never[] = []
  await expect(sqs.sendMessageBatch({ QueueUrl, Entries })).rejects.toThrow(refusal('SendMessageBatch'))
  await expect(sqs.deleteMessageBatch({ QueueUrl, Entries })).rejects.toThrow(refusal('DeleteMessageBatch'))
  await expect(sqs.changeMessageVisibilityBatch({ QueueUrl, Entries })).rejects.toThrow(
    refusal('ChangeMessageVisibilityBatch'),
  )
  await sqs.setQueueAttributes({ QueueUrl, Attributes: { MaximumMessageSize: '1024' } })
  const long = { Id: 'long', MessageBody: 'x'.repeat(1025) }
  const reason = 'Reason: Message must be shorter than 1024 bytes.'
  expect((await sqs.sendMessageBatch({ QueueUrl, Entries: [long] })).Failed).toMatchObject([
    { Message: `One or more parameters cannot be validated. ${reason}` },
  ])
  await expect(sqs.sendMessage({ QueueUrl, MessageBody: long.MessageBody })).rejects.toThrow(
    `One or more parameters are invalid. ${reason}`,
  )
})
