import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider'
import { expect, it } from '@jest/globals'
import { listeningPool } from '../testing/listening-pool.ts'
import type { omittedFields } from './omitted-fields.ts'

async function setupOf() {
  const running = await listeningPool()
  const client = new CognitoIdentityProvider({
    endpoint: running.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
  })
  return {
    client,
    async [Symbol.asyncDispose]() {
      client.destroy()
      await running[Symbol.asyncDispose]()
    },
  }
}

const role = 'arn:aws:iam::000000000000:role/texts'

/** A value for each field of a pool, which is not the default. */
const poolFields = {
  PoolName: 'customers',
  Policies: {
    PasswordPolicy: { MinimumLength: 12, RequireSymbols: false },
    SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'EMAIL_OTP'] },
  },
  LambdaConfig: { PreSignUp: 'arn:aws:lambda:eu-central-1:000000000000:function:work' },
  AutoVerifiedAttributes: ['email'],
  MfaConfiguration: 'OPTIONAL',
  DeviceConfiguration: { ChallengeRequiredOnNewDevice: true },
  AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
  UserPoolTags: { team: 'shop' },
  SmsVerificationMessage: 'Your code is {####}.',
  EmailVerificationMessage: 'The code is {####}.',
  EmailVerificationSubject: 'A code',
  VerificationMessageTemplate: { DefaultEmailOption: 'CONFIRM_WITH_LINK' },
  SmsAuthenticationMessage: 'Sign in with {####}.',
  UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['email'] },
  DeletionProtection: 'ACTIVE',
  EmailConfiguration: { EmailSendingAccount: 'DEVELOPER', From: 'shop@example.com' },
  SmsConfiguration: { SnsCallerArn: role },
  UserPoolAddOns: { AdvancedSecurityMode: 'AUDIT' },
  DcrConfiguration: { EnableStatus: 'Enabled', OpenDcrEnabled: true },
  AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }] },
  UserPoolTier: 'PLUS',
} as const satisfies { readonly [F in keyof typeof omittedFields.UpdateUserPool]: unknown }

/** The fields that UpdateUserPool keeps when it omits them. The service resets all others. */
const keptByPools = [
  'PoolName',
  'Policies',
  'MfaConfiguration',
  'UserAttributeUpdateSettings',
  'UserPoolTier',
]

/** What DescribeUserPool shows for a field that has its default. Undefined for the other fields. */
const poolDefaults: { readonly [field: string]: unknown } = {
  LambdaConfig: {},
  AdminCreateUserConfig: { AllowAdminCreateUserOnly: false },
  UserPoolTags: {},
  VerificationMessageTemplate: { DefaultEmailOption: 'CONFIRM_WITH_CODE' },
  EmailConfiguration: { EmailSendingAccount: 'COGNITO_DEFAULT' },
}

type CreateUserPool = Parameters<CognitoIdentityProvider['createUserPool']>[0]
type Fields = { readonly [field: string]: unknown }

it('UpdateUserPool keeps and resets each field that it omits as the service does', async () => {
  await using setup = await setupOf()
  const { client } = setup
  const asked = poolFields as unknown as CreateUserPool
  const UserPoolId = (await client.createUserPool(asked)).UserPool!.Id!
  const totp = { SoftwareTokenMfaConfiguration: { Enabled: true } }
  await client.setUserPoolMfaConfig({ UserPoolId, MfaConfiguration: 'ON', ...totp })
  const shown = async () => (await client.describeUserPool({ UserPoolId })).UserPool as unknown as Fields
  const { PoolName, ...others } = poolFields
  const wanted = { ...others, MfaConfiguration: 'ON', Name: PoolName }
  expect(await shown()).toMatchObject(wanted)
  await client.updateUserPool({ UserPoolId })
  const after = await shown()
  for (const row of Object.keys(poolFields)) {
    const field = row === 'PoolName' ? 'Name' : row
    const expected = keptByPools.includes(row) ? wanted[field as keyof typeof wanted] : poolDefaults[field]
    expect([field, after[field]]).toEqual([field, expected])
  }
  expect(await client.getUserPoolMfaConfig({ UserPoolId })).toMatchObject({ MfaConfiguration: 'ON', ...totp })
})

