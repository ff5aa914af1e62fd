import { defined, type Part } from '../config/config.ts'
import { arnOf, listOf, partOf, permission, refTo } from './values.ts'
import type { Writing } from './writing.ts'

const attributeNames: { readonly [name: string]: string } = { phone: 'phone_number' }
const modes: { readonly [mode: string]: string } = { off: 'OFF', optional: 'OPTIONAL', required: 'ON' }
const factors: { readonly [factor: string]: string } = {
  totp: 'SOFTWARE_TOKEN_MFA',
  sms: 'SMS_MFA',
  email: 'EMAIL_OTP',
}
const firstFactorNames: { readonly [factor: string]: string } = {
  password: 'PASSWORD',
  email: 'EMAIL_OTP',
  sms: 'SMS_OTP',
  passkey: 'WEB_AUTHN',
}
const recoveries: { readonly [kind: string]: string } = {
  email: 'verified_email',
  phone: 'verified_phone_number',
}
const types: { readonly [type: string]: string } = { number: 'Number', boolean: 'Boolean', string: 'String' }
const flowNames: { readonly [flow: string]: string } = {
  srp: 'ALLOW_USER_SRP_AUTH',
  password: 'ALLOW_USER_PASSWORD_AUTH',
  custom: 'ALLOW_CUSTOM_AUTH',
  choice: 'ALLOW_USER_AUTH',
  admin: 'ALLOW_ADMIN_USER_PASSWORD_AUTH',
  refresh: 'ALLOW_REFRESH_TOKEN_AUTH',
}

const pool = 'AWS::Cognito::UserPool'

/** Returns names in the words of the service. */
function inWords(table: { readonly [name: string]: string }, value: unknown): readonly string[] | undefined {
  return value === undefined ? undefined : listOf(value).map(each => table[String(each)] ?? String(each))
}

/** Writes user pools and what belongs to them. */
export function writeUserPools(userPools: readonly (readonly [string, unknown])[], writing: Writing): void {
  for (const [name, value] of userPools) writePool(name, partOf(value), writing)
}

function writePool(name: string, options: Part, writing: Writing): void {
  const place = `userPools.${name}`
  const id = writing.idOf('userPools', name)
  const {
    id: _,
    signIn,
    required,
    immutable,
    custom,
    verify,
    from,
    signUp,
    password,
    mfa,
    devices,
    ...more
  } = options
  const { firstFactors, recovery, passkeys, triggers, domain, groups, clients, ...others } = more
  const { resourceServers, identityProviders, ...rest } = others
  const { relyingParty, userVerification, bothFactors, ...passkeyRest } = partOf(passkeys)
  const usernames = (inWords(attributeNames, signIn) ?? []).filter(each => each !== 'name')
  const isAlias = listOf(signIn).includes('name')
  // The service verifies nothing by default.
  const addresses = listOf(signIn).filter(each => each === 'email' || each === 'phone')
  const verified = verify ?? (addresses.length > 0 ? addresses : ['email'])
  writing.add({
    id,
    type: pool,
    properties: defined({
      UserPoolName: name,
      UsernameAttributes: usernames.length > 0 && !isAlias ? usernames : undefined,
      AliasAttributes: usernames.length > 0 && isAlias ? usernames : undefined,
      Schema: schemaOf(listOf(required), listOf(immutable), partOf(custom)),
      AutoVerifiedAttributes: inWords(attributeNames, verified),
      EmailConfiguration: from === undefined ? undefined : { From: from },
      AdminCreateUserConfig: signUp === false ? { AllowAdminCreateUserOnly: true } : undefined,
      Policies: policiesOf(password, firstFactors),
      MfaConfiguration: mfa === undefined ? undefined : (modes[String(partOf(mfa).mode)] ?? 'OPTIONAL'),
      EnabledMfas: mfa === undefined ? undefined : inWords(factors, partOf(mfa).by ?? ['totp']),
      DeviceConfiguration:
        devices === undefined || devices === 'off'
          ? undefined
          : { DeviceOnlyRememberedOnUserPrompt: devices === 'opt-in' },
      AccountRecoverySetting:
        recovery === undefined ? undefined : { RecoveryMechanisms: recoveryOf(listOf(recovery)) },
      WebAuthnRelyingPartyID: relyingParty,
      WebAuthnUserVerification: userVerification,
      WebAuthnFactorConfiguration: bothFactors === true ? 'MULTI_FACTOR_WITH_USER_VERIFICATION' : undefined,
      LambdaConfig: lambdasOf(id, partOf(triggers), `${place}.triggers`, writing),
    }),
  })
  writing.rest(`${place}.passkeys`, passkeyRest)
  const texts = [partOf(mfa).by, firstFactors, verified].flatMap(listOf)
  if (texts.includes('sms') || texts.includes('phone'))
    writing.missing(place, 'the service sends texts with a role for its SmsConfiguration')
  if (from !== undefined)
    writing.missing(`${place}.from`, 'the service sends for a verified identity, its SourceArn')
  const UserPoolId = refTo(id)
  const add = (kind: string, key: string, properties: Part) =>
    writing.add({
      id: partId(kind, id, key, writing),
      type: `${pool}${kind}`,
      properties: defined({ UserPoolId, ...properties }),
    })
  if (domain !== undefined) add('Domain', domainKey, { Domain: domain })
  for (const [key, group] of Object.entries(partOf(groups))) {
    const { description, precedence, role } = partOf(group)
    add('Group', key, { GroupName: key, Description: description, Precedence: precedence, RoleArn: role })
  }
  for (const [key, server] of Object.entries(partOf(resourceServers))) {
    const { identifier = key, name: title = identifier, scopes, ...rest } = partOf(server)
    const Scopes = Object.entries(partOf(scopes)).map(([ScopeName, text]) => ({
      ScopeName,
      ScopeDescription: text || ScopeName,
    }))
    add('ResourceServer', key, { Identifier: identifier, Name: title, Scopes })
    writing.rest(`${place}.resourceServers.${key}`, rest)
  }
  for (const [key, provider] of Object.entries(partOf(identityProviders)))
    add(
      'IdentityProvider',
      key,
      providerOf(key, partOf(provider), `${place}.identityProviders.${key}`, writing),
    )
  const providers = Object.keys(partOf(identityProviders))
  for (const [key, client] of Object.entries(partOf(clients)))
    add('Client', key, clientOf(key, partOf(client), providers, `${place}.clients.${key}`, writing))
  writing.rest(place, rest)
}

