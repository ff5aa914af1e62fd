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
    /** Whether the configuration uses each part that sources bring, by its name, and the key `access`. */
    has: t.readonly(t.record(t.string, t.boolean)),
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
