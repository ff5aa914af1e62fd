import { type Deadline, deadline, type InvocationContext, systemClock } from '@signalbox/core'
import type { BatchOptions } from '../batch-options.ts'
import type { QueueEnvelope } from '../contract/event.ts'
import type { QueueRecord } from '../contract/record.ts'
import type { BatchResponse } from '../contract/response.ts'
import { DiscardError } from '../discard.ts'
import { BatchFailedError, UnhandledMessageError } from '../errors.ts'
import { type Message, messageOf } from '../message/message.ts'
import { firstOf, type Groups, groupsOf, nextOf } from './fifo.ts'
import { isThenable } from './is-thenable.ts'
import { done, failed, type Outcomes, responseOf, running } from './outcomes.ts'

/**
 * One invocation: its records, its time, how far it is, and what became of each message so far. What is asked for
 * every message is data and functions below, not methods: what V8 optimized of closures is lost when a garbage
 * collection finds none of them, as it may between two batches.
 */
export interface BatchRun {
  readonly records: readonly QueueRecord[]
  readonly groups: Groups
  readonly outcomes: Outcomes
  readonly options: BatchOptions
  readonly deadline: Deadline
  /** The hooks that are not over. Nobody but the answer waits for them, so one that hangs holds no message up. */
  readonly hooks: Promise<void>[]
  firstReason: unknown
  /** Whether anybody will hear why a message failed. */
  readonly needsReason: boolean
  /** How many groups run side by side at most. */
  readonly concurrency: number
  /** Lanes that were begun. */
  startedGroups: number
  /** Lanes that wait for a message. */
  runningGroups: number
  /** Called when no group is busy any more. */
  finish: (() => void) | undefined
  /** Whether there is a deadline. */
  readonly hasDeadline: boolean
  /** From then on nothing changes any more. */
  isClosed: boolean
  /** The answer, once `work` and the hooks are over or, if that takes too long, when it is due. */
  conclude(work: Promise<void> | undefined): BatchResponse | Promise<BatchResponse>
}

export function batchRun(
  event: QueueEnvelope,
  context: InvocationContext | undefined,
  options: BatchOptions,
): BatchRun {
  const { concurrency = 10, reserve = 250, clock = systemClock } = options
  const { onFailure, throwWhenAllFail = false } = options
  const records = event.Records as readonly QueueRecord[]
  const groups = groupsOf(records)
  const outcomes: Outcomes = new Uint8Array(records.length)
  const timer = deadline(context, { reserve, clock })
  const hooks: Promise<void>[] = []

  /** Tells of the messages that nobody handled to their end. */
  const close = (): void => {
    run.isClosed = true
    if (onFailure === undefined) return
    for (let group = 0; group < groups.count; group++) {
      let stopped = false
      for (let position = firstOf(groups, group); position >= 0; position = nextOf(groups, position)) {
        const outcome = outcomes[position]
        if (outcome === failed) stopped = true
        if (outcome === failed || outcome === done) continue
        const why = stopped ? 'group stopped' : outcome === running ? 'not finished in time' : 'out of time'
        callHook(run, onFailure, position, new UnhandledMessageError(why))
      }
    }
  }

  const respond = (): BatchResponse => {
    timer.end()
    // Lanes stop by position. A message with the id of a failed one comes back with it, whatever its group, and what
    // is after it in that group has to come back as well: whoever sends the answer has yet to look.
    const response = responseOf(records, outcomes, !groups.nexts)
    if (throwWhenAllFail && records.length > 0 && !outcomes.includes(done))
      throw new BatchFailedError(`All ${records.length} messages of the batch failed.`, {
        cause: run.firstReason,
      })
    return response
  }

  const respondInTime = async (work: Promise<void> | undefined): Promise<BatchResponse> => {
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
    return respond()
  }

  const run: BatchRun = {
    records,
    groups,
    outcomes,
    options,
    deadline: timer,
    hooks,
    firstReason: undefined,
    needsReason: onFailure !== undefined || throwWhenAllFail,
    concurrency,
    startedGroups: 0,
    runningGroups: 0,
    finish: undefined,
    hasDeadline: Number.isFinite(timer.remaining()),
    isClosed: false,
    conclude(work) {
      if (work !== undefined) return respondInTime(work)
      close()
      return hooks.length === 0 ? respond() : respondInTime(undefined)
    },
  }
  return run
}

/** Records that a message failed or was discarded, and tells the hooks. Never throws. */
export function fail(run: BatchRun, position: number, reason: unknown, message?: Message<unknown>): boolean {
  if (run.isClosed) return false
  const discarded = DiscardError.is(reason)
  run.outcomes[position] = discarded ? done : failed
  if (!discarded) run.firstReason ??= reason
  if (discarded) callHook(run, run.options.onDiscard, position, reason.reason, message)
  else callHook(run, run.options.onFailure, position, reason, message)
  return discarded
}

/** Calls a hook. Whatever it throws is its own affair. */
function callHook(
  run: BatchRun,
  hook: BatchOptions['onFailure'],
  position: number,
  reason: unknown,
  message?: Message<unknown>,
): void {
  if (hook === undefined) return
  try {
    const record = run.records[position]!
    const told = hook(message ?? messageOf<unknown>(record, record.body, run.deadline), reason)
    if (isThenable(told)) run.hooks.push(ignoreRejection(told))
  } catch {}
}

/** Whether no message may be started any more. */
export function isStopped(run: BatchRun): boolean {
  return run.isClosed || (run.hasDeadline && run.deadline.remaining() === 0)
}

/** Records that a message is done. Says, like `fail`, whether its group may go on. */
export function succeed(run: BatchRun, position: number): boolean {
  if (run.isClosed) return false
  run.outcomes[position] = done
  return true
}

async function ignoreRejection(told: PromiseLike<unknown>): Promise<void> {
  try {
    await told
  } catch {}
}
