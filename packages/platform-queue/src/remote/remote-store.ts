import type { SQSClient } from '@aws-sdk/client-sqs'
import { sqsResourceName } from '../resource-name.ts'
import { messageSize } from '../store/message-rules.ts'
import { defaultAttributes, type QueueAttributes } from '../store/queue-attributes.ts'
import { isFifoName } from '../store/queue-name.ts'
import type { QueueStore, ReceivedMessage, ReceiveOptions } from '../store/queue-store.ts'
import { QueueStoreError } from '../store/queue-store-error.ts'
import { attributeTexts, readAttributes } from '../wire/queue-attribute-names.ts'
import { receivedMessage } from './received-message.ts'
import { asStoreError, storeErrorOf } from './remote-errors.ts'
import { sentMessage } from './sent-message.ts'

/** The maximum number of entries of one request. */
const entryLimit = 10

/** The longest time for which the service waits for messages, in milliseconds. */
const longestWait = 20_000

type Sdk = typeof import('@aws-sdk/client-sqs')

/**
 * Accesses the queues of any service with the SQS protocol. The limits of the service apply, and its approximate
 * message counts are passed on unchanged.
 */
export function remoteStore(sdk: Sdk, client: SQSClient): QueueStore {
  const urls = new Map<string, string>()

  const urlOf = async (queue: string): Promise<string> => {
    const known = urls.get(queue)
    if (known !== undefined) return known
    const { QueueUrl } = await asStoreError(client.send(new sdk.GetQueueUrlCommand({ QueueName: queue })))
    urls.set(queue, QueueUrl!)
    return QueueUrl!
  }

  /** Sends entries in requests of at most ten, and returns the result of each entry. */
  const inBatches = async <E, R>(
    entries: readonly E[],
    send: (entries: (E & { Id: string })[]) => Promise<{
      readonly Successful?: readonly { readonly Id: string | undefined }[] | undefined
      readonly Failed?:
        | readonly {
            readonly Id: string | undefined
            readonly Code?: string | undefined
            readonly Message?: string | undefined
          }[]
        | undefined
    }>,
    read: (answer: never) => R,
  ): Promise<readonly (R | QueueStoreError)[]> => {
    const answers: (R | QueueStoreError)[] = []
    for (let first = 0; first < entries.length; first += entryLimit) {
      const batch = entries
        .slice(first, first + entryLimit)
        .map((entry, position) => ({ ...entry, Id: `${position}` }))
      const { Successful = [], Failed = [] } = await asStoreError(send(batch))
      for (const each of Successful) answers[first + Number(each.Id)] = read(each as never)
      for (const { Id, Code, Message } of Failed)
        answers[first + Number(Id)] =
          storeErrorOf(Code, Message) ?? new QueueStoreError('INVALID_PARAMETER', `${Code}: ${Message}`)
    }
    return answers
  }

  const receiveOnce = async (
    queue: string,
    { max, wait, visibilityTimeout, attemptId, signal }: ReceiveOptions,
  ): Promise<readonly ReceivedMessage[]> => {
    const command = new sdk.ReceiveMessageCommand({
      QueueUrl: await urlOf(queue),
      MaxNumberOfMessages: Math.min(max, entryLimit),
      WaitTimeSeconds: Math.ceil(Math.min(wait, longestWait) / 1000),
      // Older services support only the older name of this parameter.
      AttributeNames: ['All'],
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
      ...(visibilityTimeout !== undefined && { VisibilityTimeout: Math.ceil(visibilityTimeout / 1000) }),
      ...(attemptId !== undefined && { ReceiveRequestAttemptId: attemptId }),
    })
    try {
      const { Messages = [] } = await client.send(command, signal && { abortSignal: signal })
      return Messages.map(receivedMessage)
    } catch (error) {
      if (signal?.aborted) return []
      return asStoreError(Promise.reject(error))
    }
  }

  // Only the service knows the region and account of the dead-letter queue, so the resource name comes from the
  // service.
  const textsOf = async (queue: string, attributes: Partial<QueueAttributes>) => {
    const target = attributes.deadLetter?.queue
    const resource = target === undefined ? undefined : (await attributesOf(target)).QueueArn
    return attributeTexts(queue, attributes, name => (name === target && resource) || sqsResourceName(name))
  }

  return {
    async createQueue(queue, attributes = {}) {
      const Attributes = {
        ...(await textsOf(queue, attributes)),
        ...(isFifoName(queue) && { FifoQueue: 'true' }),
      }
      const { QueueUrl } = await asStoreError(
        client.send(new sdk.CreateQueueCommand({ QueueName: queue, Attributes })),
      )
      urls.set(queue, QueueUrl!)
    },

    async deleteQueue(queue) {
      const QueueUrl = await urlOf(queue)
      urls.delete(queue)
      await asStoreError(client.send(new sdk.DeleteQueueCommand({ QueueUrl })))
    },

    async queueNames() {
      const names: string[] = []
      let NextToken: string | undefined
      do {
        const page = await asStoreError(
          client.send(
            new sdk.ListQueuesCommand({ MaxResults: 1000, ...(NextToken !== undefined && { NextToken }) }),
          ),
        )
        for (const url of page.QueueUrls ?? []) names.push(url.slice(url.lastIndexOf('/') + 1))
        NextToken = page.NextToken
      } while (NextToken !== undefined)
      return names.sort()
    },

    async attributes(queue) {
      const all = await attributesOf(queue)
      const known = Object.entries(all).filter(([name]) => knownAttributes.includes(name))
      return {
        ...defaultAttributes,
        ...readAttributes(queue, Object.fromEntries(known)),
        createdAt: Number(all.CreatedTimestamp ?? 0) * 1000,
        modifiedAt: Number(all.LastModifiedTimestamp ?? 0) * 1000,
      }
    },

    async setAttributes(queue, attributes) {
      const Attributes = await textsOf(queue, attributes)
      await asStoreError(
        client.send(new sdk.SetQueueAttributesCommand({ QueueUrl: await urlOf(queue), Attributes })),
      )
    },

    async depth(queue) {
      const all = await attributesOf(queue)
      return {
        visible: Number(all.ApproximateNumberOfMessages ?? 0),
        inFlight: Number(all.ApproximateNumberOfMessagesNotVisible ?? 0),
        delayed: Number(all.ApproximateNumberOfMessagesDelayed ?? 0),
      }
    },

    async send(queue, messages) {
      const QueueUrl = await urlOf(queue)
      return inBatches(
        messages.map(sentMessage),
        Entries => client.send(new sdk.SendMessageBatchCommand({ QueueUrl, Entries })),
        ({ MessageId, SequenceNumber }: { MessageId?: string; SequenceNumber?: string }) => ({
          messageId: MessageId!,
          sequenceNumber: SequenceNumber,
        }),
      )
    },

    async receive(queue, options) {
      const { max, bytes = Number.POSITIVE_INFINITY, visibilityTimeout, signal } = options
      if (signal?.aborted) return []
      const messages = [...(await receiveOnce(queue, options))]
      const isFull = () => messages.reduce((sum, each) => sum + messageSize(each), 0) >= bytes
      while (messages.length > 0 && messages.length < max && messages.length % entryLimit === 0) {
        if (isFull()) break
        // Messages that were received before the error count as delivered. The next receive request will get the same
        // error.
        const left = max - messages.length
        const more = await receiveOnce(queue, { max: left, wait: 0, visibilityTimeout, signal }).catch(
          () => [],
        )
        if (more.length === 0) break
        messages.push(...more)
      }
      return messages
    },

    async deleteMessages(queue, receiptHandles) {
      const QueueUrl = await urlOf(queue)
      const answers = await inBatches(
        receiptHandles.map(ReceiptHandle => ({ ReceiptHandle })),
        Entries => client.send(new sdk.DeleteMessageBatchCommand({ QueueUrl, Entries })),
        () => undefined,
      )
      return [...answers]
    },

    async changeVisibility(queue, changes) {
      const QueueUrl = await urlOf(queue)
      const answers = await inBatches(
        changes.map(({ receiptHandle, timeout }) => ({
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: Math.ceil(timeout / 1000),
        })),
        Entries => client.send(new sdk.ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries })),
        () => undefined,
      )
      return [...answers]
    },

    async purge(queue) {
      await asStoreError(client.send(new sdk.PurgeQueueCommand({ QueueUrl: await urlOf(queue) })))
    },

    close: async () => client.destroy(),
  }

  async function attributesOf(queue: string): Promise<Record<string, string>> {
    const command = new sdk.GetQueueAttributesCommand({
      QueueUrl: await urlOf(queue),
      AttributeNames: ['All'],
    })
    return (await asStoreError(client.send(command))).Attributes ?? {}
  }
}

/** The attributes that this store supports. A service can have more. */
const knownAttributes = [
  'VisibilityTimeout',
  'DelaySeconds',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'MaximumMessageSize',
  'RedrivePolicy',
  'ContentBasedDeduplication',
  'DeduplicationScope',
  'FifoThroughputLimit',
  'RedriveAllowPolicy',
  'Policy',
  'KmsMasterKeyId',
  'KmsDataKeyReusePeriodSeconds',
]
