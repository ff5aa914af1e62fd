import { type Place, wrongAt } from '../document/template-error.ts'
import type { Properties } from '../resources/properties.ts'
import { clientId, functionNamed, type Location, poolId } from '../resources/resource-names.ts'
import type { Resource } from '../resources/stack.ts'
import type { Warnings } from '../resources/warnings.ts'
import { defined, type Part } from './config.ts'
import type { OptionPlaces } from './option-places.ts'

/** The resources that belong to user pools. */
export interface PoolResources {
  readonly pools: readonly Resource[]
  readonly clients: readonly Resource[]
  readonly domains: readonly Resource[]
  readonly groups: readonly Resource[]
  readonly resourceServers: readonly Resource[]
  readonly identityProviders: readonly Resource[]
}

/** Returns the configurations of user pools by the names of their resources. */
export function userPoolsOf(
  resources: PoolResources,
  location: Location,
  functions: ReadonlySet<string>,
  places: OptionPlaces,
  warnings: Warnings,
): { readonly [name: string]: Part } {
  const ids = new Set(resources.pools.map(pool => poolId(pool, location)))
  const { pools: _, ...parts } = resources
  for (const { id, properties } of Object.values(parts).flat())
    if (!ids.has(properties.text('UserPoolId') ?? ''))
      warnings.missing(`${id} does not exist here, because its user pool is not in this template.`)
  return Object.fromEntries(
    resources.pools.map(pool => {
      const id = poolId(pool, location)
      const own = (all: readonly Resource[]) =>
        all.filter(({ properties }) => properties.text('UserPoolId') === id)
      return [pool.name, poolOf(pool, id, own, resources, functions, places, warnings)]
    }),
  )
}

const signInNames: Words = {
  email: 'email',
  phone_number: 'phone',
  preferred_username: 'preferred_username',
}
const modes: Words = { OFF: 'off', OPTIONAL: 'optional', ON: 'required' }
const factors: Words = {
  SOFTWARE_TOKEN_MFA: 'totp',
  SMS_MFA: 'sms',
  EMAIL_OTP: 'email',
}
const firstFactors: Words = {
  PASSWORD: 'password',
  EMAIL_OTP: 'email',
  SMS_OTP: 'sms',
  WEB_AUTHN: 'passkey',
}

const verifications: Words = { preferred: 'preferred', required: 'required' }
const passkeyFactors: Words<boolean> = { SINGLE_FACTOR: false, MULTI_FACTOR_WITH_USER_VERIFICATION: true }
const securityModes: Words<boolean> = { OFF: false, AUDIT: true, ENFORCED: true }

/** What a configuration has for a text of a template. */
interface Words<Value = string> {
  readonly [word: string]: Value
}

/** @throws TemplateError for a text that the service does not know */
function meaningOf<Value>(word: string, words: Words<Value>, place: Place): Value {
  if (Object.hasOwn(words, word)) return words[word]!
  throw wrongAt(place, `one of ${Object.keys(words).join(', ')}`, word)
}

/** Returns what a configuration has for the texts of a property. */
function translated(properties: Properties | undefined, property: string, words: Words) {
  return properties
    ?.texts(property)
    ?.map((word, at) => meaningOf(word, words, [...properties.place, property, at]))
}

