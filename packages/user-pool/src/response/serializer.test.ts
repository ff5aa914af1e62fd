import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { InvalidResponseError } from '@signalbox/core'
import {
  customEmailSenderEvent,
  customMessageEvent,
  postConfirmationEvent,
  preSignUpEvent,
  triggerEvent,
} from '../testing/index.ts'
import { userPoolSerializer } from './serializer.ts'

const serialize = (event: object, response: unknown) =>
  (userPoolSerializer().after as (request: object) => void)({ event, response })

describe('userPoolSerializer', () => {
  it('accepts a response that the contract allows', () => {
    const event = preSignUpEvent({}, { response: { autoConfirmUser: true, whatever: 1 } })
    expect(() => serialize(event, event)).not.toThrow()
    expect(() => serialize(event, { ...event })).not.toThrow()
  })

  it('refuses a response that the contract forbids, with an error that names the trigger source', () => {
    const event = preSignUpEvent({}, { response: { autoConfirmUser: 'yes' } })
    expect(() => serialize(event, event)).toThrow(InvalidResponseError)
    expect(() => serialize(event, event)).toThrow(
      'What PreSignUp_SignUp returned breaks the contract:\n/response/autoConfirmUser: expected boolean',
    )
    expect(() => serialize(event, undefined)).toThrow(
      'the value: expected the event with its response, was nothing',
    )
  })

  it.each([
    ['text', 'a string'],
    [null, 'null'],
    [[], 'a list'],
  ])('refuses the response %j even for a trigger whose response is ignored', (response, actual) => {
    for (const event of [postConfirmationEvent(), customEmailSenderEvent()]) {
      Object.assign(event, { response })
      expect(() => serialize(event, event)).toThrow(`/response: expected an object, was ${actual}`)
    }
  })

  it('ignores what senders return', () => {
    const event = customEmailSenderEvent()
    for (const returned of [undefined, 7, { messageId: 'm1' }])
      expect(() => serialize(event, returned)).not.toThrow()
  })
})

describe('the warning about a missing username placeholder', () => {
  const { NODE_ENV } = process.env
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => {})
  afterEach(() => {
    process.env.NODE_ENV = NODE_ENV
    warn.mockClear()
  })

  const invite = (environment: string, response: object, usernameParameter: string | null = '{username}') => {
    process.env.NODE_ENV = environment
    const request = { codeParameter: '{####}', usernameParameter }
    const event = { ...triggerEvent('CustomMessage_AdminCreateUser', request), response }
    serialize(event, event)
    return warn.mock.calls.map(([text]) => text)
  }

  it('is printed only in development', () => {
    const both = { smsMessage: 'Code {####}', emailMessage: 'Code {####}' }
    expect(invite('production', both)).toEqual([])
    expect(invite('development', both)).toEqual([
      'CustomMessage_AdminCreateUser: smsMessage does not contain the usernameParameter, which some providers demand.',
      'CustomMessage_AdminCreateUser: emailMessage does not contain the usernameParameter, which some providers demand.',
    ])
  })

  it('is not printed when a message has the placeholder, does not need it, or is not an invitation', () => {
    expect(invite('development', { smsMessage: '{username}: {####}', emailMessage: null })).toEqual([])
    expect(invite('development', { smsMessage: '{####}' }, null)).toEqual([])
    const signUp = customMessageEvent({}, { response: { smsMessage: '{####}' } as never })
    serialize(signUp, signUp)
    expect(warn).not.toHaveBeenCalled()
  })
})
