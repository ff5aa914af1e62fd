import * as t from 'io-ts'
import { optional } from './optional.ts'

/** What the platform concluded from an answer. */
export const Verdict = t.readonly(t.type({ kind: t.string, ok: t.boolean, text: t.string }))

/** Why a function gave no answer. */
export const Failure = t.readonly(
  t.type({
    /** The kind of failure: `threw`, `unloadable`, `timeout`, `crash` or `unavailable`. */
    kind: t.string,
    message: t.string,
  }),
)

/** How much the result of an invocation hurts. See `severityOf`. */
export const Severity = t.keyof({ ok: null, neutral: null, warning: null, error: null })
export type Severity = t.TypeOf<typeof Severity>

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
    severity: Severity,
    /** The number of errors that the function logged. */
    loggedErrors: t.number,
    masked: t.boolean,
  }),
)
export type InvocationSummary = t.TypeOf<typeof InvocationSummary>

/** A page of the list of invocations. */
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
