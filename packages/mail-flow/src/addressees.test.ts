import { describe, expect, it } from '@jest/globals'
import { addresseesOf } from './addressees.ts'
import { mailEvent } from './testing/index.ts'

const refuse = (address: string, by: string) => new Error(`${address} is of ${by}`)

describe('addresseesOf', () => {
  it('finds each recipient once, whatever the case of the domain, as the event spells it first', () => {
    const addressees = addresseesOf<string>(
      mailEvent({ recipients: ['a@X.example', 'a@x.example', 'b@x.example'], outbound: true }),
    )
    const found = addressees.free(['a@x.EXAMPLE', 'b@x.example', 'a@X.example'], undefined, refuse)
    expect(found.map(({ address }) => address)).toEqual(['a@X.example', 'b@x.example'])
    expect(addressees.free(['a@x.example'], undefined, refuse)).toEqual([found[0]])
  })

  it('leaves out those who are of the owner, and refuses those of another', () => {
    const addressees = addresseesOf<string>(mailEvent({ recipients: ['a@x.example', 'b@x.example'] }))
    addressees.free(['a@x.example'], undefined, refuse)[0]!.owner = 'me'
    expect(addressees.free(['a@x.example', 'b@x.example'], 'me', refuse)).toHaveLength(1)
    expect(() => addressees.free(['b@x.example', 'a@X.example'], 'you', refuse)).toThrow(
      'a@X.example is of me',
    )
  })

  it('admits a stranger once, where strangers may be', () => {
    const addressees = addresseesOf<string>(mailEvent({ recipients: [] }))
    expect(() => addressees.free(['Eve@ELSE.example', 'eve'], undefined, refuse)).toThrow(
      '"eve" is not an address.',
    )
    const found = addressees.free(['Eve@else.EXAMPLE', 'Eve@else.example'], undefined, refuse)
    expect(found.map(({ address }) => address)).toEqual(['Eve@else.example'])
    const closed = addresseesOf<string>(mailEvent({ outbound: true }))
    expect(() => closed.free(['eve@else.example'], undefined, refuse)).toThrow('not a recipient of this mail')
  })
})
