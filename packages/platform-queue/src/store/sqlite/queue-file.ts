import type { DatabaseSync } from 'node:sqlite'
import type { Random } from '@signalbox/platform-runtime'
import {
  correctColumns,
  freeSpaceOf,
  latestTime,
  type Need,
  transactions,
} from '@signalbox/platform-runtime/storage'
import type { DeadLetterMove } from '../dead-letter-move.ts'
import { receiveRefusal, refusal } from '../message-rules.ts'
import type { MoveOptions, Tags } from '../own-queue-store.ts'
import type { QueueAttributes, QueueDescription } from '../queue-attributes.ts'
import { overLimit, refuseEarlyPurge } from '../queue-rules.ts'
import type { Depth, NewMessage, ReceivedMessage, ReceiveOptions, SentMessage } from '../queue-store.ts'
import { type QueueStoreError, storageFull } from '../queue-store-error.ts'
import { inFlightLimit } from './in-flight-limit.ts'
import { prepareDatabase, timeColumns } from './layout.ts'
import { messageReceiver } from './message-receiver.ts'
import { messageSender } from './message-sender.ts'
import { moveTasks } from './move-tasks.ts'
import { receiveAttempts } from './receive-attempts.ts'
import { receivedMessages } from './received-messages.ts'
import { deduplicationRows } from './rows/deduplication-rows.ts'
import { groupRows } from './rows/group-rows.ts'
import { messageRows } from './rows/message-rows.ts'
import { moveRows } from './rows/move-rows.ts'
import { type QueueRow, queueRows } from './rows/queue-rows.ts'
import { receiveAttemptRows } from './rows/receive-attempt-rows.ts'

/**
 * Keeps queues in a database. Every call is one transaction. When a call returns, all its changes are stored, and when
 * it throws, it has changed nothing. `now` is the time in milliseconds since the epoch. See
 * docs/decisions/queues.md#queues-of-the-platform.
 * @param onDeadLetter is called for each message that moves to a dead-letter queue, before the commit
 * @param measure measures the free space for the database
 */
