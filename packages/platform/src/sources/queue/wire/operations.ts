import type { QueueAttributes } from '../store/queue-attributes.ts'
import { isFifoName, type QueueStore } from '../store/queue-store.ts'
import { QueueStoreError } from '../store/queue-store-error.ts'
import { changeVisibilityBatch, deleteBatch, sendBatch } from './batches.ts'
import { type Input, needed, type Operation, within } from './inputs.ts'
import { readMessage, writeMessage, writeSent } from './messages.ts'
import { queueAt, queueOfResourceName, queueUrl } from './queue-address.ts'
import { attributeNames, readAttributes, writeAttributes } from './queue-attribute-names.ts'
import { ProtocolError } from './wire-error.ts'

/** What an operation works with. */
export interface Caller {
  readonly store: QueueStore
  /** Sends dead letters back. */
  readonly redrive: (queue: string) => Promise<number>
  /** The URL under which the client knows this listener. */
  readonly base: string
  readonly sender: string
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal
}

type Run<O extends Operation> = (input: Input<O>, caller: Caller) => Promise<object>

const queueOf = (input: { readonly QueueUrl?: string | undefined }) =>
  queueAt(needed(input.QueueUrl, 'QueueUrl'))

/** Every operation that the listener understands. */
export const operations: { readonly [O in Operation]: Run<O> } = {
  async CreateQueue({ QueueName, Attributes = {} }, { store, base }) {
    const queue = needed(QueueName, 'QueueName')
    if (isFifoName(queue) && Attributes.FifoQueue !== 'true')
      throw new QueueStoreError(
        'INVALID_PARAMETER',
        'The name of a FIFO queue ends in .fifo, and that of no other: the attribute FifoQueue must be true.',
      )
    const attributes = readAttributes(queue, Attributes)
    await refuseNowhere(attributes, store)
    await store.create(queue, attributes)
    return { QueueUrl: queueUrl(base, queue) }
  },

  async GetQueueUrl({ QueueName }, { store, base }) {
    const queue = needed(QueueName, 'QueueName')
    await store.attributes(queue)
    return { QueueUrl: queueUrl(base, queue) }
  },

  async ListQueues({ QueueNamePrefix = '', MaxResults, NextToken }, { store, base }) {
    within(MaxResults, 'MaxResults', 1, 1000)
    const after = NextToken === undefined ? '' : Buffer.from(NextToken, 'base64url').toString()
    const names = (await store.names()).filter(name => name.startsWith(QueueNamePrefix) && name > after)
    const shown = names.slice(0, MaxResults ?? 1000)
    return {
      QueueUrls: shown.map(name => queueUrl(base, name)),
      ...(MaxResults !== undefined &&
        shown.length < names.length && { NextToken: Buffer.from(shown.at(-1)!).toString('base64url') }),
    }
  },

  async DeleteQueue(input, { store }) {
    await store.drop(queueOf(input))
    return {}
  },

  async PurgeQueue(input, { store }) {
    await store.purge(queueOf(input))
    return {}
  },

  async GetQueueAttributes({ AttributeNames: names = [], ...input }, { store }) {
    const queue = queueOf(input)
    const unknown = names.find(name => !attributeNames.includes(name))
    if (unknown !== undefined)
      throw new QueueStoreError('INVALID_ATTRIBUTE_NAME', `Unknown Attribute ${unknown}.`)
    const all = await writeAttributes(store, queue)
    const shown = Object.entries(all).filter(([name]) => names.includes('All') || names.includes(name))
    return shown.length === 0 ? {} : { Attributes: Object.fromEntries(shown) }
  },

  async SetQueueAttributes({ Attributes, ...input }, { store }) {
    const queue = queueOf(input)
    const attributes = readAttributes(queue, needed(Attributes, 'Attributes'))
    await refuseNowhere(attributes, store)
    await store.setAttributes(queue, attributes)
    return {}
  },

  async SendMessage(input, { store, sender }) {
    const queue = queueOf(input)
    const message = readMessage(input, sender)
    const [answer] = await store.send(queue, [message])
    if (answer instanceof QueueStoreError) throw answer
    return writeSent(answer!, input, message)
  },

  async ReceiveMessage(input, { store, signal }) {
    const queue = queueOf(input)
    const max = within(input.MaxNumberOfMessages, 'MaxNumberOfMessages', 1, 10) ?? 1
    const wait = within(input.WaitTimeSeconds, 'WaitTimeSeconds', 0, 20)
    const hidden = within(input.VisibilityTimeout, 'VisibilityTimeout', 0, 43_200)
    const messages = await store.receive(queue, {
      max,
      wait: wait === undefined ? (await store.attributes(queue)).receiveWait : wait * 1000,
      visibilityTimeout: hidden === undefined ? undefined : hidden * 1000,
      signal,
    })
    const system = [...(input.AttributeNames ?? []), ...(input.MessageSystemAttributeNames ?? [])]
    const names = input.MessageAttributeNames ?? []
    return messages.length === 0
      ? {}
      : { Messages: messages.map(message => writeMessage(message, system, names)) }
  },

  async DeleteMessage({ ReceiptHandle, ...input }, { store }) {
    const [error] = await store.remove(queueOf(input), [needed(ReceiptHandle, 'ReceiptHandle')])
    if (error !== undefined) throw error
    return {}
  },

  async ChangeMessageVisibility({ ReceiptHandle, VisibilityTimeout, ...input }, { store }) {
    const receipt = needed(ReceiptHandle, 'ReceiptHandle')
    const timeout = needed(VisibilityTimeout, 'VisibilityTimeout') * 1000
    const [error] = await store.changeVisibility(queueOf(input), [{ receipt, timeout }])
    if (error !== undefined) throw error
    return {}
  },

  SendMessageBatch: ({ Entries, ...input }, { store, sender }) =>
    sendBatch(store, queueOf(input), Entries, sender),
  DeleteMessageBatch: ({ Entries, ...input }, { store }) => deleteBatch(store, queueOf(input), Entries),
  ChangeMessageVisibilityBatch: ({ Entries, ...input }, { store }) =>
    changeVisibilityBatch(store, queueOf(input), Entries),

  async StartMessageMoveTask({ SourceArn, DestinationArn }, { store, redrive }) {
    const queue = queueOfResourceName(needed(SourceArn, 'SourceArn'))
    if (DestinationArn !== undefined)
      throw new QueueStoreError('UNSUPPORTED', 'Dead letters can only go back to where they came from.')
    if (!(await store.names()).includes(queue))
      throw new ProtocolError(
        'ResourceNotFound',
        'The resource that you specified for the SourceArn parameter does not exist.',
      )
    const moved = await redrive(queue)
    return { TaskHandle: Buffer.from(JSON.stringify({ queue, moved })).toString('base64url') }
  },
}

// Messages would come again for ever, instead of being given up.
async function refuseNowhere({ deadLetter }: Partial<QueueAttributes>, store: QueueStore): Promise<void> {
  if (deadLetter === undefined || (await store.names()).includes(deadLetter.queue)) return
  throw new QueueStoreError(
    'INVALID_PARAMETER',
    `Value for parameter RedrivePolicy is invalid. Reason: Dead letter target ${JSON.stringify(deadLetter.queue)} does not exist.`,
  )
}
