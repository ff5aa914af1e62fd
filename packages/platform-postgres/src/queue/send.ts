import {
  deduplicationIdOf,
  isFifoName,
  type NewMessage,
  queueNotFound,
  type SentMessage,
  sendTokens,
  sequenceNumber,
} from '@signalbox/platform-queue/store'
import { type Random, randomUuid } from '@signalbox/platform-runtime'
import { deduplicationInterval } from '@signalbox/queue/contract'
import type { Query } from '../database.ts'
import type { QueueRow } from './queue-rows.ts'

const standard = `
insert into messages (queue, visible_at, turn_at, nth, sent_at, group_id, message_id, sender, trace_header, attributes, body)
select q.id, case m.delay when 0 then 0 else t + m.delay end,
  case when m.group_id is null then t + m.delay else turn_of(q.id, m.group_id, t + m.delay) end,
  case when m.group_id is null then 0 else number_of(q.id, m.group_id) end, t, m.group_id, m.message_id, m.sender, m.trace_header, m.attributes, m.body
from time_of($2) t, queues q,
  unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
    with ordinality as m(delay, group_id, message_id, sender, trace_header, attributes, body, at)
where q.id = $1 order by m.at returning 1`

const inOrder =
  'select id, message_id from send_in_order($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)'

/**
 * Stores messages that were already checked, with one statement.
 * @param given the time that a test sets, or null to use the database clock
 * @throws QueueStoreError when the queue was deleted
 */
export async function sendMessages(
  query: Query,
  queue: QueueRow,
  messages: readonly NewMessage[],
  given: number | null,
  random: Random,
): Promise<readonly SentMessage[]> {
  const { delay, ...attributes } = queue.attributes
  const ids = messages.map(() => randomUuid(random))
  const senders = messages.map(({ sender = 'anonymous' }) => sender)
  const traces = messages.map(({ traceHeader }) => traceHeader ?? null)
  const texts = messages.map(({ attributes: own = {} }) =>
    Object.keys(own).length === 0 ? null : JSON.stringify(own),
  )
  const bodies = messages.map(({ body }) => body)
  const groups = messages.map(({ group }) => group ?? null)
  if (!isFifoName(queue.name)) {
    const delays = messages.map(message => message.delay ?? delay)
    const stored = await query(standard, [
      queue.id,
      given,
      delays,
      groups,
      ids,
      senders,
      traces,
      texts,
      bodies,
    ])
    if (stored.length === 0) throw queueNotFound()
    return ids.map(messageId => ({ messageId, sequenceNumber: undefined }))
  }
  const tokens = messages.map(message => sendTokens(message, attributes))
  const stored = await query<{ id: number; message_id: string }>(inOrder, [
    queue.id,
    given,
    delay,
    deduplicationInterval,
    groups,
    tokens.map(({ token }) => token),
    tokens.map(({ otherToken }) => otherToken),
    messages.map(deduplicationIdOf),
    ids,
    senders,
    traces,
    texts,
    bodies,
  ])
  if (stored.length === 0) throw queueNotFound()
  return stored.map(({ id, message_id }) => ({ messageId: message_id, sequenceNumber: sequenceNumber(id) }))
}
