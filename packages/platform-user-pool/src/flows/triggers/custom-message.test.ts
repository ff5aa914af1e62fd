import { describe, expect, it } from '@jest/globals'
import {
  type Answers,
  type AnyEvent,
  clientId as ClientId,
  poolSetup,
  poolId as UserPoolId,
} from '../../testing/pool-setup.ts'
import { email } from '../../testing/signed-up-setup.ts'

describe('CustomMessage', () => {
  const said =
    (occasion: string) =>
    ({ request }: AnyEvent) => ({
      emailMessage: `${occasion} ${request.codeParameter} ${request.usernameParameter ?? ''}`,
      emailSubject: `Subject of ${occasion}`,
      smsMessage: `Text of ${occasion} ${request.codeParameter} ${request.usernameParameter ?? ''}`,
    })
  type Setup = Awaited<ReturnType<typeof poolSetup>>

  it.each<[string, (setup: Setup) => Promise<unknown>]>([
    [
      'SignUp',
      setup =>
        setup.call('SignUp', {
          ClientId,
          Username: 'bob',
          Password: setup.password,
          UserAttributes: email('bob@example.com'),
        }),
    ],
    [
      'ResendCode',
      async setup => {
        await setup.call('SignUp', {
          ClientId,
          Username: 'bob',
          Password: setup.password,
          UserAttributes: email('bob@example.com'),
        })
        await setup.call('ResendConfirmationCode', { ClientId, Username: 'bob' })
      },
    ],
    [
      'AdminCreateUser',
      setup =>
        setup.call('AdminCreateUser', {
          UserPoolId,
          Username: 'bob',
          UserAttributes: email('bob@example.com'),
        }),
    ],
    [
      'ForgotPassword',
      async setup => {
        await setup.user('bob')
        await setup.call('ForgotPassword', { ClientId, Username: 'bob' })
      },
    ],
    [
      'UpdateUserAttribute',
      async setup => {
        await setup.user('bob')
        const { AuthenticationResult } = await setup.signIn('bob')
        await setup.call('UpdateUserAttributes', {
          AccessToken: AuthenticationResult.AccessToken,
          UserAttributes: email('new@example.com'),
        })
      },
    ],
    [
      'VerifyUserAttribute',
      async setup => {
        await setup.user('bob')
        const { AuthenticationResult } = await setup.signIn('bob')
        const { AccessToken } = AuthenticationResult
        await setup.call('GetUserAttributeVerificationCode', { AccessToken, AttributeName: 'email' })
      },
    ],
  ])('writes the message for %s', async (occasion, flow) => {
    await using setup = await poolSetup({
      answers: { [`CustomMessage_${occasion}`]: said(occasion) } as Answers,
    })
    await flow(setup)
    const [text] = await setup.texts()
    const name = occasion === 'AdminCreateUser' ? 'bob' : ''
    expect(text).toMatchObject({
      state: 'kept',
      occasion,
      subject: `Subject of ${occasion}`,
      text: `${occasion} ${text!.code} ${name}`,
    })
    expect(setup.events.at(-1)).toMatchObject({
      triggerSource: `CustomMessage_${occasion}`,
      request: { codeParameter: '{####}', usernameParameter: name === '' ? null : '{username}' },
    })
  })

  it('writes text messages as well', async () => {
    await using setup = await poolSetup({
      pool: { verify: ['phone'] },
      answers: { CustomMessage_SignUp: said('SignUp') },
    })
    const UserAttributes = [{ Name: 'phone_number', Value: '+4930123456' }]
    await setup.call('SignUp', { ClientId, Username: 'bob', Password: setup.password, UserAttributes })
    const [text] = await setup.texts()
    expect(text).toMatchObject({ medium: 'SMS', to: '+4930123456', text: `Text of SignUp ${text!.code} ` })
  })

  it('fails the sign-up request when its function fails: the account is created, but no message is sent', async () => {
    await using setup = await poolSetup({
      answers: {
        CustomMessage_SignUp: () => {
          throw new Error('no words')
        },
      },
    })
    await expect(setup.user()).rejects.toMatchObject({ message: 'CustomMessage failed with error no words.' })
    expect(await setup.texts()).toMatchObject([{ state: 'failed' }])
    expect((await setup.call('ListUsers', { UserPoolId })).Users).toHaveLength(1)
  })
})