function poolOf(
  pool: Resource,
  id: string,
  own: (all: readonly Resource[]) => readonly Resource[],
  { clients, domains, groups, resourceServers, identityProviders }: PoolResources,
  functions: ReadonlySet<string>,
  places: OptionPlaces,
  warnings: Warnings,
): Part {
  const { properties } = pool
  const at = ['userPools', pool.name]
  places.add('userPools', at, properties.place)
  const usernames =
    translated(properties, 'UsernameAttributes', { email: 'email', phone_number: 'phone' }) ?? []
  const aliases = translated(properties, 'AliasAttributes', signInNames) ?? []
  const policies = properties.object('Policies')
  const creation = properties.object('AdminCreateUserConfig')
  const mode = meaningOf(properties.text('MfaConfiguration') ?? 'OFF', modes, [
    ...properties.place,
    'MfaConfiguration',
  ])
  const by = translated(properties, 'EnabledMfas', factors) ?? []
  const ownDomains = own(domains).filter(({ id: domainId, properties: each }) => {
    const isCustom = each.has('CustomDomainConfig')
    if (isCustom) warnings.missing(`${domainId} does not exist here: custom domains don't.`)
    return !isCustom
  })
  const providers = providersOf(own(identityProviders), [...at, 'identityProviders'], places, warnings)
  return defined({
    id,
    signIn: usernames.length > 0 ? usernames : aliases.length > 0 ? ['name', ...aliases] : undefined,
    ...attributesOf(properties.list('Schema')),
    // Without the property, the service verifies nothing, while a configuration has a default.
    verify: translated(properties, 'AutoVerifiedAttributes', { email: 'email', phone_number: 'phone' }) ?? [],
    from: properties.object('EmailConfiguration')?.text('From'),
    signUp: creation?.flag('AllowAdminCreateUserOnly') ? false : undefined,
    password: passwordOf(policies?.object('PasswordPolicy'), creation),
    mfa: mode === 'off' ? undefined : defined({ mode, by: by.length > 0 ? by : undefined }),
    devices: devicesOf(properties.object('DeviceConfiguration')),
    firstFactors: translated(policies?.object('SignInPolicy'), 'AllowedFirstAuthFactors', firstFactors),
    recovery: recoveryOf(properties.object('AccountRecoverySetting')),
    passkeys: passkeysOf(properties),
    history: hasHistory(properties.object('UserPoolAddOns')) ? {} : undefined,
    triggers: triggersOf(pool, functions, warnings),
    domain: ownDomains[0]?.properties.text('Domain'),
    groups: named(own(groups), 'GroupName', [...at, 'groups'], places, each =>
      defined({
        description: each.text('Description'),
        precedence: each.number('Precedence'),
        role: each.text('RoleArn'),
      }),
    ),
    resourceServers: named(own(resourceServers), 'Identifier', [...at, 'resourceServers'], places, each => ({
      name: each.text('Name'),
      scopes: Object.fromEntries(
        each
          .list('Scopes')
          .map(scope => [scope.text('ScopeName') ?? '', scope.text('ScopeDescription') ?? '']),
      ),
    })),
    identityProviders: providers,
    clients: clientsOf(own(clients), providers ?? {}, [...at, 'clients'], places, warnings),
  })
}

function passkeysOf(properties: Properties): Part | undefined {
  const at = (name: string) => [...properties.place, name]
  const verification = properties.text('WebAuthnUserVerification')
  const factor = properties.text('WebAuthnFactorConfiguration')
  const found = defined({
    relyingParty: properties.text('WebAuthnRelyingPartyID'),
    userVerification: verification && meaningOf(verification, verifications, at('WebAuthnUserVerification')),
    bothFactors: factor && meaningOf(factor, passkeyFactors, at('WebAuthnFactorConfiguration')),
  })
  return Object.keys(found).length === 0 ? undefined : found
}

function named(
  all: readonly Resource[],
  property: string,
  at: Place,
  places: OptionPlaces,
  partOf: (properties: Properties) => Part,
): Part | undefined {
  if (all.length === 0) return undefined
  return Object.fromEntries(
    all.map(resource => {
      const { properties } = resource
      const name = properties.text(property) ?? resource.name
      places.add('', [...at, name], properties.place)
      return [name, partOf(properties)]
    }),
  )
}

function attributesOf(schema: readonly Properties[]): Part {
  const all = schema.map(each => ({
    name: each.text('Name') ?? '',
    type: each.text('AttributeDataType'),
    isRequired: each.flag('Required') === true,
    isMutable: each.flag('Mutable') !== false,
  }))
  const custom = all.filter(({ name }) => !standardAttributes.has(name))
  const required = all.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const immutable = all
    .filter(({ isMutable, name }) => !isMutable && name !== 'sub')
    .map(({ name }) => (standardAttributes.has(name) ? name : `custom:${name}`))
  const types: { readonly [type: string]: string } = { Number: 'number', Boolean: 'boolean' }
  return {
    ...(required.length > 0 && { required: required.filter(name => name !== 'sub') }),
    ...(immutable.length > 0 && { immutable }),
    ...(custom.length > 0 && {
      custom: Object.fromEntries(
        custom.map(({ name, type = '' }) => [name.replace(/^custom:/, ''), types[type] ?? 'string']),
      ),
    }),
  }
}

