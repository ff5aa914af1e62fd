import { compile, decoder, type Problem, problems, undecodable } from '@signalbox/codec'
import type { Deadline, InvocationContext } from '@signalbox/core'
import type { Type } from 'io-ts'
import { QueueRecord } from '../contract/record.ts'
import { InvalidMessageError } from '../errors.ts'
import { type Message, messageOf } from './message.ts'

/** A codec that decodes the text of a message, such as `fromJson(Order)`. */
export type BodyCodec<Body> = Type<Body, unknown, unknown>

/** The checks that `verify` adds to the contract. */
export type Verification = 'md5'

/** Makes messages of records. */
export interface MessageReader<Body> {
  /**
   * The message of a record. Undefined when the record breaks the contract, the codec refuses its body, or the digest
   * is wrong. It does not say why, because that takes longer. Never throws.
   */
  read(record: unknown, deadline: Deadline, context: InvocationContext): Message<Body> | undefined
  /** The reason why a record is unreadable. */
  refusal(record: unknown): InvalidMessageError
}

const isRecord = compile(QueueRecord)

/** Makes a reader. With a codec the body is the decoded text, otherwise the text. */
export function messageReader<Body>(
  codec: BodyCodec<Body> | undefined,
  verify?: Verification,
): MessageReader<Body> {
  const decodeBody = codec === undefined ? undefined : decoder(codec)
  return {
    read(record, deadline, context) {
      if (!isRecord(record)) return undefined
      if (verify === 'md5' && !hasDigest(record)) return undefined
      const body = decodeBody === undefined ? (record.body as Body) : decodeBody(record.body)
      return body === undecodable ? undefined : messageOf(record, body, deadline, context)
    },
    refusal(record) {
      const { messageId } = record as { messageId: string }
      if (!isRecord(record)) return new InvalidMessageError(messageId, recordProblems(record))
      if (verify === 'md5' && !hasDigest(record)) return new InvalidMessageError(messageId, [wrongDigest])
      const found = codec === undefined ? [] : bodyProblems(codec, record.body)
      const below = found.map(problem => ({ ...problem, pointer: `/body${problem.pointer}` }))
      return new InvalidMessageError(messageId, below)
    },
  }
}

/** The problems of a record, with a hint for an event of AWS that no dialect translated. */
function recordProblems(record: unknown): readonly Problem[] {
  const found = problems(QueueRecord, record)
  if ((record as { readonly eventSource?: unknown }).eventSource !== 'aws:sqs') return found
  return [
    {
      pointer: '/eventSource',
      expected: "'cloud:queue'",
      actual: "'aws:sqs', an event of AWS: wrap the handler in aws() of @signalbox/aws",
    },
  ]
}

/** The problems of a body. A codec of the JSON value in place of its text gets a hint, and the text is not quoted. */
function bodyProblems<Body>(codec: BodyCodec<Body>, text: string): readonly Problem[] {
  if (!acceptsJsonOf(codec, text)) return problems(codec, text)
  return [
    { pointer: '', expected: `${codec.name}, so write body: fromJson(${codec.name})`, actual: 'JSON text' },
  ]
}

function acceptsJsonOf<Body>(codec: BodyCodec<Body>, text: string): boolean {
  try {
    return codec.decode(JSON.parse(text))._tag === 'Right'
  } catch {
    return false
  }
}

function hasDigest({ body, md5OfBody }: QueueRecord): boolean {
  // Loaded on use: few functions verify digests, and loading takes as long as all of this package.
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('md5').update(body, 'utf8').digest('hex') === md5OfBody.toLowerCase()
}

const wrongDigest = {
  pointer: '/md5OfBody',
  expected: 'the MD5 digest of the body',
  actual: 'another digest',
}