export function openQueueFile(
  database: DatabaseSync,
  random: Random,
  onDeadLetter: (letter: DeadLetterMove) => void = () => {},
  measure = freeSpaceOf,
) {
  prepareDatabase(database)
  const queues = queueRows(database)
  const messages = messageRows(database)
  const groups = groupRows(database)
  const deduplications = deduplicationRows(database)
  const attemptTable = receiveAttemptRows(database)
  const moveTable = moveRows(database)
  const { move, receiveInOrder, receiveAny } = messageReceiver(queues, messages, groups, random, onDeadLetter)
  const { repeat, remember } = receiveAttempts(attemptTable, messages)
  const add = messageSender(messages, groups, deduplications, random)
  const claim = receivedMessages(messages)
  const flight = inFlightLimit(messages)
  const mover = moveTasks(queues, messages, moveTable, move, random)
  const latest = latestTime(database)
  const space = measure(database)
  const transaction = transactions(database, storageFull, space)

  // Most changes let queues become empty, or are a part of every start. Those that add data say so.
  const write = <T>(now: number, work: () => T, need: Need = 'essential'): T =>
    transaction(() => {
      latest.write(now)
      return work()
    }, need)

  const changeQueues = (now: number, work: () => void, need?: Need) => {
    try {
      write(now, work, need)
    } catch (error) {
      queues.load()
      throw error
    }
  }

  const dropExpired = (queue: QueueRow, now: number) => {
    const until = now - queue.attributes.retentionPeriod
    const oldest = messages.oldest(queue)
    if (oldest === undefined || oldest > until) return
    write(now, () => {
      const fifoGroups = queue.fifo ? messages.groupsOfOld(queue, until) : []
      messages.removeOld(queue, until)
      for (const fifoGroup of fifoGroups) groups.refresh(queue, fifoGroup, now)
    })
  }

  /** Runs a function in a transaction, and updates the FIFO groups that it touched. */
  const refreshingGroups = <T>(
    now: number,
    work: (touched: (queue: QueueRow, fifoGroup: string) => void) => T,
  ): T =>
    write(now, () => {
      const fifoGroups = new Map<QueueRow, Set<string>>()
      const result = work((queue, fifoGroup) => {
        const known = fifoGroups.get(queue)
        if (known === undefined) fifoGroups.set(queue, new Set([fifoGroup]))
        else known.add(fifoGroup)
      })
      for (const [queue, names] of fifoGroups)
        for (const fifoGroup of names) groups.refresh(queue, fifoGroup, now)
      return result
    })

  return {
    /** Corrects the times in the database if the clock was set back while the database was closed. */
    correctTimes(now: number): void {
      latest.correct(now, correctColumns(database, timeColumns))
      queues.load()
    },
    queueNames: queues.names,
    sourcesOf: (name: string): readonly string[] => queues.sourcesOf(queues.get(name).name),
    attributes(name: string): QueueDescription {
      const { attributes, createdAt, modifiedAt } = queues.get(name)
      return { ...attributes, createdAt, modifiedAt }
    },
    createQueue: (
      name: string,
      now: number,
      attributes: Partial<QueueAttributes> = {},
      tags: Tags = {},
    ): void => changeQueues(now, () => queues.create(name, attributes, tags, now), {}),
    setAttributes: (name: string, now: number, attributes: Partial<QueueAttributes>): void =>
      changeQueues(now, () => queues.setAttributes(queues.get(name), attributes, now)),
    tags: (name: string): Tags => queues.get(name).tags,
    setTags: (name: string, now: number, tags: Tags): void =>
      changeQueues(now, () => queues.setTags(queues.get(name), tags)),

    deleteQueue(name: string, now: number): void {
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
      space.returnPages()
    },

    purge(name: string, now: number): void {
      const queue = queues.get(name)
      refuseEarlyPurge(name, queue.purgedAt, now)
      changeQueues(now, () => {
        messages.removeAll(queue)
        groups.removeAll(queue)
        // Deduplication ids are removed, too, because a client might purge the queue between two tests and then send
        // the same ids again.
        deduplications.removeAll(queue)
        attemptTable.removeAll(queue)
        queues.markPurged(queue, now)
      })
      space.returnPages()
    },

    /** Deletes all messages and tasks of all queues. A queue can be purged right after this. */
    clear(now: number): void {
      changeQueues(now, () => {
        for (const table of ['messages', 'groups', 'deduplications', 'receive_attempts', 'moves'])
          database.exec(`delete from ${table}`)
        database.exec('update queues set purged_at = null')
      })
      queues.load()
      for (const name of queues.names()) flight.forget(queues.get(name))
      space.returnPages()
    },

    /** Stores or refuses each message separately. */
    send(name: string, list: readonly NewMessage[], now: number): readonly (SentMessage | QueueStoreError)[] {
      const queue = queues.get(name)
      const refusals = list.map(message => refusal(name, queue.attributes, message))
      if (refusals.every(refused => refused !== undefined)) return refusals
      return write(
        now,
        () => {
          if (queue.fifo) deduplications.removeExpired(now)
          return list.map((message, at) => refusals[at] ?? add(queue, message, now))
        },
        { bytes: list.reduce((sum, { body }) => sum + body.length, 0) },
      )
    },

    /** Receives messages. @throws QueueStoreError if a standard queue has too many messages in flight */
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
        const again = refreshingGroups(now, touched => repeat(queue, attemptId, now, until, touched))
        if (again !== undefined) return again
      }
      const any = queue.fifo ? groups.ready(queue, now, 1).length > 0 : messages.anyVisible(queue, now)
      if (!any) return []
      const max = flight.available(queue, now, options.max)
      if (max === 0 && queue.fifo) return []
      if (max === 0) throw overLimit(name)
      const taken = write(now, () => {
        const got = (queue.fifo ? receiveInOrder : receiveAny)(queue, { max, bytes }, now, until)
        if (attemptId !== undefined && got.length > 0) remember(queue, attemptId, now, until, got)
        return got
      })
      flight.add(queue, taken.length)
      return taken
    },

    /** Returns the time at which the next message becomes visible if nothing else happens. */
    nextReady(name: string, now: number): number | undefined {
      const queue = queues.get(name)
      return queue.fifo ? groups.nextReady(queue, now) : messages.nextVisible(queue, now)
    },

    deleteMessages(
      name: string,
      receiptHandles: readonly string[],
      now: number,
    ): readonly (QueueStoreError | undefined)[] {
      const queue = queues.get(name)
      const results = refreshingGroups(now, touched =>
        receiptHandles.map(receiptHandle =>
          claim.deleteMessage(queue, receiptHandle, now, fifoGroup => touched(queue, fifoGroup)),
        ),
      )
      space.returnPages()
      return results
    },

    /** Deletes a visible message. Returns whether it deleted the message. */
    discard(name: string, id: number, now: number): boolean {
      const queue = queues.get(name)
      const isDiscarded = refreshingGroups(now, touched => {
        const found = messages.visibility(queue, id)
        if (found === undefined || found.visible_at > now) return false
        messages.remove(id)
        if (found.fifo_group !== null) touched(queue, found.fifo_group)
        return true
      })
      space.returnPages()
      return isDiscarded
    },

    changeVisibility(
      name: string,
      changes: readonly { readonly receiptHandle: string; readonly timeout: number }[],
      now: number,
    ): readonly (QueueStoreError | undefined)[] {
      const queue = queues.get(name)
      // Messages that were visible might now be in flight.
      flight.add(queue, changes.length)
      return refreshingGroups(now, touched =>
        changes.map(({ receiptHandle, timeout }) =>
          claim.changeVisibility(queue, receiptHandle, timeout, now, fifoGroup => touched(queue, fifoGroup)),
        ),
      )
    },

    depth(name: string, now: number): Depth {
      const queue = queues.get(name)
      dropExpired(queue, now)
      return messages.depth(queue, now)
    },

    /** Starts to move the messages of a dead-letter queue. Returns the id of the task. */
    startMove(name: string, options: MoveOptions, now: number): string {
      const queue = queues.named(name)
      if (queue !== undefined) dropExpired(queue, now)
      return write(now, () => mover.start(name, options, now), {})
    },
    stepMove: (task: string, now: number) => refreshingGroups(now, touched => mover.step(task, now, touched)),
    cancelMove: (name: string, task: string, now: number): number =>
      write(now, () => mover.cancel(name, task)),
    failMove: (task: string, failure: string, now: number): void =>
      write(now, () => mover.fail(task, failure)),
    moves: mover.list,
    runningMoves: mover.running,

    close: (): void => database.close(),
  }
}
