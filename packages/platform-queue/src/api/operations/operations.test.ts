import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { listeningQueues, sqsClient } from '../../testing/queue-engines.ts'
import { arn, queuesOfEachTest } from '../../testing/queues-of-each-test.ts'

let setup: Awaited<ReturnType<typeof listeningQueues>>
let sqs: ReturnType<typeof sqsClient>
let name: string
let QueueUrl: string
let FifoUrl: string
const queues = queuesOfEachTest()
const { attributesOf, deadLetters } = queues
beforeAll(queues.start)
afterAll(queues.end)
beforeEach(async () => {
  ;({ setup, sqs, name, QueueUrl, FifoUrl } = await queues.next())
})

it('ReceiveMessage returns all attributes for "*", and attributes by the beginning of their names', async () => {
  const MessageAttributes = {
    'size.1': { DataType: 'String', StringValue: '1' },
    name: { DataType: 'String', StringValue: '2' },
  }
  await sqs.sendMessage({ QueueUrl, MessageBody: 'x', MessageAttributes })
  const ask = async (MessageAttributeNames: string[]) => {
    const { Messages } = await sqs.receiveMessage({ QueueUrl, VisibilityTimeout: 0, MessageAttributeNames })
    return Object.keys(Messages![0]!.MessageAttributes ?? {}).sort()
  }
  for (const all of ['*', '.*', 'All']) expect(await ask([all])).toEqual(['name', 'size.1'])
  expect(await ask(['size.*'])).toEqual(['size.1'])
})

it('TagQueue and UntagQueue refuse a request that names no tag', async () => {
  await expect(sqs.tagQueue({ QueueUrl, Tags: {} })).rejects.toThrow(
    'The request must contain the parameter Tags.',
  )
  for (const TagKeys of [[], [''], ['x'.repeat(129)]])
    await expect(sqs.untagQueue({ QueueUrl, TagKeys })).rejects.toThrow(
      'Tag keys must be between 1 and 128 characters in length.',
    )
})

it('ListQueues without a match has no list', async () => {
  expect(await sqs.listQueues({ QueueNamePrefix: 'none-of-them' })).not.toHaveProperty('QueueUrls')
})

it('TagQueue, UntagQueue and CreateQueue change the tags that ListQueueTags returns', async () => {
  const tags = { one: '1', two: '2', three: '' }
  const tagged = (await sqs.createQueue({ QueueName: `${name}-tagged`, tags })).QueueUrl!
  expect((await sqs.listQueueTags({ QueueUrl: tagged })).Tags).toEqual(tags)
  await sqs.tagQueue({ QueueUrl: tagged, Tags: { two: 'II', four: '4' } })
  await sqs.untagQueue({ QueueUrl: tagged, TagKeys: ['one', 'none'] })
  expect((await sqs.listQueueTags({ QueueUrl: tagged })).Tags).toEqual({ two: 'II', three: '', four: '4' })
  await sqs.untagQueue({ QueueUrl: tagged, TagKeys: ['two', 'three', 'four'] })
  expect(await sqs.listQueueTags({ QueueUrl: tagged })).not.toHaveProperty('Tags')
  const Tags = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`${at}`, '']))
  await expect(sqs.tagQueue({ QueueUrl: tagged, Tags })).rejects.toThrow('The maximum is 50.')
  await expect(sqs.tagQueue({ QueueUrl: tagged, Tags: { 'aws:a': '' } })).rejects.toThrow('Value aws:a for')
  const old = { QueueUrl: `${setup.url}/000000000000/none` }
  await expect(sqs.listQueueTags(old)).rejects.toMatchObject({ name: 'QueueDoesNotExist' })
})

it('AddPermission and RemovePermission change the statements in the policy of a queue', async () => {
  const policy = async () => {
    const { Policy } = await attributesOf(QueueUrl)
    return Policy === undefined ? undefined : JSON.parse(Policy)
  }
  const add = (Label: string, AWSAccountIds: string[], Actions = ['ReceiveMessage']) =>
    sqs.addPermission({ QueueUrl, Label, AWSAccountIds, Actions })
  await add('one', ['111111111111', '222222222222'])
  expect(await policy()).toEqual({
    Version: '2008-10-17',
    Id: `${arn(name)}/SQSDefaultPolicy`,
    Statement: [
      {
        Sid: 'one',
        Effect: 'Allow',
        Principal: { AWS: ['arn:aws:iam::111111111111:root', 'arn:aws:iam::222222222222:root'] },
        Action: 'SQS:ReceiveMessage',
        Resource: arn(name),
      },
    ],
  })
  await expect(add('one', ['333333333333'])).rejects.toThrow(
    'Value one for parameter Label is invalid. Reason: Already exists.',
  )
  await expect(add('two', ['3'])).rejects.toThrow('Value 3 for parameter PrincipalId')
  await expect(add('two', ['333333333333'], ['Fly'])).rejects.toThrow(
    'Value SQS:Fly for parameter ActionName',
  )
  await add('two', ['333333333333'], ['SendMessage', 'ReceiveMessage'])
  await sqs.removePermission({ QueueUrl, Label: 'one' })
  expect((await policy()).Statement).toMatchObject([{ Sid: 'two', Action: expect.any(Array) }])
  await sqs.removePermission({ QueueUrl, Label: 'two' })
  expect(await policy()).toBeUndefined()
  await expect(sqs.removePermission({ QueueUrl, Label: 'two' })).rejects.toThrow(
    "Value two for parameter Label is invalid. Reason: can't find label.",
  )
})

