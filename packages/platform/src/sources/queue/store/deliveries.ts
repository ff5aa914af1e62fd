import { type Random, randomHex } from '../../../random.ts'
import type { GroupRows } from './group-rows.ts'
import type { MessageRow, MessageRows, Moved } from './message-rows.ts'
import type { QueueRow, QueueRows } from './queue-rows.ts'
import type { ReceivedMessage } from './queue-store.ts'

/** How messages leave a queue: to a receiver, or to another queue. */
export function deliveries(queues: QueueRows, messages: MessageRows, groups: GroupRows, random: Random) {
  const move = (row: Pick<MessageRow, 'id' | 'lane'>, to: QueueRow, now: number, moved: Moved): void => {
    messages.copy(row.id, to, now, moved)
    messages.remove(row.id)
    if (row.lane !== null) groups.extend(to, row.lane, now)
  }

  /** Of rows in order those that may be received; what was received too often goes to the dead-letter queue. */
  const take = (queue: QueueRow, rows: readonly MessageRow[], now: number, until: number) => {
    const taken: ReceivedMessage[] = []
    const { deadLetter } = queue.attributes
    const target = deadLetter && queues.named(deadLetter.queue)
    for (const row of rows) {
      if (row.visible_at > now) break
      if (target && row.receives >= deadLetter.maxReceiveCount) {
        const received = row.received_before + row.receives
        move(row, target, now, { received, firstReceivedAt: row.first_received_at, source: queue.name })
      } else taken.push(messages.receive(queue, row, randomHex(random, 12), now, until))
    }
    return taken
  }

  /** From the head of a lane. */
  const takeFromLane = (queue: QueueRow, lane: string, max: number, now: number, until: number) => {
    const taken: ReceivedMessage[] = []
    let rows = messages.inLane(queue, lane, max)
    while (rows.length > 0) {
      taken.push(...take(queue, rows, now, until))
      const last = rows.at(-1)!
      // Dead letters leave room for what comes after them, unless that is hidden and keeps the lane waiting.
      if (taken.length === max || last.visible_at > now) break
      rows = messages.inLane(queue, lane, max - taken.length, last.id)
    }
    return taken
  }

  return {
    move,

    /** The next messages of a FIFO queue: of each group in its turn as many as fit. */
    takeInOrder(queue: QueueRow, max: number, now: number, until: number): readonly ReceivedMessage[] {
      const taken: ReceivedMessage[] = []
      const seen = new Set<string>()
      for (;;) {
        const ready = groups.ready(queue, now, max)
        for (const lane of ready) {
          // A group that had its turn stands behind all that had not, so none of those is left.
          if (seen.has(lane)) return taken
          seen.add(lane)
          taken.push(...takeFromLane(queue, lane, max - taken.length, now, until))
          groups.refresh(queue, lane, now)
          if (taken.length === max) return taken
        }
        // Otherwise groups of which everything was given up may have kept others from their turn.
        if (ready.length < max) return taken
      }
    },

    /** The next messages of a standard queue. */
    takeAny(queue: QueueRow, max: number, now: number, until: number): readonly ReceivedMessage[] {
      const taken: ReceivedMessage[] = []
      const seen = new Set<number>()
      let rows = messages.visible(queue, now, max)
      while (rows.length > 0) {
        // With no time to hide, a message that was taken comes again.
        const fresh = rows.filter(({ id }) => !seen.has(id))
        taken.push(...take(queue, fresh, now, until))
        if (taken.length === max) break
        for (const { id } of fresh) seen.add(id)
        rows = messages.visible(queue, now, max - taken.length, rows.at(-1))
      }
      return taken
    },
  }
}
