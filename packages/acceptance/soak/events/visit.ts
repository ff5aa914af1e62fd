import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { setImmediate as immediate } from 'node:timers/promises'
import type { Clock } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'

/** Returns a whole number from 0 to `below - 1`. */
export type Random = (below: number) => number

/** One event while functions handle it. */
export interface Visit {
  /** A text that is in every value of the event, and in no value of another event. */
  readonly mark: string
  readonly random: Random
  /**
   * Chooses the function and the kind of event. It is the same for some events in a row, so that they meet in the same
   * code.
   */
  readonly kinds: Random
  /** How often code of a function has decided about the event. */
  runs: number
}

/** Returns the mark of the event with this number. No digest or token contains such a text by chance. */
export function markOf(number: number): string {
  return `mark0${String(number).padStart(8, '0')}kram`
}

const markLength = markOf(0).length

/** Returns random numbers that depend only on the seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const visits = new AsyncLocalStorage<Visit>()
const violations: string[] = []
const mostViolations = 100

/** Calls `run` for an event: everything that it starts belongs to the event. */
export function visit<T>(own: Visit, run: () => T): T {
  return visits.run(own, run)
}

/** Returns the event for which the current code runs. */
export function current(): Visit {
  const own = visits.getStore()
  if (own === undefined) throw new Error('This code runs for no event.')
  return own
}

/** Notes something that must not happen. */
export function violation(text: string): void {
  if (!isFull()) violations.push(text)
}

/** Returns whether there are so many violations that further ones say no more. */
export function isFull(): boolean {
  return violations.length >= mostViolations
}

/** Returns the violations since the last call. */
export function takeViolations(): readonly string[] {
  return violations.splice(0)
}

/**
 * Notes a violation for each mark of another event in these values. Code of functions calls it with all that it gets,
 * so that it also sees an event that reached the code of another one.
 */
export function see(where: string, ...values: readonly unknown[]): void {
  look(where, values, false)
}

/** Does the same as `see`, and notes a violation, too, if the values lack the mark of their own event. */
export function seeOwn(where: string, ...values: readonly unknown[]): void {
  look(where, values, true)
}

function look(where: string, values: readonly unknown[], hasOwn: boolean): void {
  const own = visits.getStore()
  const text = values.length === 1 ? textOf(values[0]) : values.map(textOf).join('\n')
  if (own === undefined) {
    violation(`${where} runs for no event: ${text.slice(0, 300)}`)
    return
  }
  let isFound = false
  for (let at = text.indexOf('mark0'); at >= 0; at = text.indexOf('mark0', at + markLength)) {
    const found = text.slice(at, at + markLength)
    if (found === own.mark) isFound = true
    else violation(`${where} of ${own.mark} has ${found}: ${text.slice(0, 300)}`)
  }
  if (hasOwn && !isFound) violation(`${where} lacks ${own.mark}: ${text.slice(0, 300)}`)
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Error) return `${value} ${JSON.stringify(value)} ${textOf(value.cause)}`
  return JSON.stringify(value) ?? ''
}

const manual = manualClock(Date.parse('2026-01-01'))

/** The clock of all functions. Their timers run for the event that started them, like those of Node. */
export const clock: Clock = {
  now: manual.now,
  wall: manual.wall,
  after: (ms, run) => manual.after(ms, AsyncResource.bind(run)),
}

/** Lets time pass for the functions. Promises settle meanwhile as they do between timers of Node. */
export function advance(ms: number): Promise<void> {
  return manual.advance(ms, async () => {})
}

let atPause = () => {}

/** Sets what runs before and after each pause of a function. */
export function atPauses(run: () => void): void {
  atPause = run
}

/** Waits for a random number of microtasks, turns of the event loop or milliseconds. */
export async function pause(): Promise<void> {
  const { random } = current()
  atPause()
  const kind = random(10)
  if (kind === 0) await new Promise<void>(resolve => clock.after(random(30), resolve))
  else if (kind === 1) await new Promise<void>(resolve => process.nextTick(resolve))
  else if (kind < 4) for (let turns = random(3); turns >= 0; turns--) await immediate()
  else for (let microtasks = random(12); microtasks > 0; microtasks--) await null
  atPause()
}

/** Waits like `pause` or not at all. Without a pause it returns no promise, as synchronous code does. */
export function maybePause(): Promise<void> | undefined {
  return current().random(2) === 0 ? undefined : pause()
}

/** Waits until a signal aborts, and then throws its reason. */
export async function untilAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted)
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
  throw signal.reason
}
