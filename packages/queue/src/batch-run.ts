import { type Deadline, deadline, type InvocationContext, systemClock } from '@signalbox/core'
import type { QueueEnvelope } from './contract/event.ts'
import type { QueueRecord } from './contract/record.ts'
import type { BatchResponse } from './contract/response.ts'
import { BatchFailedError, DiscardError, UnhandledMessageError } from './errors.ts'
import { firstOf, type Lanes, lanesOf, nextOf } from './fifo.ts'
import { isThenable } from './is-thenable.ts'
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
  /** Records that a message failed or was discarded, and tells the hooks. Never throws. */
  fail(position: number, reason: unknown, message?: Message<unknown>): boolean
  /** The answer, once `work` and the hooks are over or, if that takes too long, when it is due. */
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
  const limited = Number.isFinite(end.remaining())
  /** The hooks that are not over. Nobody but the answer waits for them, so one that hangs holds no message up. */
  const hooks: Promise<void>[] = []
  let closed = false
  let firstReason: unknown

  /** Calls a hook. Whatever it throws is its own affair. */
  const tell = (
    hook: BatchOptions['onFailure'],
    position: number,
    reason: unknown,
    message?: Message<unknown>,
  ): void => {
    if (hook === undefined) return
    try {
      const record = records[position]!
      const told = hook(message ?? messageOf<unknown>(record, record.body, end), reason)
      if (isThenable(told)) hooks.push(settled(told))
    } catch {}
  }

  /** From here on nothing changes any more. Tells of the messages that nobody handled to their end. */
  const close = (): void => {
    closed = true
    if (onFailure === undefined) return
    for (let lane = 0; lane < lanes.count; lane++) {
      let stopped = false
      for (let position = firstOf(lanes, lane); position >= 0; position = nextOf(lanes, position)) {
        const outcome = outcomes[position]
        if (outcome === failed) stopped = true
        if (outcome === failed || outcome === done) continue
        const why = stopped ? 'group stopped' : outcome === running ? 'not finished in time' : 'out of time'
        tell(onFailure, position, new UnhandledMessageError(why))
      }
    }
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
      if (Number.isFinite(left)) cancel = clock.after(left, resolve)
    })
    if (work !== undefined) {
      await Promise.race([work, due])
      close()
    }
    await Promise.race([Promise.all(hooks), due])
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
    fail(position, reason, message) {
      if (closed) return false
      const discarded = DiscardError.is(reason)
      outcomes[position] = discarded ? done : failed
      if (!discarded) firstReason ??= reason
      if (discarded) tell(onDiscard, position, reason.reason, message)
      else tell(onFailure, position, reason, message)
      return discarded
    },
    conclude(work) {
      if (work !== undefined) return answerInTime(work)
      close()
      return hooks.length === 0 ? answer() : answerInTime(undefined)
    },
  }
}

async function settled(told: PromiseLike<unknown>): Promise<void> {
  try {
    await told
  } catch {}
}
