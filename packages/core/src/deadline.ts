import { type Clock, systemClock } from './clock.ts'
import { refusalAsAnswer } from './not-an-answer.ts'
import type { InvocationContext } from './plugin.ts'

/** The deadline of an invocation. */
export interface Deadline {
  /** The milliseconds until the deadline, never less than zero. It is `Infinity` when the context has no deadline. */
  remaining(): number
  /** Aborts at the deadline. A timer starts when the signal is first read. */
  readonly signal: AbortSignal
  /** Stops the timer. Call it when the invocation is over. */
  end(): void
}

/** Options of `deadline`. All times are in milliseconds. */
export interface DeadlineOptions {
  /**
   * The milliseconds by which this deadline is earlier than that of the platform, so that a response can still be sent.
   * Default 0.
   */
  readonly reserve?: number
  /**
   * The maximum time in milliseconds that the contract allows, even if the context grants more time. Default
   * `Infinity`.
   */
  readonly limit?: number
  /** When this signal aborts, the deadline's signal also aborts. */
  readonly signal?: AbortSignal
  /** The clock that measures the remaining time. Default: the system clock. */
  readonly clock?: Clock
}

/**
 * Returns the deadline of an invocation: the remaining time of its context, or `limit` if that is less, minus
 * `reserve`. If the context has no `getRemainingTimeInMillis` and there is no limit, the deadline never passes.
 *
 * @example
 * const time = deadline(context, { reserve: 250 })
 * await fetch(address, { signal: time.signal }).finally(() => time.end())
 */
export function deadline(context: InvocationContext | undefined, options: DeadlineOptions = {}): Deadline {
  return new LazyDeadline(context, options)
}

const refuseDeadline = /* @__PURE__ */ refusalAsAnswer('a deadline')

/** The remaining time of an invocation without a deadline. */
const unlimited = Number.POSITIVE_INFINITY

// The clock is read, and a timer started, at the first read, because most handlers never read their deadline. A limit
// counts from the construction.
class LazyDeadline implements Deadline {
  readonly #context: InvocationContext | undefined
  readonly #options: DeadlineOptions
  #end: number | undefined
  #signal: AbortSignal | undefined
  #cancel: (() => void) | undefined

  constructor(context: InvocationContext | undefined, options: DeadlineOptions) {
    this.#context = context
    this.#options = options
    if (options.limit !== undefined) this.remaining()
  }

  remaining(): number {
    const { limit = unlimited, reserve = 0, clock = systemClock } = this.#options
    const now = clock.now()
    if (this.#end === undefined) {
      // The function is called without `this`, because middlewares copy it to other objects.
      const getRemainingTimeInMillis = this.#context?.getRemainingTimeInMillis
      const granted = getRemainingTimeInMillis?.()
      // In a test, the function might return a value that is not a number.
      const known = typeof granted === 'number' && !Number.isNaN(granted)
      this.#end = now + Math.min(known ? granted : unlimited, limit) - reserve
    }
    return Math.max(0, this.#end - now)
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#start()
    return this.#signal
  }

  /**
   * Throws, so that a deadline cannot become JSON. Routes get the deadline as their invocation, and might return it by
   * mistake.
   */
  toJSON(): never {
    return refuseDeadline()
  }

  end(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #start(): AbortSignal {
    const { signal: outer, clock } = this.#options
    const left = this.remaining()
    if (left === unlimited) return outer ?? new AbortController().signal
    const controller = new AbortController()
    const abort = () =>
      controller.abort(new DOMException('The invocation reached its deadline', 'TimeoutError'))
    if (left === 0) abort()
    else this.#cancel = (clock ?? systemClock).after(left, abort)
    return outer ? AbortSignal.any([controller.signal, outer]) : controller.signal
  }
}
