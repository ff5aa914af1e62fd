import { describe, expect, it } from '@jest/globals'
import { clientId as ClientId, poolSetup, poolId as UserPoolId } from '../../testing/pool-setup.ts'
import { confirmed } from '../../testing/signed-up-setup.ts'

// The migrated address is verified, so that the flow can send a code to it.
describe('UserMigration_ForgotPassword', () => {
  const forgotten = async (answer: object, pool: Parameters<typeof poolSetup>[0] = {}) => {
    const setup = await poolSetup({
      ...pool,
      answers: {
        ...confirmed,
        UserMigration_ForgotPassword: () => ({
          userAttributes: { email: 'old@example.com', email_verified: 'true' },
          ...answer,
        }),
      },
    })
    const forget = () =>
      setup.call('ForgotPassword', { ClientId, Username: 'old', ClientMetadata: { from: 'shop' } })
    const account = () => setup.call('AdminGetUser', { UserPoolId, Username: 'old' })
    return { ...setup, forget, account, [Symbol.asyncDispose]: () => setup[Symbol.asyncDispose]() }
  }

  it('creates the account with userAttributes, and gets the client metadata', async () => {
    const userAttributes = { email: 'old@example.com', email_verified: 'true', nickname: 'Oldie' }
    await using setup = await forgotten({ userAttributes })
    await setup.forget()
    expect((await setup.account()).UserAttributes).toContainEqual({ Name: 'nickname', Value: 'Oldie' })
    expect(setup.eventsOf('UserMigration_ForgotPassword')).toMatchObject([
      { userName: 'old', request: { clientMetadata: { from: 'shop' } } },
    ])
  })

  it.each([
    [undefined, 'RESET_REQUIRED'],
    ['CONFIRMED', 'CONFIRMED'],
    ['RESET_REQUIRED', 'RESET_REQUIRED'],
  ])(
    'leaves the account without a password when finalUserStatus is %p, and gives it the status %s',
    async (finalUserStatus, UserStatus) => {
      await using setup = await forgotten({ finalUserStatus })
      await setup.forget()
      expect(await setup.account()).toMatchObject({ UserStatus })
      await expect(setup.signIn('old')).rejects.toMatchObject({ type: 'NotAuthorizedException' })
      const input = { ClientId, Username: 'old', ConfirmationCode: await setup.code('old@example.com') }
      await setup.call('ConfirmForgotPassword', { ...input, Password: setup.password })
      expect(await setup.signIn('old')).toHaveProperty('AuthenticationResult')
    },
  )

  it.each([
    ['by default', undefined, undefined],
    ['when messageAction is SUPPRESS', 'SUPPRESS', ['EMAIL', 'SMS']],
    ['when messageAction is RESEND for e-mail and SMS', 'RESEND', ['EMAIL', 'SMS']],
    ['when messageAction is RESEND for SMS', 'RESEND', ['SMS']],
  ])('sends the code and no welcome message %s', async (_case, messageAction, desiredDeliveryMediums) => {
    const userAttributes = {
      email: 'old@example.com',
      email_verified: 'true',
      phone_number: '+4930123456',
    }
    await using setup = await forgotten({ userAttributes, messageAction, desiredDeliveryMediums })
    await setup.forget()
    expect(await setup.texts()).toMatchObject([{ to: 'old@example.com', occasion: 'ForgotPassword' }])
  })

  it.each([
    ['takes', true, 'false'],
    ['does not take', false, 'true'],
  ])('%s an alias when forceAliasCreation is %p', async (_verb, forceAliasCreation, stays) => {
    const userAttributes = { email: 'ann@example.com', email_verified: 'true' }
    const pool = { pool: { signIn: ['name', 'email'] } } as const
    await using setup = await forgotten({ userAttributes, forceAliasCreation }, pool)
    await setup.user()
    const forgetting = setup.forget()
    if (forceAliasCreation) await forgetting
    else await expect(forgetting).rejects.toMatchObject({ type: 'AliasExistsException' })
    const { UserAttributes } = await setup.call('AdminGetUser', { UserPoolId, Username: 'ann' })
    expect(UserAttributes).toContainEqual({ Name: 'email_verified', Value: stays })
  })

  it.each([
    ['enables', true],
    ['does not enable', false],
  ])('%s the second factor when enableSMSMFA is %p', async (_verb, enableSMSMFA) => {
    const userAttributes = {
      email: 'old@example.com',
      email_verified: 'true',
      phone_number: '+4930123456',
      phone_number_verified: 'true',
    }
    const pool = { pool: { mfa: { mode: 'optional', by: ['sms'] }, recovery: ['email'] } } as const
    await using setup = await forgotten({ userAttributes, enableSMSMFA }, pool)
    await setup.forget()
    const input = { ClientId, Username: 'old', ConfirmationCode: await setup.code('old@example.com') }
    await setup.call('ConfirmForgotPassword', { ...input, Password: setup.password })
    expect((await setup.signIn('old')).ChallengeName).toBe(enableSMSMFA ? 'SMS_MFA' : undefined)
  })
})
