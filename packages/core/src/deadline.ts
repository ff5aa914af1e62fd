import { type Clock, systemClock } from './clock.ts'
import { refusalAsAnswer } from './not-an-answer.ts'
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
export function deadline(context: InvocationContext | undefined, options: DeadlineOptions = {}): Deadline {
  return new LazyDeadline(context, options)
}

const refuseDeadline = /* @__PURE__ */ refusalAsAnswer('a deadline')

/** What is left when nobody said how long the invocation may take. */
const unlimited = Number.POSITIVE_INFINITY

// A class, for its getter on the prototype: one is made for every invocation, and few of them are asked anything.
// For the same reason what it finds out goes into an object that is made for the first question, and the clock is
// read then, unless a limit has to be counted from now.
class LazyDeadline implements Deadline {
  // V8 forgets the shape of objects when a garbage collection finds none of them, as it may between two invocations,
  // and with the shape all code that was optimized for it. So there is always one.
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

  /** Not an answer of a function, though routes get it as their invocation. */
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

/** When it ends, in milliseconds since the epoch. */
function end(context: InvocationContext | undefined, options: DeadlineOptions): number {
  const { limit = unlimited, reserve = 0 } = options
  // Unbound on purpose: middlewares copy it about, so it cannot rely on `this`.
  const getRemainingTimeInMillis = context?.getRemainingTimeInMillis
  const granted = getRemainingTimeInMillis?.()
  // What is no number, as of a context that only stands in for one, does not say when the invocation ends.
  const known = typeof granted === 'number' && !Number.isNaN(granted)
  const left = Math.min(known ? granted : unlimited, limit)
  return clockOf(options).now() + left - reserve
}
