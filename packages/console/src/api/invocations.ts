import { AcceptedMail, optional } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'
import { severalTexts, wholeNumber } from './query-codecs.ts'

const Verdict = t.readonly(t.type({ kind: t.string, ok: t.boolean, text: t.string }))

const Failure = t.readonly(
  t.type({
    /** The kind of failure: `threw`, `unloadable`, `timeout`, `crash` or `unavailable`. */
    kind: t.string,
    message: t.string,
  }),
)

const LogLine = t.readonly(t.type({ stream: t.union([t.literal('out'), t.literal('err')]), text: t.string }))

/** An entry in the list of invocations. */
export const InvocationSummary = t.readonly(
  t.type({
    id: t.number,
    requestId: t.string,
    functionName: t.string,
    /** The source of the event, such as `queue orders`. */
    source: t.string,
    family: optional(t.string),
    /** The event in a few words, such as `GET /orders`. */
    summary: t.string,
    attempt: t.number,
    generation: t.number,
    /** The start time, in milliseconds since the epoch. */
    started: t.number,
    /** The duration in milliseconds. */
    duration: t.number,
    verdict: optional(Verdict),
    failure: optional(Failure),
    masked: t.boolean,
  }),
)
export type InvocationSummary = t.TypeOf<typeof InvocationSummary>

/**
 * The filters of the list. An invocation must pass all of them. A filter with several values matches any of
 * them.
 */
export const InvocationFilters = t.partial({
  function: severalTexts,
  /** A source such as `queue orders`. */
  source: severalTexts,
  family: severalTexts,
  /**
   * A kind of verdict such as `accepted`. `ok` and `not-ok` select all kinds with that result, and `none`
   * selects invocations without a verdict.
   */
  verdict: severalTexts,
  requestId: t.string,
  /** A string that the event, the payload, the logs, the verdict or the failure must contain (case-sensitive). */
  text: t.string,
  /** The earliest start time (inclusive), in milliseconds since the epoch. */
  from: wholeNumber,
  /** The latest start time (exclusive), in milliseconds since the epoch. */
  to: wholeNumber,
})

/** The query for a page of the list: at most `last` invocations (default 50) with ids below `before`. */
export const InvocationQuery = t.intersection([
  InvocationFilters,
  t.partial({ before: wholeNumber, last: wholeNumber }),
])

export const InvocationPage = t.readonly(
  t.type({
    /** The invocations on the page, newest first. */
    invocations: t.readonlyArray(InvocationSummary),
    /**
     * The value of `before` for the next page. Undefined on the last page. A search that takes too long stops early.
     * Its page then has fewer invocations than requested, and the next page continues the search.
     */
    before: optional(t.number),
  }),
)

/** A problem in a JSON value. */
const Problem = t.readonly(
  t.type({
    /** A JSON pointer to the problem. Empty if the problem concerns the whole value. */
    pointer: t.string,
    expected: t.string,
    actual: t.string,
  }),
)

/** An invocation that is related to another invocation. */
const Related = t.readonly(
  t.type({
    invocation: InvocationSummary,
    /**
     * The relation: `attempt` for another attempt with the same event, or `shares` if both events contain the same
     * id.
     */
    by: t.union([t.literal('attempt'), t.literal('shares')]),
    /** The id that both invocations share. */
    id: t.string,
  }),
)

/** An invocation with all its details. Secrets are masked. */
export const InvocationDetails = t.readonly(
  t.type({
    invocation: InvocationSummary,
    /** The event as JSON text. */
    event: t.string,
    /**
     * Whether the log dropped the event under overload because of its size. Such an event cannot be sent again.
     */
    isEventOmitted: t.boolean,
    /**
     * The part of the function's answer that the log keeps, as a string. An empty string if the function returned
     * nothing.
     */
    payload: t.string,
    logs: t.readonlyArray(LogLine),
    /** The fields of the event that do not match its contract. */
    eventProblems: t.readonlyArray(Problem),
    /** The fields of the payload that do not match its contract. */
    payloadProblems: t.readonlyArray(Problem),
    /** Earlier attempts, and earlier invocations that share an id with this one, oldest first. */
    ledFrom: t.readonlyArray(Related),
    /** Later attempts, and later invocations that share an id with this one, oldest first. */
    ledTo: t.readonlyArray(Related),
    /** The states of the accepted mails that the event names by an id or an address. */
    mails: t.readonlyArray(AcceptedMail),
  }),
)
export type InvocationDetails = t.TypeOf<typeof InvocationDetails>

/** A request to send an event to a function: a new event, or the event of a logged invocation. */
export const EventToSend = t.readonly(
  t.union([
    t.strict({
      function: t.string,
      /** The event, which can be any JSON value. */
      event: t.unknown,
    }),
    t.strict({
      /** The id of the logged invocation to repeat. */
      again: t.number,
    }),
  ]),
)

/** The answer of a function. */
export const InvocationResult = t.readonly(
  t.type({
    requestId: t.string,
    /** The id of the invocation in the log. */
    id: optional(t.number),
    payload: t.string,
    verdict: optional(Verdict),
    failure: optional(Failure),
    logs: t.readonlyArray(LogLine),
    duration: t.number,
  }),
)
