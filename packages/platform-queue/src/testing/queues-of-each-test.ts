import { listeningQueues, sqsClient } from './queue-engines.ts'

/** The ARN of a queue of this name. */
export const arn = (queue: string) => `arn:aws:sqs:local:000000000000:${queue}`

/** Returns a listener for the tests of a file, with a standard queue and a FIFO queue for each of them. */
export function queuesOfEachTest() {
  let setup: Awaited<ReturnType<typeof listeningQueues>>
  let sqs: ReturnType<typeof sqsClient>
  let name: string
  let QueueUrl: string
  let number = 0

  return {
    async start() {
      setup = await listeningQueues()
      sqs = sqsClient(setup.url)
    },
    async end() {
      sqs.destroy()
      await setup.end()
    },
    /** Creates the queues of the next test, with new names. */
    async next() {
      name = `q${++number}`
      QueueUrl = (await sqs.createQueue({ QueueName: name })).QueueUrl!
      const Attributes = { FifoQueue: 'true' }
      const FifoUrl = (await sqs.createQueue({ QueueName: `${name}.fifo`, Attributes })).QueueUrl!
      return { setup, sqs, name, QueueUrl, FifoUrl }
    },
    /** Makes all tests from now on use this client. */
    use(client: typeof sqsClient) {
      sqs.destroy()
      sqs = client(setup.url)
    },
    /** Returns all attributes of a queue. */
    async attributesOf(url: string) {
      return (await sqs.getQueueAttributes({ QueueUrl: url, AttributeNames: ['All'] })).Attributes!
    },
    /** Returns a dead-letter queue that contains `count` messages from another queue. */
    async deadLetters(count: number) {
      const dead = (await sqs.createQueue({ QueueName: `${name}-dead` })).QueueUrl!
      const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arn(`${name}-dead`), maxReceiveCount: 1 })
      await sqs.setQueueAttributes({ QueueUrl, Attributes: { RedrivePolicy } })
      for (let at = 0; at < count; at++) {
        await sqs.sendMessage({ QueueUrl, MessageBody: `${at}` })
        await sqs.receiveMessage({ QueueUrl, VisibilityTimeout: 0 })
      }
      const { Messages = [] } = await sqs.receiveMessage({ QueueUrl })
      if (Messages.length > 0) throw new Error('Expected all messages to be dead letters')
      return { dead, SourceArn: arn(`${name}-dead`) }
    },
  }
}
