import { compile, decode, InvalidError, type Problem, problems } from '@signalbox/codec'
import type { Deadline } from '@signalbox/core'
import type { Type } from 'io-ts'
import { QueueRecord } from './contract/record.ts'
import { InvalidMessageError } from './errors.ts'
import { type Message, messageOf } from './message.ts'

/** A codec from a message's text, such as `fromJson(Order)`. */
export type BodyCodec<Body> = Type<Body, unknown, unknown>

const isRecord = compile(QueueRecord)

/** What `verify` may ask for beyond the contract. */
export type Verification = 'md5'

/**
 * Makes messages out of records, each on its own.
 * The function it returns throws InvalidMessageError for a record that breaks the contract, a body that the codec
 * refuses, and, if asked, a digest that is not the body's.
 */
export function messageOpener<Body>(
  codec: BodyCodec<Body> | undefined,
  verify?: Verification,
): (record: unknown, deadline: Deadline) => Message<Body> {
  return (record, deadline) => {
    if (!isRecord(record)) throw new InvalidMessageError(idOf(record), problems(QueueRecord, record))
    if (verify === 'md5') verifyDigest(record)
    const body = codec === undefined ? (record.body as Body) : decodeBody(codec, record)
    return messageOf(record, body, deadline)
  }
}

function decodeBody<Body>(codec: BodyCodec<Body>, record: QueueRecord): Body {
  try {
    return decode(codec, record.body)
  } catch (cause) {
    if (!(cause instanceof InvalidError)) throw cause
    const below = cause.problems.map(problem => ({ ...problem, pointer: `/body${problem.pointer}` }))
    throw new InvalidMessageError(record.messageId, below, { cause })
  }
}

function verifyDigest({ messageId, body, md5OfBody }: QueueRecord): void {
  // Looked up when needed: few ask for it, and loading it takes as long as everything else here together.
  const { createHash } = process.getBuiltinModule('node:crypto')
  if (createHash('md5').update(body, 'utf8').digest('hex') === md5OfBody.toLowerCase()) return
  const problem: Problem = {
    pointer: '/md5OfBody',
    expected: 'the MD5 digest of the body',
    actual: 'another digest',
  }
  throw new InvalidMessageError(messageId, [problem])
}

const idOf = (record: unknown): string => (record as { messageId: string }).messageId
