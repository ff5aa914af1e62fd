import { fromJson } from '@signalbox/codec'
import { type InvocationContext, signalbox } from '@signalbox/core'
import { type ManualClock, manualClock } from '@signalbox/core/testing'
import fc from 'fast-check'
import * as t from 'io-ts'
import { batchVerdict } from '../contract/verdict.ts'
import { discard, queue } from '../index.ts'
import { fifoEvent, queueEvent } from '../testing/index.ts'

/** The behaviour of a message's handler. Times are whole milliseconds, so that they are never equal to a deadline. */
type Behaviour =
  | { readonly kind: 'return' | 'throw' | 'discard'; readonly after?: number }
  | { readonly kind: 'hang' | 'unreadable body' | 'broken record' }
  /** The handler ends a given time after its signal aborts. */
  | { readonly kind: 'obey'; readonly well: boolean; readonly after: number }

interface Batch {
  readonly fifo: boolean
  readonly messages: readonly { readonly group: string; readonly behaviour: Behaviour }[]
  readonly concurrency: number
  readonly hook: 'none' | 'plain' | 'throws' | 'slow' | 'rejects'
  /** The timeout of the invocation in milliseconds, which is never a whole number. */
  readonly timeout: number | undefined
  readonly reserve: number
}

const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('return', 'throw', 'discard') }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('return', 'return', 'throw', 'discard'),
      after: fc.integer({ min: 0, max: 30 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('unreadable body', 'broken record') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('obey'),
      well: fc.boolean(),
      after: fc.integer({ min: 0, max: 20 }).map(ms => ms + 0.25),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Behaviour>({ kind: 'hang' }) },
)

const batch: fc.Arbitrary<Batch> = fc
  .record({
    fifo: fc.boolean(),
    messages: fc.array(fc.record({ group: fc.constantFrom('a', 'b', 'c', 'd', ''), behaviour }), {
      maxLength: 24,
    }),
    concurrency: fc.constantFrom(1, 2, 3, 10, Number.POSITIVE_INFINITY),
    hook: fc.constantFrom('none', 'plain', 'throws', 'slow', 'rejects'),
    timeout: fc.option(
      fc.integer({ min: 0, max: 80 }).map(ms => ms + 0.5),
      { nil: undefined },
    ),
    reserve: fc.constantFrom(0, 2, 10, 20, 100),
  })
  .map(made => {
    const endless = made.messages.some(({ behaviour: { kind } }) => kind === 'hang' || kind === 'obey')
    return endless ? { ...made, timeout: made.timeout ?? 50.5 } : made
  })

interface Trace {
  readonly started: number[]
  readonly succeeded: Set<number>
  readonly failed: Set<number>
  readonly told: number[]
  /** The maximum number of messages that ran at the same time. */
  most: number
  /** The time in milliseconds after the start at which the last message started. */
  lastStart: number
  /** The number of timers that were still set when the response was returned. */
  timersLeft: number
  answeredAt: number
}

/**
 * Runs random batches on a manual clock. The response must list exactly the messages that failed, followed a failed
 * message in their group, did not end or did not start. Groups must keep their order, at most `concurrency` messages
 * may run at the same time, and the response must come before the invocation ends.
 */
export const everyBatch = fc.asyncProperty(batch, async made => {
  const clock = manualClock(1_000_000)
  const trace: Trace = {
    started: [],
    succeeded: new Set(),
    failed: new Set(),
    told: [],
    most: 0,
    lastStart: 0,
    timersLeft: 0,
    answeredAt: Number.NaN,
  }
  const event = eventOf(made)
  const reported = await play(made, event, clock, trace)
  const positions = made.messages.map((_, position) => position)

  const notDone = positions.filter(position => !trace.succeeded.has(position))
  same('reported = failed + stopped + unfinished + unstarted', reported, notDone)
  if (trace.most > made.concurrency) throw new Error(`${trace.most} at once, of ${made.concurrency}`)
  inOrder(made, trace)
  if (made.timeout === undefined) allStarted(made, trace)
  else inTime(made.timeout, made, trace)
  if (trace.timersLeft > 0) throw new Error('a timer outlived the invocation')
  if (made.hook !== 'none')
    same('onFailure is called once for each failed message', [...trace.told].sort(byNumber), reported)

  const ids = reported.map(position => event.Records[position]!.messageId)
  const payload = JSON.stringify({ batchItemFailures: ids.map(itemIdentifier => ({ itemIdentifier })) })
  const verdict = batchVerdict(payload, event)
  if (verdict.kind !== (ids.length === 0 ? 'success' : 'partial')) throw new Error(`verdict: ${verdict.why}`)
})