it('UpdateUserPool with one policy keeps the other one', async () => {
  await using setup = await setupOf()
  const { client } = setup
  const { Policies } = poolFields as unknown as Required<CreateUserPool>
  const UserPoolId = (await client.createUserPool({ PoolName: 'customers', Policies })).UserPool!.Id!
  const policies = async () => (await client.describeUserPool({ UserPoolId })).UserPool!.Policies
  const SignInPolicy = { AllowedFirstAuthFactors: ['PASSWORD' as const] }
  await client.updateUserPool({ UserPoolId, Policies: { SignInPolicy } })
  expect(await policies()).toEqual({ PasswordPolicy: Policies!.PasswordPolicy, SignInPolicy })
  const PasswordPolicy = { MinimumLength: 20 }
  await client.updateUserPool({ UserPoolId, Policies: { PasswordPolicy } })
  expect(await policies()).toEqual({ PasswordPolicy, SignInPolicy })
})

/** A value for each field of a client, which is not the default. */
const clientValues = {
  ClientName: 'web',
  GenerateSecret: true,
  RefreshTokenValidity: 5,
  AccessTokenValidity: 2,
  IdTokenValidity: 3,
  TokenValidityUnits: { RefreshToken: 'days' },
  ReadAttributes: ['email'],
  WriteAttributes: ['email'],
  ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH'],
  SupportedIdentityProviders: ['COGNITO'],
  CallbackURLs: ['https://shop.example/cb'],
  LogoutURLs: ['https://shop.example/bye'],
  DefaultRedirectURI: 'https://shop.example/cb',
  AllowedOAuthFlows: ['code'],
  AllowedOAuthScopes: ['openid'],
  AllowedOAuthFlowsUserPoolClient: true,
  AnalyticsConfiguration: { UserDataShared: true },
  PreventUserExistenceErrors: 'ENABLED',
  EnableTokenRevocation: false,
  EnablePropagateAdditionalUserContextData: true,
  AuthSessionValidity: 5,
  RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 5 },
} as const satisfies { readonly [F in keyof typeof omittedFields.UpdateUserPoolClient]: unknown }

const clientDefaults: { readonly [field: string]: unknown } = {
  RefreshTokenValidity: 30,
  AllowedOAuthFlowsUserPoolClient: false,
  EnableTokenRevocation: true,
  AuthSessionValidity: 3,
}

it('UpdateUserPoolClient resets each field that it omits, but for the name and the secret', async () => {
  await using setup = await setupOf()
  const { client } = setup
  const UserPoolId = (await client.createUserPool({ PoolName: 'customers' })).UserPool!.Id!
  const asked = { UserPoolId, ...clientValues } as unknown as Parameters<
    typeof client.createUserPoolClient
  >[0]
  const created = (await client.createUserPoolClient(asked)).UserPoolClient as unknown as Fields
  const { GenerateSecret: _, ...visible } = clientValues
  expect(created).toMatchObject({ ...visible, ClientSecret: expect.any(String) })
  const ClientId = String(created.ClientId)
  const { UserPoolClient } = await client.updateUserPoolClient({ UserPoolId, ClientId })
  const after = UserPoolClient as unknown as Fields
  expect(after).toMatchObject({ ClientName: 'web', ClientSecret: created.ClientSecret })
  const { ClientName: __, ...others } = visible
  for (const field of Object.keys(others))
    expect([field, after[field]]).toEqual([field, clientDefaults[field]])
})

it('SetUserPoolMfaConfig without MfaConfiguration turns second factors off, and drops those that it omits', async () => {
  await using setup = await setupOf()
  const { client } = setup
  const UserPoolId = (await client.createUserPool({ PoolName: 'customers' })).UserPool!.Id!
  const all = {
    MfaConfiguration: 'ON',
    SmsMfaConfiguration: { SmsConfiguration: { SnsCallerArn: role } },
    SoftwareTokenMfaConfiguration: { Enabled: true },
    EmailMfaConfiguration: { Subject: 'A code' },
    WebAuthnConfiguration: { RelyingPartyId: 'example.com' },
  } as const satisfies { readonly [F in keyof typeof omittedFields.SetUserPoolMfaConfig]: unknown }
  const settings = async () => {
    const { $metadata: _, ...shown } = await client.getUserPoolMfaConfig({ UserPoolId })
    return shown
  }
  await client.setUserPoolMfaConfig({ UserPoolId, ...all })
  expect(await settings()).toEqual(all)
  await expect(
    client.setUserPoolMfaConfig({ UserPoolId, SoftwareTokenMfaConfiguration: { Enabled: true } }),
  ).rejects.toMatchObject({
    message: "Invalid MFA configuration given, can't turn off MFA and configure an MFA together.",
  })
  expect(await settings()).toEqual(all)
  await client.setUserPoolMfaConfig({ UserPoolId })
  expect(await settings()).toEqual({ MfaConfiguration: 'OFF' })
})