const domainKey = 'domain'

/** Returns the logical id of what belongs to a pool. */
function partId(kind: string, pool: string, key: string, writing: Writing): string {
  return writing.idOf(kind, `${pool}-${key}`)
}

/**
 * Returns what signs users in with a client of a pool at a load balancer, or undefined for a client that is not written, and
 * for a pool without a domain, which the service needs.
 */
export function poolSignIn(
  userPools: Part,
  pool: string,
  client: string,
  writing: Writing,
): Part | undefined {
  const { domain, clients } = partOf(userPools[pool])
  if (domain === undefined || !Object.hasOwn(partOf(clients), client)) return undefined
  const id = writing.idOf('userPools', pool)
  return {
    UserPoolArn: arnOf(id),
    UserPoolClientId: refTo(partId('Client', id, client, writing)),
    UserPoolDomain: refTo(partId('Domain', id, domainKey, writing)),
  }
}

function schemaOf(
  required: readonly unknown[],
  immutable: readonly unknown[],
  custom: Part,
): readonly Part[] | undefined {
  const isOwn = (name: unknown) => String(name).startsWith('custom:')
  const standard = new Set([...required, ...immutable].filter(name => !isOwn(name)))
  const all = [
    ...[...standard].map(name => ({
      Name: name,
      AttributeDataType: 'String',
      Required: required.includes(name),
      Mutable: !immutable.includes(name),
    })),
    ...Object.entries(custom).map(([name, type]) => ({
      Name: name,
      AttributeDataType: types[String(type)] ?? 'String',
      Mutable: !immutable.includes(`custom:${name}`),
    })),
  ]
  return all.length === 0 ? undefined : all
}

function policiesOf(password: unknown, firstFactors: unknown): Part | undefined {
  if (password === undefined && firstFactors === undefined) return undefined
  const {
    min = 8,
    lower = true,
    upper = true,
    digits = true,
    symbols = true,
    temporaryDays,
  } = partOf(password)
  return defined({
    PasswordPolicy:
      password === undefined
        ? undefined
        : defined({
            MinimumLength: min,
            RequireLowercase: lower,
            RequireUppercase: upper,
            RequireNumbers: digits,
            RequireSymbols: symbols,
            TemporaryPasswordValidityDays:
              temporaryDays === undefined ? undefined : Math.ceil(Number(temporaryDays)),
          }),
    SignInPolicy:
      firstFactors === undefined
        ? undefined
        : { AllowedFirstAuthFactors: inWords(firstFactorNames, firstFactors) },
  })
}

function recoveryOf(kinds: readonly unknown[]): readonly Part[] {
  const names = kinds.length === 0 ? ['admin_only'] : kinds.map(kind => recoveries[String(kind)])
  return names.map((Name, at) => ({ Name, Priority: at + 1 }))
}

