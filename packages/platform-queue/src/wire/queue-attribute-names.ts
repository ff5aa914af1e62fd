import type { Location } from '@signalbox/platform-runtime'
import { deepestJson, isTooDeep } from '@signalbox/platform-runtime/listener'
import { sqsResourceName } from '../resource-name.ts'
import {
  attributeBounds,
  attributeNames as names,
  type QueueAttributes,
  unitOf,
} from '../store/queue-attributes.ts'
import { isFifoName } from '../store/queue-name.ts'
import type { QueueStore } from '../store/queue-store.ts'
import { invalidValue, QueueStoreError } from '../store/queue-store-error.ts'
import {
  readRedriveAllowPolicy,
  readRedrivePolicy,
  writeRedriveAllowPolicy,
  writeRedrivePolicy,
} from './redrive-policies.ts'

type Changes = { -readonly [K in keyof QueueAttributes]?: QueueAttributes[K] }
type Read = (text: string) => Changes

const numbers = Object.keys(attributeBounds) as (keyof typeof attributeBounds)[]

/** The functions that read the attributes that clients may set. */
const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ...numbers.map(
    key =>
      [
        names[key],
        text => {
          if (!/^\d{1,9}$/.test(text)) throw invalid(text, names[key], 'It must be a whole number.')
          return { [key]: Number(text) * unitOf(key) }
        },
      ] as const satisfies readonly [string, Read],
  ),
  [names.deadLetter, text => ({ deadLetter: readRedrivePolicy(text) })],
  [names.redriveAllow, text => ({ redriveAllow: readRedriveAllowPolicy(text) })],
  [names.policy, text => ({ policy: readPolicy(text) })],
  [names.kmsMasterKeyId, text => ({ kmsMasterKeyId: text === '' ? undefined : text })],
  [names.managedEncryption, text => ({ managedEncryption: flag(names.managedEncryption, text) })],
  [
    names.contentBasedDeduplication,
    text => ({ contentBasedDeduplication: flag(names.contentBasedDeduplication, text) }),
  ],
  [
    names.deduplicationScope,
    text => ({ deduplicationScope: oneOf(names.deduplicationScope, text, ['queue', 'messageGroup']) }),
  ],
  [
    names.fifoThroughputLimit,
    text => ({
      fifoThroughputLimit: oneOf(names.fifoThroughputLimit, text, ['perQueue', 'perMessageGroupId']),
    }),
  ],
])

/** The attributes that standard queues do not have. */
const fifoOnly: readonly string[] = [
  'FifoQueue',
  names.contentBasedDeduplication,
  names.deduplicationScope,
  names.fifoThroughputLimit,
]

/**
 * Reads attributes in the form in which clients send them.
 * @throws QueueStoreError for an unknown name or an invalid value
 */
export function readAttributes(
  queue: string,
  input: { readonly [name: string]: string },
): Partial<QueueAttributes> {
  const read: Changes = {}
  for (const [name, text] of Object.entries(input)) {
    if (fifoOnly.includes(name) && !isFifoName(queue)) throw notFifo(name)
    const reader = readers.get(name)
    if (reader !== undefined) Object.assign(read, reader(text))
    else if (name !== 'FifoQueue') throw unknownAttribute(name)
    else if (!isTrue(text))
      throw new QueueStoreError(
        'INVALID_ATTRIBUTE_VALUE',
        'Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported.',
      )
  }
  return read
}

/** Returns whether a client wrote `true`, ignoring upper and lower case. */
export function isTrue(text: string | undefined): boolean {
  return text?.toLowerCase() === 'true'
}

/**
 * Writes attributes in the form in which clients get them. Absent attributes are omitted.
 * @param resourceNameOf returns the resource name of another queue that an attribute names
 */
