import { optional } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'

/**
 * What the platform offers, and the choices for each filter. The console shows only the pages that the platform
 * supports.
 */
export const Overview = t.readonly(
  t.type({
    functions: t.readonlyArray(t.string),
    families: t.readonlyArray(t.string),
    /** The sources that occur in the log. */
    sources: t.readonlyArray(t.string),
    /** The kinds of verdicts that occur in the log. */
    verdicts: t.readonlyArray(t.string),
    /** Which kinds of sources the platform has. */
    has: t.readonly(
      t.type({
        loadBalancers: t.boolean,
        queues: t.boolean,
        mail: t.boolean,
        userPools: t.boolean,
        access: t.boolean,
      }),
    ),
  }),
)

/** A sample event. */
export const SampleName = t.readonly(t.type({ name: t.string, family: t.string }))

export const Sample = t.readonly(
  t.type({
    name: t.string,
    family: t.string,
    /** The event, which can be any JSON value. */
    event: t.unknown,
    /** The JSON Schema (2020-12) of events of this kind. The console makes a form from it. */
    schema: t.readonly(t.record(t.string, t.unknown)),
  }),
)

/** A request to a load balancer. */
export const RequestToSend = t.readonly(
  t.intersection([
    t.type({
      method: t.string,
      /** The path with the query, such as `/orders?page=2`. */
      path: t.string,
    }),
    t.partial({
      headers: t.readonlyArray(t.readonly(t.tuple([t.string, t.string]))),
      body: t.string,
      /** Whether the body is encoded in base64. */
      isBase64: t.boolean,
    }),
  ]),
)

export const SentRequest = t.readonly(
  t.type({
    status: t.number,
    statusText: t.string,
    headers: t.readonlyArray(t.readonly(t.tuple([t.string, t.string]))),
    body: t.string,
    /** Whether the body is encoded in base64, because it is not valid UTF-8. */
    isBase64: t.boolean,
    /** The duration in milliseconds. */
    duration: t.number,
    /** The id of the invocation that answered the request. */
    invocation: optional(t.number),
  }),
)
export type SentRequest = t.TypeOf<typeof SentRequest>
