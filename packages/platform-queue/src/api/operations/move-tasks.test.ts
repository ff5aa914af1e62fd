import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { listeningQueues, sqsClient } from '../../testing/queue-engines.ts'
import { arn, queuesOfEachTest } from '../../testing/queues-of-each-test.ts'

let setup: Awaited<ReturnType<typeof listeningQueues>>
let sqs: ReturnType<typeof sqsClient>
let name: string
let QueueUrl: string
const queues = queuesOfEachTest()
const { attributesOf, deadLetters } = queues
beforeAll(queues.start)
afterAll(queues.end)
beforeEach(async () => {
  ;({ setup, sqs, name, QueueUrl } = await queues.next())
})

const tasks = async (SourceArn: string) =>
  (await sqs.listMessageMoveTasks({ SourceArn, MaxResults: 10 })).Results!

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