const standardAttributes = new Set([
  ...['sub', 'name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username', 'profile'],
  ...['picture', 'website', 'email', 'gender', 'birthdate', 'zoneinfo', 'locale', 'phone_number', 'address'],
  ...['updated_at', 'email_verified', 'phone_number_verified'],
])

function passwordOf(policy: Properties | undefined, creation: Properties | undefined): Part | undefined {
  const temporaryDays =
    policy?.number('TemporaryPasswordValidityDays') ?? creation?.number('UnusedAccountValidityDays')
  if (policy === undefined && temporaryDays === undefined) return undefined
  const needs = (name: string) => (policy === undefined ? undefined : (policy.flag(name) ?? false))
  return defined({
    min: policy?.number('MinimumLength'),
    lower: needs('RequireLowercase'),
    upper: needs('RequireUppercase'),
    digits: needs('RequireNumbers'),
    symbols: needs('RequireSymbols'),
    temporaryDays: temporaryDays || undefined,
  })
}

function devicesOf(devices: Properties | undefined): string | undefined {
  if (devices === undefined) return undefined
  return devices.flag('DeviceOnlyRememberedOnUserPrompt') ? 'opt-in' : 'always'
}

function recoveryOf(setting: Properties | undefined): readonly string[] | undefined {
  const all = setting?.list('RecoveryMechanisms')
  if (all === undefined) return undefined
  const kinds: Words<readonly string[]> = {
    verified_email: ['email'],
    verified_phone_number: ['phone'],
    admin_only: [],
  }
  return all
    .map(each => ({
      kinds: meaningOf(each.text('Name') ?? '', kinds, [...each.place, 'Name']),
      priority: each.number('Priority') ?? 0,
    }))
    .sort((one, other) => one.priority - other.priority)
    .flatMap(each => each.kinds)
}

/** Returns whether a pool keeps the sign-ins of its users, which the service does in two modes. */
function hasHistory(addOns: Properties | undefined): boolean {
  const mode = addOns?.text('AdvancedSecurityMode')
  return mode !== undefined && meaningOf(mode, securityModes, [...addOns!.place, 'AdvancedSecurityMode'])
}

/** The names of triggers in templates whose names in the contract differ. */
const triggerNames: { readonly [name: string]: string } = {
  PreTokenGeneration: 'TokenGeneration',
  PreTokenGenerationConfig: 'TokenGeneration',
}

function triggersOf(
  { id, properties }: Resource,
  functions: ReadonlySet<string>,
  warnings: Warnings,
): Part | undefined {
  const config = properties.object('LambdaConfig')
  if (config === undefined) return undefined
  const triggers: [string, unknown][] = []
  for (const [name, value] of config.entries()) {
    if (name === 'KMSKeyID') continue
    const { LambdaArn = value, LambdaVersion } = (typeof value === 'object' ? value : {}) as Part
    const callee = functionNamed(String(LambdaArn))
    const trigger = triggerNames[name] ?? name
    if (!functions.has(callee))
      warnings.missing(`${id} does not call ${trigger}, because ${callee} does not run.`)
    else if (trigger === 'TokenGeneration' && LambdaVersion !== undefined && LambdaVersion !== 'V1_0')
      triggers.push([trigger, { function: callee, version: Number(String(LambdaVersion).slice(1, 2)) }])
    else if (!triggers.some(([known]) => known === trigger)) triggers.push([trigger, callee])
  }
  return triggers.length === 0 ? undefined : Object.fromEntries(triggers)
}

function providersOf(
  all: readonly Resource[],
  at: Place,
  places: OptionPlaces,
  warnings: Warnings,
): Part | undefined {
  const usable = all.filter(({ id, properties }) => {
    const isOpenId = properties.text('ProviderType') === 'OIDC'
    if (!isOpenId) warnings.missing(`${id} does not sign in users: only OIDC providers do here.`)
    return isOpenId
  })
  return named(usable, 'ProviderName', at, places, each => {
    const details = each.object('ProviderDetails')
    const { username: _, ...attributes } = Object.fromEntries(
      each.object('AttributeMapping')?.entries() ?? [],
    )
    return defined({
      issuer: details?.text('oidc_issuer'),
      clientId: details?.text('client_id'),
      clientSecret: details?.text('client_secret'),
      scopes: details?.text('authorize_scopes')?.split(' '),
      attributes: Object.keys(attributes).length === 0 ? undefined : attributes,
      identifiers: each.texts('IdpIdentifiers'),
    })
  })
}

