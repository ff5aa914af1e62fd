import { string, where } from '@signalbox/codec/wire'

/** Text with something in it. An empty message id could not be reported back: it would fail the whole batch. */
export const NonEmptyText = where(string, text => text.length > 0, 'text that is not empty')

/** A whole number as text, as counts and times arrive. */
export const Digits = where(string, isDigits, 'text of digits')

// A loop, since it runs three times for every record and a regular expression costs twice as much; backwards, since that
// takes the length once.
function isDigits(text: string): boolean {
  for (let i = text.length; i > 0; ) {
    const code = text.charCodeAt(--i)
    if (code < 48 || code > 57) return false
  }
  return text.length > 0
}
