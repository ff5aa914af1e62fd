import type { QueueAttributes } from '../store/queue-attributes.ts'
import { isFifoName, type QueueStore } from '../store/queue-store.ts'
import { QueueStoreError } from '../store/queue-store-error.ts'
import { queueOfResourceName, wireResourceName } from './queue-address.ts'

/** How the attributes that are numbers are called by clients, and what one of theirs is here. */
const numbers = {
  VisibilityTimeout: ['visibilityTimeout', 1000],
  DelaySeconds: ['delay', 1000],
  MessageRetentionPeriod: ['retention', 1000],
  ReceiveMessageWaitTimeSeconds: ['receiveWait', 1000],
  MaximumMessageSize: ['maximumMessageSize', 1],
} as const

/**
 * Reads attributes as clients write them.
 * @throws QueueStoreError for names that nobody knows and values that cannot be
 */
export function readAttributes(
  queue: string,
  given: { readonly [name: string]: string },
): Partial<QueueAttributes> {
  const read: { -readonly [K in keyof QueueAttributes]?: QueueAttributes[K] } = {}
  for (const [name, value] of Object.entries(given)) {
    const number = numbers[name as keyof typeof numbers]
    if (number !== undefined && Object.hasOwn(numbers, name)) {
      if (!/^\d{1,9}$/.test(value)) throw invalid(name)
      read[number[0]] = Number(value) * number[1]
    } else if (name === 'RedrivePolicy') read.deadLetter = redrivePolicy(value)
    else if (name === 'FifoQueue') {
      if (value !== 'true' || !isFifoName(queue)) throw invalid(name)
    } else if (name === 'ContentBasedDeduplication') read.contentBasedDeduplication = flag(name, value)
    else if (name === 'DeduplicationScope') {
      if (value !== 'queue' && value !== 'messageGroup') throw invalid(name)
      read.deduplicationScope = value
    } else throw new QueueStoreError('INVALID_ATTRIBUTE_NAME', `Unknown Attribute ${name}.`)
  }
  return read
}

/**
 * Attributes as clients write them, all or some.
 * @param deadLetterResource the resource name of the dead-letter queue, where it is another's than this box's
 */
export function attributeTexts(
  queue: string,
  attributes: Partial<QueueAttributes>,
  deadLetterResource?: string,
): { readonly [name: string]: string } {
  const { deadLetter, contentBasedDeduplication, deduplicationScope } = attributes
  const texts: { [name: string]: string } = {}
  for (const [name, [key, unit]] of Object.entries(numbers)) {
    const value = attributes[key]
    if (value !== undefined) texts[name] = String(value / unit)
  }
  if (deadLetter !== undefined)
    texts.RedrivePolicy = JSON.stringify({
      deadLetterTargetArn: deadLetterResource ?? wireResourceName(deadLetter.queue),
      maxReceiveCount: deadLetter.maxReceiveCount,
    })
  if (!isFifoName(queue)) return texts
  if (contentBasedDeduplication !== undefined)
    texts.ContentBasedDeduplication = String(contentBasedDeduplication)
  if (deduplicationScope !== undefined) texts.DeduplicationScope = deduplicationScope
  return texts
}

/** Everything that can be asked about a queue, as clients read it. */
export async function writeAttributes(
  store: QueueStore,
  queue: string,
): Promise<{ readonly [name: string]: string }> {
  const attributes = await store.attributes(queue)
  const depth = await store.depth(queue)
  return {
    QueueArn: wireResourceName(queue),
    ApproximateNumberOfMessages: String(depth.visible),
    ApproximateNumberOfMessagesNotVisible: String(depth.inFlight),
    ApproximateNumberOfMessagesDelayed: String(depth.delayed),
    ...attributeTexts(queue, attributes),
    ...(isFifoName(queue) && { FifoQueue: 'true' }),
  }
}

/** What may be asked for, whether a queue has it or not. */
export const attributeNames: readonly string[] = [
  'All',
  'QueueArn',
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
  ...Object.keys(numbers),
  'RedrivePolicy',
  'FifoQueue',
  'ContentBasedDeduplication',
  'DeduplicationScope',
  // Stock services know these too. No queue here has them, so that they are absent from the answer.
  'CreatedTimestamp',
  'LastModifiedTimestamp',
  'Policy',
  'RedriveAllowPolicy',
  'KmsMasterKeyId',
  'KmsDataKeyReusePeriodSeconds',
  'SqsManagedSseEnabled',
  'FifoThroughputLimit',
]

function redrivePolicy(text: string): QueueAttributes['deadLetter'] {
  if (text === '') return undefined
  let policy: unknown
  try {
    policy = JSON.parse(text)
  } catch {
    throw invalid('RedrivePolicy')
  }
  const { deadLetterTargetArn: target, maxReceiveCount: count } = (policy ?? {}) as Record<string, unknown>
  if (typeof target !== 'string' || !/^\d+$/.test(String(count))) throw invalid('RedrivePolicy')
  return { queue: queueOfResourceName(target), maxReceiveCount: Number(count) }
}

function flag(name: string, value: string): boolean {
  if (value !== 'true' && value !== 'false') throw invalid(name)
  return value === 'true'
}

function invalid(name: string): QueueStoreError {
  return new QueueStoreError('INVALID_ATTRIBUTE_VALUE', `Invalid value for the parameter ${name}.`)
}
