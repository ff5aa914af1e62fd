import { optional } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'
import { wholeNumber } from './query-codecs.ts'

/** The same operation of a client within a minute. */
export const AccessLogEntry = t.readonly(
  t.type({
    id: t.number,
    /** Milliseconds since the epoch: the first and the last time. */
    first: t.number,
    last: t.number,
    count: t.number,
    /** Undefined for a client that did not prove who it is. */
    identity: optional(t.string),
    /** Such as `queues`. */
    source: t.string,
    /** Such as `SendMessage`. */
    operation: t.string,
    resource: optional(t.string),
    /** `allowed`, `denied` for a missing right, or what was wrong. */
    result: t.string,
    /** The address of the client. */
    address: t.string,
  }),
)
export type AccessLogEntry = t.TypeOf<typeof AccessLogEntry>

/** Filters of the access log, which all have to hold. */
export const AccessLogQuery = t.partial({
  identity: t.string,
  source: t.string,
  /** Part of the operation, the resource or the address. */
  text: t.string,
  /** Only what was refused. */
  result: t.literal('refused'),
  /** The number of entries. Default 100. */
  last: wholeNumber,
})
