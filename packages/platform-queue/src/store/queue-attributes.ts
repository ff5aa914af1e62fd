import { isFifoName } from './queue-name.ts'
import { invalidValue, QueueStoreError } from './queue-store-error.ts'

/** The dead-letter queue of a queue. */
export interface DeadLetter {
  readonly queue: string
  /** The number of times that a message is received before it moves to the dead-letter queue. */
  readonly maxReceiveCount: number
}

/** The queues that may use a queue as their dead-letter queue. */
export type RedriveAllow =
  | { readonly permission: 'allowAll' | 'denyAll' }
  | { readonly permission: 'byQueue'; readonly queues: readonly string[] }

/** How a function gets the messages of a queue by the API. Times are in milliseconds. */
export interface StoredMapping {
  readonly isEnabled: boolean
  /** Absent for a function of the configuration, which has everything else. */
  readonly delivery?: {
    readonly batchSize: number
    readonly batchWindow: number
    readonly maximumConcurrency?: number
    readonly reportBatchItemFailures: boolean
    readonly filter?: readonly object[]
  }
  /** The time when it last changed, in milliseconds since the epoch. */
  readonly modifiedAt: number
}

/** The mappings of a queue by the names of functions. */
export type StoredMappings = { readonly [functionName: string]: StoredMapping }

/** The attributes of a queue. Times are in milliseconds. */
export interface QueueAttributes {
  /** The time for which a received message stays hidden. */
  readonly visibilityTimeout: number
  /** The time for which a sent message stays hidden. */
  readonly delay: number
  /** The time for which the queue keeps a message, even a message in flight. */
  readonly retentionPeriod: number
  /** The default wait time of a receive request. */
  readonly receiveWaitTime: number
  /** The maximum size of a message in bytes, with its body and its attributes. */
  readonly maximumMessageSize: number
  /** Whether a message without a deduplication id gets the digest of its body as the id. Only for FIFO queues. */
  readonly contentBasedDeduplication: boolean
  /** The scope in which deduplication ids must be unique. Only for FIFO queues. */
  readonly deduplicationScope: 'queue' | 'messageGroup'
  /** Only for FIFO queues. The value is stored for clients and has no effect here. */
  readonly fifoThroughputLimit: 'perQueue' | 'perMessageGroupId'
  readonly deadLetter: DeadLetter | undefined
  readonly redriveAllow: RedriveAllow | undefined
  /** A JSON string. It is stored for clients and has no effect here. */
  readonly policy: string | undefined
  /** All encryption settings are stored for clients and have no effect here. */
  readonly kmsMasterKeyId: string | undefined
  readonly kmsDataKeyReusePeriod: number
  readonly managedEncryption: boolean
  /** Not an attribute of SQS. A change names the mappings that it sets, and with null those that it removes. */
  readonly mappings: { readonly [functionName: string]: StoredMapping | null }
}

/** The attributes of a queue, with its times in milliseconds since the epoch. */
export interface QueueDescription extends QueueAttributes {
  readonly createdAt: number
  /** The time when an attribute last changed. */
  readonly modifiedAt: number
}

const second = 1000
const day = 24 * 60 * 60 * second

export const defaultAttributes: QueueAttributes = {
  visibilityTimeout: 30 * second,
  delay: 0,
  retentionPeriod: 4 * day,
  receiveWaitTime: 0,
  maximumMessageSize: 1024 * 1024,
  contentBasedDeduplication: false,
  deduplicationScope: 'queue',
  fifoThroughputLimit: 'perQueue',
  deadLetter: undefined,
  redriveAllow: undefined,
  policy: undefined,
  kmsMasterKeyId: undefined,
  kmsDataKeyReusePeriod: 300 * second,
  managedEncryption: true,
  mappings: {},
}

/** The SQS names of the attributes. Errors use them too. */
export const attributeNames = {
  visibilityTimeout: 'VisibilityTimeout',
  delay: 'DelaySeconds',
  retentionPeriod: 'MessageRetentionPeriod',
  receiveWaitTime: 'ReceiveMessageWaitTimeSeconds',
  maximumMessageSize: 'MaximumMessageSize',
  contentBasedDeduplication: 'ContentBasedDeduplication',
  deduplicationScope: 'DeduplicationScope',
  fifoThroughputLimit: 'FifoThroughputLimit',
  deadLetter: 'RedrivePolicy',
  redriveAllow: 'RedriveAllowPolicy',
  policy: 'Policy',
  kmsMasterKeyId: 'KmsMasterKeyId',
  kmsDataKeyReusePeriod: 'KmsDataKeyReusePeriodSeconds',
  managedEncryption: 'SqsManagedSseEnabled',
} as const satisfies { readonly [K in Exclude<keyof QueueAttributes, 'mappings'>]: string }

