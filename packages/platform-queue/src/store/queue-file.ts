import type { DatabaseSync } from 'node:sqlite'
import type { Random } from '@signalbox/platform-runtime'
import { freeSpaceOf, latestTime, transactions } from '@signalbox/platform-runtime/storage'
import { attemptRows } from './attempt-rows.ts'
import { attempts } from './attempts.ts'
import { claims } from './claims.ts'
import { deduplicationRows } from './deduplication-rows.ts'
import { deliveries } from './deliveries.ts'
import { groupRows } from './group-rows.ts'
import { inFlight } from './in-flight.ts'
import { layOut } from './layout.ts'
import { messageRows } from './message-rows.ts'
import { receiveRefusal, refusal } from './message-rules.ts'
import { moveRows } from './move-rows.ts'
import { type MoveOptions, moves } from './moves.ts'
import type { QueueAttributes, QueueDescription } from './queue-attributes.ts'
import { type QueueRow, queueRows, type Tags } from './queue-rows.ts'
import type { Depth, NewMessage, ReceivedMessage, ReceiveOptions, Sent } from './queue-store.ts'
import { QueueStoreError, storageFull } from './queue-store-error.ts'
import { sends } from './sends.ts'

/** Milliseconds between two purges of a queue. */
const purgeInterval = 60_000

/**
 * Queues in a database. Every call is one transaction: when it returns, all of it is stored, and when it throws,
 * nothing is. Times are milliseconds since the epoch, and say what time it is.
 * @param onGivenUp is told of a dead-letter queue for each message that it gets, before that is stored
 * @param measure measures the space that is left for the database
 */
