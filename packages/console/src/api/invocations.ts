import { AcceptedMail, optional } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'
import { severalTexts, wholeNumber } from './query-codecs.ts'

const Verdict = t.readonly(t.type({ kind: t.string, ok: t.boolean, text: t.string }))

const Failure = t.readonly(
  t.type({
    /** `threw`, `unloadable`, `timeout`, `crash` or `unavailable`. */
    kind: t.string,
    message: t.string,
  }),
)

const LogLine = t.readonly(t.type({ stream: t.union([t.literal('out'), t.literal('err')]), text: t.string }))

/** A line of the list of invocations. */
export const InvocationSummary = t.readonly(
  t.type({
    id: t.number,
    requestId: t.string,
    functionName: t.string,
    /** Where the event came from, such as `queue orders`. */
    source: t.string,
    family: optional(t.string),
    /** The event in a few words, such as `GET /orders`. */
    summary: t.string,
    attempt: t.number,
    generation: t.number,
    /** Milliseconds since the epoch. */
    started: t.number,
    /** Milliseconds. */
    duration: t.number,
    verdict: optional(Verdict),
    failure: optional(Failure),
    masked: t.boolean,
  }),
)
export type InvocationSummary = t.TypeOf<typeof InvocationSummary>

/** The filters of the list, which all have to hold. A filter with several values holds for any of them. */
export const InvocationFilters = t.partial({
  function: severalTexts,
  /** A source such as `queue orders`. */
  source: severalTexts,
  family: severalTexts,
  /** A kind of verdict such as `accepted`, `ok` and `not-ok` for all kinds of these, or `none`. */
  verdict: severalTexts,
  requestId: t.string,
  /** Part of the event, the payload, the logs, the verdict or the failure. Case counts. */
  text: t.string,
  /** Milliseconds since the epoch, inclusive. */
  from: wholeNumber,
  /** Milliseconds since the epoch, exclusive. */
  to: wholeNumber,
})

/** A page of the list: at most `last` invocations, 50 unless said otherwise, which came before the id `before`. */
export const InvocationQuery = t.intersection([
  InvocationFilters,
  t.partial({ before: wholeNumber, last: wholeNumber }),
])

export const InvocationPage = t.readonly(
  t.type({
    /** The newest first. */
    invocations: t.readonlyArray(InvocationSummary),
    /**
     * Where the next page begins. Undefined at the end. A search ends early when it takes long: then a page has fewer
     * invocations than asked for, and the next page continues.
     */
    before: optional(t.number),
  }),
)

/** A problem at a place in a JSON value. */
const Problem = t.readonly(
  t.type({
    /** A JSON pointer; empty for the whole value. */
    pointer: t.string,
    expected: t.string,
    actual: t.string,
  }),
)

/** An invocation that has to do with another one. */
const Related = t.readonly(
  t.type({
    invocation: InvocationSummary,
    /** Why: `attempt` for the same event again, or `shares` for an id that both events have. */
    by: t.union([t.literal('attempt'), t.literal('shares')]),
    /** The shared id. */
    id: t.string,
  }),
)

/** One invocation with everything about it. Secrets are masked. */
export const InvocationDetails = t.readonly(
  t.type({
    invocation: InvocationSummary,
    /** JSON text. */
    event: t.string,
    /** Whether the event was too large to keep under overload, so that it cannot be sent again. */
    isEventOmitted: t.boolean,
    /** The beginning of the text on the wire, which the log keeps. Empty when there was no text. */
    payload: t.string,
    logs: t.readonlyArray(LogLine),
    /** Where the event breaks its contract. */
    eventProblems: t.readonlyArray(Problem),
    /** Where the payload breaks its contract. */
    payloadProblems: t.readonlyArray(Problem),
    /** What came before it, the oldest first: earlier attempts, and invocations that share an id. */
    ledFrom: t.readonlyArray(Related),
    /** What came after it. */
    ledTo: t.readonlyArray(Related),
    /** Accepted mails that the event or an address in it names, with what became of them. */
    mails: t.readonlyArray(AcceptedMail),
  }),
)
export type InvocationDetails = t.TypeOf<typeof InvocationDetails>

/** Sends an event to a function: a new one, or that of a logged invocation. */
export const EventToSend = t.readonly(
  t.union([
    t.strict({
      function: t.string,
      /** Any JSON value. */
      event: t.unknown,
    }),
    t.strict({
      /** The id of a logged invocation, whose function gets its event again. */
      again: t.number,
    }),
  ]),
)

/** What a function answered. */
export const InvocationResult = t.readonly(
  t.type({
    requestId: t.string,
    /** The id in the log. */
    id: optional(t.number),
    payload: t.string,
    verdict: optional(Verdict),
    failure: optional(Failure),
    logs: t.readonlyArray(LogLine),
    duration: t.number,
  }),
)