it('ListDeadLetterSourceQueues returns its result in pages', async () => {
  const { dead } = await deadLetters(0)
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arn(`${name}-dead`), maxReceiveCount: 1 })
  const other = await sqs.createQueue({ QueueName: `${name}-other`, Attributes: { RedrivePolicy } })
  const list = (more: object = {}) => sqs.listDeadLetterSourceQueues({ QueueUrl: dead, ...more })
  expect((await list()).queueUrls).toEqual([QueueUrl, other.QueueUrl])
  const first = await list({ MaxResults: 1 })
  expect(first.queueUrls).toEqual([QueueUrl])
  const second = await list({ MaxResults: 1, NextToken: first.NextToken })
  expect(second.queueUrls).toEqual([other.QueueUrl])
  expect(second).not.toHaveProperty('NextToken')
  for (const NextToken of ['', 'zzz', `${first.NextToken}=`])
    await expect(list({ MaxResults: 1, NextToken })).rejects.toThrow('NextToken is invalid')
})

it('ReceiveRequestAttemptId is refused for standard queues', async () => {
  const send = { MessageBody: 'x', MessageGroupId: 'g', MessageDeduplicationId: 'd' }
  await sqs.sendMessage({ QueueUrl: FifoUrl, ...send })
  const receive = (url: string) =>
    sqs.receiveMessage({ QueueUrl: url, ReceiveRequestAttemptId: 'attempt' }).then(each => each.Messages)
  expect(await receive(FifoUrl)).toEqual(await receive(FifoUrl))
  await expect(receive(QueueUrl)).rejects.toThrow('Value attempt for parameter ReceiveRequestAttemptId')
})

describe('queue operations', () => {
  const create = (QueueName: string, Attributes: Record<string, string>) =>
    sqs.createQueue({ QueueName, Attributes })
  const set = (Attributes: Record<string, string>, url = QueueUrl) =>
    sqs.setQueueAttributes({ QueueUrl: url, Attributes })

  const refusals: readonly [type: string, what: string, call: () => Promise<unknown>, message: string][] = [
    [
      'InvalidAttributeValue',
      'a visibility timeout above the maximum',
      () => set({ VisibilityTimeout: '43201' }),
      'Value 43201 for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and 43200.',
    ],
    [
      'InvalidAttributeValue',
      'a message size below the minimum',
      () => set({ MaximumMessageSize: '1023' }),
      'Value 1023 for parameter MaximumMessageSize is invalid. Reason: Must be between 1024 and 1048576.',
    ],
    [
      'InvalidAttributeValue',
      'a delay that is not a number',
      () => set({ DelaySeconds: 'x' }),
      'Value x for parameter DelaySeconds is invalid. Reason: It must be a whole number.',
    ],
    [
      'QueueNameExists',
      'a queue that exists with another delay',
      () => create(name, { DelaySeconds: '5' }),
      'A queue already exists with the same name and a different value for attribute DelaySeconds',
    ],
    [
      'InvalidAttributeValue',
      'a change from FIFO to standard',
      () => set({ FifoQueue: 'false' }, FifoUrl),
      'Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported.',
    ],
    [
      'InvalidAttributeName',
      'a change from standard to FIFO',
      () => set({ FifoQueue: 'true' }),
      'Unknown Attribute FifoQueue.',
    ],
    [
      'InvalidAttributeName',
      'ContentBasedDeduplication of a standard queue',
      () => create(`${name}-new`, { ContentBasedDeduplication: 'false' }),
      'Unknown Attribute ContentBasedDeduplication.',
    ],
    [
      'InvalidAttributeName',
      'FifoThroughputLimit of a standard queue',
      () => create(`${name}-new`, { FifoThroughputLimit: 'perQueue' }),
      'You can specify the FifoThroughputLimit only when FifoQueue is set to true.',
    ],
    [
      'InvalidParameterValue',
      'a redrive policy without a target',
      () => set({ RedrivePolicy: '{"maxReceiveCount":1}' }),
      'Value {"maxReceiveCount":1} for parameter RedrivePolicy is invalid. Reason: Redrive policy does not contain mandatory attribute: deadLetterTargetArn.',
    ],
    [
      'InvalidParameterValue',
      'a redrive policy with an invalid count',
      () => set({ RedrivePolicy: `{"deadLetterTargetArn":"${arn('a')}","maxReceiveCount":"x"}` }),
      'valid values are from 1 to 1000 both inclusive.',
    ],
    [
      'InvalidParameterValue',
      'a wait above 20 seconds',
      () => sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 21 }),
      'Value 21 for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and <= 20, if provided.',
    ],
    [
      'InvalidParameterValue',
      'a message delay above 900 seconds',
      () => sqs.sendMessage({ QueueUrl, MessageBody: 'x', DelaySeconds: 901 }),
      'Value 901 for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.',
    ],
    [
      'InvalidParameterValue',
      'a group with a space',
      () => sqs.sendMessage({ QueueUrl, MessageBody: 'x', MessageGroupId: 'g 1' }),
      'Value g 1 for parameter MessageGroupId is invalid. Reason: MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length.',
    ],
    [
      'InvalidMessageContents',
      'a control character in a body',
      () => sqs.sendMessage({ QueueUrl, MessageBody: 'a\u0008' }),
      "Invalid binary character '#x8' was found in the message body",
    ],
    [
      'InvalidParameterValue',
      'an empty attribute value',
      () =>
        sqs.sendMessage({
          QueueUrl,
          MessageBody: 'x',
          MessageAttributes: { a: { DataType: 'String', StringValue: '' } },
        }),
      "Message (user) attribute 'a' must contain a non-empty value of type 'String'.",
    ],
    [
      'BatchRequestTooLong',
      'a batch above 1 MiB',
      () =>
        sqs.sendMessageBatch({ QueueUrl, Entries: [{ Id: 'a', MessageBody: 'x'.repeat(1024 * 1024 + 1) }] }),
      'Batch requests cannot be longer than 1048576 bytes. You have sent 1048577 bytes.',
    ],
    [
      'ReceiptHandleIsInvalid',
      'an invalid receipt handle',
      () => sqs.deleteMessage({ QueueUrl, ReceiptHandle: 'x' }),
      'The input receipt handle "x" is not a valid receipt handle.',
    ],
    [
      'InvalidParameterValue',
      'a queue name with a space',
      () => create('a b', {}),
      'Value a b for parameter QueueName is invalid. Reason: Can only include alphanumeric characters',
    ],
  ]
  it.each(refusals.map(([type, what, call, message]) => [type, what, message, call] as const))(
    'fail with %s and the message that SQS sends for %s',
    async (type, _case, message, call) => {
      await expect(call()).rejects.toMatchObject({ name: type, message: expect.stringContaining(message) })
    },
  )

  it('quote only the beginning of a long value in error messages', async () => {
    const long = 'x'.repeat(100_000)
    const error = await set({ DelaySeconds: long }).catch(each => each)
    expect(error.message.length).toBeLessThan(400)
  })
})

