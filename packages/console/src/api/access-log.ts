import { optional, wholeNumber } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'

/**
 * An entry of the access log. If a client repeats the same operation within a minute, one entry counts all of
 * them.
 */
export const AccessLogEntry = t.readonly(
  t.type({
    id: t.number,
    /** The time of the first operation that the entry counts, in milliseconds since the epoch. */
    first: t.number,
    /** The time of the last operation that the entry counts, in milliseconds since the epoch. */
    last: t.number,
    count: t.number,
    /** The identity of the client. Undefined if the client did not authenticate. */
    identity: optional(t.string),
    /** The name of the listener, such as `queues`. */
    source: t.string,
    /** The operation, such as `SendMessage`. */
    operation: t.string,
    resource: optional(t.string),
    /** The result: `allowed`, `denied` if a right was missing, or the name of an error. */
    result: t.string,
    /** The address of the client. */
    address: t.string,
  }),
)
export type AccessLogEntry = t.TypeOf<typeof AccessLogEntry>

/** Filters of the access log. An entry must pass all of them. */
export const AccessLogQuery = t.partial({
  identity: t.string,
  source: t.string,
  /** A string that the operation, the resource or the address must contain. */
  text: t.string,
  /** If this is `refused`, the list contains only refused operations. */
  result: t.literal('refused'),
  /** The maximum number of entries to list. Default: 100. */
  last: wholeNumber,
})
