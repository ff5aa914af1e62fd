import { expect, it } from '@jest/globals'
import {
  customEmailSenderEvent,
  customMessageEvent,
  customSmsSenderEvent,
  defineAuthChallengeEvent,
  inboundFederationEvent,
  postAuthenticationEvent,
  postConfirmationEvent,
  preAuthenticationEvent,
  preSignUpEvent,
  tokenGenerationEvent,
  triggerEvent,
  userMigrationEvent,
} from '@signalbox/user-pool/testing'
import { onceConfirmed } from './journey/once.ts'
import { handler } from './journey.ts'
import { newsletter, outbox } from './services.ts'

const answer = async (event: object) => (await handler(event)).response
const userAttributes = { email: 'ada@example.com', given_name: '<Ada>', phone_number: '+123' }

it('the sign-up handler accepts only people with an invitation', async () => {
  const validationData = { invitation: 'spring' }
  expect(await answer(preSignUpEvent({ userAttributes, validationData }))).toEqual({
    autoConfirmUser: true,
    autoVerifyEmail: false,
  })
  await expect(handler(preSignUpEvent())).rejects.toThrow('You need an invitation')
})

it('the sign-up handler customizes e-mails and text messages', async () => {
  expect(await answer(customMessageEvent({ userAttributes }))).toEqual({
    smsMessage: 'Your code is {####}',
    emailSubject: 'Welcome, <Ada>',
    emailMessage: '<p>Hello &#60;Ada&#62;, your code is {####}</p>',
  })
  expect(await answer(triggerEvent('CustomMessage_AdminCreateUser'))).toEqual({
    smsMessage: 'You are {username}, and your password is {####}',
  })
})

it('the sign-up handler sends decrypted codes, and warns of account takeovers', async () => {
  const code = Buffer.from('424242').toString('base64')
  const earlier = outbox.sent.length
  await handler(customEmailSenderEvent({ userAttributes, code }))
  await handler(customSmsSenderEvent({ userAttributes, code }))
  await handler(
    triggerEvent('CustomEmailSender_AccountTakeOverNotification', {
      userAttributes: { IP_ADDRESS: '10.0.0.7' },
    }),
  )
  expect(outbox.sent.slice(earlier)).toEqual([
    'mail to ada@example.com: Your code is 424242',
    'sms to +123: Code: 424242',
    'mail to ada@example.com: Was that you, from 10.0.0.7?',
  ])
})

it('the sign-up handler adds confirmed users to the member list', async () => {
  expect(await answer(postConfirmationEvent({ userAttributes }))).toEqual({})
  expect(newsletter.readers).toEqual(['ada@example.com'])
  for (let attempt = 0; attempt < 3; attempt++) {
    await onceConfirmed(postConfirmationEvent({ userAttributes: { email: 'eve@example.com' } }))
  }
  expect(newsletter.readers).toEqual(['ada@example.com', 'eve@example.com'])
})

it('the sign-up handler migrates users from the old directory', async () => {
  const userName = 'grace'
  expect(await answer(userMigrationEvent({ password: 'cobol-1959' }, { userName }))).toEqual({
    userAttributes: { email: 'grace@example.com', email_verified: 'true' },
    finalUserStatus: 'CONFIRMED',
  })
  await expect(handler(userMigrationEvent({ password: 'guess' }, { userName }))).rejects.toThrow('Wrong name')
  const forgot = (name: string) =>
    handler(triggerEvent('UserMigration_ForgotPassword', {}, { userName: name }))
  expect((await forgot('grace')).response).toMatchObject({ messageAction: 'SUPPRESS' })
  await expect(forgot('nobody')).rejects.toThrow('Unknown user')
})

it('the sign-up handler maps attributes from an external provider', async () => {
  const saying = (idToken: object) => answer(inboundFederationEvent({ attributes: { idToken } as never }))
  for (const email_verified of [true, 'true']) {
    expect(await saying({ email: 'ada@idp.example', email_verified, iat: 1 })).toEqual({
      userAttributesToMap: { email: 'ada@idp.example', email_verified: 'true' },
    })
  }
  await expect(saying({ email: 'ada@idp.example' })).rejects.toThrow('verify your address')
  for (const email_verified of ['false', ['true'], 1])
    await expect(saying({ email: 'ada@idp.example', email_verified })).rejects.toThrow('verify')
  await expect(saying({ email_verified: true })).rejects.toThrow('verify your address')
})

it('the sign-up handler refuses a sign-in from a retired app, and notifies users of new devices', async () => {
  expect(await answer(preAuthenticationEvent())).toEqual({})
  const callerContext = { clientId: 'retired', cloudSdkVersion: '1' }
  await expect(handler(preAuthenticationEvent({}, { callerContext }))).rejects.toThrow(
    'Please update the app',
  )
  expect(await answer(defineAuthChallengeEvent())).toEqual({ issueTokens: false, failAuthentication: true })
  await handler(postAuthenticationEvent({ newDeviceUsed: true }))
  expect(outbox.sent.at(-1)).toBe('mail to ada@example.com: You signed in with a new device')
})

it('the sign-up handler adds the claim "tenant" to tokens', async () => {
  expect(await answer(tokenGenerationEvent({ groupConfiguration: { groupsToOverride: ['staff'] } }))).toEqual(
    {
      claimsOverrideDetails: {
        claimsToAddOrOverride: { tenant: 'eu-north-1_example' },
        claimsToSuppress: ['email'],
        groupOverrideDetails: { groupsToOverride: ['staff'] },
      },
    },
  )
})
