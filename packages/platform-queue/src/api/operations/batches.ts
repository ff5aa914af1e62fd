import { messageSize, missingInFifo } from '../../store/message-rules.ts'
import { isFifoName } from '../../store/queue-name.ts'
import type { NewMessage, QueueStore } from '../../store/queue-store.ts'
import { QueueStoreError } from '../../store/queue-store-error.ts'
import { ProtocolError, wireErrorOf } from '../../wire/wire-error.ts'
import { type Input, type MessageInput, type Operation, required } from './inputs.ts'
import { readMessage, type Sender, writeSent } from './messages.ts'

/** The maximum number of entries in a batch. */
const entryLimit = 10
/** The maximum size of all messages in a batch, in bytes. */
const sizeLimit = 1024 * 1024

/** The result of a batch, with the result of each entry. */
export interface BatchAnswer {
  readonly Successful: readonly object[]
  readonly Failed?: readonly object[]
}

export async function sendBatch(
  store: QueueStore,
  queue: string,
  input: Input<'SendMessageBatch'>['Entries'],
  from: Sender,
): Promise<BatchAnswer> {
  const entries = refuseEntries(input, 'SendMessageBatch')
  if (isFifoName(queue)) await refuseUngrouped(entries, queue, store)
  const read = entries.map(entry => attempt(() => readMessage(entry, from)))
  const messages = read.filter(each => !(each instanceof QueueStoreError)) as NewMessage[]
  const size = messages.reduce((sum, each) => sum + messageSize(each), 0)
  if (size > sizeLimit)
    throw new ProtocolError(
      'BatchRequestTooLong',
      `Batch requests cannot be longer than ${sizeLimit} bytes. You have sent ${size} bytes.`,
    )
  const sent = await store.send(queue, messages)
  let next = 0
  return answer(entries, position => {
    const message = read[position]!
    if (message instanceof QueueStoreError) return message
    const stored = sent[next++]!
    return stored instanceof QueueStoreError ? stored : writeSent(stored, entries[position]!, message)
  })
}

export async function deleteBatch(
  store: QueueStore,
  queue: string,
  input: Input<'DeleteMessageBatch'>['Entries'],
): Promise<BatchAnswer> {
  const entries = refuseEntries(input, 'DeleteMessageBatch')
  const receiptHandles = entries.map(({ ReceiptHandle }) => required(ReceiptHandle, 'ReceiptHandle'))
  const errors = await store.deleteMessages(queue, receiptHandles)
  return answer(entries, position => errors[position] ?? {})
}

export async function changeVisibilityBatch(
  store: QueueStore,
  queue: string,
  input: Input<'ChangeMessageVisibilityBatch'>['Entries'],
): Promise<BatchAnswer> {
  const entries = refuseEntries(input, 'ChangeMessageVisibilityBatch')
  const changes = entries.map(({ ReceiptHandle, VisibilityTimeout }) => ({
    receiptHandle: required(ReceiptHandle, 'ReceiptHandle'),
    timeout: required(VisibilityTimeout, 'VisibilityTimeout') * 1000,
  }))
  const errors = await store.changeVisibility(queue, changes)
  return answer(entries, position => errors[position] ?? {})
}

/**
 * Refuses the whole batch if an entry lacks its group or its deduplication id, as AWS does. Otherwise later entries of
 * the same group would be stored before it.
 */
async function refuseUngrouped(
  entries: readonly Pick<MessageInput, 'MessageGroupId' | 'MessageDeduplicationId'>[],
  queue: string,
  store: QueueStore,
): Promise<void> {
  const attributes = await store.attributes(queue)
  for (const { MessageGroupId: group, MessageDeduplicationId: deduplicationId } of entries) {
    const missing = missingInFifo({ group, deduplicationId }, attributes)
    if (missing !== undefined) throw new QueueStoreError('INVALID_PARAMETER', missing.message)
  }
}

/**
 * Checks the entries of a batch and their ids.
 * @throws ProtocolError for invalid entries
 */
function refuseEntries<E extends { readonly Id?: string | undefined }>(
  input: readonly E[] | undefined,
  operation: Operation,
): readonly (E & { readonly Id: string })[] {
  const entries = required(input, 'Entries')
  if (entries.length === 0)
    throw new ProtocolError(
      'EmptyBatchRequest',
      `There should be at least one ${operation}RequestEntry in the request.`,
    )
  if (entries.length > entryLimit)
    throw new ProtocolError(
      'TooManyEntries',
      `Maximum number of entries per request are ${entryLimit}. You have sent ${entries.length}.`,
    )
  const seen = new Set<string>()
  for (const { Id } of entries) {
    const id = required(Id, 'Id')
    if (!/^[A-Za-z0-9_-]{1,80}$/.test(id))
      throw new ProtocolError(
        'InvalidBatchEntryId',
        'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
      )
    if (seen.has(id)) throw new ProtocolError('EntryIdsNotDistinct', `Id ${id} repeated.`)
    seen.add(id)
  }
  return entries as readonly (E & { readonly Id: string })[]
}

function answer(
  entries: readonly { readonly Id: string }[],
  resultOf: (position: number) => object | QueueStoreError,
): BatchAnswer {
  const Successful: object[] = []
  const Failed: object[] = []
  for (const [position, { Id }] of entries.entries()) {
    const result = resultOf(position)
    if (result instanceof QueueStoreError) {
      const { code, message } = wireErrorOf(result)!
      // AWS words it differently for an entry of a batch.
      const Message = message.replace('parameters are invalid', 'parameters cannot be validated')
      Failed.push({ Id, SenderFault: result.code !== 'STORAGE_FULL', Code: code, Message })
    } else Successful.push({ Id, ...result })
  }
  return Failed.length === 0 ? { Successful } : { Successful, Failed }
}

function attempt<T>(work: () => T): T | QueueStoreError {
  try {
    return work()
  } catch (error) {
    if (error instanceof QueueStoreError) return error
    throw error
  }
}
