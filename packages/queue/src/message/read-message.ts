import {
  type CodecOrSchema,
  decoder,
  type Hint,
  type Problem,
  undecodable,
  validate,
  validateAsync,
} from '@signalbox/codec'
import { isLater, refusalsOfReady } from '@signalbox/codec/ready'
import { type Deadline, type InvocationContext, inDevelopment } from '@signalbox/core'
import { readyRecord } from '../contract/ready.ts'
import type { QueueRecord } from '../contract/record.ts'
import { InvalidMessageError } from '../errors.ts'
import { type Message, RecordMessage } from './message.ts'
import { warnOfProviderNames } from './warn-of-provider-names.ts'

/** A codec, or a schema from another library, that decodes the body of a message, such as `fromJson(Order)`. */
export type BodyCodec<Body, Wire = unknown> = CodecOrSchema<Body, Wire> & OfText<Wire>

/**
 * Adds a compile error with a hint to a codec that decodes JSON values instead of strings. `Wire` is the input type of
 * the codec.
 */
type OfText<Wire> = string extends Wire
  ? unknown
  : [Wire] extends [string]
    ? unknown
    : Hint<'a message is text: write fromJson(…) around the codec or schema'>

/** The checks that the option `verify` adds to those of the contract. */
export type Verification = 'md5'

interface Invocation {
  readonly deadline: Deadline
  readonly context: InvocationContext
}

/**
 * Returns the message of a record. With an asynchronous schema it returns a promise of the message, which can reject.
 * @throws InvalidMessageError when the record breaks the contract, the codec refuses its body, or the digest is wrong, or
 * undefined if no log, hook or error needs the reason, which takes longer to find than ten messages to read. An error that
 * a getter of the record throws is also thrown
 */
export type MessageReader<Body> = (
  record: QueueRecord,
  invocation: Invocation,
) => Message<Body> | Promise<Message<Body>>

/**
 * Makes a reader. Without a codec, the body of a message is the original string. With a codec, it is the decoded value.
 * @param isExplained whether the reasons for unreadable records are read
 */
export function messageReader<Body>(
  codec: BodyCodec<Body> | undefined,
  verify: Verification | undefined,
  isExplained: boolean,
): MessageReader<Body> {
  const decodeBody = codec === undefined ? (body: string) => body as Body : decoder(codec)
  const warn = process.env.NODE_ENV !== 'production' && inDevelopment() ? warnOfProviderNames : undefined
  const messageOf = (record: QueueRecord, body: Body, { deadline, context }: Invocation) => {
    // Only readable records get the warning, because reading the problems of another record would cause it.
    warn?.(record)
    return new RecordMessage(record, body, deadline, context)
  }
  const refusal = (record: QueueRecord) => {
    const { messageId } = record
    if (!readyRecord.is(record)) return new InvalidMessageError(messageId, recordProblems(record))
    if (verify && !hasDigest(record)) return new InvalidMessageError(messageId, [wrongDigest])
    return invalidBody(messageId, codec === undefined ? [] : bodyProblems(codec, record.body))
  }
  return (record, invocation) => {
    const isReadable = readyRecord.is(record) && !(verify && !hasDigest(record))
    const body = isReadable ? decodeBody(record.body) : undecodable
    if (isLater(body)) {
      return body.then(async settled => {
        if (settled !== undecodable) return messageOf(record, settled, invocation)
        const result = await validateAsync(codec!, record.body)
        throw invalidBody(record.messageId, result._tag === 'Left' ? result.left : [])
      })
    }
    if (body === undecodable) throw isExplained ? refusal(record) : undefined
    return messageOf(record, body, invocation)
  }
}

/** Makes an error that can quote refused fields, but never the whole body. */
function invalidBody(messageId: string, found: readonly Problem[]): InvalidMessageError {
  return new InvalidMessageError(
    messageId,
    found.map(problem => ({
      ...problem,
      pointer: `/body${problem.pointer}`,
      actual: problem.pointer === '' && problem.actual?.startsWith('string ') ? 'other text' : problem.actual,
    })),
  )
}

/** Returns the problems of a record, or only a hint if the record still has AWS names. */
function recordProblems(record: object): readonly Problem[] {
  const found = refusalsOfReady(readyRecord, record) ?? []
  const isOfAws = (record as { readonly eventSource?: unknown }).eventSource === 'aws:sqs'
  if (!isOfAws || process.env.NODE_ENV === 'production') return found
  return [
    {
      pointer: '/eventSource',
      expected: "'cloud:queue'",
      actual: "'aws:sqs', an event of AWS: wrap the handler in aws() of @signalbox/aws",
    },
  ]
}

/**
 * Returns the problems of a body without quoting its text. The problems contain a hint when the codec expects a JSON
 * value instead of a string.
 */
function bodyProblems<Body>(codec: BodyCodec<Body>, text: string): readonly Problem[] {
  const refused = validate(codec, text)
  const found = refused._tag === 'Left' ? refused.left : []
  if (process.env.NODE_ENV === 'production' || !meansJsonOf(codec, text)) return found
  const name = 'name' in codec ? codec.name : 'schema'
  return [{ pointer: '', expected: `${name}, so write body: fromJson(${name})`, actual: 'JSON text' }]
}

/** Returns whether a codec accepts the JSON value of a text, or only refuses parts of it. */
function meansJsonOf<Body>(codec: BodyCodec<Body>, text: string): boolean {
  try {
    const result = validate(codec, JSON.parse(text))
    return result._tag === 'Right' || result.left.every(({ pointer }) => pointer)
  } catch {
    return false
  }
}

function hasDigest({ body, md5OfBody }: QueueRecord): boolean {
  // This module is loaded only here, because few functions verify digests, and loading it takes as long as loading this
  // whole package.
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('md5').update(body, 'utf8').digest('hex') === md5OfBody.toLowerCase()
}

const wrongDigest = {
  pointer: '/md5OfBody',
  expected: 'the MD5 digest of the body',
  actual: 'another digest',
}
