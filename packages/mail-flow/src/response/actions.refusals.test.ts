import { describe, expect, it } from '@jest/globals'
import { mailEvent } from '../testing/index.ts'
import { mailActions } from './mail-actions.ts'

const [ann, bob, cyd] = ['ann@office.example', 'bob@office.example', 'cyd@office.example'] as const
const inbound = mailEvent({ recipients: [ann, bob, cyd] })
const outbound = mailEvent({ recipients: [ann, bob, cyd], outbound: true })
const many = (count: number) => Array.from({ length: count }, (_, i) => `r${i}@office.example`)

function thrown(run: () => unknown): Error {
  try {
    run()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('nothing was thrown')
}

describe('the action builder refuses', () => {
  it('two different actions for one recipient', () => {
    const error = thrown(() => mailActions(inbound).drop([ann]).bounce('Gone', [bob, ann]))
    expect(error).toMatchObject({
      name: 'ConflictingActionsError',
      code: 'CONFLICTING_ACTIONS',
      recipient: ann,
    })
    expect(error.message).toBe(
      '"ann@office.example" already has the action DROP, so it cannot also have BOUNCE "Gone".',
    )
    expect(() => mailActions(inbound).drop().drop([ann]).default([ann])).toThrow(
      'already has the action DROP',
    )
  })

  it('a second action for all other recipients', () => {
    const error = thrown(() => mailActions(inbound).drop().default())
    expect(error).toMatchObject({ name: 'ConflictingActionsError', recipient: undefined })
    expect(error.message).toBe(
      'All other recipients already have the action DROP, so they cannot also have DEFAULT.',
    )
    expect(() => mailActions(inbound).bounce('a').bounce('b')).toThrow('All other recipients already have')
  })

  it('a recipient that is not an address', () => {
    const error = thrown(() => mailActions(inbound).drop(['Ann']))
    expect(error).toMatchObject({ name: 'InvalidAddressError', code: 'INVALID_ADDRESS' })
    expect(error.message).toBe('"Ann" is not an address.')
    expect(() => mailActions(inbound).drop([7] as never)).toThrow('An address must be a string, not 7.')
    expect(() => mailActions(inbound).drop([[ann]] as never)).toThrow(
      'An address must be a string, not a list.',
    )
    expect(() => mailActions(inbound).drop(Array(2) as never)).toThrow(
      'An address must be a string, not undefined.',
    )
    expect(() => mailActions(inbound).drop(ann as never)).toThrow(
      'DROP expects a list of addresses, not "ann@office.example".',
    )
    expect(() => mailActions(inbound).drop(null as never)).toThrow(
      'DROP expects a list of addresses, not null.',
    )
    expect(() => mailActions(inbound).drop({} as never)).toThrow(
      'DROP expects a list of addresses, not an object.',
    )
  })

  it('a bounce message that is not a string', () => {
    const error = thrown(() => mailActions(inbound).bounce([ann] as never))
    expect(error).toMatchObject({ name: 'InvalidBounceMessageError', code: 'INVALID_BOUNCE_MESSAGE' })
    expect(error.message).toBe(
      'The bounce message must be a string, not a list. Use bounce(message, recipients).',
    )
  })

  it('an inbound-only action for outbound mail', () => {
    const error = thrown(() => mailActions(outbound).bypassSpamCheck())
    expect(error).toMatchObject({ name: 'InboundOnlyActionError', code: 'INBOUND_ONLY_ACTION' })
    expect(error.message).toContain('BYPASS_SPAM_CHECK is only for inbound mail')
    expect(() => mailActions(outbound).moveToJunk([ann])).toThrow('MOVE_TO_JUNK is only for inbound mail')
  })

  it('more than 500 recipients of outbound mail', () => {
    const event = mailEvent({ recipients: many(502), outbound: true })
    const actions = mailActions(event).drop(many(500))
    const error = thrown(() => actions.default(['r500@office.example', 'r500@OFFICE.example']))
    expect(error).toMatchObject({ name: 'TooManyRecipientsError', code: 'TOO_MANY_RECIPIENTS' })
    expect(error.message).toContain('can name at most 500 recipients, not 501')
    expect(() => actions.drop(many(500)).default()).not.toThrow()
    expect(() => mailActions(mailEvent({ recipients: many(502) })).drop(many(502))).not.toThrow()
  })

  it('a drop for a recipient that the event does not list, unless the event is truncated or the mail is inbound', () => {
    const unlisted = 'eve@else.example'
    const error = thrown(() => mailActions(outbound).drop([unlisted]))
    expect(error).toMatchObject({
      name: 'UnlistedRecipientError',
      code: 'UNLISTED_RECIPIENT',
      recipient: unlisted,
    })
    const truncated = mailEvent({ outbound: true, truncated: true })
    for (const event of [inbound, truncated]) {
      const { actions } = mailActions(event).drop([unlisted, 'eve@ELSE.example']).response()
      expect(actions[0]?.recipients).toEqual([unlisted])
    }
    expect(() => mailActions(inbound).drop([unlisted]).default([unlisted])).toThrow(
      'already has the action DROP',
    )
  })

  it('a response above 256 KB, with an error that contains the number of bytes', () => {
    const size = (text: string) =>
      Buffer.byteLength(JSON.stringify(mailActions(inbound).bounce(text).response()))
    const available = 262_144 - size('')
    const fits = 'é'.repeat(Math.floor(available / 2)) + 'x'.repeat(available % 2)
    expect(size(fits)).toBe(262_144)
    const error = thrown(() => size(`${fits}xé`))
    expect(error).toMatchObject({ name: 'ResponseTooLargeError', code: 'RESPONSE_TOO_LARGE', size: 262_147 })
    expect(error.message).toContain('The response has 262147 bytes as JSON, 3 above the 262144 allowed')
  })

  it('an invalid call, and keeps the actions that earlier calls added', () => {
    const actions = mailActions(outbound).drop([ann])
    for (const recipients of [
      [bob, ann],
      [bob, 'eve@else.example'],
      [bob, 'Eve'],
    ])
      expect(() => actions.bounce('y', recipients)).toThrow()
    expect(actions.bounce('x', [bob]).response().actions).toHaveLength(2)
    const spelled = mailActions(inbound)
    expect(() => spelled.drop(['eve@ELSE.example', 'Eve'])).toThrow()
    expect(spelled.drop(['eve@Else.example']).response().actions[0]?.recipients).toEqual(['eve@else.example'])
  })

  it('a second action for a recipient, even if a getter in the list adds the first action during the call', () => {
    const actions = mailActions(inbound)
    const sly = new Proxy([ann, bob], {
      get(list, key) {
        if (key === '1') actions.default([ann])
        return list[key as never]
      },
    })
    expect(() => actions.drop(sly)).toThrow('"ann@office.example" already has the action DEFAULT')
    const again = mailActions(inbound)
    const same = new Proxy([ann], {
      get(list, key) {
        if (key === '0') again.drop([bob])
        return list[key as never]
      },
    })
    expect(again.drop(same).response().actions).toEqual([
      { action: { type: 'DROP' }, recipients: [bob, ann] },
    ])
  })
})
