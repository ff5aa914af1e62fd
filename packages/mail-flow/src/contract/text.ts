import { string, where } from '@signalbox/codec/wire'
import type { Type } from 'io-ts'

/** Text of at most `limit` characters, counted as code points: an emoji is one character. */
export function textUpTo(limit: number): Type<string> {
  return where(string, text => fits(text, limit), `text of at most ${limit} characters`)
}

/** Text such as `2019-07-28`. The day need not exist. */
export const dateShaped: Type<string> = where(
  string,
  text => /^\d{4}-\d{2}-\d{2}$/.test(text),
  'date-shaped text, such as 2019-07-28',
)

// A code point is one or two units long, so that most texts need no counting.
function fits(text: string, limit: number): boolean {
  if (text.length <= limit) return true
  let count = 0
  for (const _ of text) count++
  return count <= limit
}
