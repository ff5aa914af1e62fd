import { type Header, type HeaderChange, mailDifference } from '../message/mail-difference.ts'
import { contentProblem, textProblem } from './content-problem.ts'

/** A change of a header in the words of Stalwart, for its hooks and its milter. */
export interface StalwartHeader extends Header {
  readonly kind: HeaderChange['kind']
  /** The position among the headers of the same name, from 1. A new header gets this position; with 0, it is on top. */
  readonly index: number
}

/**
 * Returns changes of headers in the words of Stalwart. It puts a new header on top, or above one of the same name. So the order
 * of headers with the same name is as in the changed mail, and other new headers are on top. To put one below the last of its
 * name, this one is doubled, and the lower one is changed.
 */
export function stalwartHeaders(changes: readonly HeaderChange[]): readonly StalwartHeader[] {
  return changes.flatMap((change): readonly StalwartHeader[] => {
    const { kind, name, occurrence: index } = change
    // An empty value would be a deletion.
    const value = change.value === '' ? ' ' : change.value
    if (kind !== 'insert' || !change.isLast) return [{ kind, index, name, value }]
    const { above } = change
    if (above === undefined) return [{ kind, index: 0, name, value }]
    return [
      { kind, index: index - 1, name, value: above === '' ? ' ' : above },
      { kind: 'change', index, name, value },
    ]
  })
}

/** Returns the reason why Stalwart cannot be told a new content, as a sentence. */
export function stalwartProblem(before: Buffer, after: Buffer): string | undefined {
  const problem = contentProblem(before, after)
  if (problem !== undefined) return problem
  // It takes an empty body for none, and keeps the old one.
  if (mailDifference(before, after)?.body?.length === 0)
    return 'The mail server that asked does not take an empty body.'
  return textProblem(before, after)
}
