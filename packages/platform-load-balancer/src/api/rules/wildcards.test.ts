import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { wildcards } from './wildcards.ts'

/** The same as a regular expression, which can take exponential time. */
const asExpression = (pattern: string) =>
  new RegExp(
    `^${[...pattern].map(each => (each === '*' ? '.*' : each === '?' ? '.' : each.replace(/[^\w]/, '\\$&'))).join('')}$`,
    's',
  )

it('matches what a regular expression matches', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', '/', '.'), { maxLength: 8 }).map(all => all.join(''))
  const pattern = fc
    .array(fc.constantFrom('a', 'b', '/', '.', '*', '?'), { maxLength: 6 })
    .map(all => all.join(''))
  fc.assert(
    fc.property(pattern, letters, (form, text) => {
      expect([form, text, wildcards(form)(text)]).toEqual([form, text, asExpression(form).test(text)])
    }),
    { numRuns: 5000 },
  )
})

it.each(['*a*a*a*a*b', `*${'?'.repeat(60)}a*${'?'.repeat(60)}b`, `*${'a'.repeat(120)}b`])(
  'answers for the pattern %s and a text for which a regular expression would take years',
  pattern => expect(wildcards(pattern)('a'.repeat(16_000))).toBe(false),
)
