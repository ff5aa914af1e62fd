import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import { closestFamily, type Family } from '../index.ts'

const familyWith = (name: string, keys: readonly string[]): Family => ({
  name,
  keys,
  recognizes: () => false,
  correlationId: () => undefined,
  event: t.unknown,
  normalize() {},
})
const families = [familyWith('letters', ['to', 'subject', 'text']), familyWith('calls', ['to', 'number'])]

describe('closestFamily()', () => {
  it('returns the family that shares the most fields with the event, and those fields', () => {
    expect(closestFamily({ subject: 'Hi', to: 'Ann', path: '/' }, families)).toEqual({
      family: 'letters',
      commonFields: ['to', 'subject'],
    })
    expect(closestFamily({ number: 7, to: 'Ann' }, families)?.family).toBe('calls')
  })

  it.each([[{ hello: 1 }], [null], ['to'], [undefined]])('returns undefined for the event %j', event => {
    expect(closestFamily(event, families)).toBeUndefined()
  })
})