/** Returns the functions of the triggers, and adds the permissions to call them. */
function lambdasOf(id: string, triggers: Part, place: string, writing: Writing): Part | undefined {
  const { function: all, version, routes, ...each } = triggers
  const entries: readonly (readonly [string, Part])[] =
    typeof all === 'string'
      ? listOf(routes).map(route => [String(route), { function: all, version }] as const)
      : Object.entries(each).map(([name, value]) => [
          name,
          typeof value === 'string' ? { function: value } : partOf(value),
        ])
  const found: { [trigger: string]: unknown } = {}
  for (const [route, callee] of entries) {
    const [trigger = '', source] = route.split('_')
    const name = String(callee.function)
    if (!writing.isFunction(name)) {
      writing.missing(`${place}.${route}`, 'its function cannot be deployed')
      continue
    }
    if (source !== undefined)
      writing.missing(`${place}.${route}`, `the service calls ${trigger} for every source`)
    const own = writing.idOf('functions', name)
    const LambdaArn = arnOf(own)
    if (trigger === 'TokenGeneration')
      found.PreTokenGenerationConfig = { LambdaArn, LambdaVersion: `V${callee.version ?? 1}_0` }
    else if (trigger === 'CustomEmailSender' || trigger === 'CustomSMSSender') {
      found[trigger] = { LambdaArn, LambdaVersion: 'V1_0' }
      writing.needParameter(
        'SenderKey',
        'String',
        'The ARN of the key that encrypts the codes for custom senders',
      )
      found.KMSKeyID = refTo('SenderKey')
    } else found[trigger] = LambdaArn
    const permissionId = writing.idOf('permissions', `${id}Calls${own}`)
    if (!called.get(writing)?.has(permissionId)) {
      called.set(writing, (called.get(writing) ?? new Set()).add(permissionId))
      writing.add(permission(permissionId, own, 'cognito-idp', arnOf(id)))
    }
  }
  return Object.keys(found).length === 0 ? undefined : found
}

/** The permissions that are written already. */
const called = new WeakMap<Writing, Set<string>>()

function providerOf(name: string, provider: Part, place: string, writing: Writing): Part {
  const { issuer, clientId, clientSecret, scopes, attributes, identifiers, ...rest } = provider
  writing.rest(place, rest)
  return {
    ProviderName: name,
    ProviderType: 'OIDC',
    ProviderDetails: defined({
      oidc_issuer: issuer,
      client_id: clientId,
      client_secret:
        clientSecret === undefined
          ? undefined
          : writing.secret(secretName(name), `The client secret of ${name}`),
      authorize_scopes: listOf(scopes ?? ['openid', 'email', 'profile']).join(' '),
      attributes_request_method: 'GET',
    }),
    AttributeMapping: attributes,
    IdpIdentifiers: identifiers,
  }
}

function secretName(provider: string): string {
  return `${provider.replaceAll(/[^A-Za-z\d]/g, '')}Secret`
}

/** The scopes of a client with callbacks and no list of its own. */
const defaultScopes = ['openid', 'email', 'phone', 'profile']

function clientOf(
  name: string,
  client: Part,
  poolProviders: readonly string[],
  place: string,
  writing: Writing,
): Part {
  const { id: _, flows = ['srp', 'refresh'], secret, hideUsers, read, write, refresh, ...more } = client
  const { accessMinutes, idMinutes, sessionMinutes, callbacks, logouts, grants, scopes, providers, ...rest } =
    more
  const { days, rotate, grace } = partOf(refresh)
  const granted = listOf(grants ?? ['code']).filter(each => each !== 'device_code')
  if (listOf(grants).includes('device_code'))
    writing.missing(`${place}.grants`, 'the service has no grant device_code')
  const isOAuth = (callbacks !== undefined || grants !== undefined) && granted.length > 0
  if (typeof secret !== 'boolean' && secret !== undefined)
    writing.missing(`${place}.secret`, 'the service makes it')
  for (const [name, urls] of Object.entries({ callbacks, logouts }))
    for (const url of listOf(urls).map(String))
      if (/^http:/i.test(url) && !/^http:\/\/localhost(?:[:/]|$)/i.test(url))
        writing.missing(
          `${place}.${name}`,
          `the service refuses ${url}: it takes https, and http for localhost`,
        )
  writing.rest(place, rest)
  const units = defined({
    RefreshToken: days === undefined ? undefined : 'minutes',
    AccessToken: accessMinutes === undefined ? undefined : 'minutes',
    IdToken: idMinutes === undefined ? undefined : 'minutes',
  })
  return {
    ClientName: name,
    ExplicitAuthFlows: inWords(flowNames, flows),
    GenerateSecret: secret === undefined || secret === false ? undefined : true,
    PreventUserExistenceErrors: hideUsers === false ? 'LEGACY' : 'ENABLED',
    ReadAttributes: read,
    WriteAttributes: write,
    RefreshTokenValidity: days === undefined ? undefined : Math.round(Number(days) * 1440),
    AccessTokenValidity: accessMinutes,
    IdTokenValidity: idMinutes,
    TokenValidityUnits: Object.keys(units).length === 0 ? undefined : units,
    RefreshTokenRotation:
      rotate === true ? defined({ Feature: 'ENABLED', RetryGracePeriodSeconds: grace }) : undefined,
    AuthSessionValidity: sessionMinutes,
    ...(isOAuth && {
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: granted,
      AllowedOAuthScopes: scopes ?? (callbacks === undefined ? undefined : defaultScopes),
      CallbackURLs: callbacks,
      LogoutURLs: logouts,
    }),
    SupportedIdentityProviders:
      isOAuth || providers !== undefined ? ['COGNITO', ...listOf(providers ?? poolProviders)] : undefined,
  }
}
