import { optional } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'
import { wholeNumber } from './query-codecs.ts'

/** Numbers of invocations in a span of time. */
const Numbers = {
  calls: t.number,
  /** Calls with a failure or a verdict that is not ok. */
  errors: t.number,
  /** Milliseconds; undefined without calls. */
  p50: optional(t.number),
  p90: optional(t.number),
  p99: optional(t.number),
}

/** A function and its numbers in the span of time that was asked for. */
export const FunctionState = t.readonly(
  t.type({
    name: t.string,
    /** Instances now, idle ones included. */
    instances: t.number,
    /** The largest number of instances. */
    most: t.number,
    /** Milliseconds. */
    timeout: t.number,
    /** MB of heap for each instance. */
    memory: t.number,
    /** Instances that were started since the platform started: each was a cold start. */
    coldStarts: t.number,
    /** How often its code was reloaded since the platform started. */
    reloads: t.number,
    ...Numbers,
  }),
)
export type FunctionState = t.TypeOf<typeof FunctionState>

/** A span of time. Default: the last hour. */
export const Span = t.partial({
  /** Milliseconds since the epoch, inclusive. */
  from: wholeNumber,
  /** Milliseconds since the epoch, exclusive. */
  to: wholeNumber,
})

/** A span of time in `steps` equal parts, 60 unless said otherwise, at most 500. */
export const Steps = t.intersection([Span, t.partial({ steps: wholeNumber })])

export const FunctionSeries = t.readonly(
  t.type({
    /** Milliseconds since the epoch. */
    from: t.number,
    to: t.number,
    points: t.readonlyArray(
      t.readonly(
        t.type({
          /** The beginning of the part, in milliseconds since the epoch. */
          at: t.number,
          ...Numbers,
          /** The latest generation of the code in this part: it grows by one with each reload. */
          generation: optional(t.number),
        }),
      ),
    ),
  }),
)
