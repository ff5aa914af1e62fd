import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { arbitraryText } from '../testing/arbitrary.ts'
import { subjectLimit } from './limits.ts'
import { dateShaped, subjectText } from './text.ts'

describe('subjectText', () => {
  it('accepts any string of up to 256 code points', () => {
    fc.assert(
      fc.property(arbitraryText(12), text => {
        const long = text.padStart(subjectLimit + 2, '-')
        for (const each of [text, long, long.slice(2), `😀${long.slice(3)}`])
          expect(subjectText.is(each)).toBe([...each].length <= subjectLimit)
      }),
      { numRuns: 500 },
    )
  })
})

describe('dateShaped', () => {
  it('accepts any string in the form YYYY-MM-DD, even if the date does not exist', () => {
    for (const text of ['2019-07-28', '2019-13-99']) expect(dateShaped.is(text)).toBe(true)
    for (const text of ['28-07-2019', '2019-07-28\n', 'x2019-07-28']) expect(dateShaped.is(text)).toBe(false)
  })
})
