import { actionsMinimum, subjectLimit } from './limits.ts'

/** Returns whether a string has the form of a date, such as `2019-07-28`. The date does not have to exist. */
export function isDateShaped(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text)
}

/** Returns whether a subject is within the limit, counted in code points: an emoji is one character. */
// A code point has one or two units, so most subjects need no counting.
export function isSubject(text: string): boolean {
  if (text.length <= subjectLimit) return true
  let count = 0
  for (const _ of text) count++
  return count <= subjectLimit
}

/**
 * Returns whether a value is a boolean, or the text of one: published functions answer `allRecipients` with the text
 * `"true"`, and the service takes it.
 */
export function isBoolean(u: unknown): boolean {
  return typeof u === 'boolean' || u === 'true' || u === 'false'
}

/** Returns whether the `actions` of a response have at least the required number of elements. */
export function hasActions(actions: readonly unknown[]): boolean {
  return actions.length >= actionsMinimum
}
