import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { changesOf } from './changes-of.ts'

const only = (earlier: string, later: string, dropped: string) =>
  changesOf(earlier, later)
    .filter(({ sign }) => sign !== dropped)
    .map(({ line }) => line)
    .join('\n')

describe('changesOf', () => {
  it('keeps the lines that both texts have, and puts old lines before new ones', () => {
    expect(changesOf('{\n  "at": 1\n}', '{\n  "at": 2\n}').map(({ sign, line }) => sign + line)).toEqual([
      ' {',
      '−  "at": 1',
      '+  "at": 2',
      ' }',
    ])
  })

  it('has both texts, for any texts', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [earlier, later] = [one.join('\n'), other.join('\n')]
        expect([only(earlier, later, '+'), only(earlier, later, '−')]).toEqual([earlier, later])
        if (earlier === later) expect(changesOf(earlier, later).every(({ sign }) => sign === ' ')).toBe(true)
      }),
    )
  })
})