export function openQueueFile(
  database: DatabaseSync,
  random: Random,
  onGivenUp: (queue: string) => void = () => {},
  measure = freeSpaceOf,
) {
  layOut(database)
  const queues = queueRows(database)
  const messages = messageRows(database)
  const groups = groupRows(database)
  const deduplications = deduplicationRows(database)
  const attemptTable = attemptRows(database)
  const moveTable = moveRows(database)
  const { move, takeInOrder, takeAny } = deliveries(queues, messages, groups, random, onGivenUp)
  const { repeat, remember } = attempts(attemptTable, messages)
  const add = sends(messages, groups, deduplications, random)
  const claim = claims(messages)
  const flight = inFlight(messages)
  const mover = moves(queues, messages, moveTable, move, random)
  const latest = latestTime(database)
  const transaction = transactions(database, storageFull)
  const space = measure(database)

  const write = <T>(now: number, work: () => T): T => {
    const isNews = latest.isNews(now)
    const result = transaction(() => {
      const done = work()
      if (isNews) latest.write(now)
      return done
    })
    if (isNews) latest.written(now)
    return result
  }

  const changeQueues = (now: number, work: () => void) => {
    try {
      write(now, work)
    } catch (error) {
      queues.load()
      throw error
    }
  }

  const dropExpired = (queue: QueueRow, now: number) => {
    const until = now - queue.attributes.retention
    const oldest = messages.oldest(queue)
    if (oldest === undefined || oldest > until) return
    write(now, () => {
      const lanes = queue.fifo ? messages.lanesOfOld(queue, until) : []
      messages.removeOld(queue, until)
      for (const lane of lanes) groups.refresh(queue, lane, now)
    })
  }

  /** Does work that tells of lanes whose messages will be visible at other times. */
  const withLanes = <T>(now: number, work: (touched: (queue: QueueRow, lane: string) => void) => T): T =>
    write(now, () => {
      const lanes = new Map<QueueRow, Set<string>>()
      const result = work((queue, lane) => {
        const known = lanes.get(queue)
        if (known === undefined) lanes.set(queue, new Set([lane]))
        else known.add(lane)
      })
      for (const [queue, names] of lanes) for (const lane of names) groups.refresh(queue, lane, now)
      return result
    })

  return {
    /** Milliseconds by which a clock lags behind the latest time at which something was done that still matters. */
    lag: (now: number): number => latest.lag(now, messages.any() || deduplications.any()),
    names: queues.names,
    sourcesOf: (name: string): readonly string[] => queues.sourcesOf(queues.get(name).name),
    attributes(name: string): QueueDescription {
      const { attributes, createdAt, modifiedAt } = queues.get(name)
      return { ...attributes, createdAt, modifiedAt }
    },
    create: (name: string, now: number, attributes: Partial<QueueAttributes> = {}, tags: Tags = {}): void =>
      changeQueues(now, () => queues.create(name, attributes, tags, now)),
    setAttributes: (name: string, now: number, attributes: Partial<QueueAttributes>): void =>
      changeQueues(now, () => queues.setAttributes(queues.get(name), attributes, now)),
    tags: (name: string): Tags => queues.get(name).tags,
    setTags: (name: string, now: number, tags: Tags): void =>
      changeQueues(now, () => queues.setTags(queues.get(name), tags)),

    drop(name: string, now: number): void {
      const queue = queues.get(name)
      changeQueues(now, () => {
        messages.removeAll(queue)
        groups.removeAll(queue)
        deduplications.removeAll(queue)
        attemptTable.removeAll(queue)
        moveTable.removeAll(queue)
        queues.remove(queue)
      })
      flight.forget(queue)
    },

    purge(name: string, now: number): void {
      const queue = queues.get(name)
      // A negative time has passed when the clock was set back.
      const passed = now - (queue.purgedAt ?? Number.NEGATIVE_INFINITY)
      if (passed >= 0 && passed < purgeInterval)
        throw new QueueStoreError(
          'PURGE_IN_PROGRESS',
          `Only one PurgeQueue operation on ${name} is allowed every 60 seconds.`,
        )
      changeQueues(now, () => {
        messages.removeAll(queue)
        groups.removeAll(queue)
        // A client that purges between two tests sends the same ids again.
        deduplications.removeAll(queue)
        attemptTable.removeAll(queue)
        queues.markPurged(queue, now)
      })
    },

    /** Each message is stored or refused by itself. */
    send(name: string, list: readonly NewMessage[], now: number): readonly (Sent | QueueStoreError)[] {
      const queue = queues.get(name)
      const refusals = list.map(message => refusal(name, queue.attributes, message))
      if (refusals.every(refused => refused !== undefined)) return refusals
      if (!space.forRows()) throw storageFull()
      return write(now, () => {
        if (queue.fifo) deduplications.removeExpired(now)
        return list.map((message, at) => refusals[at] ?? add(queue, message, now))
      })
    },

    /** @throws QueueStoreError when a standard queue has too much in flight */
    receive(
      name: string,
      now: number,
      options: Pick<ReceiveOptions, 'max' | 'bytes' | 'visibilityTimeout' | 'attemptId'>,
    ): readonly ReceivedMessage[] {
      const { bytes = Number.POSITIVE_INFINITY, visibilityTimeout, attemptId } = options
      const queue = queues.get(name)
      const refused = receiveRefusal(name, options)
      if (refused !== undefined) throw refused
      dropExpired(queue, now)
      const until = now + (visibilityTimeout ?? queue.attributes.visibilityTimeout)
      if (attemptId !== undefined) {
        const again = withLanes(now, touched => repeat(queue, attemptId, now, until, touched))
        if (again !== undefined) return again
      }
      const any = queue.fifo ? groups.ready(queue, now, 1).length > 0 : messages.anyVisible(queue, now)
      if (!any) return []
      const max = flight.room(queue, now, options.max)
      if (max === 0 && queue.fifo) return []
      if (max === 0)
        throw new QueueStoreError('OVER_LIMIT', `Too many messages of ${name} are in flight: 120000.`)
      const taken = write(now, () => {
        const got = (queue.fifo ? takeInOrder : takeAny)(queue, { max, bytes }, now, until)
        if (attemptId !== undefined && got.length > 0) remember(queue, attemptId, now, until, got)
        return got
      })
      flight.add(queue, taken.length)
      return taken
    },

    /** When something may be received next, if nothing else happens. */
    nextReady(name: string, now: number): number | undefined {
      const queue = queues.get(name)
      return queue.fifo ? groups.nextReady(queue, now) : messages.nextVisible(queue, now)
    },

    remove(name: string, receipts: readonly string[], now: number): readonly (QueueStoreError | undefined)[] {
      const queue = queues.get(name)
      const results = withLanes(now, touched =>
        receipts.map(receipt => claim.remove(queue, receipt, now, lane => touched(queue, lane))),
      )
      space.returnPages()
      return results
    },

    changeVisibility(
      name: string,
      changes: readonly { readonly receipt: string; readonly timeout: number }[],
      now: number,
    ): readonly (QueueStoreError | undefined)[] {
      const queue = queues.get(name)
      // What was visible may be in flight again.
      flight.add(queue, changes.length)
      return withLanes(now, touched =>
        changes.map(({ receipt, timeout }) =>
          claim.hide(queue, receipt, timeout, now, lane => touched(queue, lane)),
        ),
      )
    },

    depth(name: string, now: number): Depth {
      const queue = queues.get(name)
      dropExpired(queue, now)
      return messages.depth(queue, now)
    },

    /** Starts to move what a dead-letter queue holds; answers the name of the task. */
    startMove(name: string, options: MoveOptions, now: number): string {
      const queue = queues.named(name)
      if (queue !== undefined) dropExpired(queue, now)
      return write(now, () => mover.start(name, options, now))
    },
    stepMove: (task: string, now: number) => withLanes(now, touched => mover.step(task, now, touched)),
    cancelMove: (name: string, task: string, now: number): number =>
      write(now, () => mover.cancel(name, task)),
    failMove: (task: string, failure: string, now: number): void =>
      write(now, () => mover.fail(task, failure)),
    moves: mover.list,
    runningMoves: mover.running,

    close: (): void => database.close(),
  }
}

export type QueueFile = ReturnType<typeof openQueueFile>
