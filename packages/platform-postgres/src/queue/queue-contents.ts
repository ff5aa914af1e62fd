import type { MessageAttributes, PeekedMessage, QueueReport } from '@signalbox/platform-queue/store'
import type { Database } from '../database.ts'
import type { QueueRow } from './queue-rows.ts'

interface PeekedRow
  extends Omit<PeekedMessage, 'attributes' | 'group' | 'deduplicationId' | 'deadLetterSource'> {
  readonly attributes: string | null
  readonly group_id: string | null
  readonly deduplication_id: string | null
  readonly dead_letter_source: string | null
}

/**
 * Shows the messages of queues without receiving them, and discards single messages.
 * @param given returns the time that a test sets, or null to use the database clock
 */
export function queueContents({ query, transaction }: Database, given: () => number | null) {
  return {
    async depth({ id, attributes }: QueueRow) {
      await query('select drop_expired($1, time_of($2), $3)', [id, given(), attributes.retentionPeriod])
      const [row] = await query<{ visible: number; in_flight: number; delayed: number }>(
        `select count(*) filter (where visible_at <= t) as visible,
           count(*) filter (where visible_at > t and receives > 0) as in_flight,
           count(*) filter (where visible_at > t and receives = 0) as delayed
         from time_of($2) t left join messages on queue = $1`,
        [id, given()],
      )
      return { visible: row!.visible, inFlight: row!.in_flight, delayed: row!.delayed }
    },

    async reports(): Promise<readonly QueueReport[]> {
      const rows = await query<QueueReport & { target: string | null; oldest: number | null }>(
        `select q.name, q.attributes::json #>> '{deadLetter,queue}' as target,
           count(m.id) filter (where m.visible_at <= t) as visible,
           count(m.id) filter (where m.visible_at > t and m.receives > 0) as "inFlight",
           count(m.id) filter (where m.visible_at > t and m.receives = 0) as delayed,
           t - min(m.sent_at) as oldest
         from time_of($1) t, queues q left join messages m on m.queue = q.id group by q.name, q.attributes, t order by q.name`,
        [given()],
      )
      return rows.map(({ name, target, visible, inFlight, delayed, oldest }) => {
        const dead = rows.find(each => each.name === target)
        return {
          name,
          visible,
          inFlight,
          delayed,
          oldestAge: oldest ?? undefined,
          deadLetters: dead && dead.visible + dead.inFlight + dead.delayed,
        }
      })
    },

    async peek({ id }: QueueRow, limit: number, after: number): Promise<readonly PeekedMessage[]> {
      const rows = await query<PeekedRow>(
        `select id as position, message_id as "messageId", body, sent_at as "sentAt",
           receives + received_before as "receiveCount", attributes,
           greatest(visible_at, sent_at) as "visibleAt",
           receipt is not null as "isReceived", group_id, deduplication_id, dead_letter_source
         from messages where queue = $1 and id > $2 order by id limit $3`,
        [id, after, limit],
      )
      return rows.map(({ attributes, group_id, deduplication_id, dead_letter_source, ...row }) => ({
        ...row,
        attributes: JSON.parse(attributes ?? '{}') as MessageAttributes,
        ...(group_id !== null && { group: group_id }),
        ...(deduplication_id !== null && { deduplicationId: deduplication_id }),
        ...(dead_letter_source !== null && { deadLetterSource: dead_letter_source }),
      }))
    },

    /** Deletes a message unless it is in flight. Returns whether the message was deleted. */
    discard: ({ id }: QueueRow, position: number): Promise<boolean> =>
      transaction(async query => {
        await query('select lock_groups_of($1, $2)', [id, [position]])
        const [row] = await query<{ fifo_group: string | null; t: number }>(
          `delete from messages m using time_of($3) t
           where m.queue = $1 and m.id = $2 and m.visible_at <= t returning m.fifo_group, t`,
          [id, position, given()],
        )
        if (row?.fifo_group) await query('select refresh_group($1, $2, $3)', [id, row.fifo_group, row.t])
        return row !== undefined
      }),
  }
}
