import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { gramsOf, hasAll, hashesOf, unionOf } from './grams.ts'

const text = fc.string({ unit: 'binary', maxLength: 40 })

it('the n-gram set of a text matches every part of the text, even when the text is escaped as JSON', () => {
  fc.assert(
    fc.property(text, text, text, (before, part, after) => {
      const whole = before + part + after
      expect(hasAll(gramsOf(Buffer.from(whole)), hashesOf(part))).toBe(true)
      expect(hasAll(gramsOf(Buffer.from(JSON.stringify(whole))), hashesOf(part))).toBe(true)
    }),
  )
})

it('the union of n-gram sets matches the parts of each text, whether the text is long or short', () => {
  const long = Array.from({ length: 30_000 }, (_, i) => (i * 7919).toString(36)).join(' ')
  const all = ['order-17', long, 'order-18'].map(each => gramsOf(Buffer.from(each)))
  const union = unionOf(all)
  for (const part of ['order-17', 'order-18', long.slice(5000, 5100)])
    expect(hasAll(union, hashesOf(part))).toBe(true)
  expect(hasAll(unionOf([all[0]!, all[2]!]), hashesOf('order-19'))).toBe(false)
})

it('the n-grams of a string with 500 ids match no other id', () => {
  const ids = Array.from({ length: 500 }, () => crypto.randomUUID())
  const grams = gramsOf(Buffer.from(ids.join(' ')))
  const others = Array.from({ length: 200 }, () => crypto.randomUUID())
  expect(others.filter(id => hasAll(grams, hashesOf(id)))).toEqual([])
})
