import { type Clock, systemClock } from './clock.ts'
import { refusalAsAnswer } from './not-an-answer.ts'
import type { InvocationContext } from './plugin.ts'

/** The deadline of an invocation. */
export interface Deadline {
  /** Milliseconds left until the deadline; `Infinity` when the context names none, never below zero. */
  remaining(): number
  /** Aborts at the deadline. A timer starts when the signal is first read. */
  readonly signal: AbortSignal
  /** Stops the timer. Call it when the invocation is over. */
  end(): void
}

export interface DeadlineOptions {
  /** Milliseconds before the platform's deadline at which this one ends, so that a response can still be sent. Default 0. */
  readonly reserve?: number
  /** The contract's maximum in milliseconds, which limits a longer time in the context. Default `Infinity`. */
  readonly limit?: number
  /** A signal that aborts this one too. */
  readonly signal?: AbortSignal
  readonly clock?: Clock
}

/**
 * Returns the deadline of an invocation: the remaining time of its context, or `limit` if that is less, minus
 * `reserve`. Without `getRemainingTimeInMillis` in the context and without a limit there is no deadline.
 *
 * @example
 * const { signal, end } = deadline(context, { reserve: 250 })
 */
export function deadline(context: InvocationContext | undefined, options: DeadlineOptions = {}): Deadline {
  return new LazyDeadline(context, options)
}

const refuseDeadline = /* @__PURE__ */ refusalAsAnswer('a deadline')

/** The remaining time without a deadline. */
const unlimited = Number.POSITIVE_INFINITY

// A class, because a getter on the prototype costs nothing for the invocations that never read their deadline. Its state
// is created at the first read for the same reason. The clock is read then, unless a limit starts now.
class LazyDeadline implements Deadline {
  // V8 discards optimized code when a garbage collection finds no object of a shape, as between two invocations. This
  // instance keeps the shape alive.
  static readonly one = new LazyDeadline(undefined, {})

  readonly #context: InvocationContext | undefined
  readonly #options: DeadlineOptions
  #asked: Asked | undefined

  constructor(context: InvocationContext | undefined, options: DeadlineOptions) {
    this.#context = context
    this.#options = options
    if (options.limit !== undefined) this.#ask()
  }

  remaining(): number {
    const { at } = this.#ask()
    return Math.max(0, at - clockOf(this.#options).now())
  }

  get signal(): AbortSignal {
    const asked = this.#ask()
    asked.signal ??= this.#start(asked)
    return asked.signal
  }

  /** Refuses to become JSON: routes get the deadline as their invocation, and may return it by mistake. */
  toJSON(): never {
    return refuseDeadline()
  }

  end(): void {
    const asked = this.#asked
    if (asked === undefined) return
    asked.cancel?.()
    asked.cancel = undefined
  }

  #ask(): Asked {
    this.#asked ??= { at: end(this.#context, this.#options), signal: undefined, cancel: undefined }
    return this.#asked
  }

  #start(asked: Asked): AbortSignal {
    const outer = this.#options.signal
    const left = this.remaining()
    if (left === unlimited) return outer ?? new AbortController().signal
    const controller = new AbortController()
    const abort = () =>
      controller.abort(new DOMException('The invocation reached its deadline', 'TimeoutError'))
    if (left === 0) abort()
    else asked.cancel = clockOf(this.#options).after(left, abort)
    return outer ? AbortSignal.any([controller.signal, outer]) : controller.signal
  }
}

interface Asked {
  readonly at: number
  signal: AbortSignal | undefined
  cancel: (() => void) | undefined
}

function clockOf({ clock }: DeadlineOptions): Clock {
  return clock ?? systemClock
}

/** Returns the end of the invocation in milliseconds since the epoch. */
function end(context: InvocationContext | undefined, options: DeadlineOptions): number {
  const { limit = unlimited, reserve = 0 } = options
  // Called without `this`, because middlewares copy the function to other objects.
  const getRemainingTimeInMillis = context?.getRemainingTimeInMillis
  const granted = getRemainingTimeInMillis?.()
  // The context of a test double may return something that is not a number.
  const known = typeof granted === 'number' && !Number.isNaN(granted)
  const left = Math.min(known ? granted : unlimited, limit)
  return clockOf(options).now() + left - reserve
}
