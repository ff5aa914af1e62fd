import { expect, it } from '@jest/globals'
import { poolSetup } from '../../../testing/pool-setup.ts'

it.each([
  ['CreateUserPool', { DeletionProtection: 'ON' }],
  ['CreateUserPool', { UserPoolTier: 'plus' }],
  ['CreateUserPool', { UserPoolAddOns: { AdvancedSecurityMode: 'audit' } }],
  ['CreateUserPool', { Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSKEY'] } } }],
  ['CreateUserPool', { Policies: { PasswordPolicy: { TemporaryPasswordValidityDays: 366 } } }],
  [
    'CreateUserPool',
    { UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['mail'] } },
  ],
  ['CreateUserPool', { EmailConfiguration: { EmailSendingAccount: 'SES' } }],
  [
    'CreateUserPool',
    { AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'verified_email', Priority: 3 }] } },
  ],
  ['CreateUserPoolClient', { PreventUserExistenceErrors: 'enabled' }],
  ['CreateUserPoolClient', { RefreshTokenRotation: { Feature: 'on' } }],
  ['CreateUserPoolClient', { RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 61 } }],
  ['AdminCreateUser', { DesiredDeliveryMediums: ['FAX'] }],
  ['CreateResourceServer', { Identifier: 'shop orders' }],
  [
    'CreateResourceServer',
    { Scopes: [{ ScopeName: 'a aws.cognito.signin.user.admin', ScopeDescription: 'a' }] },
  ],
])('%s refuses a value that would have no effect, or another one: %j', async (operation, input) => {
  await using setup = await poolSetup()
  const { UserPool } = await setup.call('CreateUserPool', { PoolName: 'made' })
  const needed = {
    ...{ UserPoolId: UserPool.Id, PoolName: 'other', ClientName: 'app', Username: 'ann' },
    ...{ Identifier: 'orders', Name: 'orders' },
  }
  await expect(setup.call(operation, { ...needed, ...input })).rejects.toMatchObject({
    type: 'InvalidParameterException',
    message: expect.stringContaining('failed to satisfy constraint'),
  })
})
