import { describe, expect, it } from '@jest/globals'
import { sources, triggerEventCodec, triggerNames } from '../contract/index.ts'
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
