import { createHash } from 'node:crypto'
import type { QueueAttributes } from './queue-attributes.ts'
import type { NewMessage } from './queue-store.ts'

/** Returns the deduplication id of a FIFO message or, if it has none, the digest of its body. */
export function deduplicationIdOf({ deduplicationId, body }: NewMessage): string {
  return deduplicationId ?? createHash('sha256').update(body).digest('hex')
}

/** The strings that identify a message for deduplication. */
export interface SendTokens {
  /** The string that must be unique among the recent messages of the FIFO queue. */
  readonly token: string
  /** The string that would have to be unique with the other DeduplicationScope. */
  readonly otherToken: string
}

/**
 * Returns the strings that identify a message for deduplication. A message keeps the DeduplicationScope that its queue
 * had when it was sent, so that a later message is a duplicate if the queue knows either of its strings.
 */
export function sendTokens(
  message: NewMessage,
  { deduplicationScope }: Pick<QueueAttributes, 'deduplicationScope'>,
): SendTokens {
  const id = deduplicationIdOf(message)
  const inGroup = `${message.group} ${id}`
  return deduplicationScope === 'messageGroup'
    ? { token: inGroup, otherToken: id }
    : { token: id, otherToken: inGroup }
}
