import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { mailDifference } from '../message/mail-difference.ts'
import { type HeadOf, head, mailOf } from '../testing/head-arbitrary.ts'
import { type StalwartHeader, stalwartHeaders } from './stalwart-headers.ts'

/** Makes the changes as Stalwart does: a new header is put above one of its name, or on top. */
function applied(old: HeadOf, changes: readonly StalwartHeader[]): HeadOf {
  const list = [...old]
  for (const { kind, index, name, value } of changes) {
    const places = [...list.keys()].filter(at => list[at]![0].toLowerCase() === name.toLowerCase())
    const place = places[index - 1]
    if (kind === 'insert') {
      if (index > 0) expect(place).toBeDefined()
      list.splice(place ?? 0, 0, [name, value])
    } else {
      expect(place).toBeDefined()
      list.splice(place!, 1, ...(kind === 'delete' ? [] : [[list[place!]![0], value] as const]))
    }
  }
  return list
}

/** The values of each name in order. Stalwart writes a space behind the colon. */
function byName(head: HeadOf): { readonly [name: string]: readonly string[] } {
  const values = new Map<string, string[]>()
  for (const [name, value] of head) {
    const before = values.get(name.toLowerCase()) ?? []
    values.set(name.toLowerCase(), [...before, /^\s/.test(value) ? value : ` ${value}`])
  }
  return Object.fromEntries(values)
}

it('the values of each name are those of the changed mail, in order', () => {
  fc.assert(
    fc.property(head, head, (before, after) => {
      const changes = stalwartHeaders(mailDifference(mailOf(before), mailOf(after))!.headers)
      expect(byName(applied(before, changes))).toEqual(byName(after))
      // An empty value would be a deletion.
      expect(changes.some(({ kind, value }) => kind !== 'delete' && value === '')).toBe(false)
    }),
  )
})
