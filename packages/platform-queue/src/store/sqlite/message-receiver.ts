import { type Random, randomHex } from '@signalbox/platform-runtime'
import type { DeadLetterMove } from '../dead-letter-move.ts'
import { movedAtOnce } from '../move-rules.ts'
import type { ReceivedMessage } from '../queue-store.ts'
import type { GroupRows } from './rows/group-rows.ts'
import { type MessageRow, type MessageRows, type Moved, sizeOf } from './rows/message-rows.ts'
import type { QueueRow, QueueRows } from './rows/queue-rows.ts'

/** Receives messages from a queue, or moves them to another queue. */
export function messageReceiver(
  queues: QueueRows,
  messages: MessageRows,
  groups: GroupRows,
  random: Random,
  onDeadLetter: (letter: DeadLetterMove) => void,
) {
  const move = (
    row: Pick<MessageRow, 'id' | 'fifo_group' | 'group_id'>,
    to: QueueRow,
    now: number,
    moved: Moved,
  ): void => {
    messages.copy(row.id, to, now, messages.turnOf(to, row.group_id, now), moved)
    messages.remove(row.id)
    if (row.fifo_group !== null) groups.extend(to, row.fifo_group, now)
  }

  /**
   * Receives the visible messages of the rows. Moves messages that were received too often to the dead-letter
   * queue.
   */
  const take = (queue: QueueRow, rows: readonly MessageRow[], batch: Receive, now: number, until: number) => {
    const { deadLetter } = queue.attributes
    const target = deadLetter && queues.named(deadLetter.queue)
    for (const row of rows) {
      if (row.visible_at > now || batch.count === 0) return
      if (target && row.receives >= deadLetter.maxReceiveCount) {
        const received = row.received_before + row.receives
        move(row, target, now, { received, firstReceivedAt: row.first_received_at, source: queue.name })
        onDeadLetter({
          queue: queue.name,
          target: target.name,
          messageId: row.message_id,
          receives: received,
        })
        batch.moves--
        if (batch.moves === 0) batch.count = 0
      } else if (batch.taken.length === 0 || sizeOf(row) <= batch.bytes) {
        batch.taken.push(messages.receive(queue, row, randomHex(random, 12), now, until))
        batch.count--
        batch.bytes -= sizeOf(row)
      } else batch.count = 0
    }
  }

  /** Receives messages from the beginning of a group. */
  const takeFromGroup = (queue: QueueRow, fifoGroup: string, batch: Receive, now: number, until: number) => {
    let rows = messages.inGroup(queue, fifoGroup, batch)
    while (rows.length > 0) {
      take(queue, rows, batch, now, until)
      const last = rows.at(-1)!
      // After a dead letter has moved, the next messages of its group follow, unless the last message is hidden and
      // blocks the group.
      if (batch.count === 0 || last.visible_at > now) return
      rows = messages.inGroup(queue, fifoGroup, batch, last.id)
    }
  }

  return {
    move,

    /** Receives as many messages of a FIFO queue as fit, from each ready group in turn. */
    receiveInOrder(queue: QueueRow, { max, bytes }: ReceiveLimits, now: number, until: number) {
      const batch: Receive = { taken: [], count: max, bytes, moves: movedAtOnce }
      const seen = new Set<string>()
      for (;;) {
        const ready = groups.ready(queue, now, max)
        for (const fifoGroup of ready) {
          // After its turn, a group moves to the end. If a group appears again, all groups have had their turn.
          if (seen.has(fifoGroup)) return batch.taken
          seen.add(fifoGroup)
          takeFromGroup(queue, fifoGroup, batch, now, until)
          groups.refresh(queue, fifoGroup, now)
          if (batch.count === 0) return batch.taken
        }
        // If all messages of some groups became dead letters, more groups might be ready.
        if (ready.length < max) return batch.taken
      }
    },

    /** Receives messages of a standard queue. */
    receiveAny(queue: QueueRow, { max, bytes }: ReceiveLimits, now: number, until: number) {
      const batch: Receive = { taken: [], count: max, bytes, moves: movedAtOnce }
      messages.release(queue, now, max)
      // Received messages and dead letters do not wait any more, so more messages follow when dead letters have moved.
      for (let rows = messages.waiting(queue, batch); rows.length > 0; ) {
        take(queue, rows, batch, now, until)
        rows = batch.count === 0 ? [] : messages.waiting(queue, batch)
      }
      return batch.taken
    },
  }
}

/**
 * The maximum numbers of messages and bytes in a receive request. The first message always fits, regardless of its
 * size.
 */
interface ReceiveLimits {
  readonly max: number
  readonly bytes: number
}

/** The received messages and the remaining limits. */
interface Receive {
  readonly taken: ReceivedMessage[]
  count: number
  bytes: number
  /** The number of messages that can still move to the dead-letter queue. */
  moves: number
}

export type MessageReceiver = ReturnType<typeof messageReceiver>
