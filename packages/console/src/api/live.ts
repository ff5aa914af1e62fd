import { optional, QueueState } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'
import { InvocationSummary } from './invocations.ts'

/**
 * Server-sent events of `GET /console/api/live`, at most ten of each kind a second. The query takes the filters of
 * invocations. The data of each event is JSON.
 */
export interface LiveEvents {
  readonly invocations: t.TypeOf<typeof NewInvocations>
  readonly numbers: t.TypeOf<typeof LiveNumbers>
}

/** The event `invocations`: new entries of the log that the filters let through. */
const NewInvocations = t.readonly(
  t.type({
    /** The newest first. The maximum is 50. */
    invocations: t.readonlyArray(InvocationSummary),
    /** How many more came than are in the list. */
    skipped: t.number,
  }),
)

/** The event `numbers`, once a second. */
const LiveNumbers = t.readonly(
  t.type({
    /** Milliseconds since the epoch. */
    at: t.number,
    /** Instances by function. */
    instances: t.readonly(t.record(t.string, t.number)),
    /** Calls and errors in the last second, of all functions. */
    calls: t.number,
    errors: t.number,
    queues: optional(t.readonlyArray(QueueState)),
  }),
)
