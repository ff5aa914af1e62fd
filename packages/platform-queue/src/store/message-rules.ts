import { attributeBounds, type QueueAttributes } from './queue-attributes.ts'
import { isFifoName } from './queue-name.ts'
import type { MessageAttribute, NewMessage, ReceiveOptions } from './queue-store.ts'
import { invalidValue, QueueStoreError, type QueueStoreErrorCode } from './queue-store-error.ts'

/** Characters that a message must not contain: control characters, unpaired surrogates, U+FFFE and U+FFFF. */
const forbidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

const token = /^[\x21-\x7e]{1,128}$/
const attributeName = /^(?!aws\.|amazon\.)(?!\.)(?!.*\.\.)[A-Za-z0-9_.-]{1,256}(?<!\.)$/i
const dataType = /^(String|Number|Binary)(\..+)?$/
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$/

/** The maximum number of attributes of one message. */
const attributeLimit = 10

/**
 * Returns the reason why a queue refuses a message, as SQS does. Returns undefined if the queue accepts the
 * message.
 */
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

/**
 * Returns the reason why a queue refuses a receive request. Returns undefined if the queue accepts it.
 */
export function receiveRefusal(
  queue: string,
  { attemptId }: Pick<ReceiveOptions, 'attemptId'>,
): QueueStoreError | undefined {
  if (attemptId === undefined) return undefined
  return isFifoName(queue)
    ? tokenRefusal('ReceiveRequestAttemptId', attemptId)
    : invalidValue(attemptId, 'ReceiveRequestAttemptId', wrongType)
}

/**
 * Returns the error for a FIFO message that lacks its group or its deduplication id. Returns undefined when it has
 * both.
 */
export function missingInFifo(
  { group, deduplicationId }: Pick<NewMessage, 'group' | 'deduplicationId'>,
  { contentBasedDeduplication }: Pick<QueueAttributes, 'contentBasedDeduplication'>,
): QueueStoreError | undefined {
  if (group === undefined)
    return refuse('MISSING_PARAMETER', 'The request must contain the parameter MessageGroupId.')
  if (deduplicationId !== undefined || contentBasedDeduplication) return undefined
  return refuse(
    'INVALID_PARAMETER',
    'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
  )
}

/** Returns the size of a message in bytes: its body, and the name, type and value of each attribute. */
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
  const wrong = forbiddenIn(body)
  if (wrong === undefined) return undefined
  return refuse(
    'INVALID_CONTENTS',
    `Invalid binary character '${wrong}' was found in the message body, ${allowed}`,
  )
}

/** Returns the code of the first character that messages must not contain. */
function forbiddenIn(text: string): string | undefined {
  const found = forbidden.exec(text)
  return found === null ? undefined : `#x${found[0].codePointAt(0)!.toString(16)}`
}

const allowed =
  'the set of allowed characters is #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF'

function sizeRefusal(message: NewMessage, { maximumMessageSize }: QueueAttributes) {
  if (messageSize(message) <= maximumMessageSize) return undefined
  return refuse(
    'INVALID_PARAMETER',
    `One or more parameters are invalid. Reason: Message must be shorter than ${maximumMessageSize} bytes.`,
  )
}

function attributesRefusal({ attributes = {}, traceHeader = '' }: NewMessage): QueueStoreError | undefined {
  const wrong = forbiddenIn(traceHeader)
  if (wrong !== undefined)
    return refuse(
      'INVALID_PARAMETER',
      `Invalid binary character '${wrong}' was found in the message system attribute 'AWSTraceHeader', ${allowed}`,
    )
  const all = Object.entries(attributes)
  if (all.length > attributeLimit)
    return refuse(
      'INVALID_PARAMETER',
      `Number of message attributes [${all.length}] exceeds the allowed maximum [10].`,
    )
  for (const [name, attribute] of all) {
    if (!attributeName.test(name))
      return invalidValue(
        name,
        'MessageAttributeName',
        'It has 1 to 256 of the letters A to Z, digits, underscores, hyphens and periods, which do not stand at its ends or side by side; AWS. and Amazon. are reserved.',
      )
    const problem = valueProblem(attribute)
    if (problem !== undefined)
      return refuse('INVALID_PARAMETER', `Message (user) attribute '${name}' ${problem}.`)
  }
  return undefined
}

function valueProblem({ dataType: type, stringValue, binaryValue }: MessageAttribute): string | undefined {
  if (type.length > 256 || !dataType.test(type) || forbidden.test(type))
    return `must have a type that begins with String, Binary or Number and has at most 256 characters, not '${type.slice(0, 256)}'`
  if (stringValue !== undefined && binaryValue !== undefined) return 'must contain one value, not two'
  const text = type.startsWith('Binary') ? binaryValue : stringValue
  if (!text) return `must contain a non-empty value of type '${type}'`
  if (type.startsWith('Binary')) return isBase64(text) ? undefined : 'must have a value in Base64'
  const wrong = forbiddenIn(text)
  if (wrong !== undefined) return `contains the invalid character '${wrong}', ${allowed}`
  return type.startsWith('Number') && !decimal.test(text)
    ? `must have a number as its value, not '${text.slice(0, 256)}'`
    : undefined
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
}

const wrongType = 'The request include parameter that is not valid for this queue type.'

function fifoRefusal(message: NewMessage, attributes: QueueAttributes): QueueStoreError | undefined {
  const { group, deduplicationId, delay } = message
  if (delay !== undefined && delay !== 0) return invalidValue(delay / 1000, 'DelaySeconds', wrongType)
  return (
    missingInFifo(message, attributes) ??
    tokenRefusal('MessageGroupId', group) ??
    tokenRefusal('MessageDeduplicationId', deduplicationId)
  )
}

function standardRefusal({ group, deduplicationId, delay = 0 }: NewMessage): QueueStoreError | undefined {
  if (deduplicationId !== undefined) return invalidValue(deduplicationId, 'MessageDeduplicationId', wrongType)
  const [least, most] = attributeBounds.delay
  if (!Number.isInteger(delay) || delay < least || delay > most)
    return invalidValue(delay / 1000, 'DelaySeconds', 'DelaySeconds must be >= 0 and <= 900.')
  return tokenRefusal('MessageGroupId', group)
}

function tokenRefusal(parameter: string, value: string | undefined): QueueStoreError | undefined {
  if (value === undefined || token.test(value)) return undefined
  return invalidValue(
    value,
    parameter,
    `${parameter} can only include alphanumeric and punctuation characters. 1 to 128 in length.`,
  )
}

function refuse(code: QueueStoreErrorCode, message: string): QueueStoreError {
  return new QueueStoreError(code, message)
}
