import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { fieldHint, nearest } from './nearest.ts'

describe('nearest()', () => {
  it.each([
    ['PreSignUp_Signup', 'PreSignUp_SignUp'],
    ['PreSignup_SignUp', 'PreSignUp_SignUp'],
    ['TokenGenration', 'TokenGeneration'],
    ['TokneGeneration', 'TokenGeneration'],
    ['TokenGenerations', 'TokenGeneration'],
    ['boddy', 'body'],
    ['ID', 'id'],
    ['bod', 'body'],
    ['obdy', 'body'],
  ])('for the name "%s", returns "%s"', (name, expected) => {
    const known = ['id', 'body', 'TokenGeneration', 'PreSignUp_SignUp', 'PostConfirmation_ConfirmSignUp']
    expect(nearest(name, known)).toBe(expected)
  })

  it.each(['x', 'no', 'onMessage', '', 'PostConfirmation'])('returns undefined for %p', name => {
    expect(nearest(name, ['id', 'body', 'TokenGeneration', 'PreSignUp_SignUp'])).toBeUndefined()
  })

  it('returns undefined when two of four letters differ', () => {
    expect(nearest('boat', ['boys'])).toBeUndefined()
    expect(nearest('boat', ['boar'])).toBe('boar')
  })

  it('returns a name when a third of its letters differ', () => {
    expect(nearest('ab', ['abc'])).toBe('abc')
  })

  it('returns undefined when no names are known', () => {
    expect(nearest('body', [])).toBeUndefined()
  })

  it('returns the name with the fewest edits, or the first of several equally near names', () => {
    expect(nearest('limits', ['limbs', 'limit', 'limited'])).toBe('limit')
    expect(nearest('bat', ['cat', 'hat'])).toBe('cat')
    expect(nearest('bat', ['hat', 'cat'])).toBe('hat')
  })

  it('counts two swapped letters as one edit', () => {
    expect(nearest('acb', ['abc'])).toBe('abc')
    expect(nearest('cba', ['abc'])).toBeUndefined()
    expect(nearest('abdcfe', ['abcdef'])).toBe('abcdef')
  })

  it('returns the name itself when it is a known name', () => {
    const names = fc.uniqueArray(fc.string(), { selector: name => name.toLowerCase(), minLength: 1 })
    fc.assert(
      fc.property(names, fc.nat(), (known, i) => {
        const name = known[i % known.length]!
        expect(nearest(name, known)).toBe(name)
      }),
    )
  })

  it('never returns a name that is more than a third longer or shorter', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.array(fc.string({ maxLength: 12 })), (name, known) => {
        const found = nearest(name, known)
        if (found === undefined) return
        expect(known).toContain(found)
        expect(3 * Math.abs(found.length - name.length)).toBeLessThanOrEqual(
          Math.max(found.length, name.length),
        )
      }),
    )
  })

  it('skips names of a very different length', () => {
    expect(nearest('a'.repeat(10_000_000), ['body', 'b'.repeat(1000)])).toBeUndefined()
  })
})

it('fieldHint() names the nearest field, or all fields when none is near', () => {
  expect(fieldHint('bodyy', ['statusCode', 'body'])).toBe('no such field; did you mean body?')
  expect(fieldHint('cookies', ['statusCode', 'body'])).toBe('one of the fields statusCode, body')
})
