import { type Deadline, deadline, type InvocationContext, systemClock } from '@signalbox/core'
import type { QueueEnvelope } from './contract/event.ts'
import type { QueueRecord } from './contract/record.ts'
import type { BatchResponse } from './contract/response.ts'
import { BatchFailedError, DiscardError, UnhandledMessageError } from './errors.ts'
import { type Lanes, lanesOf } from './fifo.ts'
import { type Message, messageOf } from './message.ts'
import { done, failed, type Outcomes, responseOf, running } from './outcomes.ts'
import type { BatchOptions } from './settings.ts'

/** One invocation: its records, its time, and what became of each message so far. */
export interface BatchRun {
  readonly records: readonly QueueRecord[]
  readonly lanes: Lanes
  readonly outcomes: Outcomes
  readonly deadline: Deadline
  /** Whether anybody will hear why a message failed. */
  readonly curious: boolean
  /** Whether no message may be started any more. */
  stopped(): boolean
  /** Records that a message is done. Says, like `fail`, whether its group may go on. */
  succeed(position: number): boolean
  /** Records that a message failed or was discarded, and tells the hooks. Never throws, never rejects. */
  fail(position: number, reason: unknown, message?: Message<unknown>): boolean | Promise<boolean>
  /** The answer, once `work` is over or, if that takes too long, when it is due. */
  conclude(work: Promise<void> | undefined): BatchResponse | Promise<BatchResponse>
}

export function batchRun(
  event: QueueEnvelope,
  context: InvocationContext | undefined,
  options: BatchOptions,
): BatchRun {
  const { reserve = 250, clock = systemClock, onFailure, onDiscard, throwWhenAllFail = false } = options
  const records = event.Records as readonly QueueRecord[]
  const lanes = lanesOf(records)
  const outcomes: Outcomes = new Uint8Array(records.length)
  const end = deadline(context, { reserve, clock })
  const limited = end.remaining() !== Number.POSITIVE_INFINITY
  let closed = false
  let firstReason: unknown

  const fail = (
    position: number,
    reason: unknown,
    message: Message<unknown> = unread(records[position]!, end),
  ): boolean | Promise<boolean> => {
    if (closed) return false
    const discarded = reason instanceof DiscardError
    outcomes[position] = discarded ? done : failed
    if (!discarded) firstReason ??= reason
    const told = discarded ? tell(onDiscard, message, reason.reason) : tell(onFailure, message, reason)
    return told === undefined ? discarded : told.then(() => discarded)
  }

  /** Tells of the messages that nobody handled to their end. */
  const tellOfUnhandled = (): Promise<unknown> | undefined => {
    if (onFailure === undefined) return undefined
    const told: Promise<unknown>[] = []
    for (let lane = 0; lane < lanes.count; lane++) {
      let stopped = false
      for (let position = lanes.first(lane); position >= 0; position = lanes.next(position)) {
        const outcome = outcomes[position]
        if (outcome === failed) stopped = true
        if (outcome === failed || outcome === done) continue
        const why = stopped ? 'group stopped' : outcome === running ? 'not finished in time' : 'out of time'
        const telling = tell(onFailure, unread(records[position]!, end), new UnhandledMessageError(why))
        if (telling !== undefined) told.push(telling)
      }
    }
    return told.length === 0 ? undefined : Promise.all(told)
  }

  const answer = (): BatchResponse => {
    end.end()
    const response = responseOf(records, outcomes)
    if (throwWhenAllFail && records.length > 0 && !outcomes.includes(done))
      throw new BatchFailedError(`All ${records.length} messages of the batch failed.`, {
        cause: firstReason,
      })
    return response
  }

  const answerInTime = async (work: Promise<void> | undefined): Promise<BatchResponse> => {
    const left = deadline(context, { reserve: reserve / 2, clock }).remaining()
    let cancel: (() => void) | undefined
    const due = new Promise<void>(resolve => {
      if (left !== Number.POSITIVE_INFINITY) cancel = clock.after(left, resolve)
    })
    if (work !== undefined) await Promise.race([work, due])
    closed = true
    await Promise.race([tellOfUnhandled(), due])
    cancel?.()
    return answer()
  }

  return {
    records,
    lanes,
    outcomes,
    deadline: end,
    curious: onFailure !== undefined || throwWhenAllFail,
    stopped: () => closed || (limited && end.remaining() === 0),
    succeed(position) {
      if (closed) return false
      outcomes[position] = done
      return true
    },
    fail,
    conclude(work) {
      const untold =
        onFailure !== undefined && outcomes.some(outcome => outcome !== done && outcome !== failed)
      if (work !== undefined || untold) return answerInTime(work)
      closed = true
      return answer()
    },
  }
}

/** A message for telling that it failed before it was read. */
function unread(record: QueueRecord, end: Deadline): Message<unknown> {
  return messageOf<unknown>(record, record.body, end)
}

/** Calls a hook. Whatever it throws is its own affair. */
function tell(
  hook: BatchOptions['onFailure'],
  message: Message<unknown>,
  reason: unknown,
): Promise<unknown> | undefined {
  try {
    const told = hook?.(message, reason)
    return isThenable(told) ? Promise.resolve(told).catch(() => undefined) : undefined
  } catch {
    return undefined
  }
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  )
}
