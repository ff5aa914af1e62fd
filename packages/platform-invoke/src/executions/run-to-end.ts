import { setTimeout as delay } from 'node:timers/promises'
import type { ManualClock } from '@signalbox/core/testing'
import { callDelay, type Execution, hasEnded, type Operation } from '../store/execution.ts'
import type { Executions } from './executions.ts'

/** Milliseconds of real time after which an execution that does not go on is given up. */
const timeLimit = 30_000

/** The largest number of operations that an execution has. */
const all = { after: -1, limit: 3001, bytes: Number.POSITIVE_INFINITY }

/** Milliseconds of real time that a called function gets before the clock moves, in case its call is due later. */
const callTime = 200

/** A wait of an execution: until when by the clock, for a function that it called, or for a callback. */
type Next = { readonly at: number } | 'call' | 'callback' | 'nothing'

/**
 * Lets an execution go on until it has ended, or until it waits for callbacks only. The clock moves from one wait to the
 * next, and stands still while functions run.
 * @param functionNames the durable functions
 * @throws Error when the execution does not go on
 */
export async function runToEnd(
  id: string,
  store: Executions['store'],
  clock: ManualClock,
  functionNames: readonly string[],
): Promise<{ readonly execution: Execution; readonly operations: readonly Operation[] } | undefined> {
  for (let since = performance.now(), before = ''; ; ) {
    const execution = await store.read(id)
    if (execution === undefined) return undefined
    const { operations } = await store.operations(id, all)
    if (hasEnded(execution)) return { execution, operations }
    const related = [execution, ...(await runningDescendants(id))]
    const next = related.some(({ invocation }) => invocation !== undefined)
      ? undefined
      : await nextOf(related)
    if (next === 'callback' || next === 'nothing') return { execution, operations }
    const state = JSON.stringify([clock.now(), related.map(each => [each.id, each.events, each.changes])])
    if (state !== before) since = performance.now()
    else if (performance.now() - since > timeLimit)
      throw new Error(`The execution ${execution.name} does not go on.`)
    before = state
    const isLate = next === 'call' && performance.now() - since > callTime
    const at = typeof next === 'object' ? next.at : clock.now() + (isLate ? callDelay : 0)
    await clock.advance(Math.max(0, at - clock.now()))
    await delay(1)
  }

  /** Returns the executions that an execution has called, and those that they have called. */
  async function runningDescendants(parent: string): Promise<readonly Execution[]> {
    const found: Execution[] = []
    for (const functionName of functionNames) {
      const listed = await store.list({
        ...{ functionName, statuses: ['RUNNING'] as const, newestFirst: true, after: undefined, limit: 1000 },
      })
      for (const each of listed) {
        const child = await store.read(each.id)
        if (child?.parent?.execution === parent) found.push(child, ...(await runningDescendants(child.id)))
      }
    }
    return found
  }

  async function nextOf(related: readonly Execution[]): Promise<Next> {
    const nexts = await Promise.all(
      related.map(async (execution): Promise<Next> => {
        const { operations } = await store.operations(execution.id, all)
        const children = related.filter(({ parent }) => parent?.execution === execution.id)
        return nextOfOne(execution, operations, children.length, clock.now())
      }),
    )
    const times = nexts.flatMap(each => (typeof each === 'object' ? each.at : []))
    if (times.length > 0) return { at: Math.min(...times) }
    return (['call', 'callback'] as const).find(each => nexts.includes(each)) ?? 'nothing'
  }
}

/** @param children the number of its executions of other functions that run */
function nextOfOne(
  execution: Execution,
  operations: readonly Operation[],
  children: number,
  now: number,
): Next {
  const { changedOutside, seen, events, retryAt } = execution
  if (retryAt !== undefined) return { at: retryAt }
  if (changedOutside > seen || events === 1) return { at: now }
  const times = operations.flatMap(({ type, dueAt }) =>
    dueAt === undefined || type === 'CALLBACK' ? [] : dueAt,
  )
  if (times.length > 0) return { at: Math.min(...times) }
  const calls = operations.filter(({ type, status }) => type === 'CHAINED_INVOKE' && status === 'STARTED')
  if (calls.length > children) return 'call'
  return openCallbacks(operations).length > 0 ? 'callback' : 'nothing'
}

/** Returns the callbacks that are waited for. */
export const openCallbacks = (
  operations: readonly Operation[],
): readonly { readonly name: string | undefined; readonly id: string }[] =>
  operations.flatMap(({ type, status, name, callback }) =>
    type === 'CALLBACK' && status === 'STARTED' ? [{ name, id: callback!.id }] : [],
  )
