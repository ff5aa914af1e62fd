import {
  Failure,
  InvocationSummary,
  optional,
  Severity,
  Verdict,
  wholeNumber,
} from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'
import { severalTexts } from './several-texts.ts'

const LogLine = t.readonly(t.type({ stream: t.union([t.literal('out'), t.literal('err')]), text: t.string }))

const severalSeverities = severalTexts.pipe(t.readonlyArray(Severity))

/**
 * The filters of the list. An invocation must pass all of them. A filter with several values matches any of
 * them.
 */
export const InvocationFilters = t.partial({
  function: severalTexts,
  /** A source such as `queue orders`. */
  source: severalTexts,
  family: severalTexts,
  /** A kind of verdict such as `accepted`. `none` selects invocations without a verdict. */
  verdict: severalTexts,
  /** How much the result hurts: `ok`, `neutral`, `warning` or `error`. */
  severity: severalSeverities,
  requestId: t.string,
  /**
   * A string that the event, the payload, the logs, the verdict or the failure must contain (case-sensitive). Only about
   * the first 1024 characters of each are searched.
   */
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

/** A problem in a JSON value. */
const Problem = t.readonly(
  t.intersection([
    t.type({
      /** A JSON pointer to the problem. Empty if the problem concerns the whole value. */
      pointer: t.string,
      expected: t.string,
    }),
    // Absent if a schema changed the value before it refused it.
    t.partial({ actual: t.union([t.string, t.undefined]) }),
  ]),
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

/** An invocation in the chain of those that have one cause, such as a request and the messages that its function sent. */
const TraceStep = t.readonly(
  t.type({
    invocation: InvocationSummary,
    /** The number of invocations of which this one is a consequence. */
    depth: t.number,
    /** Milliseconds from the start of the first invocation. */
    offset: t.number,
    /** Milliseconds for which a message had waited. */
    waited: optional(t.number),
  }),
)

/** The chain of invocations, each after the one of which it is a consequence. */
const Trace = t.readonly(
  t.type({
    /** 32 hexadecimal digits, which a receiver of spans knows, too. */
    id: t.string,
    steps: t.readonlyArray(TraceStep),
  }),
)
export type Trace = t.TypeOf<typeof Trace>

/** An invocation with all its details. Secrets are masked. Sources add what its event names, see `ConsolePart.related`. */
export const InvocationDetails = t.readonly(
  t.type({
    invocation: InvocationSummary,
    /** The event as JSON text. */
    event: t.string,
    /** The event in the names of the function's dialect, as the function got it. Undefined without a dialect. */
    eventInDialect: optional(t.string),
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
    /** The chain of the invocation. Undefined for an invocation that nothing led to, and that led to nothing. */
    trace: optional(Trace),
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
    severity: Severity,
    logs: t.readonlyArray(LogLine),
    duration: t.number,
  }),
)
