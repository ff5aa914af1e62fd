import { type Random, randomUuid } from '@signalbox/platform-runtime'
import { deduplicationInterval } from '@signalbox/queue/contract'
import type { NewMessage, SentMessage } from '../queue-store.ts'
import { deduplicationIdOf, sendTokens } from '../send-token.ts'
import { sequenceNumber } from '../sequence-number.ts'
import type { DeduplicationRows } from './rows/deduplication-rows.ts'
import type { GroupRows } from './rows/group-rows.ts'
import type { MessageRows } from './rows/message-rows.ts'
import type { QueueRow } from './rows/queue-rows.ts'

/** Stores a sent message, in a transaction. For a duplicate in a FIFO queue it returns the stored message. */
export function messageSender(
  messages: MessageRows,
  groups: GroupRows,
  deduplications: DeduplicationRows,
  random: Random,
) {
  return (queue: QueueRow, message: NewMessage, now: number): SentMessage => {
    const tokens = queue.fifo ? sendTokens(message, queue.attributes) : undefined
    const known = tokens && deduplications.find(queue, tokens, now)
    if (known) return { messageId: known.messageId, sequenceNumber: sequenceNumber(known.message) }
    const { delay = queue.attributes.delay, group, sender = 'anonymous', attributes = {} } = message
    const fifoGroup = queue.fifo ? group! : null
    const visibleAt = now + (queue.fifo ? queue.attributes.delay : delay)
    const { turnAt, nth } = messages.turnOf(queue, group ?? null, visibleAt)
    const messageId = randomUuid(random)
    const id = messages.insert(
      queue.id,
      queue.fifo || visibleAt > now ? visibleAt : 0,
      turnAt,
      nth,
      now,
      fifoGroup,
      group ?? null,
      queue.fifo ? deduplicationIdOf(message) : null,
      messageId,
      sender,
      message.traceHeader ?? null,
      Object.keys(attributes).length === 0 ? null : JSON.stringify(attributes),
      message.body,
    )
    if (fifoGroup !== null) groups.extend(queue, fifoGroup, visibleAt)
    if (tokens) deduplications.add(queue, tokens.token, now + deduplicationInterval, id, messageId)
    return { messageId, sequenceNumber: queue.fifo ? sequenceNumber(id) : undefined }
  }
}