const flows: Words = {
  ALLOW_USER_SRP_AUTH: 'srp',
  ALLOW_USER_PASSWORD_AUTH: 'password',
  ALLOW_CUSTOM_AUTH: 'custom',
  ALLOW_USER_AUTH: 'choice',
  ALLOW_ADMIN_USER_PASSWORD_AUTH: 'admin',
  ALLOW_REFRESH_TOKEN_AUTH: 'refresh',
  ADMIN_NO_SRP_AUTH: 'admin',
  CUSTOM_AUTH_FLOW_ONLY: 'custom',
  USER_PASSWORD_AUTH: 'password',
}

/** The flows of a client without a list of them, which are those of the service. */
const defaultFlows = ['srp', 'custom', 'choice', 'refresh']

const minutesIn: Words<number> = { seconds: 1 / 60, minutes: 1, hours: 60, days: 1440 }

/** The names that clients can have in a configuration. */
const clientName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/** Returns clients by their names. One that another client has, or that is none in a configuration, becomes the logical id. */
function clientsOf(
  all: readonly Resource[],
  providers: Part,
  at: Place,
  places: OptionPlaces,
  warnings: Warnings,
): Part {
  const found = new Map<string, Part>()
  for (const client of all) {
    const given = client.properties.text('ClientName') ?? client.name
    const name = found.has(given) || !clientName.test(given) ? client.name : given
    places.add('clients', [...at, name], client.properties.place)
    found.set(name, clientOf(client, providers, warnings))
  }
  return Object.fromEntries(found)
}

function clientOf(client: Resource, poolProviders: Part, warnings: Warnings): Part {
  const { id, properties } = client
  const named = properties.texts('ExplicitAuthFlows')
  const chosen = translated(properties, 'ExplicitAuthFlows', flows)
  const isOlder = named?.some(name => !name.startsWith('ALLOW_'))
  const units = properties.object('TokenValidityUnits')
  const minutes = (property: string, unit: string, byDefault: string) => {
    const value = properties.number(property)
    const at = [...properties.place, 'TokenValidityUnits', unit]
    return value === undefined ? undefined : value * meaningOf(units?.text(unit) ?? byDefault, minutesIn, at)
  }
  const refresh = minutes('RefreshTokenValidity', 'RefreshToken', 'days')
  const rotation = properties.object('RefreshTokenRotation')
  const oauthFlows = properties.texts('AllowedOAuthFlows') ?? []
  const grants = oauthFlows.filter(each => each !== 'implicit')
  if (grants.length < oauthFlows.length)
    warnings.missing(`${id} has no implicit grant here. Its program can use the grant code.`)
  const isOAuth = properties.flag('AllowedOAuthFlowsUserPoolClient') === true && grants.length > 0
  const callbacks = properties.texts('CallbackURLs')
  const scopes = properties.texts('AllowedOAuthScopes')
  const providers = properties.texts('SupportedIdentityProviders')?.filter(name => {
    const isHere = Object.hasOwn(poolProviders, name)
    if (!isHere && name !== 'COGNITO')
      warnings.missing(`${id} does not sign in users of ${name}, which is not here.`)
    return isHere
  })
  const logouts = properties.texts('LogoutURLs')
  const errors = properties.text('PreventUserExistenceErrors')
  return defined({
    id: clientId(client),
    flows:
      chosen === undefined ? defaultFlows : [...new Set(isOlder ? [...chosen, 'srp', 'refresh'] : chosen)],
    secret: properties.flag('GenerateSecret') ? true : undefined,
    hideUsers: errors === 'ENABLED' ? undefined : false,
    read: properties.texts('ReadAttributes'),
    write: properties.texts('WriteAttributes'),
    refresh:
      refresh === undefined && rotation === undefined
        ? undefined
        : defined({
            days: refresh ? refresh / 1440 : undefined,
            rotate: rotation?.text('Feature') === 'ENABLED' ? true : undefined,
            grace: rotation?.number('RetryGracePeriodSeconds'),
          }),
    accessMinutes: minutes('AccessTokenValidity', 'AccessToken', 'hours'),
    idMinutes: minutes('IdTokenValidity', 'IdToken', 'hours'),
    sessionMinutes: properties.number('AuthSessionValidity'),
    ...(isOAuth && { callbacks, logouts, grants, scopes }),
    providers,
  })
}