async function play(
  { messages, concurrency, hook, timeout, reserve }: Batch,
  event: ReturnType<typeof eventOf>,
  clock: ManualClock,
  trace: Trace,
): Promise<readonly number[]> {
  let running = 0
  const start = clock.now()
  const positionOf = new Map(event.Records.map(({ messageId }, position) => [messageId, position]))
  const wait = (ms: number) => new Promise<void>(resolve => void clock.after(ms, resolve))
  const end = (position: number, well: boolean) => {
    running--
    if (Number.isNaN(trace.answeredAt)) (well ? trace.succeeded : trace.failed).add(position)
  }
  const finish = (position: number, kind: Behaviour['kind']) => {
    end(position, kind !== 'throw')
    if (kind === 'throw') throw undefined
    if (kind === 'discard') discard('given up')
    return { ignored: ['any other value'] }
  }
  const handler = signalbox(
    queue({
      body: fromJson(t.number),
      concurrency,
      reserve,
      clock,
      log: false,
      onMessage(message) {
        const position = message.body
        const { behaviour: does } = messages[position]!
        trace.started.push(position)
        trace.most = Math.max(trace.most, ++running)
        trace.lastStart = clock.now() - start
        if (position % 2 === 0) message.signal.throwIfAborted()
        if (does.kind === 'hang') return new Promise(() => undefined)
        if (does.kind === 'obey')
          return new Promise<void>((resolve, reject) => {
            message.signal.addEventListener('abort', () =>
              clock.after(does.after, () => {
                end(position, does.well)
                does.well ? resolve() : reject(message.signal.reason)
              }),
            )
          })
        const after = 'after' in does ? does.after : undefined
        if (after === undefined) return finish(position, does.kind)
        return wait(after).then(() => finish(position, does.kind))
      },
      ...(hook === 'none'
        ? {}
        : {
            onFailure({ id }: { id: string }) {
              trace.told.push(positionOf.get(id)!)
              if (hook === 'throws') throw new Error('a hook of no consequence')
              if (hook === 'slow') return wait(3)
              return hook === 'rejects' ? Promise.reject(new Error('nor this one')) : undefined
            },
          }),
    }),
  )
  const context: InvocationContext =
    timeout === undefined ? {} : { getRemainingTimeInMillis: () => start + timeout - clock.now() }
  const answer = handler(event, context).then(response => {
    trace.answeredAt = clock.now() - start
    if (running === 0 && hook !== 'slow') trace.timersLeft = clock.waiting
    return response
  })
  await clock.advance(10_000)
  if (Number.isNaN(trace.answeredAt)) throw new Error('no answer')
  return (await answer).batchItemFailures.map(({ itemIdentifier }) => positionOf.get(itemIdentifier)!)
}

function eventOf({ fifo, messages }: Batch) {
  const bodies = messages.map(({ behaviour: { kind } }, position) =>
    kind === 'unreadable body' ? `{"position":${position}` : position,
  )
  const event = fifo
    ? fifoEvent(bodies.map((body, position) => [messages[position]!.group, body]))
    : queueEvent({ bodies })
  for (const [position, { behaviour, group }] of messages.entries()) {
    const record: { receiptHandle?: string; attributes: { MessageGroupId?: string | null | undefined } } =
      event.Records[position]!
    if (behaviour.kind === 'broken record') delete record.receiptHandle
    if (!fifo && group !== '') record.attributes.MessageGroupId = group
  }
  return event
}

/**
 * Throws if the messages of a FIFO group did not start in the order of the batch, or if a message started after a
 * failure in its group.
 */
function inOrder({ fifo, messages }: Batch, { started, failed }: Trace): void {
  if (!fifo) return
  for (const group of new Set(messages.map(message => message.group))) {
    const mine = started.filter(position => messages[position]!.group === group)
    same(`order in group ${group}`, mine, [...mine].sort(byNumber))
    const last = mine.at(-1)
    for (const position of mine) {
      if (failed.has(position) && position !== last)
        throw new Error(`handled after the failure of ${position}`)
    }
    for (const [position, message] of messages.entries()) {
      const unreadable =
        message.behaviour.kind === 'unreadable body' || message.behaviour.kind === 'broken record'
      if (message.group === group && unreadable && last !== undefined && last > position)
        throw new Error(`handled after unreadable ${position}`)
    }
  }
}

/**
 * Throws if a message started within the reserve, or if less than half of the reserve was left when the response
 * came.
 */
function inTime(timeout: number, { reserve }: Batch, { started, lastStart, answeredAt }: Trace): void {
  if (started.length > 0 && lastStart > timeout - reserve)
    throw new Error(`started after ${lastStart} of ${timeout} ms`)
  if (answeredAt > Math.max(0, timeout - reserve / 2))
    throw new Error(`answered after ${answeredAt} of ${timeout} ms`)
}

/** Throws if a message was not handled although it is readable and its group had not stopped. */
function allStarted({ fifo, messages }: Batch, { started, failed }: Trace): void {
  const handled = new Set(started)
  const stopped = new Set<string>()
  for (const [position, { group, behaviour }] of messages.entries()) {
    const unreadable = behaviour.kind === 'unreadable body' || behaviour.kind === 'broken record'
    if (!handled.has(position) && !unreadable && !(fifo && stopped.has(group)))
      throw new Error(`${position} was not handled`)
    if (unreadable || failed.has(position)) stopped.add(group)
  }
}

const byNumber = (one: number, other: number) => one - other

function same(what: string, found: readonly number[], expected: readonly number[]): void {
  if (found.join() !== expected.join())
    throw new Error(`${what}: found ${found.join() || 'none'}, expected ${expected.join() || 'none'}`)
}

/** Checks the property with many random batches. */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  await fc.assert(everyBatch, { numRuns: runs, ...(seed === undefined ? {} : { seed }) })
  return `${runs} random batches on a clock of their own: each answer named exactly what was not done.`
}