const addresses = ['http://a/', 'http://a/000000000000/', 'http://a/000000000000/q/more', 'no address', '']

it.each(addresses)(
  'operations with the queue URL "%s", which names no queue, fail with NonExistentQueue',
  async url => {
    const inputs = [
      ['SendMessage', { MessageBody: 'a' }],
      ['SendMessageBatch', { Entries: [{ Id: 'a', MessageBody: 'a' }] }],
      ['ReceiveMessage', {}],
      ['DeleteMessage', { ReceiptHandle: 'a' }],
      ['PurgeQueue', {}],
      ['TagQueue', { Tags: { a: 'b' } }],
      ['GetQueueAttributes', {}],
    ] as const
    for (const [operation, input] of inputs) {
      const response = await fetch(setup.url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${operation}` },
        body: JSON.stringify({ QueueUrl: url, ...input }),
      })
      expect({ operation, ...(await response.json()) }).toMatchObject({
        operation,
        __type: 'com.amazonaws.sqs#QueueDoesNotExist',
      })
      expect(response.headers.get('x-amzn-query-error')).toBe(
        'AWS.SimpleQueueService.NonExistentQueue;Sender',
      )
    }
  },
)

it.each([
  [
    'an invalid queue name',
    'CreateQueue',
    { QueueName: 'a b' },
    'InvalidParameterValueException',
    'InvalidParameterValue',
  ],
  ['a missing queue name', 'CreateQueue', {}, 'MissingRequiredParameterException', 'MissingParameter'],
  [
    'an unknown queue',
    'GetQueueUrl',
    { QueueName: 'none' },
    'QueueDoesNotExist',
    'AWS.SimpleQueueService.NonExistentQueue',
  ],
  [
    'an invalid queue URL',
    'DeleteQueue',
    { QueueUrl: 'http://a/' },
    'QueueDoesNotExist',
    'AWS.SimpleQueueService.NonExistentQueue',
  ],
])(
  'the error for %s in %s also has the code that older clients expect',
  async (_case, operation, input, type, code) => {
    const response = await fetch(setup.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${operation}` },
      body: JSON.stringify(input),
    })
    expect(await response.json()).toMatchObject({ __type: `com.amazonaws.sqs#${type}` })
    expect(response.headers.get('x-amzn-query-error')).toBe(`${code};Sender`)
  },
)
