import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { InvalidResponseError, signalbox } from '@signalbox/core'
import type { TriggerEvent } from '../contract/index.ts'
import {
  customEmailSenderEvent,
  customMessageEvent,
  postConfirmationEvent,
  preSignUpEvent,
  tokenGenerationEvent,
  triggerEvent,
} from '../testing/index.ts'
import { userPool } from '../user-pool.ts'
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
    [[], 'a list'],
  ])('refuses the response %j even for a trigger whose response is ignored', (response, actual) => {
    for (const event of [postConfirmationEvent(), customEmailSenderEvent()]) {
      Object.assign(event, { response })
      expect(() => serialize(event, event)).toThrow(`/response: expected an object, was ${actual}`)
    }
  })

  it('refuses a missing response, except for senders, whose events may lack it', () => {
    for (const response of [null, undefined]) {
      const confirmed = { ...postConfirmationEvent(), response }
      expect(() => serialize(confirmed, confirmed)).toThrow('/response: expected an object')
      expect(() => serialize({ ...customEmailSenderEvent(), response }, undefined)).not.toThrow()
    }
  })

  it('ignores what senders return', () => {
    const event = customEmailSenderEvent()
    for (const returned of [undefined, 7, { messageId: 'm1' }])
      expect(() => serialize(event, returned)).not.toThrow()
  })

  it.each<[string, object, object, string, string]>([
    ['promise', preSignUpEvent(), Promise.resolve({ autoConfirmUser: true }), '', 'a promise'],
    ['Map', preSignUpEvent(), new Map([['autoConfirmUser', true]]), '', 'another kind of object'],
    [
      'promise of claims',
      tokenGenerationEvent(),
      { claimsOverrideDetails: Promise.resolve({ claimsToSuppress: ['email'] }) },
      '/claimsOverrideDetails',
      'a promise',
    ],
    [
      'promise of attributes',
      triggerEvent('UserMigration_Authentication'),
      { userAttributes: Promise.resolve({ email: 'ann@office.example' }) },
      '/userAttributes',
      'a promise',
    ],
  ])('refuses a %s in the response, which would become {} in JSON', (_, event, response, at, actual) => {
    const returned = { ...event, response }
    expect(() => serialize(event, returned)).toThrow(`/response${at}: expected a plain object, was ${actual}`)
  })

  it('accepts an instance of a class in the response', () => {
    class Answer {
      autoConfirmUser = true
    }
    const event = preSignUpEvent()
    expect(() => serialize(event, { ...event, response: new Answer() })).not.toThrow()
  })

  it('ignores a promise in the response of a trigger whose response is ignored', () => {
    const event = postConfirmationEvent()
    expect(() => serialize(event, { ...event, response: Promise.resolve() })).not.toThrow()
  })
})

describe('a response that an onError hook makes', () => {
  const failed = new Error('no database')
  const rescued = (response: (event: TriggerEvent) => unknown) =>
    signalbox(
      userPool({
        PreSignUp() {
          throw failed
        },
      }),
    ).onError(request => {
      request.response = response(request.event) as never
    })(preSignUpEvent())

  it('leaves the error when it breaks the contract', async () => {
    const wrong = (event: TriggerEvent) => ({ ...event, response: { autoConfirmUser: 'yes' } })
    for (const response of [() => ({ statusCode: 500 }), () => null, wrong])
      await expect(rescued(response)).rejects.toBe(failed)
  })

  it('leaves the error of a sender, whose message was not sent, unless it is the event', async () => {
    const sent = customEmailSenderEvent()
    const unsent = (response: unknown) =>
      signalbox(userPool({ CustomEmailSender: () => Promise.reject(failed) })).onError(request => {
        request.response = response as never
      })(sent)
    for (const page of [{ statusCode: 500, headers: {}, body: 'sorry' }, 'sorry', null])
      await expect(unsent(page)).rejects.toBe(failed)
    expect(await unsent(sent)).toBe(sent)
  })

  it('is the result when it keeps the contract', async () => {
    expect(await rescued(event => event)).toMatchObject({ userName: preSignUpEvent().userName, response: {} })
  })

  it('is not needed', async () => {
    await expect(rescued(() => undefined)).rejects.toBe(failed)
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
      'CustomMessage_AdminCreateUser: smsMessage does not contain the usernameParameter ({username} in message()), which some providers demand.',
      'CustomMessage_AdminCreateUser: emailMessage does not contain the usernameParameter ({username} in message()), which some providers demand.',
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
