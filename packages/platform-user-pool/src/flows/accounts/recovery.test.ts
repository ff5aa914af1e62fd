import { describe, expect, it } from '@jest/globals'
import type { UserPoolConfig } from '../../config/user-pool-config.ts'
import { poolId, poolSetup } from '../../testing/pool-setup.ts'

const both = [
  { Name: 'email', Value: 'ann@example.com' },
  { Name: 'email_verified', Value: 'true' },
  { Name: 'phone_number', Value: '+4930123456' },
  { Name: 'phone_number_verified', Value: 'true' },
]

async function recoverySetup(pool: Partial<UserPoolConfig>, hideUsers = false) {
  const setup = await poolSetup({ pool, client: { hideUsers } })
  const ann = { UserPoolId: poolId, Username: 'ann' }
  await setup.call('AdminCreateUser', { ...ann, UserAttributes: both, MessageAction: 'SUPPRESS' })
  await setup.call('AdminSetUserPassword', { ...ann, Password: setup.password, Permanent: true })
  const forgot = (Username = 'ann') => setup.call('ForgotPassword', { ClientId: 'web', Username })
  return { ...setup, ann, forgot, [Symbol.asyncDispose]: () => setup[Symbol.asyncDispose]() }
}

describe('a forgotten password', () => {
  it.each([
    ['the e-mail address by default', undefined, 'email'],
    ['the phone when the phone comes first', ['phone', 'email'], 'phone_number'],
    ['the phone when the pool allows only the phone', ['phone'], 'phone_number'],
  ] as const)('is reset by a code to %s', async (_case, recovery, AttributeName) => {
    await using setup = await recoverySetup(recovery === undefined ? {} : { recovery })
    expect((await setup.forgot()).CodeDeliveryDetails).toMatchObject({ AttributeName })
  })

  it('leads to the same error for known and unknown names when only administrators may reset passwords', async () => {
    await using setup = await recoverySetup({ recovery: [] })
    for (const name of ['ann', 'ghost'])
      await expect(setup.forgot(name)).rejects.toMatchObject({
        type: 'NotAuthorizedException',
        message: 'Contact administrator to reset password.',
      })
    await setup.call('AdminResetUserPassword', setup.ann)
    await setup.call('ConfirmForgotPassword', {
      ClientId: 'web',
      Username: 'ann',
      ConfirmationCode: await setup.code('ann@example.com'),
      Password: 'Other-7even',
    })
    expect(await setup.signIn('ann', 'Other-7even')).toHaveProperty('AuthenticationResult')
  })

  it('is not reset by text message if text messages are the second factor', async () => {
    const mfa = { by: ['sms'] } as const
    await using setup = await recoverySetup({ recovery: ['phone', 'email'], mfa })
    const enable = { ...setup.ann, SMSMfaSettings: { Enabled: true } }
    await setup.call('AdminSetUserMFAPreference', enable)
    expect((await setup.forgot()).CodeDeliveryDetails).toMatchObject({ AttributeName: 'email' })
    await using phone = await recoverySetup({ recovery: ['phone'], mfa })
    await phone.call('AdminSetUserMFAPreference', enable)
    await expect(phone.forgot()).rejects.toMatchObject({ type: 'InvalidParameterException' })
  })

  it('leads to a response with the medium SMS when the pool resets passwords by phone, even for an unknown user', async () => {
    await using setup = await recoverySetup({ recovery: ['phone'] }, true)
    expect((await setup.forgot('ghost')).CodeDeliveryDetails).toMatchObject({ DeliveryMedium: 'SMS' })
  })

  it('is reset by phone first in a pool created through the API, until the pool’s recovery setting changes', async () => {
    await using setup = await poolSetup()
    const { call } = setup
    const { UserPool } = await call('CreateUserPool', { PoolName: 'made' })
    const pool = { UserPoolId: UserPool.Id }
    const { UserPoolClient } = await call('CreateUserPoolClient', { ...pool, ClientName: 'web' })
    const ann = { ...pool, Username: 'ann' }
    await call('AdminCreateUser', { ...ann, UserAttributes: both, MessageAction: 'SUPPRESS' })
    await call('AdminSetUserPassword', { ...ann, Password: setup.password, Permanent: true })
    const medium = async () => {
      const forgotten = { ClientId: UserPoolClient.ClientId, Username: 'ann' }
      return (await call('ForgotPassword', forgotten)).CodeDeliveryDetails.DeliveryMedium
    }
    expect(await medium()).toBe('SMS')
    const RecoveryMechanisms = [
      { Name: 'verified_phone_number', Priority: 2 },
      { Name: 'verified_email', Priority: 1 },
    ]
    await call('UpdateUserPool', { ...pool, AccountRecoverySetting: { RecoveryMechanisms } })
    expect(await medium()).toBe('EMAIL')
    const adminOnly = { RecoveryMechanisms: [{ Name: 'admin_only', Priority: 1 }] }
    await call('UpdateUserPool', { ...pool, AccountRecoverySetting: adminOnly })
    await expect(medium()).rejects.toMatchObject({ type: 'NotAuthorizedException' })
  })
})
