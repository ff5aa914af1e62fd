import { InvocationSummary } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'

/**
 * Server-sent events of `GET /console/api/live`, at most ten of each kind per second. The query can contain filters for
 * invocations. The data of each event is JSON.
 */
export interface LiveEvents {
  readonly invocations: t.TypeOf<typeof NewInvocations>
  readonly numbers: t.TypeOf<typeof LiveNumbers> & { readonly [part: string]: unknown }
}

/** The event `invocations`: new entries of the log that pass the filters. */
const NewInvocations = t.readonly(
  t.type({
    /** Up to 50 new invocations, newest first. */
    invocations: t.readonlyArray(InvocationSummary),
    /** The number of new invocations that the list omits. */
    skipped: t.number,
  }),
)

/**
 * The event `numbers`, which sends statistics once a second. Sources add theirs below the names of their parts, see
 * `ConsolePart.live`.
 */
const LiveNumbers = t.readonly(
  t.type({
    /** The time of the statistics, in milliseconds since the epoch. */
    at: t.number,
    /** The number of instances of each function. */
    instances: t.readonly(t.record(t.string, t.number)),
    /** The number of calls of all functions in the last second. */
    calls: t.number,
    /** The number of errors of all functions in the last second. */
    errors: t.number,
  }),
)
