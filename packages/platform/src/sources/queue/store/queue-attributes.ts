import { isFifoName } from './queue-store.ts'
import { QueueStoreError } from './queue-store-error.ts'

/** What a queue gives up on goes here. */
export interface DeadLetter {
  readonly queue: string
  /** Receives after which a message that is still there is given up. */
  readonly maxReceiveCount: number
}

/** How a queue behaves. Times in milliseconds. */
export interface QueueAttributes {
  /** For how long what was received stays hidden. */
  readonly visibilityTimeout: number
  /** For how long what was sent stays hidden. */
  readonly delay: number
  /** After which a message is dropped, wherever it is. */
  readonly retention: number
  /** How long a receive waits for a message when it does not say so itself. */
  readonly receiveWait: number
  /** Bytes of a message, body and attributes together. */
  readonly maximumMessageSize: number
  /** FIFO: messages without a deduplication id get the digest of their body as one. */
  readonly contentBasedDeduplication: boolean
  /** FIFO: where a deduplication id must be unique. */
  readonly deduplicationScope: 'queue' | 'messageGroup'
  readonly deadLetter: DeadLetter | undefined
}

const second = 1000
const day = 24 * 60 * 60 * second

export const defaultAttributes: QueueAttributes = {
  visibilityTimeout: 30 * second,
  delay: 0,
  retention: 4 * day,
  receiveWait: 0,
  maximumMessageSize: 1024 * 1024,
  contentBasedDeduplication: false,
  deduplicationScope: 'queue',
  deadLetter: undefined,
}

/** The smallest and largest values, as stock services have them. Times in milliseconds, sizes in bytes. */
export const attributeBounds = {
  visibilityTimeout: [0, 43_200 * second],
  delay: [0, 900 * second],
  retention: [60 * second, 14 * day],
  receiveWait: [0, 20 * second],
  maximumMessageSize: [1024, 1024 * 1024],
} as const satisfies { readonly [K in keyof QueueAttributes]?: readonly [number, number] }

/** Letters, digits, hyphens and underscores, 80 at most with the ending of a FIFO queue. */
const queueName = /^(?=.{1,80}$)[A-Za-z0-9_-]+(\.fifo)?$/

/** @throws QueueStoreError when a queue cannot have this name */
export function refuseQueueName(queue: string): void {
  if (queueName.test(queue)) return
  throw new QueueStoreError(
    'INVALID_PARAMETER',
    'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length; a FIFO queue ends in .fifo.',
  )
}

/** @throws QueueStoreError when a queue of this name cannot have these attributes */
export function refuseAttributes(queue: string, attributes: Partial<QueueAttributes>): void {
  for (const [name, [least, most]] of Object.entries(attributeBounds)) {
    const value = attributes[name as keyof typeof attributeBounds]
    if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) continue
    throw invalid(`${name} must be from ${least} to ${most}.`)
  }
  const { deadLetter, contentBasedDeduplication, deduplicationScope } = attributes
  if (!isFifoName(queue) && (contentBasedDeduplication || deduplicationScope === 'messageGroup'))
    throw new QueueStoreError(
      'INVALID_ATTRIBUTE_NAME',
      'Only a FIFO queue, whose name ends in .fifo, deduplicates.',
    )
  if (deadLetter === undefined) return
  const { queue: target, maxReceiveCount } = deadLetter
  if (!Number.isInteger(maxReceiveCount) || maxReceiveCount < 1 || maxReceiveCount > 1000)
    throw invalid('maxReceiveCount must be from 1 to 1000.')
  if (target === queue) throw invalid('A queue cannot be its own dead-letter queue.')
  if (isFifoName(target) !== isFifoName(queue))
    throw invalid(
      'The dead-letter queue of a FIFO queue must be a FIFO queue, and that of a standard one standard.',
    )
}

function invalid(message: string): QueueStoreError {
  return new QueueStoreError('INVALID_ATTRIBUTE_VALUE', message)
}
