import { expect, it } from '@jest/globals'
import { type Change, changedInOnePlace } from './changed-in-one-place.ts'

const value = { list: [{ name: 'a' }], flag: true }

it.each<readonly [string, number, Change, unknown]>([
  ['replaces the value itself', 0, { value: 7 }, 7],
  ['removes the value itself', 0, 'removed', undefined],
  ['replaces a member', 1, { value: null }, { list: null, flag: true }],
  ['removes an element of a list', 2, 'removed', { list: [], flag: true }],
  ['replaces an element of a list', 2, { value: 7 }, { list: [7], flag: true }],
  [
    'replaces an element of a list with a list that contains the new name',
    2,
    { name: 'x' },
    { list: [['x']], flag: true },
  ],
  ['returns undefined for a new name of the value itself', 0, { name: 'x' }, undefined],
  ['renames a nested member', 3, { name: 'nam' }, { list: [{ nam: 'a' }], flag: true }],
  ['removes a member', 4, 'removed', { list: [{ name: 'a' }] }],
  [
    'starts again from the first place for a number above the last place',
    9,
    'removed',
    { list: [{ name: 'a' }] },
  ],
])('changedInOnePlace() %s', (_, place, change, expected) => {
  expect(changedInOnePlace(value, place, change)).toEqual(expected)
  expect(value).toEqual({ list: [{ name: 'a' }], flag: true })
})

it('changedInOnePlace() can rename a member to __proto__', () => {
  const changed = changedInOnePlace({ a: 1 }, 1, { name: '__proto__' })
  expect(JSON.stringify(changed)).toBe('{"__proto__":1}')
})
