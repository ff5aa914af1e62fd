import { attributeBounds, type QueueAttributes } from './queue-attributes.ts'
import { isFifoName, type MessageAttribute, type NewMessage } from './queue-store.ts'
import { QueueStoreError, type QueueStoreErrorCode } from './queue-store-error.ts'

/** What a message may not hold: control characters, halves of surrogate pairs, and two code points that are none. */
const forbidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

const token = /^[\x21-\x7e]{1,128}$/
const attributeName = /^(?!aws\.|amazon\.)(?!\.)(?!.*\.\.)[A-Za-z0-9_.-]{1,256}(?<!\.)$/i
const dataType = /^(String|Number|Binary)(\..+)?$/
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$/

/** Attributes of one message. */
const attributeLimit = 10

/** Why a queue refuses a message; undefined when it takes it. Contract B, and what stock services refuse. */
export function refusal(
  queue: string,
  attributes: QueueAttributes,
  message: NewMessage,
): QueueStoreError | undefined {
  return (
    bodyRefusal(message) ??
    attributesRefusal(message) ??
    sizeRefusal(message, attributes) ??
    (isFifoName(queue) ? fifoRefusal(message, attributes) : standardRefusal(message))
  )
}

/** Bytes of a message as its size is counted: the body, and name, type and value of each attribute. */
export function messageSize({ body, attributes = {} }: Pick<NewMessage, 'body' | 'attributes'>): number {
  let size = Buffer.byteLength(body)
  for (const [name, each] of Object.entries(attributes)) {
    const value = each.stringValue ?? ''
    size += Buffer.byteLength(name) + Buffer.byteLength(each.dataType) + Buffer.byteLength(value)
    size += Buffer.byteLength(each.binaryValue ?? '', 'base64')
  }
  return size
}

function bodyRefusal({ body }: NewMessage): QueueStoreError | undefined {
  if (body === '') return refuse('MISSING_PARAMETER', 'The request must contain the parameter MessageBody.')
  if (!forbidden.test(body)) return undefined
  return refuse('INVALID_CONTENTS', 'The message contains characters outside the allowed set.')
}

function sizeRefusal(message: NewMessage, { maximumMessageSize }: QueueAttributes) {
  if (messageSize(message) <= maximumMessageSize) return undefined
  return refuse(
    'INVALID_PARAMETER',
    `One or more parameters are invalid. Reason: Message must be shorter than ${maximumMessageSize} bytes.`,
  )
}

function attributesRefusal({ attributes = {}, traceHeader = '' }: NewMessage): QueueStoreError | undefined {
  if (forbidden.test(traceHeader))
    return refuse('INVALID_PARAMETER', 'The trace header contains characters outside the allowed set.')
  const all = Object.entries(attributes)
  if (all.length > attributeLimit)
    return refuse(
      'INVALID_PARAMETER',
      `Number of message attributes [${all.length}] exceeds the allowed maximum [10].`,
    )
  for (const [name, attribute] of all) {
    if (!attributeName.test(name))
      return refuse(
        'INVALID_PARAMETER',
        `Invalid message attribute name ${JSON.stringify(name.slice(0, 80))}.`,
      )
    const wrong = valueProblem(attribute)
    if (wrong !== undefined) return refuse('INVALID_PARAMETER', `The message attribute '${name}' ${wrong}.`)
  }
  return undefined
}

function valueProblem({ dataType: type, stringValue, binaryValue }: MessageAttribute): string | undefined {
  if (type.length > 256 || !dataType.test(type) || forbidden.test(type))
    return 'has an invalid message attribute type, the set of supported type prefixes is Binary, Number, and String'
  if (stringValue !== undefined && binaryValue !== undefined) return 'has more than one value'
  if (type.startsWith('Binary')) {
    if (!binaryValue) return 'must contain a non-empty BinaryValue'
    return isBase64(binaryValue) ? undefined : 'has a BinaryValue that is not Base64'
  }
  if (!stringValue) return 'must contain a non-empty StringValue'
  if (forbidden.test(stringValue)) return 'contains characters outside the allowed set'
  return type.startsWith('Number') && !decimal.test(stringValue) ? 'is no number' : undefined
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
}

function fifoRefusal(message: NewMessage, { contentBasedDeduplication }: QueueAttributes) {
  const { group, deduplicationId, delay } = message
  if (group === undefined)
    return refuse('MISSING_PARAMETER', 'The request must contain the parameter MessageGroupId.')
  if (delay !== undefined && delay !== 0)
    return refuse(
      'INVALID_PARAMETER',
      'Value for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type.',
    )
  if (deduplicationId === undefined && !contentBasedDeduplication)
    return refuse(
      'INVALID_PARAMETER',
      'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly.',
    )
  return tokenRefusal('MessageGroupId', group) ?? tokenRefusal('MessageDeduplicationId', deduplicationId)
}

function standardRefusal({ group, deduplicationId, delay = 0 }: NewMessage): QueueStoreError | undefined {
  if (deduplicationId !== undefined)
    return refuse(
      'INVALID_PARAMETER',
      'Value for parameter MessageDeduplicationId is invalid. Reason: The request include parameter that is not valid for this queue type.',
    )
  const [least, most] = attributeBounds.delay
  if (!Number.isInteger(delay) || delay < least || delay > most)
    return refuse(
      'INVALID_PARAMETER',
      'Value for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.',
    )
  return tokenRefusal('MessageGroupId', group)
}

function tokenRefusal(parameter: string, value: string | undefined): QueueStoreError | undefined {
  if (value === undefined || token.test(value)) return undefined
  return refuse(
    'INVALID_PARAMETER',
    `Value for parameter ${parameter} is invalid. Reason: ${parameter} can only include alphanumeric and punctuation characters. 1 to 128 in length.`,
  )
}

function refuse(code: QueueStoreErrorCode, message: string): QueueStoreError {
  return new QueueStoreError(code, message)
}
