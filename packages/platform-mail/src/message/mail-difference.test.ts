import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type HeadOf, head, mailOf } from '../testing/head-arbitrary.ts'
import { type HeaderChange, mailDifference } from './mail-difference.ts'

/** Makes the changes one after the other, by the positions of the headers. */
function applied(old: HeadOf, changes: readonly HeaderChange[]): HeadOf {
  const list = [...old]
  for (const { kind, position, name, value } of changes)
    if (kind === 'insert') list.splice(position, 0, [name, value])
    else {
      expect(list[position]![0]).toBe(name)
      list.splice(position, 1, ...(kind === 'delete' ? [] : [[name, value] as const]))
    }
  return list
}

const changesOf = (before: HeadOf, after: HeadOf) => mailDifference(mailOf(before), mailOf(after))!.headers
const named = (...names: readonly string[]): HeadOf => names.map(name => [name, ' v'])

describe('the difference of two mails', () => {
  it('makes one head of any other', () => {
    fc.assert(
      fc.property(head, head, (before, after) => {
        const changes = changesOf(before, after)
        expect(applied(before, changes)).toEqual(after)
        expect(changes.some(({ kind, value }) => kind === 'change' && value.trim() === '')).toBe(false)
      }),
    )
  })

  it('leaves headers that are in both heads as they are', () => {
    const [before, after] = [named('A', 'B', 'C', 'D', 'E'), named('C', 'A', 'B', 'X', 'D', 'E')]
    const kinds = changesOf(before, after).map(({ kind, name, position }) => `${kind} ${name} ${position}`)
    expect(kinds).toEqual(['insert X 3', 'delete C 2', 'insert C 0'])
    expect(
      changesOf(named('A', 'B'), [
        ['A', ' v'],
        ['B', ' w'],
      ]),
    ).toEqual([{ kind: 'change', name: 'B', value: ' w', position: 1, occurrence: 1 }])
  })

  it('is found in linear time for a head with as many headers as one can have', () => {
    const many = (name: string) => Array.from({ length: 150_000 }, () => [name, ' v'] as const)
    expect(changesOf(many('A'), [...many('A'), ['X', ' v']])).toHaveLength(1)
    const changes = changesOf(many('A'), many('B'))
    expect(changes).toHaveLength(300_000)
    expect(changes.filter(({ kind }) => kind === 'delete')).toHaveLength(150_000)
  })

  it('has the new body, or none if it is the same', () => {
    const [one, other] = [mailOf(named('A')), mailOf(named('A'), '\r\n.\r\n')]
    expect(mailDifference(one, one)).toEqual({ headers: [], body: undefined })
    expect(String(mailDifference(one, other)!.body)).toBe('\r\n.\r\n')
    expect(String(mailDifference(one, mailOf(named('A'), ''))!.body)).toBe('')
  })

  it('is unknown for a head that has other lines, or no end', () => {
    const mail = mailOf(named('A'))
    for (const other of [
      'A: b\r\n',
      'A: b\r\nno header\r\n\r\n',
      ' folded\r\n\r\n',
      `A: ${'b'.repeat(1024 * 1024)}\r\n\r\n`,
    ])
      expect(mailDifference(mail, Buffer.from(other))).toBeUndefined()
  })
})
