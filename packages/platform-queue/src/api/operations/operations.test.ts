import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { listeningQueues, sqsClient } from '../../testing/queue-engines.ts'

let setup: Awaited<ReturnType<typeof listeningQueues>>
let sqs: ReturnType<typeof sqsClient>
let name: string
let QueueUrl: string
let FifoUrl: string
let number = 0

beforeAll(async () => {
  setup = await listeningQueues()
  sqs = sqsClient(setup.url)
})
afterAll(async () => {
  sqs.destroy()
  await setup.end()
})
beforeEach(async () => {
  name = `q${number++}`
  QueueUrl = (await sqs.createQueue({ QueueName: name })).QueueUrl!
  const Attributes = { FifoQueue: 'true' }
  FifoUrl = (await sqs.createQueue({ QueueName: `${name}.fifo`, Attributes })).QueueUrl!
})

const arn = (queue: string) => `arn:aws:sqs:local:000000000000:${queue}`
const attributesOf = async (url: string) =>
  (await sqs.getQueueAttributes({ QueueUrl: url, AttributeNames: ['All'] })).Attributes!
/** Returns a dead-letter queue that contains `count` messages from another queue. */
async function deadLetters(count: number) {
  const dead = (await sqs.createQueue({ QueueName: `${name}-dead` })).QueueUrl!
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arn(`${name}-dead`), maxReceiveCount: 1 })
  await sqs.setQueueAttributes({ QueueUrl, Attributes: { RedrivePolicy } })
  for (let at = 0; at < count; at++) {
    await sqs.sendMessage({ QueueUrl, MessageBody: `${at}` })
    await sqs.receiveMessage({ QueueUrl, VisibilityTimeout: 0 })
  }
  expect(await sqs.receiveMessage({ QueueUrl })).not.toHaveProperty('Messages')
  return { dead, SourceArn: arn(`${name}-dead`) }
}
const tasks = async (SourceArn: string) =>
  (await sqs.listMessageMoveTasks({ SourceArn, MaxResults: 10 })).Results!

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

it.each(['True', 'TRUE'])('CreateQueue with FifoQueue "%s" creates a FIFO queue', async FifoQueue => {
  const Attributes = { FifoQueue }
  const { QueueUrl: url } = await sqs.createQueue({ QueueName: `${name}-${FifoQueue}.fifo`, Attributes })
  expect(await attributesOf(url!)).toMatchObject({ FifoQueue: 'true' })
  await expect(sqs.sendMessage({ QueueUrl: url, MessageBody: 'a' })).rejects.toMatchObject({
    message: expect.stringContaining('MessageGroupId'),
  })
})

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
})