export function attributeTexts(
  queue: string,
  attributes: Partial<QueueAttributes>,
  resourceNameOf: (queue: string) => string,
): { readonly [name: string]: string } {
  const { deadLetter, redriveAllow, kmsMasterKeyId } = attributes
  const texts: { [name: string]: string | undefined } = {
    [names.deadLetter]: deadLetter && writeRedrivePolicy(deadLetter, resourceNameOf),
    [names.redriveAllow]: redriveAllow && writeRedriveAllowPolicy(redriveAllow, resourceNameOf),
    [names.policy]: attributes.policy,
    [names.kmsMasterKeyId]: kmsMasterKeyId,
    [names.managedEncryption]: attributes.managedEncryption?.toString(),
    ...(isFifoName(queue) && {
      [names.contentBasedDeduplication]: attributes.contentBasedDeduplication?.toString(),
      [names.deduplicationScope]: attributes.deduplicationScope,
      [names.fifoThroughputLimit]: attributes.fifoThroughputLimit,
    }),
  }
  for (const key of numbers) {
    const value = attributes[key]
    if (value !== undefined) texts[names[key]] = String(value / unitOf(key))
  }
  // The reuse period is meaningless without a key.
  if (kmsMasterKeyId === undefined) delete texts[names.kmsDataKeyReusePeriod]
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  )
}

/** Writes all attributes of a queue, including its message counts and timestamps. */
export async function writeAttributes(
  store: QueueStore,
  queue: string,
  location: Location,
): Promise<{ readonly [name: string]: string }> {
  const attributes = await store.attributes(queue)
  const depth = await store.depth(queue)
  return {
    QueueArn: sqsResourceName(queue, location),
    ApproximateNumberOfMessages: String(depth.visible),
    ApproximateNumberOfMessagesNotVisible: String(depth.inFlight),
    ApproximateNumberOfMessagesDelayed: String(depth.delayed),
    CreatedTimestamp: String(Math.floor(attributes.createdAt / 1000)),
    LastModifiedTimestamp: String(Math.floor(attributes.modifiedAt / 1000)),
    ...attributeTexts(queue, attributes, name => sqsResourceName(name, location)),
    ...(isFifoName(queue) && { FifoQueue: 'true' }),
  }
}

/** All attribute names that a client may request. */
const known: readonly string[] = [
  'All',
  'QueueArn',
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
  'CreatedTimestamp',
  'LastModifiedTimestamp',
  'FifoQueue',
  ...readers.keys(),
]

/**
 * Checks the requested attribute names.
 * @throws QueueStoreError for an unknown name
 */
export function refuseUnknownAttributes(asked: readonly string[]): void {
  const unknown = asked.find(name => !known.includes(name))
  if (unknown !== undefined) throw unknownAttribute(unknown)
}

function notFifo(name: string): QueueStoreError {
  if (name !== names.deduplicationScope && name !== names.fifoThroughputLimit) return unknownAttribute(name)
  return new QueueStoreError(
    'INVALID_ATTRIBUTE_NAME',
    `You can specify the ${name} only when FifoQueue is set to true.`,
  )
}

function unknownAttribute(name: string): QueueStoreError {
  return new QueueStoreError('INVALID_ATTRIBUTE_NAME', `Unknown Attribute ${name.slice(0, 256)}.`)
}

/** Reads a policy, which is stored unchanged. An empty string removes the policy. */
function readPolicy(text: string): string | undefined {
  if (text === '') return undefined
  let policy: unknown
  try {
    policy = JSON.parse(text)
  } catch {
    throw invalid(text, names.policy, 'It must be JSON.')
  }
  // AddPermission serializes it again.
  if (isTooDeep(policy))
    throw invalid(text, names.policy, `It must be nested at most ${deepestJson} levels deep.`)
  return text
}

function flag(name: string, text: string): boolean {
  return oneOf(name, text.toLowerCase(), ['true', 'false']) === 'true'
}

function oneOf<T extends string>(name: string, text: string, values: readonly T[]): T {
  const value = values.find(each => each === text)
  if (value !== undefined) return value
  throw invalid(text, name, `It must be ${values.join(' or ')}.`)
}

function invalid(text: string, name: string, reason: string): QueueStoreError {
  return invalidValue(text, name, reason, 'INVALID_ATTRIBUTE_VALUE')
}
