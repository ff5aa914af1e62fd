import type { Location } from '@signalbox/platform-runtime'
import { sqsResourceName } from '../../resource-name.ts'
import type { OwnQueueStore } from '../../store/own-queue-store.ts'
import type { QueueAttributes } from '../../store/queue-attributes.ts'
import { isFifoName } from '../../store/queue-name.ts'
import type { QueueStore } from '../../store/queue-store.ts'
import { invalidValue, QueueStoreError } from '../../store/queue-store-error.ts'
import {
  isTrue,
  readAttributes,
  refuseUnknownAttributes,
  writeAttributes,
} from '../../wire/queue-attribute-names.ts'
import { queueAt, queueUrl } from '../queue-url.ts'
import { changeVisibilityBatch, deleteBatch, sendBatch } from './batches.ts'
import { type Input, type Operation, required, within } from './inputs.ts'
import { readMessage, writeMessage, writeSent } from './messages.ts'
import { cancelMoveTask, listMoveTasks, startMoveTask } from './move-tasks.ts'
import { page } from './page.ts'
import { withoutPermission, withPermission } from './permissions.ts'
import { withoutTags, withTags } from './tags.ts'

/** The context of an operation. */
export interface Caller {
  readonly store: OwnQueueStore
  readonly location: Location
  /** The beginning of the queue URLs that the client gets: the address of this listener and the id of the account. */
  readonly base: string
  readonly sender: string
  /** The trace header of the request, for messages that have none. */
  readonly trace: string | undefined
  /** Returns whether the client may know that a queue exists. */
  readonly mayKnow: (queue: string) => boolean
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

type Run<O extends Operation> = (input: Input<O>, caller: Caller) => Promise<object>

const queueOf = (input: { readonly QueueUrl?: string | undefined }) =>
  queueAt(required(input.QueueUrl, 'QueueUrl'))

/** All operations of the listener. */
export const operations: { readonly [O in Operation]: Run<O> } = {
  async CreateQueue({ QueueName, Attributes = {}, tags = {} }, { store, base }) {
    const queue = required(QueueName, 'QueueName')
    if (isFifoName(queue) !== isTrue(Attributes.FifoQueue))
      throw invalidValue(
        queue,
        'QueueName',
        'The name of a FIFO queue ends in .fifo, and that of no other: the attribute FifoQueue must be true.',
      )
    const attributes = readAttributes(queue, Attributes)
    await refuseMissingTarget(attributes, store)
    await store.createQueue(queue, attributes, withTags({}, tags))
    return { QueueUrl: queueUrl(base, queue) }
  },

  async GetQueueUrl({ QueueName }, { store, base }) {
    const queue = required(QueueName, 'QueueName')
    await store.attributes(queue)
    return { QueueUrl: queueUrl(base, queue) }
  },

  async ListQueues({ QueueNamePrefix = '', ...input }, { store, base, mayKnow }) {
    const names = (await store.queueNames()).filter(name => name.startsWith(QueueNamePrefix) && mayKnow(name))
    const { items, next } = page(names, input)
    return items.length === 0 ? {} : { QueueUrls: items.map(name => queueUrl(base, name)), ...next }
  },

  async ListDeadLetterSourceQueues(input, { store, base, mayKnow }) {
    const { items, next } = page((await store.sourcesOf(queueOf(input))).filter(mayKnow), input)
    return { queueUrls: items.map(name => queueUrl(base, name)), ...next }
  },

  async DeleteQueue(input, { store }) {
    await store.deleteQueue(queueOf(input))
    return {}
  },

  async PurgeQueue(input, { store }) {
    await store.purge(queueOf(input))
    return {}
  },

  async GetQueueAttributes({ AttributeNames: names = [], ...input }, { store, location }) {
    const queue = queueOf(input)
    refuseUnknownAttributes(names)
    const all = await writeAttributes(store, queue, location)
    const asked = Object.entries(all).filter(([name]) => names.includes('All') || names.includes(name))
    return asked.length === 0 ? {} : { Attributes: Object.fromEntries(asked) }
  },

  async SetQueueAttributes({ Attributes, ...input }, { store }) {
    const queue = queueOf(input)
    const attributes = readAttributes(queue, required(Attributes, 'Attributes'))
    await refuseMissingTarget(attributes, store)
    await store.setAttributes(queue, attributes)
    return {}
  },

  async TagQueue({ Tags, ...input }, { store }) {
    const queue = queueOf(input)
    const tags = required(isEmpty(Tags) ? undefined : Tags, 'Tags')
    await store.setTags(queue, withTags(await store.tags(queue), tags))
    return {}
  },

  async UntagQueue({ TagKeys, ...input }, { store }) {
    const queue = queueOf(input)
    await store.setTags(queue, withoutTags(await store.tags(queue), required(TagKeys, 'TagKeys')))
    return {}
  },

  async ListQueueTags(input, { store }) {
    const Tags = await store.tags(queueOf(input))
    return isEmpty(Tags) ? {} : { Tags }
  },

  async AddPermission({ Label, AWSAccountIds, Actions, ...input }, { store, location }) {
    const queue = queueOf(input)
    const permission = {
      label: required(Label, 'Label'),
      accounts: required(AWSAccountIds, 'AWSAccountIds'),
      actions: required(Actions, 'Actions'),
    }
    const { policy } = await store.attributes(queue)
    await store.setAttributes(queue, {
      policy: withPermission(sqsResourceName(queue, location), policy, permission),
    })
    return {}
  },

  async RemovePermission({ Label, ...input }, { store }) {
    const queue = queueOf(input)
    const { policy } = await store.attributes(queue)
    await store.setAttributes(queue, { policy: withoutPermission(policy, required(Label, 'Label')) })
    return {}
  },

  async SendMessage(input, { store, ...from }) {
    const queue = queueOf(input)
    const message = readMessage(input, from)
    const [answer] = await store.send(queue, [message])
    if (answer instanceof QueueStoreError) throw answer
    return writeSent(answer!, input, message)
  },

  async ReceiveMessage(input, { store, signal, location }) {
    const queue = queueOf(input)
    const max = within(input.MaxNumberOfMessages, 'MaxNumberOfMessages', 1, 10) ?? 1
    const bounds = 'Must be >= 0 and <= 20, if provided.'
    const wait = within(input.WaitTimeSeconds, 'WaitTimeSeconds', 0, 20, bounds)
    const hidden = within(input.VisibilityTimeout, 'VisibilityTimeout', 0, 43_200)
    const { receiveWaitTime } = await store.attributes(queue)
    const messages = await store.receive(queue, {
      max,
      wait: wait === undefined ? receiveWaitTime : wait * 1000,
      visibilityTimeout: hidden === undefined ? undefined : hidden * 1000,
      attemptId: input.ReceiveRequestAttemptId,
      signal,
    })
    const system = [...(input.AttributeNames ?? []), ...(input.MessageSystemAttributeNames ?? [])]
    const names = input.MessageAttributeNames ?? []
    return messages.length === 0
      ? {}
      : { Messages: messages.map(message => writeMessage(message, system, names, location)) }
  },

  async DeleteMessage({ ReceiptHandle, ...input }, { store }) {
    const [error] = await store.deleteMessages(queueOf(input), [required(ReceiptHandle, 'ReceiptHandle')])
    if (error !== undefined) throw error
    return {}
  },

  async ChangeMessageVisibility({ ReceiptHandle, VisibilityTimeout, ...input }, { store }) {
    const receiptHandle = required(ReceiptHandle, 'ReceiptHandle')
    const timeout = required(VisibilityTimeout, 'VisibilityTimeout') * 1000
    const [error] = await store.changeVisibility(queueOf(input), [{ receiptHandle, timeout }])
    if (error !== undefined) throw error
    return {}
  },

  SendMessageBatch: ({ Entries, ...input }, { store, ...from }) =>
    sendBatch(store, queueOf(input), Entries, from),
  DeleteMessageBatch: ({ Entries, ...input }, { store }) => deleteBatch(store, queueOf(input), Entries),
  ChangeMessageVisibilityBatch: ({ Entries, ...input }, { store }) =>
    changeVisibilityBatch(store, queueOf(input), Entries),

  StartMessageMoveTask: (input, { store, location }) => startMoveTask(store, input, location),
  ListMessageMoveTasks: (input, { store, location }) => listMoveTasks(store, input, location),
  CancelMessageMoveTask: (input, { store }) => cancelMoveTask(store, input),
}

function isEmpty(map: object = {}): boolean {
  return Object.keys(map).length === 0
}

// Refuses a dead-letter queue that does not exist, because its messages would be redelivered endlessly.
async function refuseMissingTarget(
  { deadLetter }: Partial<QueueAttributes>,
  store: QueueStore,
): Promise<void> {
  if (deadLetter === undefined || (await store.queueNames()).includes(deadLetter.queue)) return
  throw invalidValue(deadLetter.queue, 'RedrivePolicy', 'Dead letter target does not exist.')
}
