import type { ClientFlow } from '../../config/client-config.ts'
import type { ClientSettings, PoolSettings } from '../../config/user-pool-settings.ts'
import type { Engine } from '../../engine.ts'
import { clientSecrets } from '../../flows/sign-in/client-secrets.ts'
import { standardAttributes } from '../../standard-attributes.ts'

/** Returns a configured pool as clients see it. */
export function wireConfiguredPool({
  id,
  name,
  password,
  signIn,
  verify,
  custom,
  required,
  signUp,
  mfa,
  devices,
  firstFactors,
  domain,
  recovery,
  rules,
}: PoolSettings) {
  const names = signIn.filter(each => each !== 'name').map(each => (each === 'phone' ? 'phone_number' : each))
  const hasNames = signIn.includes('name')
  return {
    Id: id,
    Name: name,
    Policies: {
      PasswordPolicy: {
        MinimumLength: password.min,
        RequireLowercase: password.lower,
        RequireUppercase: password.upper,
        RequireNumbers: password.digits,
        RequireSymbols: password.symbols,
        TemporaryPasswordValidityDays: Math.ceil(password.temporary / 86_400_000),
      },
      SignInPolicy: { AllowedFirstAuthFactors: firstFactors.map(each => firstFactorNames[each]) },
    },
    ...(names.length > 0 && (hasNames ? { AliasAttributes: names } : { UsernameAttributes: names })),
    AutoVerifiedAttributes: verify.map(each => (each === 'phone' ? 'phone_number' : each)),
    MfaConfiguration: mfaModes[mfa.mode],
    ...wireDevices(devices),
    AdminCreateUserConfig: { AllowAdminCreateUserOnly: !signUp },
    UsernameConfiguration: { CaseSensitive: false },
    ...(domain !== undefined && { Domain: domain }),
    AccountRecoverySetting: { RecoveryMechanisms: wireRecovery(recovery) },
    SchemaAttributes: [
      ...standardAttributes.map(Name => ({
        Name,
        AttributeDataType: 'String',
        Required: required.includes(Name),
        Mutable: rules[Name]?.mutable ?? true,
      })),
      ...Object.entries(custom).map(([each, type]) => ({
        Name: `custom:${each}`,
        AttributeDataType: { string: 'String', number: 'Number', boolean: 'Boolean' }[type],
        Required: false,
        Mutable: rules[`custom:${each}`]?.mutable ?? true,
      })),
    ],
  }
}

function wireRecovery(recovery: PoolSettings['recovery']) {
  if (recovery === 'legacy') return []
  const names: readonly string[] =
    recovery.length === 0
      ? ['admin_only']
      : recovery.map(each => (each === 'email' ? 'verified_email' : 'verified_phone_number'))
  return names.map((Name, at) => ({ Name, Priority: at + 1 }))
}

const firstFactorNames = {
  password: 'PASSWORD',
  email: 'EMAIL_OTP',
  sms: 'SMS_OTP',
  passkey: 'WEB_AUTHN',
} as const satisfies { readonly [F in PoolSettings['firstFactors'][number]]: string }

const mfaModes = { off: 'OFF', optional: 'OPTIONAL', required: 'ON' } as const

/** Returns the second factors of a configured pool as clients see them. */
export function wireConfiguredMfa(pool: PoolSettings) {
  const { mode, by } = pool.mfa
  const passkeys = wirePasskeys(pool)
  if (mode === 'off') return { MfaConfiguration: 'OFF', ...passkeys }
  return {
    MfaConfiguration: mfaModes[mode],
    ...passkeys,
    ...(by.includes('totp') && { SoftwareTokenMfaConfiguration: { Enabled: true } }),
    ...(by.includes('sms') && { SmsMfaConfiguration: {} }),
    ...(by.includes('email') && { EmailMfaConfiguration: {} }),
  }
}

function wirePasskeys({ firstFactors, passkeys }: PoolSettings) {
  if (!firstFactors.includes('passkey')) return {}
  const { relyingParty, userVerification, bothFactors } = passkeys
  return {
    WebAuthnConfiguration: {
      ...(relyingParty !== undefined && { RelyingPartyId: relyingParty }),
      UserVerification: userVerification,
      FactorConfiguration: bothFactors ? 'MULTI_FACTOR_WITH_USER_VERIFICATION' : 'SINGLE_FACTOR',
    },
  }
}

function wireDevices({ remember, skipFactor }: PoolSettings['devices']) {
  if (remember === 'off') return {}
  const DeviceConfiguration = {
    ChallengeRequiredOnNewDevice: skipFactor,
    DeviceOnlyRememberedOnUserPrompt: remember === 'opt-in',
  }
  return { DeviceConfiguration }
}

const flowNames: { readonly [F in ClientFlow]: string } = {
  srp: 'ALLOW_USER_SRP_AUTH',
  password: 'ALLOW_USER_PASSWORD_AUTH',
  custom: 'ALLOW_CUSTOM_AUTH',
  choice: 'ALLOW_USER_AUTH',
  admin: 'ALLOW_ADMIN_USER_PASSWORD_AUTH',
  refresh: 'ALLOW_REFRESH_TOKEN_AUTH',
}

function wireOAuth({ oauth: { grants, callbacks, logouts, scopes, providers } }: ClientSettings) {
  if (grants.length === 0) return { AllowedOAuthFlowsUserPoolClient: false }
  return {
    AllowedOAuthFlowsUserPoolClient: true,
    // The service has no device flow.
    AllowedOAuthFlows: grants.filter(each => each !== 'device_code'),
    AllowedOAuthScopes: scopes,
    CallbackURLs: callbacks,
    LogoutURLs: logouts,
    SupportedIdentityProviders: ['COGNITO', ...providers],
  }
}

/** Returns a configured client as users of the API see it. */
export function wireConfiguredClient({ vault }: Engine, owner: PoolSettings, client: ClientSettings) {
  const minutes = (ms: number) => ms / 60_000
  return {
    UserPoolId: owner.id,
    ClientName: client.name,
    ClientId: client.id,
    ClientSecret: clientSecrets(vault, owner, client)[0],
    ExplicitAuthFlows: client.flows
      .filter(flow => flow !== 'refresh' || !client.refresh.rotate)
      .map(flow => flowNames[flow]),
    ...(client.read !== undefined && { ReadAttributes: client.read }),
    ...(client.write !== undefined && { WriteAttributes: client.write }),
    PreventUserExistenceErrors: client.hideUsers ? 'ENABLED' : 'LEGACY',
    EnableTokenRevocation: true,
    AccessTokenValidity: minutes(client.accessLife),
    IdTokenValidity: minutes(client.idLife),
    RefreshTokenValidity: minutes(client.refresh.life),
    TokenValidityUnits: { AccessToken: 'minutes', IdToken: 'minutes', RefreshToken: 'minutes' },
    AuthSessionValidity: minutes(client.sessionLife),
    ...wireOAuth(client),
    ...(client.refresh.rotate && {
      RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: client.refresh.grace / 1000 },
    }),
  }
}
