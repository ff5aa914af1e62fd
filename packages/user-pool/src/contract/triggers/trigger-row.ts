import type { Fields } from '../fields/field.ts'

/** A row of the table of triggers. */
export interface TriggerRow {
  /** The contract does not state this trigger. */
  readonly extension?: boolean
  /** The sources, by the part of `triggerSource` after the underscore. */
  readonly sources: { readonly [suffix: string]: SourceRow }
  readonly request: Fields
  readonly response: Fields
  /**
   * What the platform does with an answer: it reads the answer, it expects none and ignores `response`, or it does not
   * read the payload at all.
   */
  readonly answer: 'read' | 'none expected' | 'not read'
}

/** One trigger source of a trigger. */
export interface SourceRow {
  readonly extension?: boolean
  /** Request fields in which this source differs from its trigger; `undefined` where the field is absent. */
  readonly request?: Fields
}
