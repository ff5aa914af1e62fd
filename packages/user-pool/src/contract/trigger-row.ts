import type { Fields } from './field.ts'

/** A trigger as the table writes it. */
export interface TriggerRow {
  /** The contract does not know this trigger at all. */
  readonly extension?: boolean
  /** What follows the underscore in `triggerSource`. */
  readonly sources: { readonly [suffix: string]: SourceRow }
  readonly request: Fields
  readonly response: Fields
  /**
   * What the platform does with an answer: reads it, expects none (whatever is in `response` is ignored), or does
   * not even read what the function returned.
   */
  readonly answer: 'read' | 'none expected' | 'not read'
}

/** One trigger source of a trigger. */
export interface SourceRow {
  readonly extension?: boolean
  /** Request fields in which this source differs from its trigger; `undefined` where it lacks one. */
  readonly request?: Fields
}
