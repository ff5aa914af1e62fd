import { createHash } from 'node:crypto'
import type { QueueAttributes } from './queue-attributes.ts'
import type { NewMessage } from './queue-store.ts'

/** Returns the deduplication id of a FIFO message or, if it has none, the digest of its body. */
export function deduplicationIdOf({ deduplicationId, body }: NewMessage): string {
  return deduplicationId ?? createHash('sha256').update(body).digest('hex')
}

/** Returns the string that must be unique among the recent messages of a FIFO queue. */
export function sendToken(
  message: NewMessage,
  { deduplicationScope }: Pick<QueueAttributes, 'deduplicationScope'>,
): string {
  const id = deduplicationIdOf(message)
  return deduplicationScope === 'messageGroup' ? `${message.group} ${id}` : id
}
