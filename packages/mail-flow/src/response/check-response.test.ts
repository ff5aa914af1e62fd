import { describe, expect, it } from '@jest/globals'
import { mailEvent } from '../testing/index.ts'
import { checkResponse } from './check-response.ts'

const recipients = ['ann@office.example', 'bob@office.example']
const inbound = mailEvent({ recipients })
const outbound = mailEvent({ recipients, outbound: true })
const drop = { type: 'DROP' as const }
const texts = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    action: { type: 'BOUNCE', parameters: { bounceMessage: `${i}` } },
  }))

describe('checkResponse', () => {
  it('returns a valid response unchanged', () => {
    const response = { actions: [{ action: drop, recipients: ['ann@OFFICE.example'] }], extra: 1 }
    expect(checkResponse(response, outbound, 'refuse')).toBe(response)
  })

  it.each([
    ['undefined', undefined, ''],
    ['a string', 'DROP', ''],
    ['an empty list of actions', { actions: [] }, '/actions'],
    [
      'an unknown type of action',
      { actions: [{ action: drop }, { action: { type: 'EXPLODE' } }] },
      '/actions/1/action',
    ],
    [
      'recipients that are not a list',
      { actions: [{ action: drop, recipients: 'all' }] },
      '/actions/0/recipients',
    ],
  ])('refuses %s, with an error that names the function and the pointer', (_, response, pointer) => {
    expect(() => checkResponse(response, inbound, 'refuse')).toThrow(
      expect.objectContaining({
        name: 'InvalidResponseError',
        route: 'the mail-flow function',
        problems: expect.arrayContaining([
          expect.objectContaining({ pointer: expect.stringContaining(pointer) }),
        ]),
      }),
    )
  })

  it('refuses an inbound-only action for outbound mail', () => {
    const response = { actions: [{ action: { type: 'MOVE_TO_JUNK' as const } }] }
    expect(checkResponse(response, inbound, 'refuse')).toBe(response)
    expect(() => checkResponse(response, outbound, 'refuse')).toThrow('/actions/0/action/type')
  })

  it('refuses an unlisted recipient unless the mail is inbound or the event is truncated', () => {
    const response = { actions: [{ action: drop, recipients: ['ann@office.example', 'eve@else.example'] }] }
    expect(checkResponse(response, inbound, 'refuse')).toBe(response)
    expect(checkResponse(response, { ...outbound, truncated: true }, 'refuse')).toBe(response)
    expect(() => checkResponse(response, outbound, 'refuse')).toThrow(
      '/actions/0/recipients/1: expected a recipient of this mail, because only an action that delivers can add one, ' +
        'was "eve@else.example"',
    )
  })

  it('accepts up to 10 unique actions', () => {
    const eleven = { actions: [...texts(10), ...texts(10), { action: drop }] }
    const ten = { actions: [...texts(10), ...texts(10)] }
    expect(checkResponse(ten, inbound, 'refuse')).toBe(ten)
    expect(() => checkResponse(eleven, inbound, 'refuse')).toThrow(
      expect.objectContaining({
        name: 'TooManyActionsError',
        actions: texts(10).map(({ action }) => action),
      }),
    )
    expect(checkResponse(eleven, inbound, 'fallback')).toBe(eleven)
  })

  it('refuses a response above 256 KB', () => {
    const response = { actions: [{ action: drop }], pad: 'x'.repeat(262_144) }
    expect(() => checkResponse(response, inbound, 'refuse')).toThrow(
      expect.objectContaining({ name: 'ResponseTooLargeError' }),
    )
  })

  it('refuses a value that JSON cannot represent', () => {
    const response = { actions: [{ action: drop }], count: 1n }
    expect(() => checkResponse(response, inbound, 'refuse')).toThrow('data that JSON can represent')
  })
})
