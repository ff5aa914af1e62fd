import { optional, wholeNumber } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'

/** Statistics about the invocations in a period. */
const Numbers = {
  calls: t.number,
  /** The number of calls that failed: their severity is `error`. */
  errors: t.number,
  /** The number of calls with the severity `warning`. */
  warnings: t.number,
  /** The median duration in milliseconds. Undefined if there were no calls. */
  p50: optional(t.number),
  p90: optional(t.number),
  p99: optional(t.number),
}

/** A function, with its statistics for the requested period. */
export const FunctionState = t.readonly(
  t.type({
    name: t.string,
    /** The current number of instances, including idle ones. */
    instances: t.number,
    /** The maximum number of instances. */
    most: t.number,
    /** The time limit of an invocation, in milliseconds. */
    timeout: t.number,
    /** The heap limit of each instance in MB. */
    memory: t.number,
    /** The number of instances that have started since the platform started. Each was a cold start. */
    coldStarts: t.number,
    /** The number of times that the function's code has been reloaded since the platform started. */
    reloads: t.number,
    ...Numbers,
  }),
)
export type FunctionState = t.TypeOf<typeof FunctionState>

/** A period. Default: the last hour. */
export const Span = t.partial({
  /** The start of the period (inclusive), in milliseconds since the epoch. */
  from: wholeNumber,
  /** The end of the period (exclusive), in milliseconds since the epoch. */
  to: wholeNumber,
})

/** A period that is divided into `steps` equal parts: 60 by default, and at most 500. */
export const Steps = t.intersection([Span, t.partial({ steps: wholeNumber })])

export const FunctionSeries = t.readonly(
  t.type({
    /** The start of the period, in milliseconds since the epoch. */
    from: t.number,
    to: t.number,
    points: t.readonlyArray(
      t.readonly(
        t.type({
          /** The start of the part, in milliseconds since the epoch. */
          at: t.number,
          ...Numbers,
          /** The latest generation of the code in this part of the period. Each reload increases it by one. */
          generation: optional(t.number),
        }),
      ),
    ),
  }),
)
