import type { DatabaseSync } from 'node:sqlite'
import { turnInterval } from '../../queue-rules.ts'
import type { Depth, MessageAttributes, ReceivedMessage } from '../../queue-store.ts'
import { writeReceiptHandle } from '../../receipt-handle.ts'
import { sequenceNumber } from '../../sequence-number.ts'
import type { QueueRow } from './queue-rows.ts'

/** A row of the table of messages. */
export interface MessageRow {
  readonly id: number
  readonly fifo_group: string | null
  readonly visible_at: number
  readonly sent_at: number
  readonly receives: number
  readonly received_before: number
  readonly first_received_at: number | null
  readonly group_id: string | null
  readonly deduplication_id: string | null
  readonly message_id: string
  readonly sender: string
  readonly trace_header: string | null
  readonly dead_letter_source: string | null
  readonly attributes: string | null
  readonly body: string
}

/** The columns that are needed to delete or hide a message. */
interface VisibilityRow {
  readonly fifo_group: string | null
  readonly visible_at: number
  readonly received_at: number | null
  /** A part of the latest receipt handle. Null for a message that was not received from this queue. */
  readonly receipt: string | null
}

const columns =
  'id, fifo_group, visible_at, sent_at, receives, received_before, first_received_at, group_id, deduplication_id, message_id, sender, trace_header, dead_letter_source, attributes, body'

/** The maximum number of hidden messages that become visible in one transaction, because other requests have to wait. */
const releasedAtOnce = 1000