/** The smallest and largest values of attributes, as in SQS. Times are in milliseconds, sizes in bytes. */
export const attributeBounds = {
  visibilityTimeout: [0, 43_200 * second],
  delay: [0, 900 * second],
  retentionPeriod: [60 * second, 14 * day],
  receiveWaitTime: [0, 20 * second],
  maximumMessageSize: [1024, 1024 * 1024],
  kmsDataKeyReusePeriod: [60 * second, day],
} as const satisfies { readonly [K in keyof QueueAttributes]?: readonly [number, number] }

/** Returns the factor that converts an SQS value to the unit of the store, because SQS measures time in seconds. */
export function unitOf(attribute: keyof typeof attributeBounds): number {
  return attribute === 'maximumMessageSize' ? 1 : second
}

/**
 * Applies a change to the attributes of a queue.
 * @throws QueueStoreError if a queue of this name cannot have the attributes
 */
export function changedAttributes(
  queue: string,
  before: QueueAttributes,
  change: Partial<QueueAttributes>,
): QueueAttributes {
  for (const [key, [least, most]] of Object.entries(attributeBounds)) {
    const name = key as keyof typeof attributeBounds
    const value = change[name]
    if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) continue
    const unit = unitOf(name)
    const reason = `Must be between ${least / unit} and ${most / unit}.`
    throw invalidValue(value / unit, attributeNames[name], reason, 'INVALID_ATTRIBUTE_VALUE')
  }
  refuseDeadLetter(queue, change.deadLetter)
  const mappings = changedMappings(before, change)
  const after = withOneEncryption({ ...before, ...change, mappings }, change)
  if (!isFifoName(queue)) refuseFifoAttributes(after)
  if (after.fifoThroughputLimit === 'perMessageGroupId' && after.deduplicationScope !== 'messageGroup')
    throw invalidValue(
      after.fifoThroughputLimit,
      'FifoThroughputLimit',
      'perMessageGroupId is allowed only when the value for DeduplicationScope is messageGroup.',
      'INVALID_ATTRIBUTE_VALUE',
    )
  return after
}

function changedMappings(before: QueueAttributes, change: Partial<QueueAttributes>): StoredMappings {
  const all = Object.entries({ ...before.mappings, ...change.mappings })
  return Object.fromEntries(all.flatMap(([name, each]) => (each === null ? [] : [[name, each]])))
}

/** Returns the SQS name of the first attribute that differs. */
export function differingAttribute(
  queue: QueueAttributes,
  wanted: Partial<QueueAttributes>,
): string | undefined {
  const keys = Object.keys(wanted) as (keyof QueueAttributes)[]
  const differing = keys.find(key => JSON.stringify(queue[key]) !== JSON.stringify(wanted[key]))
  return differing && (differing === 'mappings' ? differing : attributeNames[differing])
}

/** Keeps only one kind of encryption. Selecting one kind removes the other. */
function withOneEncryption(after: QueueAttributes, change: Partial<QueueAttributes>): QueueAttributes {
  if (change.kmsMasterKeyId !== undefined && change.managedEncryption === true)
    throw new QueueStoreError(
      'INVALID_ATTRIBUTE_NAME',
      'You can use one type of server-side encryption (SSE) at one time. You can either enable KMS SSE or SQS SSE.',
    )
  if (change.kmsMasterKeyId !== undefined) return { ...after, managedEncryption: false }
  return change.managedEncryption === true ? { ...after, kmsMasterKeyId: undefined } : after
}

function refuseFifoAttributes(attributes: QueueAttributes): void {
  const { contentBasedDeduplication, deduplicationScope, fifoThroughputLimit } = attributes
  if (
    !contentBasedDeduplication &&
    deduplicationScope === defaultAttributes.deduplicationScope &&
    fifoThroughputLimit === defaultAttributes.fifoThroughputLimit
  )
    return
  throw new QueueStoreError(
    'INVALID_ATTRIBUTE_NAME',
    'Only a FIFO queue, whose name ends in .fifo, deduplicates.',
  )
}

function refuseDeadLetter(queue: string, deadLetter: DeadLetter | undefined): void {
  if (deadLetter === undefined) return
  const { queue: target, maxReceiveCount } = deadLetter
  const refuse = (reason: string) => invalidValue(target, 'RedrivePolicy', reason)
  if (!Number.isInteger(maxReceiveCount) || maxReceiveCount < 1 || maxReceiveCount > 1000)
    throw refuse(
      `Invalid value for maxReceiveCount: ${maxReceiveCount}, valid values are from 1 to 1000 both inclusive.`,
    )
  if (target === queue) throw refuse('A queue cannot be its own dead-letter queue.')
  if (isFifoName(target) !== isFifoName(queue))
    throw refuse(
      'The dead-letter queue of a FIFO queue must be a FIFO queue, and that of a standard one standard.',
    )
}
