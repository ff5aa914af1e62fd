import { type Random, randomUuid } from '@signalbox/platform-runtime'
import { movedAtOnce, refuseCancel, refuseMove, resourceNotFound } from '../move-rules.ts'
import type { MoveStep } from '../move-task-runner.ts'
import type { MoveOptions } from '../own-queue-store.ts'
import type { MessageReceiver } from './message-receiver.ts'
import type { MessageRows } from './rows/message-rows.ts'
import type { MoveRow, MoveRows } from './rows/move-rows.ts'
import type { QueueRow, QueueRows } from './rows/queue-rows.ts'

/**
 * Moves, step by step, the messages that a dead-letter queue had when the task started. A moved message counts as never
 * received, and its send time becomes the time of the move, because it might be expired otherwise. Messages in flight
 * do not move, and neither does the rest of their FIFO group. Every function must be called in a transaction.
 */
export function moveTasks(
  queues: QueueRows,
  messages: MessageRows,
  rows: MoveRows,
  move: MessageReceiver['move'],
  random: Random,
) {
  const sourceOf = (name: string): QueueRow => {
    const source = queues.named(name)
    if (source !== undefined) return source
    throw resourceNotFound('SourceArn')
  }

  return {
    /** Starts a task. Returns its id. */
    start(name: string, options: MoveOptions, now: number): string {
      const source = sourceOf(name)
      refuseMove(name, options, {
        isDeadLetterQueue: queues.sourcesOf(name).length > 0,
        hasDestination: options.destination !== undefined && queues.named(options.destination) !== undefined,
        hasRunningTask: rows.of(source).some(({ status }) => status === 'RUNNING'),
      })
      const { destination = null, perSecond = null } = options
      const lastMessage = messages.lastId()
      const toMove = messages.countMovable(source, destination, lastMessage, now)
      const task = randomUuid(random)
      rows.add({ task, source: source.id, destination, perSecond, lastMessage, startedAt: now, toMove })
      return task
    },

    /** Moves some messages. Calls `touched` for each FIFO group that lost messages. */
    step(task: string, now: number, touched: (source: QueueRow, fifoGroup: string) => void): MoveStep {
      const row = rows.get(task)
      const source = row && queues.withId(row.source)
      if (row?.status !== 'RUNNING' || source === undefined) return { isRunning: false, to: [] }
      const { destination, lastMessage, perSecond } = row
      if (destination !== null && queues.named(destination) === undefined) {
        rows.update({ ...row, status: 'FAILED', failure: 'QUEUE_NOT_FOUND' })
        return { isRunning: false, to: [] }
      }
      if (!source.fifo) messages.release(source, now)
      const to = new Set<string>()
      const next = (max: number) => messages.movable(source, destination, lastMessage, now, max)
      const moved = next(Math.min(perSecond ?? movedAtOnce, movedAtOnce))
      for (const each of moved) {
        const target = queues.get(destination ?? each.dead_letter_source!)
        move(each, target, now, { sentAt: now, received: 0, firstReceivedAt: null, source: null })
        if (each.fifo_group !== null) touched(source, each.fifo_group)
        to.add(target.name)
      }
      const isRunning = next(1).length > 0
      const status = isRunning ? 'RUNNING' : 'COMPLETED'
      rows.update({ ...row, moved: row.moved + moved.length, status })
      return { isRunning, to: [...to] }
    },

    /** Returns the tasks of a queue, newest first. */
    list: (name: string): readonly MoveRow[] => rows.of(sourceOf(name)),

    /** Cancels a task. Returns the number of messages that it has moved. */
    cancel(name: string, task: string): number {
      const source = sourceOf(name)
      const row = rows.get(task)
      refuseCancel(row?.source === source.id ? row : undefined)
      rows.update({ ...row!, status: 'CANCELLED' })
      return row!.moved
    },

    fail(task: string, failure: string): void {
      const row = rows.get(task)
      if (row !== undefined) rows.update({ ...row, status: 'FAILED', failure })
    },

    running: rows.running,
  }
}
