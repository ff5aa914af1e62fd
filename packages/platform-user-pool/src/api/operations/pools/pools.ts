import * as t from 'io-ts'
import type { ClientFlow } from '../../../config/user-pool-config.ts'
import type { ClientSettings, PoolSettings } from '../../../config/user-pool-settings.ts'
import type { Engine } from '../../../engine.ts'
import { csvHeader } from '../../../flows/accounts/csv-import.ts'
import { clientSecret } from '../../../flows/sign-in/secret-hash.ts'
import { standardAttributes } from '../../../standard-attributes.ts'
import { UserPoolError } from '../../../user-pool-error.ts'
import { fields, wholeNumber } from '../../wire/inputs.ts'
import { page, pageSize } from '../../wire/page.ts'
import { wireCreatedClient, wireCreatedMfa, wireCreatedPool } from '../../wire/wire-created-pool.ts'
import { seconds, wireUser } from '../../wire/wire-user.ts'
import { filterOf } from '../accounts/user-filter.ts'
import { admin, type Operations } from '../operation.ts'
import { clientOf } from './created-clients.ts'

const pool = { UserPoolId: t.string }
const listed = { MaxResults: wholeNumber(1, 60), NextToken: t.string }

/** Operations that read pools and clients. */
export const poolOperations: Operations = {
  ListUserPools: admin(
    fields({}, listed),
    async ({ pools, createdPools }, { MaxResults, NextToken }, _sdk, mayKnow) => {
      const known = pools.filter(mayKnow)
      const { items, next } = page(known, { Limit: MaxResults, NextToken }, ({ id }) => id)
      const wired = items.map(({ id, name }) => {
        const { created, modified } = createdPools.get(id) ?? {}
        return {
          Id: id,
          Name: name,
          ...(created !== undefined && { CreationDate: seconds(created) }),
          ...(modified !== undefined && { LastModifiedDate: seconds(modified) }),
        }
      })
      return { UserPools: wired, ...next }
    },
    'none',
  ),

  DescribeUserPool: admin(fields(pool, {}), async (engine, { UserPoolId }) => {
    const found = engine.poolOf(UserPoolId)
    const createdPool = engine.createdPools.get(found.id)
    const wired = createdPool === undefined ? wirePool(found) : wireCreatedPool(engine, createdPool)
    return {
      UserPool: { ...wired, EstimatedNumberOfUsers: await engine.store.countUsers(found.id) },
    }
  }),

  ListUserPoolClients: admin(fields(pool, listed), async (engine, { UserPoolId, MaxResults, NextToken }) => {
    const { clients } = engine.poolOf(UserPoolId)
    const { items, next } = page(clients, { Limit: MaxResults, NextToken }, ({ id }) => id)
    const wired = items.map(({ id, name }) => ({ ClientId: id, UserPoolId, ClientName: name }))
    return { UserPoolClients: wired, ...next }
  }),

  DescribeUserPoolClient: admin(
    fields({ ...pool, ClientId: t.string }, {}),
    async (engine, { UserPoolId, ClientId }) => {
      const found = engine.poolOf(UserPoolId)
      const client = found.clients.find(({ id }) => id === ClientId)
      if (client === undefined)
        throw new UserPoolError('ResourceNotFoundException', `User pool client ${ClientId} does not exist.`)
      const createdPool = engine.createdPools.get(found.id)
      return {
        UserPoolClient:
          createdPool === undefined
            ? wireClient(engine, found, client)
            : wireCreatedClient(engine, createdPool, clientOf(createdPool, client.id)),
      }
    },
  ),

  GetCSVHeader: admin(fields(pool, {}), async (engine, { UserPoolId }) => ({
    UserPoolId,
    CSVHeader: csvHeader(engine.poolOf(UserPoolId)),
  })),

  GetUserPoolMfaConfig: admin(fields(pool, {}), async (engine, { UserPoolId }) => {
    const found = engine.poolOf(UserPoolId)
    const createdPool = engine.createdPools.get(UserPoolId)
    return createdPool === undefined ? wireMfa(found) : wireCreatedMfa(createdPool)
  }),

  ListUsers: admin(
    fields(pool, {
      AttributesToGet: t.array(t.string),
      Limit: wholeNumber(0, 60),
      PaginationToken: t.string,
      Filter: t.string,
    }),
    async (engine, { UserPoolId, AttributesToGet, Limit, PaginationToken, Filter }) => {
      const size = pageSize(Limit)
      const { id } = engine.poolOf(UserPoolId)
      const users = await engine.store.users(id, {
        limit: size + 1,
        after: PaginationToken,
        filter: filterOf(Filter),
      })
      const wired = users.slice(0, size).map(user => {
        const { Attributes, ...rest } = wireUser(user)
        const wanted = AttributesToGet ?? []
        return {
          ...rest,
          Attributes: Attributes.filter(({ Name }) => wanted.length === 0 || wanted.includes(Name)),
        }
      })
      return { Users: wired, ...(users.length > size && { PaginationToken: wired.at(-1)!.Username }) }
    },
  ),
}

function wirePool({
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

function wireMfa(pool: PoolSettings) {
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
    AllowedOAuthFlows: grants,
    AllowedOAuthScopes: scopes,
    CallbackURLs: callbacks,
    LogoutURLs: logouts,
    SupportedIdentityProviders: ['COGNITO', ...providers],
  }
}

function wireClient({ vault }: Engine, owner: PoolSettings, client: ClientSettings) {
  const minutes = (ms: number) => ms / 60_000
  return {
    UserPoolId: owner.id,
    ClientName: client.name,
    ClientId: client.id,
    ClientSecret: clientSecret(vault, owner, client),
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