describe('queue attributes', () => {
  it('have the SQS defaults, and include the times of creation and of the last change', async () => {
    const created = String(Math.floor(setup.clock.now() / 1000))
    expect(await attributesOf(FifoUrl)).toEqual({
      QueueArn: arn(`${name}.fifo`),
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesDelayed: '0',
      ApproximateNumberOfMessagesNotVisible: '0',
      ContentBasedDeduplication: 'false',
      CreatedTimestamp: created,
      DeduplicationScope: 'queue',
      DelaySeconds: '0',
      FifoQueue: 'true',
      FifoThroughputLimit: 'perQueue',
      LastModifiedTimestamp: created,
      MaximumMessageSize: '1048576',
      MessageRetentionPeriod: '345600',
      ReceiveMessageWaitTimeSeconds: '0',
      SqsManagedSseEnabled: 'true',
      VisibilityTimeout: '30',
    })
    await setup.clock.advance(5000)
    const unchanged = { DelaySeconds: '0' }
    await sqs.setQueueAttributes({ QueueUrl: FifoUrl, Attributes: unchanged })
    expect((await attributesOf(FifoUrl)).LastModifiedTimestamp).toBe(created)
    const Attributes = {
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perMessageGroupId',
      FifoQueue: 'true',
    }
    await sqs.setQueueAttributes({ QueueUrl: FifoUrl, Attributes })
    expect(await attributesOf(FifoUrl)).toMatchObject({
      ...Attributes,
      CreatedTimestamp: created,
      LastModifiedTimestamp: String(Number(created) + 5),
    })
  })

  it('contain the settings of either SSE-KMS or SSE-SQS encryption, never of both', async () => {
    const set = (Attributes: Record<string, string>) => sqs.setQueueAttributes({ QueueUrl, Attributes })
    await set({ KmsMasterKeyId: 'key', KmsDataKeyReusePeriodSeconds: '6000' })
    expect(await attributesOf(QueueUrl)).toMatchObject({
      KmsMasterKeyId: 'key',
      KmsDataKeyReusePeriodSeconds: '6000',
      SqsManagedSseEnabled: 'false',
    })
    await set({ KmsMasterKeyId: '', KmsDataKeyReusePeriodSeconds: '300' })
    const without = await attributesOf(QueueUrl)
    expect(without.SqsManagedSseEnabled).toBe('false')
    expect(Object.keys(without).filter(each => each.startsWith('Kms'))).toEqual([])
    await set({ KmsMasterKeyId: 'key' })
    await set({ SqsManagedSseEnabled: 'true' })
    expect(await attributesOf(QueueUrl)).not.toHaveProperty('KmsMasterKeyId')
    await expect(set({ KmsMasterKeyId: 'key', SqsManagedSseEnabled: 'true' })).rejects.toMatchObject({
      name: 'InvalidAttributeName',
    })
  })

  it('contain a policy exactly as it was set, until an empty policy removes it', async () => {
    const Policy = '{ "Version": "2012-10-17", "Statement": [] }'
    const deep = `{"Statement":${'['.repeat(9000)}${']'.repeat(9000)}}`
    const tooDeep = sqs.setQueueAttributes({ QueueUrl, Attributes: { Policy: deep } })
    await expect(tooDeep).rejects.toMatchObject({
      name: 'InvalidAttributeValue',
      message: expect.stringContaining('nested at most 100 levels deep'),
    })
    await sqs.setQueueAttributes({ QueueUrl, Attributes: { Policy } })
    expect((await attributesOf(QueueUrl)).Policy).toBe(Policy)
    await sqs.setQueueAttributes({ QueueUrl, Attributes: { Policy: '' } })
    expect(await attributesOf(QueueUrl)).not.toHaveProperty('Policy')
  })

  it('include RedriveAllowPolicy, which names the queues that may use a queue as their dead-letter queue', async () => {
    const dead = (await sqs.createQueue({ QueueName: `${name}-dead` })).QueueUrl!
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arn(`${name}-dead`), maxReceiveCount: 2 })
    const use = () => sqs.setQueueAttributes({ QueueUrl, Attributes: { RedrivePolicy } })
    const allow = (redrivePermission: string, ...sourceQueueArns: string[]) => {
      const list = sourceQueueArns.length > 0 && { sourceQueueArns }
      const RedriveAllowPolicy = JSON.stringify({ redrivePermission, ...list })
      return sqs.setQueueAttributes({ QueueUrl: dead, Attributes: { RedriveAllowPolicy } })
    }
    await allow('denyAll')
    await expect(use()).rejects.toMatchObject({ name: 'InvalidParameterValue' })
    await allow('byQueue', arn('other'))
    await expect(use()).rejects.toThrow(`does not allow ${name} to use it`)
    await allow('byQueue', arn('other'), arn(name))
    await use()
    expect(JSON.parse((await attributesOf(dead)).RedriveAllowPolicy!)).toEqual({
      redrivePermission: 'byQueue',
      sourceQueueArns: [arn('other'), arn(name)],
    })
    await expect(allow('byQueue')).rejects.toThrow('sourceQueueArns must be')
    await expect(allow('denyAll', arn(name))).rejects.toThrow('not allowed with denyAll')
    await expect(allow('some')).rejects.toThrow('redrivePermission must be')
  })
})

