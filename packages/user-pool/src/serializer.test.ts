import { describe, expect, it } from '@jest/globals'
import { InvalidResponseError } from '@signalbox/core'
import { userPoolSerializer } from './serializer.ts'
import { customEmailSenderEvent, postConfirmationEvent, preSignUpEvent } from './testing/index.ts'

const serialize = (event: object, response: unknown) =>
  (userPoolSerializer().after as (request: object) => void)({ event, response })

describe('userPoolSerializer', () => {
  it('lets through what the contract allows', () => {
    const event = preSignUpEvent({}, { response: { autoConfirmUser: true, whatever: 1 } })
    expect(() => serialize(event, event)).not.toThrow()
    expect(() => serialize(event, { ...event })).not.toThrow()
  })

  it('refuses what it forbids, naming the trigger source', () => {
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
    [[], 'an array'],
  ])('refuses %j for a response that nobody reads, because an object belongs there', (response, actual) => {
    for (const event of [postConfirmationEvent(), customEmailSenderEvent()]) {
      Object.assign(event, { response })
      expect(() => serialize(event, event)).toThrow(`/response: expected an object, was ${actual}`)
    }
  })

  it('minds nothing that senders return', () => {
    const event = customEmailSenderEvent()
    for (const returned of [undefined, 7, { messageId: 'm1' }])
      expect(() => serialize(event, returned)).not.toThrow()
  })
})