it('UpdateResourceServer without scopes removes them, other updates keep what they omit', async () => {
  await using setup = await setupOf()
  const { client } = setup
  const UserPoolId = (await client.createUserPool({ PoolName: 'customers' })).UserPool!.Id!
  const Scopes = [{ ScopeName: 'read', ScopeDescription: 'Read orders' }]
  const server = { UserPoolId, Identifier: 'orders', Name: 'Orders' }
  await client.createResourceServer({ ...server, Scopes })
  await client.updateResourceServer({ ...server, Name: 'All orders' })
  const { ResourceServer } = await client.describeResourceServer(server)
  expect(ResourceServer).toEqual({ ...server, Name: 'All orders' })

  const provider = { UserPoolId, ProviderName: 'Login' }
  const ProviderDetails = {
    client_id: 'pool',
    oidc_issuer: 'https://login.example',
    authorize_scopes: 'openid',
  }
  const about = { ProviderDetails, AttributeMapping: { email: 'mail' }, IdpIdentifiers: ['example'] }
  await client.createIdentityProvider({ ...provider, ProviderType: 'OIDC', ...about })
  await client.updateIdentityProvider({ ...provider, IdpIdentifiers: ['example', 'other'] })
  const { IdentityProvider } = await client.describeIdentityProvider(provider)
  expect(IdentityProvider).toMatchObject({
    ...about,
    ProviderType: 'OIDC',
    IdpIdentifiers: ['example', 'other'],
  })

  const group = { UserPoolId, GroupName: 'admins' }
  const aboutGroup = { Description: 'All of them', Precedence: 3, RoleArn: role }
  await client.createGroup({ ...group, ...aboutGroup })
  await client.updateGroup({ ...group, Precedence: 0 })
  expect((await client.getGroup(group)).Group).toMatchObject({ ...aboutGroup, Precedence: 0 })

  const domain = { UserPoolId, Domain: 'customers-of-the-shop' }
  await client.createUserPoolDomain({ ...domain, ManagedLoginVersion: 2 })
  await client.updateUserPoolDomain(domain)
  const { DomainDescription } = await client.describeUserPoolDomain(domain)
  expect(DomainDescription).toMatchObject({ ManagedLoginVersion: 2 })
})

it('second factors that no user could have are refused, and so is an update that would leave none', async () => {
  await using setup = await setupOf()
  const { client } = setup
  const required = /SMS configuration and Auto verification for phone_number are required/
  await expect(client.createUserPool({ PoolName: 'customers', MfaConfiguration: 'ON' })).rejects.toThrow(
    required,
  )
  const pool = { PoolName: 'customers', SmsConfiguration: { SnsCallerArn: role } }
  const UserPoolId = (await client.createUserPool({ ...pool, MfaConfiguration: 'ON' })).UserPool!.Id!
  await expect(client.updateUserPool({ UserPoolId })).rejects.toThrow(required)
  await client.updateUserPool({ UserPoolId, MfaConfiguration: 'OFF' })
  await expect(client.updateUserPool({ UserPoolId, MfaConfiguration: 'OPTIONAL' })).rejects.toThrow(required)
  for (const [config, message] of [
    [{ SoftwareTokenMfaConfiguration: { Enabled: false } }, /can't disable all MFAs/],
    [{ WebAuthnConfiguration: { RelyingPartyId: 'example.com' } }, /must be enabled/],
    [{}, /must be provided/],
  ] as const)
    await expect(
      client.setUserPoolMfaConfig({ UserPoolId, MfaConfiguration: 'OPTIONAL', ...config }),
    ).rejects.toThrow(message)
})
