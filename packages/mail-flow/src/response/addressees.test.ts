import { describe, expect, it } from '@jest/globals'
import type { MailAction } from '../contract/index.ts'
import { mailEvent } from '../testing/index.ts'
import { addresseesOf } from './addressees.ts'

const drop: MailAction = { type: 'DROP' }
const entry = { action: drop, recipients: [], unlisted: [] }

describe('addresseesOf', () => {
  it('returns each recipient once, in the spelling that comes first in the event', () => {
    const recipients = ['a@X.example', 'a@x.example', 'b@x.example']
    const free = addresseesOf(mailEvent({ recipients, outbound: true }))
    const found = free(['a@x.EXAMPLE', 'b@x.example', 'a@X.example'], undefined, drop)
    expect(found.map(({ address }) => address)).toEqual(['a@X.example', 'b@x.example'])
    expect(free(['a@x.example'], undefined, drop)).toEqual([found[0]])
  })

  it('skips recipients that already have the same action, and refuses those with another action', () => {
    const free = addresseesOf(mailEvent({ recipients: ['a@x.example', 'b@x.example'] }))
    free(['a@x.example'], undefined, drop)[0]!.entry = entry
    expect(free(['a@x.example', 'b@x.example'], entry, drop)).toHaveLength(1)
    expect(() => free(['b@x.example', 'a@X.example'], undefined, { type: 'BOUNCE' })).toThrow(
      '"a@X.example" already has the action DROP, so it cannot also have BOUNCE.',
    )
  })

  it('accepts an unlisted recipient, unless it drops outbound mail, and removes duplicates', () => {
    const free = addresseesOf(mailEvent({ recipients: [] }))
    expect(() => free(['Eve@ELSE.example', 'eve'], undefined, drop)).toThrow('"eve" is not an address.')
    const found = free(['Eve@else.EXAMPLE', 'Eve@else.example'], undefined, drop)
    expect(found.map(({ address }) => address)).toEqual(['Eve@else.example'])
    const closed = addresseesOf(mailEvent({ outbound: true }))
    expect(() => closed(['eve@else.example'], undefined, drop)).toThrow('not a recipient of this mail')
    expect(closed(['eve@else.example'], undefined, { type: 'DEFAULT' })).toHaveLength(1)
  })
})
