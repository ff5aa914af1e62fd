import { type Clock, systemClock } from './clock.ts'
import type { InvocationContext } from './plugin.ts'

/** When an invocation has to be over, and a signal for those who want to be told. */
export interface Deadline {
  /** Milliseconds left until the deadline; `Infinity` when the context names none, never below zero. */
  remaining(): number
  /** Aborted at the deadline. No timer runs until somebody reads it. */
  readonly signal: AbortSignal
  /** Stops the timer. Call it when the invocation is over. */
  end(): void
}

export interface DeadlineOptions {
  /** Milliseconds kept back from the time that the platform grants, for getting an answer out. Default 0. */
  readonly reserve?: number
  /** Milliseconds that the contract grants at most, whatever the context says. Default `Infinity`. */
  readonly limit?: number
  /** A signal that aborts this one too. */
  readonly signal?: AbortSignal
  readonly clock?: Clock
}

/**
 * The deadline of an invocation: the time that its context still grants (or `limit`, if that is less) minus
 * `reserve`. Without `getRemainingTimeInMillis` in the context and without a limit there is no deadline.
 */
export function deadline(
  context: InvocationContext | undefined,
  { reserve = 0, limit = Number.POSITIVE_INFINITY, signal, clock = systemClock }: DeadlineOptions = {},
): Deadline {
  return new LazyDeadline(context, reserve, limit, signal, clock)
}

// A class, for its getter on the prototype: one is made for every invocation, and few of them are asked anything.
class LazyDeadline implements Deadline {
  readonly #clock: Clock
  readonly #outer: AbortSignal | undefined
  readonly #at: number
  #signal: AbortSignal | undefined
  #cancel: (() => void) | undefined

  constructor(
    context: InvocationContext | undefined,
    reserve: number,
    limit: number,
    outer: AbortSignal | undefined,
    clock: Clock,
  ) {
    const getRemainingTimeInMillis = context?.getRemainingTimeInMillis
    const granted =
      getRemainingTimeInMillis === undefined ? Number.POSITIVE_INFINITY : getRemainingTimeInMillis()
    this.#clock = clock
    this.#outer = outer
    const left = Math.min(granted, limit)
    this.#at = left === Number.POSITIVE_INFINITY ? left : clock.now() + left - reserve
  }

  remaining(): number {
    return Math.max(0, this.#at - this.#clock.now())
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#start()
    return this.#signal
  }

  end(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #start(): AbortSignal {
    if (this.#at === Number.POSITIVE_INFINITY) return this.#outer ?? new AbortController().signal
    const controller = new AbortController()
    const abort = () =>
      controller.abort(new DOMException('The invocation reached its deadline', 'TimeoutError'))
    const left = this.remaining()
    if (left === 0) abort()
    else this.#cancel = this.#clock.after(left, abort)
    return this.#outer ? AbortSignal.any([controller.signal, this.#outer]) : controller.signal
  }
}
