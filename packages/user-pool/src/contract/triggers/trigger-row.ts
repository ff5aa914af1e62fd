import type { Fields } from '../fields/field.ts'

/** A row of the table of triggers. */
export interface TriggerRow {
  /** True when the trigger is not in the contract. */
  readonly extension?: boolean
  /** The sources, by the part of `triggerSource` after the underscore. */
  readonly sources: { readonly [suffix: string]: SourceRow }
  readonly request: Fields
  readonly response: Fields
  /**
   * Whether the platform reads the answer, expects no answer and ignores `response`, or does not read the payload at
   * all.
   */
  readonly answer: 'read' | 'none expected' | 'not read'
}

/** One trigger source in the row of its trigger. */
export interface SourceRow {
  readonly extension?: boolean
  /**
   * The request fields that differ from the fields of the trigger. A field is `undefined` when this source does not
   * have it.
   */
  readonly request?: Fields
}

/**
 * A row in the text that functions read, with the positions of nodes instead of fields. After the response, each request
 * is followed by its sources: the parts of `triggerSource` after the underscore, with blanks between them.
 */
export type RowText = readonly [
  answer: TriggerRow['answer'],
  response: number,
  ...requests: readonly (number | string)[],
]
