import { string, where } from '@signalbox/codec/wire'

/** A string that is not empty. A response could not report an empty message id: it would fail the whole batch. */
export const NonEmptyText = where(string, text => text.length > 0, 'text that is not empty')

/** A whole number as text, the form of counts and times. */
export const Digits = where(string, isDigits, 'text of digits')

// A loop, because it runs three times for every record and a regular expression takes twice as long. It runs
// backwards, because that reads the length once.
function isDigits(text: string): boolean {
  for (let i = text.length; i > 0; ) {
    const code = text.charCodeAt(--i)
    if (code < 48 || code > 57) return false
  }
  return text.length > 0
}