describe('a message move task', () => {
  it('moves dead letters back to their source queue, and reports how many it moved', async () => {
    const { SourceArn } = await deadLetters(3)
    const { TaskHandle } = await sqs.startMessageMoveTask({ SourceArn })
    const handle = JSON.parse(Buffer.from(TaskHandle!, 'base64').toString())
    expect(handle).toEqual({ taskId: expect.stringMatching(/^[0-9a-f-]{36}$/), sourceArn: SourceArn })
    let [task] = await tasks(SourceArn)
    while (task!.Status === 'RUNNING') [task] = await tasks(SourceArn)
    expect(task).toEqual({
      ApproximateNumberOfMessagesMoved: 3,
      ApproximateNumberOfMessagesToMove: 3,
      SourceArn,
      StartedTimestamp: setup.clock.now(),
      Status: 'COMPLETED',
    })
    const { Messages } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 })
    expect(Messages!.map(({ Body }) => Body).sort()).toEqual(['0', '1', '2'])
  })

  it('moves a limited number of messages per second to another queue until the task is cancelled', async () => {
    const { SourceArn } = await deadLetters(5)
    const there = (await sqs.createQueue({ QueueName: `${name}-there` })).QueueUrl!
    const DestinationArn = arn(`${name}-there`)
    const start = { SourceArn, DestinationArn, MaxNumberOfMessagesPerSecond: 2 }
    const { TaskHandle } = await sqs.startMessageMoveTask(start)
    await expect(sqs.startMessageMoveTask(start)).rejects.toThrow('There is already a task running.')
    await setup.clock.advance(1000)
    await setup.clock.advance(999)
    expect(await tasks(SourceArn)).toMatchObject([
      { ...start, TaskHandle, Status: 'RUNNING', ApproximateNumberOfMessagesMoved: 4 },
    ])
    expect(await sqs.cancelMessageMoveTask({ TaskHandle })).toMatchObject({
      ApproximateNumberOfMessagesMoved: 4,
    })
    await setup.clock.advance(5000)
    const [task] = await tasks(SourceArn)
    expect(task).toMatchObject({ Status: 'CANCELLED', ApproximateNumberOfMessagesMoved: 4 })
    expect(task).not.toHaveProperty('TaskHandle')
    expect((await attributesOf(there)).ApproximateNumberOfMessages).toBe('4')
    await expect(sqs.cancelMessageMoveTask({ TaskHandle })).rejects.toThrow('this one is CANCELLED')
  })

  it('fails when its destination is deleted', async () => {
    const { SourceArn } = await deadLetters(5)
    const there = (await sqs.createQueue({ QueueName: `${name}-there` })).QueueUrl!
    const DestinationArn = arn(`${name}-there`)
    await sqs.startMessageMoveTask({ SourceArn, DestinationArn, MaxNumberOfMessagesPerSecond: 1 })
    await sqs.deleteQueue({ QueueUrl: there })
    await setup.clock.advance(2000)
    expect(await tasks(SourceArn)).toMatchObject([
      { Status: 'FAILED', FailureReason: 'AWS.SimpleQueueService.NonExistentQueue' },
    ])
  })

  it('is refused for a queue that is not a dead-letter queue, for unknown queues and for invalid handles', async () => {
    const { SourceArn } = await deadLetters(1)
    const start = (more: object) => sqs.startMessageMoveTask({ SourceArn, ...more })
    await expect(start({ SourceArn: arn(name) })).rejects.toThrow(
      'Source queue must be configured as a Dead Letter Queue.',
    )
    const missing = { name: 'ResourceNotFoundException', $metadata: { httpStatusCode: 404 } }
    await expect(start({ SourceArn: arn('none') })).rejects.toMatchObject(missing)
    await expect(start({ DestinationArn: arn('none') })).rejects.toMatchObject(missing)
    await expect(start({ DestinationArn: 'none' })).rejects.toMatchObject({ name: 'InvalidParameterValue' })
    await expect(start({ DestinationArn: SourceArn })).rejects.toThrow('must not be the source')
    await expect(start({ DestinationArn: arn(`${name}.fifo`) })).rejects.toThrow('of the same type')
    await expect(start({ MaxNumberOfMessagesPerSecond: 501 })).rejects.toThrow('Value 501 for')
    const cancel = (handle: object | string) => {
      const text = typeof handle === 'string' ? handle : JSON.stringify(handle)
      return sqs.cancelMessageMoveTask({ TaskHandle: Buffer.from(text).toString('base64') })
    }
    const invalid = 'Value for parameter TaskHandle is invalid.'
    for (const handle of ['', '[', 'null', '1', {}]) await expect(cancel(handle)).rejects.toThrow(invalid)
    await expect(cancel({ taskId: 'a', sourceArn: arn('none') })).rejects.toMatchObject(missing)
    await expect(cancel({ taskId: 'a', sourceArn: SourceArn })).rejects.toThrow('Task does not exist.')
  })
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
