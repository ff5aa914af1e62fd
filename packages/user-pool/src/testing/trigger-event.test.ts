import { describe, expect, it } from '@jest/globals'
import { InvalidOptionError } from '@signalbox/core'
import { sources, triggerEventCodec, triggerNames } from '../contract/index.ts'
import { triggerEvents, triggerResponses } from './arbitrary.ts'
import { mutations } from './mutation.ts'
import { signIn } from './sign-in.ts'
import * as builders from './trigger-event.ts'

const { preSignUpEvent, triggerEvent, userMigrationEvent } = builders

describe('triggerEvent', () => {
  it.each(sources)('builds a new, valid event of %s at each call', source => {
    const event = triggerEvent(source)
    expect(triggerEventCodec.is(event)).toBe(true)
    expect(event.triggerSource).toBe(source)
    expect(triggerEvent(source)).toEqual(event)
    expect(triggerEvent(source).request).not.toBe(event.request)
  })

  it('accepts fields for the request and for the event', () => {
    const event = triggerEvent(
      'PreSignUp_SignUp',
      { userAttributes: { email: 'a@b.c' } },
      { userName: 'eve' },
    )
    expect(event).toMatchObject({
      userName: 'eve',
      request: { userAttributes: { email: 'a@b.c' }, validationData: {} },
    })
    expect(event.request.userAttributes).toEqual({ email: 'a@b.c' })
  })

  it('omits fields that a source does not have', () => {
    expect(triggerEvent('UserMigration_ForgotPassword').request).not.toHaveProperty('password')
    expect(userMigrationEvent().request).toHaveProperty('password')
  })
})

it('each trigger has an event builder that accepts any source of the trigger', () => {
  const { triggerEvent: _, ...built } = builders
  const triggers = Object.values(built).map(build => build().triggerSource.split('_')[0])
  expect(triggers.sort()).toEqual([...triggerNames].sort())
  expect(preSignUpEvent({}, { triggerSource: 'PreSignUp_ExternalProvider' }).triggerSource).toBe(
    'PreSignUp_ExternalProvider',
  )
})

describe('a mistake that the compiler would find, in a test whose types nobody checks', () => {
  it.each([
    [
      'a misspelt source',
      () => triggerEvent('PreSignUp_Signup' as never),
      'triggerEvent(): expected a trigger source; the nearest is PreSignUp_SignUp, was "PreSignUp_Signup"',
    ],
    [
      'a trigger instead of a source',
      () => triggerEvents('PreSignUp' as never),
      'triggerEvents(): expected a trigger source; the nearest is PreSignUp_SignUp, was "PreSignUp"',
    ],
    [
      'no source',
      () => mutations(undefined as never),
      'mutations(): expected a trigger source, was undefined',
    ],
    [
      'a misspelt trigger',
      () => triggerResponses('PreSignup' as never),
      'triggerResponses(): expected a trigger; the nearest is PreSignUp, was "PreSignup"',
    ],
    [
      'no trigger',
      () => triggerResponses(undefined as never),
      `triggerResponses(): expected a trigger: ${triggerNames.join(', ')}, was undefined`,
    ],
    [
      'a source of another trigger',
      () => builders.postConfirmationEvent({}, { triggerSource: 'PreSignUp_SignUp' as never }),
      'An event of PostConfirmation has the source PostConfirmation_ConfirmSignUp or PostConfirmation_ConfirmForgotPassword, not "PreSignUp_SignUp".',
    ],
    [
      'a misspelt field of the request',
      () => preSignUpEvent({ userAttribute: {} } as never),
      'The request of PreSignUp_SignUp has no field "userAttribute". Did you mean userAttributes?',
    ],
    [
      'a misspelt field of the event',
      () => preSignUpEvent({}, { username: 'eve' } as never),
      'The envelope of PreSignUp_SignUp has no option "username". Did you mean userName?',
    ],
  ])('is refused: %s', (_mistake, build, message) => {
    expect(build).toThrow(new InvalidOptionError(message))
  })

  it('is refused: a misspelt option of signIn', async () => {
    const flow = signIn(async () => ({ response: {} }), [], { username: 'eve' } as never)
    await expect(flow).rejects.toThrow('signIn() has no option "username". Did you mean userName?')
  })

  it('is not a field of the request that resembles no known field, which platforms may send', () => {
    const event = preSignUpEvent({ tenant: 't1' } as never)
    expect(event.request).toMatchObject({ tenant: 't1' })
  })
})
