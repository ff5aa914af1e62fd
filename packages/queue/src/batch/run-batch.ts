import { type Deadline, deadline, type InvocationContext, isThenable, systemClock } from '@signalbox/core'
import { type BatchOptions, logFailure } from '../batch-options.ts'
import type { QueueEnvelope } from '../contract/event.ts'
import type { QueueRecord } from '../contract/record.ts'
import type { BatchResponse } from '../contract/response.ts'
import { DiscardError } from '../discard.ts'
import { BatchFailedError, UnhandledMessageError } from '../errors.ts'
import { type Message, RecordMessage } from '../message/message.ts'
import { groupOf, isFifo } from '../response/fifo.ts'

/** A record of a batch, and how far its message is. The response reports every record that is not `done`. */
export interface Entry {
  readonly record: QueueRecord
  state: 'waiting' | 'running' | 'done' | 'failed'
}

/** A batch while it is handled. */
export interface Batch {
  readonly entries: readonly Entry[]
  /**
   * The entries by message group, if the queue is a FIFO queue. In a standard queue, each entry is its own group. Groups
   * run concurrently, and the messages of a group run one after another.
   */
  readonly groups: readonly (readonly Entry[])[]
  readonly options: BatchOptions
  readonly context: InvocationContext
  readonly deadline: Deadline
  readonly hasDeadline: boolean
  /** The promises of hooks. Only the response waits for them, so that a hook that never ends delays no message. */
  readonly hooks: Promise<void>[]
  firstReason: unknown
  /** Whether the batch is over. After that, the states of its entries no longer change. */
  isOver: boolean
}

/**
 * Handles a batch: reads the records of the event, handles them with `handle`, collects what failed, and responds with
 * it. The response is sent when half of the reserve is left, even if messages still run. See
 * docs/decisions/queues.md#half-of-the-reserve.
 */
export async function runBatch(
  event: QueueEnvelope,
  context: InvocationContext | undefined,
  options: BatchOptions,
  handle: (batch: Batch) => Promise<unknown>,
): Promise<BatchResponse> {
  const batch = read(event, context ?? {}, options)
  const handled = handle(batch)
  // Synchronous handlers have ended, and need no timer.
  const isDue = batch.hasDeadline && batch.entries.some(({ state }) => state === 'running')
  await (isDue ? untilDue(batch, handled) : handled)
  collect(batch)
  if (batch.hooks.length > 0) await untilDue(batch, Promise.all(batch.hooks))
  batch.deadline.end()
  return respond(batch)
}

function read(event: QueueEnvelope, context: InvocationContext, options: BatchOptions): Batch {
  const { reserve = 250, clock = systemClock } = options
  const records = event.Records as readonly QueueRecord[]
  const entries: Entry[] = []
  for (const record of records) entries.push({ record, state: 'waiting' })
  const own = deadline(context, { reserve, clock })
  return {
    entries,
    groups: isFifo(records) ? messageGroups(entries) : entries.map(entry => [entry]),
    options,
    context,
    deadline: own,
    hasDeadline: own.remaining() < Number.POSITIVE_INFINITY,
    hooks: [],
    firstReason: undefined,
    isOver: false,
  }
}

function messageGroups(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const groups = new Map<string | undefined, Entry[]>()
  for (const entry of entries) {
    const name = groupOf(entry.record)
    const group = groups.get(name)
    if (group) group.push(entry)
    else groups.set(name, [entry])
  }
  return [...groups.values()]
}

/** Waits for a promise, but not longer than the response can wait. */
async function untilDue({ context, hasDeadline, options }: Batch, awaited: Promise<unknown>): Promise<void> {
  if (!hasDeadline) return void (await awaited)
  const { reserve = 250, clock = systemClock } = options
  const left = deadline(context, { reserve: reserve / 2, clock }).remaining()
  let cancel = () => {}
  await Promise.race([awaited, new Promise<void>(resolve => (cancel = clock.after(left, resolve)))])
  cancel()
}

/** Ends the batch, and reports all unfinished messages as failed. */
function collect(batch: Batch): void {
  batch.isOver = true
  for (const group of batch.groups) {
    let stopped = false
    for (const { record, state } of group) {
      if (state === 'failed') stopped = true
      if (state === 'failed' || state === 'done') continue
      const why = stopped ? 'group stopped' : state === 'running' ? 'not finished in time' : 'out of time'
      reportFailure(batch, record, new UnhandledMessageError(why))
    }
  }
}

/** Returns the ids of all messages that are not done, each once, in the order of the batch. */
function respond({ entries, options, firstReason }: Batch): BatchResponse {
  const ids = new Set<string>()
  let done = 0
  for (const { record, state } of entries) {
    if (state === 'done') done++
    else ids.add(record.messageId)
  }
  if (options.throwWhenAllFail && ids.size > 0 && done === 0)
    throw new BatchFailedError(`All ${entries.length} messages of the batch failed.`, { cause: firstReason })
  return { batchItemFailures: Array.from(ids, itemIdentifier => ({ itemIdentifier })) }
}

/** Returns whether no other message can start. */
export function isStopped({ isOver, hasDeadline, deadline }: Batch): boolean {
  return isOver || (hasDeadline && deadline.remaining() === 0)
}

/** Records that a message succeeded. */
export function succeed(batch: Batch, entry: Entry): void {
  if (!batch.isOver) entry.state = 'done'
}

/**
 * Records that a message failed or was discarded, and calls the hook. Returns whether its group can continue. Never
 * throws.
 */
export function fail(batch: Batch, entry: Entry, reason: unknown, message?: Message<unknown>): boolean {
  if (batch.isOver) return false
  const discarded = DiscardError.is(reason)
  entry.state = discarded ? 'done' : 'failed'
  if (discarded) callHook(batch, batch.options.onDiscard, entry.record, reason.reason, message)
  else {
    batch.firstReason ??= reason
    reportFailure(batch, entry.record, reason, message)
  }
  return discarded
}

/** Logs a failed message and calls `onFailure`. */
function reportFailure(batch: Batch, record: QueueRecord, reason: unknown, message?: Message<unknown>): void {
  logFailure(batch.options.log, record, reason)
  callHook(batch, batch.options.onFailure, record, reason, message)
}

/** Calls a hook and ignores its errors. The message of an unreadable record has its body as text. */
function callHook(
  { context, deadline, hooks }: Batch,
  hook: BatchOptions['onFailure'],
  record: QueueRecord,
  reason: unknown,
  message?: Message<unknown>,
): void {
  if (hook === undefined) return
  try {
    const returned = hook(
      message ?? new RecordMessage<unknown>(record, record.body, deadline, context),
      reason,
    )
    if (isThenable(returned)) hooks.push(ignoreRejection(returned))
  } catch {}
}

async function ignoreRejection(returned: PromiseLike<unknown>): Promise<void> {
  try {
    await returned
  } catch {}
}
