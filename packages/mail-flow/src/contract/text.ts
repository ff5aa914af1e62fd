import { string, where } from '@signalbox/codec/wire'
import type { Type } from 'io-ts'
import { isDateShaped, isSubject } from './conditions.ts'
import { subjectLimit } from './limits.ts'

/** Text of at most 256 characters, counted as code points: an emoji is one character. */
export const subjectText: Type<string> = where(
  string,
  isSubject,
  `text of at most ${subjectLimit} characters`,
)

/** Text such as `2019-07-28`. The date does not have to exist. */
export const dateShaped: Type<string> = where(string, isDateShaped, 'date-shaped text, such as 2019-07-28')
