import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import { describedBy } from './fields.ts'

const required = { type: t.string, required: true } as const
const optional = { type: t.string, required: false } as const

describe('describedBy', () => {
  it('wants required fields, and takes null for an absent optional one', () => {
    const codec = describedBy('thing', { required, optional })
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

  it('takes tables of one kind', () => {
    expect(describedBy('required', { required }).is({})).toBe(false)
    expect(describedBy('optional', { optional }).is({})).toBe(true)
    expect(describedBy('optional', { optional }).is([])).toBe(false)
  })
})
