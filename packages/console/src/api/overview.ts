import * as t from 'io-ts'

/** The choices for each filter of the invocations. */
export const Overview = t.readonly(
  t.type({
    functions: t.readonlyArray(t.string),
    families: t.readonlyArray(t.string),
    /** The families of the events that each function gets: first by the configuration, and then by the log. */
    familiesOf: t.readonly(t.record(t.string, t.readonlyArray(t.string))),
    /** The sources that occur in the log. */
    sources: t.readonlyArray(t.string),
    /** The kinds of verdicts that occur in the log. */
    verdicts: t.readonlyArray(t.string),
  }),
)

/** A part of the platform, for the navigation. */
export const PartState = t.readonly(
  t.type({
    /** Whether the configuration uses the part. The navigation lists only pages of parts that are used. */
    isUsed: t.boolean,
    /** The number of things that went wrong in the part in the last hour, or before and are not mended. */
    wrong: t.number,
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
