import { describe, expect, it } from '@jest/globals'
import { optional, required, string } from '@signalbox/codec/wire'
import { describedBy } from './fields.ts'

const must = required(string)
const may = optional(string)

describe('describedBy', () => {
  it('accepts null for an optional field, but not for a required one', () => {
    const codec = describedBy('thing', { required: must, optional: may })
    expect(codec.name).toBe('thing')
    for (const good of [
      { required: 'a' },
      { required: 'a', optional: null },
      { required: 'a', optional: 'b', unknown: 1 },
    ])
      expect(codec.is(good)).toBe(true)
    for (const bad of [{}, { required: null }, { optional: 'b' }, { required: 'a', optional: 1 }, [], null])
      expect(codec.is(bad)).toBe(false)
  })

  it('accepts a table with only required or only optional fields', () => {
    expect(describedBy('required', { required: must }).is({})).toBe(false)
    expect(describedBy('optional', { optional: may }).is({})).toBe(true)
    expect(describedBy('optional', { optional: may }).is([])).toBe(false)
  })
})
