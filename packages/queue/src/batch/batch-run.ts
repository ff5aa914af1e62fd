import {
  type Clock,
  type Deadline,
  deadline,
  type InvocationContext,
  isThenable,
  systemClock,
} from '@signalbox/core'
import { type BatchOptions, logFailure } from '../batch-options.ts'
import type { QueueEnvelope } from '../contract/event.ts'
import type { QueueRecord } from '../contract/record.ts'
import type { BatchResponse } from '../contract/response.ts'
import { DiscardError } from '../discard.ts'
import { BatchFailedError, UnhandledMessageError } from '../errors.ts'
import { type Message, RecordMessage } from '../message/message.ts'
import { firstOf, type Groups, groupsOf, nextInGroup } from '../response/fifo.ts'
import { done, failed, type RecordStates, responseOf, running, valid } from '../response/record-states.ts'
import { checkRecords } from './check-records.ts'
import type { ExaminedBatch } from './examine-batch.ts'

/**
 * The state of one invocation. Functions take it as a parameter instead of being closures: V8 discards the optimized
 * code of closures when a garbage collection finds none of them, which can happen between two batches, and parses nested
 * functions twice at a cold start. See docs/decisions/queues.md#half-of-the-reserve.
 */
export interface BatchRun {
  readonly records: readonly QueueRecord[]
  readonly groups: Groups
  readonly states: RecordStates
  readonly options: BatchOptions
  readonly deadline: Deadline
  readonly context: InvocationContext
  /**
   * The promises of hooks that are still running. Only the response waits for them, so that a hook that never ends does
   * not delay other messages.
   */
  readonly hooks: Promise<void>[]
  firstReason: unknown
  /** Whether a log or a hook needs the reasons for failures. */
  readonly needsReason: boolean
  readonly reserve: number
  readonly clock: Clock
  /** The maximum number of groups that run at the same time. */
  readonly concurrency: number
  /** The number of groups that have started. */
  startedGroups: number
  /** The number of groups whose asynchronous handlers have not ended. */
  runningGroups: number
  /** Called when no group is running. */
  finish: (() => void) | undefined
  /** Whether the invocation has a deadline. */
  readonly hasDeadline: boolean
  /** Whether the run is over. After that, the states of records no longer change. */
  isClosed: boolean
}

export function batchRun(
  event: QueueEnvelope,
  context: InvocationContext | undefined,
  options: BatchOptions,
  examined?: ExaminedBatch,
): BatchRun {
  const { concurrency = 10, reserve = 250, clock = systemClock } = options
  const records = event.Records as readonly QueueRecord[]
  const isExamined = examined?.records === records
  if (examined) examined.records = undefined
  const timer = deadline(context, { reserve, clock })
  return {
    records,
    groups: isExamined ? groupsOf(records, examined.isFifo) : groupsOf(records),
    states: isExamined ? new Uint8Array(records.length).fill(valid) : checkRecords(records),
    options,
    deadline: timer,
    context: context ?? {},
    hooks: [],
    firstReason: undefined,
    needsReason: options.onFailure !== undefined || options.throwWhenAllFail || options.log !== false,
    reserve,
    clock,
    concurrency,
    startedGroups: 0,
    runningGroups: 0,
    finish: undefined,
    hasDeadline: timer.remaining() < Number.POSITIVE_INFINITY,
    isClosed: false,
  }
}

/** Returns the response when `work` and the hooks have ended, or when the response is due. */
export function conclude(
  run: BatchRun,
  work: Promise<void> | undefined,
): BatchResponse | Promise<BatchResponse> {
  if (work !== undefined) return respondInTime(run, work)
  close(run)
  return run.hooks.length === 0 ? respond(run) : respondInTime(run)
}

/** Ends the run, and reports all unfinished messages as failed. */
function close(run: BatchRun): void {
  const { groups, states } = run
  run.isClosed = true
  if (!run.needsReason) return
  for (let group = 0; group < groups.count; group++) {
    let stopped = false
    for (let position = firstOf(groups, group); position >= 0; position = nextInGroup(groups, position)) {
      const state = states[position]
      if (state === failed) stopped = true
      if (state === failed || state === done) continue
      const why = stopped ? 'group stopped' : state === running ? 'not finished in time' : 'out of time'
      reportFailure(run, position, new UnhandledMessageError(why))
    }
  }
}

function respond({ records, states, groups, deadline, options, firstReason }: BatchRun): BatchResponse {
  deadline.end()
  // When a record fails, the platform also redelivers all other records with the same id, even in other groups. The
  // later records of those groups must then be reported, too. The caller adds them.
  const response = responseOf(records, states, !groups.nexts)
  if (options.throwWhenAllFail && records.length > 0 && !states.includes(done))
    throw new BatchFailedError(`All ${records.length} messages of the batch failed.`, { cause: firstReason })
  return response
}

async function respondInTime(run: BatchRun, work?: Promise<void>): Promise<BatchResponse> {
  const { context, reserve, clock } = run
  const left = deadline(context, { reserve: reserve / 2, clock }).remaining()
  let cancel: (() => void) | undefined
  const due = new Promise<void>(resolve => {
    if (left < Number.POSITIVE_INFINITY) cancel = clock.after(left, resolve)
  })
  if (work !== undefined) {
    await Promise.race([work, due])
    close(run)
  }
  await Promise.race([Promise.all(run.hooks), due])
  cancel?.()
  return respond(run)
}

/**
 * Records that a message failed or was discarded, and calls the hook. Returns whether its group can continue. Never
 * throws.
 */
export function fail(run: BatchRun, position: number, reason: unknown, message?: Message<unknown>): boolean {
  if (run.isClosed) return false
  const discarded = DiscardError.is(reason)
  run.states[position] = discarded ? done : failed
  if (discarded) callHook(run, run.options.onDiscard, position, reason.reason, message)
  else {
    run.firstReason ??= reason
    reportFailure(run, position, reason, message)
  }
  return discarded
}

/** Logs a failed message and calls `onFailure`. */
function reportFailure(run: BatchRun, position: number, reason: unknown, message?: Message<unknown>): void {
  logFailure(run.options.log, run.records[position]!, reason)
  callHook(run, run.options.onFailure, position, reason, message)
}

/** Returns the message of a record that might be invalid. */
function unread({ records, deadline, context }: BatchRun, position: number): Message<unknown> {
  const record = records[position]!
  return new RecordMessage<unknown>(record, record.body, deadline, context)
}

/** Calls a hook and ignores its errors. */
function callHook(
  run: BatchRun,
  hook: BatchOptions['onFailure'],
  position: number,
  reason: unknown,
  message?: Message<unknown>,
): void {
  if (hook === undefined) return
  try {
    const returned = hook(message ?? unread(run, position), reason)
    if (isThenable(returned)) run.hooks.push(ignoreRejection(returned))
  } catch {}
}

/** Returns whether the run has stopped, so that no other message can start. */
export function isStopped(run: BatchRun): boolean {
  return run.isClosed || (run.hasDeadline && run.deadline.remaining() === 0)
}

/** Records that a message succeeded. Like `fail`, returns whether its group can continue. */
export function succeed(run: BatchRun, position: number): boolean {
  if (run.isClosed) return false
  run.states[position] = done
  return true
}

async function ignoreRejection(returned: PromiseLike<unknown>): Promise<void> {
  try {
    await returned
  } catch {}
}
