import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { listeningQueues, sqsClient } from '../../testing/queue-engines.ts'
import { arn, queuesOfEachTest } from '../../testing/queues-of-each-test.ts'

let setup: Awaited<ReturnType<typeof listeningQueues>>
let sqs: ReturnType<typeof sqsClient>
let name: string
let QueueUrl: string
let FifoUrl: string
const queues = queuesOfEachTest()
const { attributesOf } = queues
beforeAll(queues.start)
afterAll(queues.end)
beforeEach(async () => {
  ;({ setup, sqs, name, QueueUrl, FifoUrl } = await queues.next())
})

it.each(['True', 'TRUE'])('CreateQueue with FifoQueue "%s" creates a FIFO queue', async FifoQueue => {
  const Attributes = { FifoQueue }
  const { QueueUrl: url } = await sqs.createQueue({ QueueName: `${name}-${FifoQueue}.fifo`, Attributes })
  expect(await attributesOf(url!)).toMatchObject({ FifoQueue: 'true' })
  await expect(sqs.sendMessage({ QueueUrl: url, MessageBody: 'a' })).rejects.toMatchObject({
    message: expect.stringContaining('MessageGroupId'),
  })
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