/** Returns access to the table of messages. */
export function messageRows(database: DatabaseSync) {
  const insert = database.prepare(
    `insert into messages (queue, visible_at, turn_at, nth, sent_at, fifo_group, group_id, deduplication_id, message_id, sender, trace_header, attributes, body)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const copy = database.prepare(
    `insert into messages (queue, visible_at, turn_at, nth, sent_at, received_before, first_received_at, fifo_group, group_id, deduplication_id, message_id, sender, trace_header, dead_letter_source, attributes, body)
     select ?, ?, ?, ?, coalesce(?, sent_at), ?, ?, fifo_group, group_id, deduplication_id, message_id, sender, trace_header, ?, attributes, body
     from messages where id = ?`,
  )
  const remove = database.prepare('delete from messages where id = ?')
  const removeAll = database.prepare('delete from messages where queue = ?')
  const removeOld = database.prepare('delete from messages where queue = ? and sent_at <= ?')
  const oldGroups = database.prepare(
    'select distinct fifo_group from messages where queue = ? and sent_at <= ? and fifo_group is not null order by fifo_group',
  )
  const oldest = database.prepare('select min(sent_at) as time from messages where queue = ?')
  const unreceived = (order: string) =>
    database.prepare(
      `select turn_at, nth from messages where queue = ? and group_id = ? and fifo_group is null and receives = 0
       order by nth ${order} limit 1`,
    )
  const firstUnreceived = unreceived('asc')
  const lastUnreceived = unreceived('desc')
  const release = database.prepare(
    `update messages set visible_at = 0 where id in
       (select id from messages where queue = ? and visible_at > 0 and visible_at <= ? order by visible_at limit ?)`,
  )
  const waiting = database.prepare(
    `select ${columns} from messages where queue = ? and visible_at = 0 order by turn_at, id limit ?`,
  )
  const anyVisible = database.prepare('select 1 from messages where queue = ? and visible_at <= ? limit 1')
  const inGroup = database.prepare(
    `select ${columns} from messages where queue = ? and fifo_group = ? and id > ? order by id limit ?`,
  )
  const nextVisible = database.prepare(
    'select min(visible_at) as time from messages where queue = ? and visible_at > ?',
  )
  const receive = database.prepare(
    'update messages set visible_at = ?, receives = receives + 1, first_received_at = ?, received_at = ?, receipt = ? where id = ?',
  )
  const hide = database.prepare('update messages set visible_at = ? where id = ?')
  const claim = database.prepare(
    'select fifo_group, visible_at, received_at, receipt from messages where id = ? and queue = ?',
  )
  const held = database.prepare(
    `select ${columns} from messages where id = ? and queue = ? and receipt = ? and visible_at = ?`,
  )
  const countVisible = database.prepare(
    'select count(*) as count from messages where queue = ? and visible_at <= ?',
  )
  const countHidden = database.prepare(
    `select count(*) as count, count(*) filter (where receives > 0) as received
     from messages where queue = ? and visible_at > ?`,
  )
  const lastId = database.prepare('select max(id) as id from messages')
  // Selects the messages that can move. They are visible, not newer than the task, have an existing target, and belong
  // to no FIFO group that has a message in flight. An index covers their order, because there can be millions of
  // messages. The parameters have no numbers, because Node 22 cannot bind numbered parameters.
  const movable = (what: string, from: string, order: string) =>
    database.prepare(
      `select ${what} from ${from}
       where queue = ? and visible_at <= ? and id <= ?
         and (? is not null or dead_letter_source in (select name from queues))
         and (fifo_group is null or fifo_group not in
           (select fifo_group from messages where queue = ? and visible_at > ? and receives > 0 and fifo_group is not null))
       ${order}`,
    )
  const columnsToMove = 'id, fifo_group, group_id, dead_letter_source'
  const nextMovable = movable(columnsToMove, 'messages', 'order by visible_at, turn_at, id limit ?')
  const nextMovableInGroups = movable(
    columnsToMove,
    'messages indexed by messages_by_fifo_group',
    'and fifo_group is not null order by fifo_group, id limit ?',
  )
  const countMovable = movable('count(*) as count', 'messages', '')

  return {
    /** Adds a message. Returns the id of the row. */
    insert: (...values: readonly (string | number | null)[]): number =>
      Number(insert.run(...values).lastInsertRowid),
    /** Adds a copy of a message to the end of another queue. */
    copy(id: number, to: QueueRow, now: number, { turnAt, nth }: Turn, moved: Moved): void {
      const { sentAt = null, received, firstReceivedAt, source } = moved
      copy.run(to.id, now, turnAt, nth, sentAt, received, firstReceivedAt, source, id)
    },
    /**
     * Returns the turn of a new message. In a standard queue, it is the time when the message is visible, and a fixed
     * interval more for each message of its group that was not received yet, but not before the turns of these.
     */
    turnOf(queue: QueueRow, group: string | null, visibleAt: number): Turn {
      const last = queue.fifo || group === null ? undefined : lastUnreceived.get(queue.id, group)
      if (last === undefined) return { turnAt: visibleAt, nth: 0 }
      const before = Number(last.nth) - Number(firstUnreceived.get(queue.id, group)!.nth) + 1
      const turnAt = Math.max(visibleAt + before * turnInterval, Number(last.turn_at))
      return { turnAt, nth: Number(last.nth) + 1 }
    },
    /**
     * Lets messages of a standard queue wait for a receiver again when the time for which they were hidden has passed.
     * @param max the number of messages that a receive request needs
     */
    release: (queue: QueueRow, now: number, max = 0): void =>
      void release.run(queue.id, now, Math.max(max, releasedAtOnce)),
    remove: (id: number): void => void remove.run(id),
    removeAll: (queue: QueueRow): void => void removeAll.run(queue.id),
    removeOld: (queue: QueueRow, until: number): void => void removeOld.run(queue.id, until),
    groupsOfOld: (queue: QueueRow, until: number): readonly string[] =>
      oldGroups.all(queue.id, until).map(row => String(row.fifo_group)),
    oldest: (queue: QueueRow): number | undefined => timeOf(oldest.get(queue.id)),
    anyVisible: (queue: QueueRow, now: number): boolean => anyVisible.get(queue.id, now) !== undefined,
    /** Returns the messages of a standard queue that wait for a receiver, in order: as many as fit, but at least one. */
    waiting: (queue: QueueRow, most: RowLimits) =>
      fitting(most, waiting.iterate(queue.id, most.count) as Iterable<unknown> as Iterable<MessageRow>),
    /** Returns the messages of a group after a given one, in order: as many as fit, but at least one. */
    inGroup: (queue: QueueRow, fifoGroup: string, most: RowLimits, after = 0) =>
      fitting(
        most,
        inGroup.iterate(queue.id, fifoGroup, after, most.count) as Iterable<unknown> as Iterable<MessageRow>,
      ),
    nextVisible: (queue: QueueRow, now: number): number | undefined => timeOf(nextVisible.get(queue.id, now)),
    /** Records that a message was received, and returns the message. */
    receive(queue: QueueRow, row: MessageRow, nonce: string, now: number, until: number): ReceivedMessage {
      const firstReceivedAt = row.first_received_at ?? now
      receive.run(until, firstReceivedAt, now, nonce, row.id)
      return received(queue, row, writeReceiptHandle(queue.id, row.id, nonce), firstReceivedAt)
    },
    /** Returns a message of an earlier receive request, if it has not changed since. */
    held(queue: QueueRow, id: number, nonce: string, until: number): ReceivedMessage | undefined {
      const row = held.get(id, queue.id, nonce, until) as unknown as MessageRow | undefined
      if (row === undefined) return undefined
      // The row already counts this time.
      const before = { ...row, receives: row.receives - 1 }
      return received(queue, before, writeReceiptHandle(queue.id, id, nonce), row.first_received_at!)
    },
    hide: (id: number, until: number): void => void hide.run(until, id),
    visibility: (queue: QueueRow, id: number) =>
      claim.get(id, queue.id) as unknown as VisibilityRow | undefined,
    depth(queue: QueueRow, now: number): Depth {
      const hidden = countHidden.get(queue.id, now)!
      const inFlight = Number(hidden.received)
      return {
        visible: Number(countVisible.get(queue.id, now)!.count),
        inFlight,
        delayed: Number(hidden.count) - inFlight,
      }
    },
    inFlight: (queue: QueueRow, now: number): number => Number(countHidden.get(queue.id, now)!.received),
    lastId: (): number => Number(lastId.get()!.id ?? 0),
    /** Returns the next messages that can move to a queue, or back to their sources if `to` is null. */
    movable: (queue: QueueRow, to: string | null, lastMessage: number, now: number, max: number) =>
      (queue.fifo ? nextMovableInGroups : nextMovable).all(
        ...[queue.id, now, lastMessage, to, queue.id, now, max],
      ) as unknown as readonly Movable[],
    countMovable: (queue: QueueRow, to: string | null, lastMessage: number, now: number): number =>
      Number(countMovable.get(queue.id, now, lastMessage, to, queue.id, now)!.count),
  }
}

export type MessageRows = ReturnType<typeof messageRows>

/** The place of a message in its standard queue. */
interface Turn {
  readonly turnAt: number
  /** The number of the message in its group. */
  readonly nth: number
}

/** The values of a message in its new queue. */
export interface Moved {
  /** The new send time. If it is absent, the message keeps its send time. */
  readonly sentAt?: number
  readonly received: number
  readonly firstReceivedAt: number | null
  readonly source: string | null
}

/** A message that can move to another queue. */
interface Movable {
  readonly id: number
  readonly fifo_group: string | null
  readonly group_id: string | null
  readonly dead_letter_source: string | null
}

/** The maximum numbers of rows and bytes that a query returns. */
interface RowLimits {
  readonly count: number
  readonly bytes: number
}

/** Reads rows up to the limits, so that large rows beyond the limits are not loaded into memory. */
function fitting({ bytes }: RowLimits, rows: Iterable<MessageRow>): readonly MessageRow[] {
  const all: MessageRow[] = []
  let size = 0
  for (const row of rows) {
    size += sizeOf(row)
    if (size > bytes && all.length > 0) break
    all.push(row)
  }
  return all
}

/** Returns the approximate size of a message, in which every character counts as one byte. */
export function sizeOf({ body, attributes }: Pick<MessageRow, 'body' | 'attributes'>): number {
  return body.length + (attributes?.length ?? 0)
}

function timeOf(row: Record<string, unknown> | undefined): number | undefined {
  return row === undefined || row.time === null ? undefined : Number(row.time)
}

function received(
  queue: QueueRow,
  row: MessageRow,
  receiptHandle: string,
  firstReceivedAt: number,
): ReceivedMessage {
  return {
    messageId: row.message_id,
    receiptHandle,
    body: row.body,
    attributes: row.attributes === null ? {} : (JSON.parse(row.attributes) as MessageAttributes),
    receiveCount: row.received_before + row.receives + 1,
    sentAt: row.sent_at,
    firstReceivedAt,
    sender: row.sender,
    traceHeader: row.trace_header ?? undefined,
    group: row.group_id ?? undefined,
    deduplicationId: row.deduplication_id ?? undefined,
    sequenceNumber: queue.fifo ? sequenceNumber(row.id) : undefined,
    deadLetterSource: row.dead_letter_source ?? undefined,
  }
}
