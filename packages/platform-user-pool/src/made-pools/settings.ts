import { type Source, sourcesOf } from '@signalbox/user-pool/contract'
import type { ClientFlow, FirstFactor } from '../config/user-pool-config.ts'
import type {
  AttributeRules,
  ClientSettings,
  IdentityProviderSettings,
  OAuthSettings,
  PoolSettings,
  ResourceServerSettings,
  TriggerSettings,
} from '../config/user-pool-settings.ts'
import { isProviderIssuer } from '../oidc/redirect-address.ts'
import type { Factor } from '../store/user-pool-store.ts'
import type { MadeClient, MadePool, PoolPart } from './made-pool.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** The settings of a pool that was made by the API, in the form for flows. */
export function settingsOfMade(made: MadePool): PoolSettings {
  const { id, name, given, schema } = made
  const [region, poolName] = id.split('_') as [string, string]
  const { PasswordPolicy: password = {}, SignInPolicy } = given.Policies ?? {}
  const { UsernameAttributes: usernames = [], AliasAttributes: aliases = [] } = given
  const names = (usernames.length > 0 ? usernames : aliases).flatMap(each => signInNames[each] ?? [])
  const temporary =
    password.TemporaryPasswordValidityDays ?? given.AdminCreateUserConfig?.UnusedAccountValidityDays
  return {
    name,
    id,
    poolName,
    region,
    triggers: triggersOf(given.LambdaConfig ?? {}),
    signIn: usernames.length > 0 ? names : ['name', ...names],
    required: schema.filter(each => each.Required && each.Name !== 'sub').map(each => each.Name),
    custom: customOf(made),
    rules: rulesOf(made),
    verify: (given.AutoVerifiedAttributes ?? []).map(each => (each === 'email' ? 'email' : 'phone')),
    from: fromOf(given.EmailConfiguration),
    signUp: given.AdminCreateUserConfig?.AllowAdminCreateUserOnly !== true,
    password: {
      min: password.MinimumLength ?? 8,
      lower: password.RequireLowercase ?? true,
      upper: password.RequireUppercase ?? true,
      digits: password.RequireNumbers ?? true,
      symbols: password.RequireSymbols ?? true,
      temporary: (temporary || 7) * day,
    },
    mfa: { mode: modes[given.MfaConfiguration ?? ''] ?? 'off', by: factorsOf(made) },
    devices: devicesOf(given.DeviceConfiguration),
    firstFactors: (SignInPolicy?.AllowedFirstAuthFactors ?? ['PASSWORD']).flatMap(
      each => firstFactors[each] ?? [],
    ),
    recovery: recoveryOf(given.AccountRecoverySetting),
    texts: textsOf(made),
    passkeys: passkeysOf(made.mfa.WebAuthnConfiguration),
    groups: {},
    clients: made.clients.map(clientSettings),
    domain: made.domain?.name,
    resourceServers: made.resourceServers.map(resourceServerSettings),
    identityProviders: made.identityProviders.flatMap(identityProviderSettings),
  }
}

function resourceServerSettings({ name: identifier, given }: PoolPart): ResourceServerSettings {
  const scopes = (given.Scopes ?? []) as readonly {
    readonly ScopeName: string
    readonly ScopeDescription: string
  }[]
  return {
    identifier,
    name: String(given.Name),
    scopes: scopes.map(({ ScopeName: name, ScopeDescription: description }) => ({ name, description })),
  }
}

type Texts = { readonly [name: string]: string }

/** Providers by OpenID Connect; others are kept and shown. */
function identityProviderSettings({ name, given }: PoolPart): readonly IdentityProviderSettings[] {
  const details = given.ProviderDetails as Texts
  const { oidc_issuer: issuer, client_id: clientId, client_secret: clientSecret } = details
  if (given.ProviderType !== 'OIDC' || clientId === undefined) return []
  if (issuer === undefined || !isProviderIssuer(issuer)) return []
  const { username: _, ...attributes } = (given.AttributeMapping ?? {}) as Texts
  return [
    {
      name,
      issuer,
      clientId,
      clientSecret: clientSecret || undefined,
      scopes: (details.authorize_scopes ?? 'openid email profile').split(' '),
      attributes,
      identifiers: (given.IdpIdentifiers ?? []) as readonly string[],
    },
  ]
}

/** The address that e-mails come from; undefined for the platform's own. */
function fromOf(given: MadePool['given']['EmailConfiguration']): string | undefined {
  return typeof given?.From === 'string' ? given.From : undefined
}

const signInNames: { readonly [attribute: string]: PoolSettings['signIn'][number] } = {
  email: 'email',
  phone_number: 'phone',
  preferred_username: 'preferred_username',
}

const modes: { readonly [name: string]: PoolSettings['mfa']['mode'] } = {
  OFF: 'off',
  OPTIONAL: 'optional',
  ON: 'required',
}

const firstFactors: { readonly [name: string]: FirstFactor } = {
  PASSWORD: 'password',
  EMAIL_OTP: 'email',
  SMS_OTP: 'sms',
  WEB_AUTHN: 'passkey',
}

function passkeysOf(given: MadePool['mfa']['WebAuthnConfiguration'] = {}): PoolSettings['passkeys'] {
  return {
    relyingParty: given.RelyingPartyId,
    userVerification: given.UserVerification === 'required' ? 'required' : 'preferred',
    bothFactors: given.FactorConfiguration === 'MULTI_FACTOR_WITH_USER_VERIFICATION',
  }
}

const customTypes: { readonly [type: string]: 'number' | 'boolean' } = {
  Number: 'number',
  Boolean: 'boolean',
}

function customOf({ schema }: MadePool): PoolSettings['custom'] {
  return Object.fromEntries(
    schema.flatMap(({ Name, AttributeDataType: type }) =>
      Name.startsWith('custom:')
        ? [[Name.slice('custom:'.length), customTypes[type] ?? ('string' as const)] as const]
        : [],
    ),
  )
}

/** The second factors that were set, or text messages for a pool that was created with them. */
function factorsOf({ mfa, given }: MadePool): readonly Factor[] {
  const by: Factor[] = [
    ...(mfa.SoftwareTokenMfaConfiguration?.Enabled ? ['totp' as const] : []),
    ...(mfa.SmsMfaConfiguration !== undefined || given.SmsConfiguration !== undefined
      ? ['sms' as const]
      : []),
    ...(mfa.EmailMfaConfiguration !== undefined ? ['email' as const] : []),
  ]
  return by.length > 0 ? by : ['totp']
}

function rulesOf({ schema }: MadePool): PoolSettings['rules'] {
  return Object.fromEntries(
    schema.map(each => {
      const { MinLength, MaxLength } = each.StringAttributeConstraints ?? {}
      const { MinValue, MaxValue } = each.Name !== 'updated_at' ? (each.NumberAttributeConstraints ?? {}) : {}
      const rules: AttributeRules = {
        mutable: each.Mutable,
        byAdmin: each.DeveloperOnlyAttribute,
        least: boundOf(MinLength ?? MinValue),
        most: boundOf(MaxLength ?? MaxValue),
      }
      return [each.Name, rules]
    }),
  )
}

function boundOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

function recoveryOf(given: MadePool['given']['AccountRecoverySetting']): PoolSettings['recovery'] {
  const mechanisms = given?.RecoveryMechanisms ?? []
  if (mechanisms.length === 0) return 'legacy'
  return [...mechanisms]
    .sort((one, other) => one.Priority - other.Priority)
    .flatMap(({ Name }) =>
      Name === 'verified_email' ? ['email' as const] : Name === 'admin_only' ? [] : ['phone' as const],
    )
}

const standardLinkText = 'Please click the link to confirm your registration. {##Verify Email##}'

function textsOf({ given, mfa }: MadePool): PoolSettings['texts'] {
  const { VerificationMessageTemplate: template = {}, AdminCreateUserConfig } = given
  const { InviteMessageTemplate: invitation = {} } = AdminCreateUserConfig ?? {}
  return {
    verification: {
      subject: template.EmailSubject ?? given.EmailVerificationSubject,
      email: template.EmailMessage ?? given.EmailVerificationMessage,
      sms: template.SmsMessage ?? given.SmsVerificationMessage,
    },
    invitation: {
      subject: invitation.EmailSubject,
      email: invitation.EmailMessage,
      sms: invitation.SMSMessage,
    },
    authentication: {
      subject: mfa.EmailMfaConfiguration?.Subject,
      email: mfa.EmailMfaConfiguration?.Message,
      sms: mfa.SmsMfaConfiguration?.SmsAuthenticationMessage ?? given.SmsAuthenticationMessage,
    },
    ...(template.DefaultEmailOption === 'CONFIRM_WITH_LINK' && {
      link: {
        subject: template.EmailSubjectByLink,
        email: template.EmailMessageByLink ?? standardLinkText,
      },
    }),
  }
}

function devicesOf(given: MadePool['given']['DeviceConfiguration']): PoolSettings['devices'] {
  if (given === undefined) return { remember: 'off', skipFactor: false }
  return {
    remember: given.DeviceOnlyRememberedOnUserPrompt ? 'opt-in' : 'always',
    skipFactor: given.ChallengeRequiredOnNewDevice ?? false,
  }
}

/** The flows by the names of the API, older ones included. */
const flows: { readonly [name: string]: ClientFlow } = {
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

/** The flows that a client may always use when it has older names. */
const alwaysAllowed = ['srp', 'refresh'] as const

function flowsOf(names: readonly string[] | undefined): readonly ClientFlow[] {
  if (names === undefined || names.length === 0) return [...new Set(Object.values(flows))]
  const given = names.flatMap(name => flows[name] ?? [])
  const isOlder = names.some(name => !name.startsWith('ALLOW_'))
  return [...new Set(isOlder ? [...given, ...alwaysAllowed] : given)]
}

/** Whether a flow has this name. */
export function isFlowName(name: string): boolean {
  return Object.hasOwn(flows, name)
}

const units: { readonly [unit: string]: number } = {
  seconds: 1000,
  minutes: minute,
  hours: 60 * minute,
  days: day,
}

function clientSettings({ id, name, given }: MadeClient): ClientSettings {
  const unit = given.TokenValidityUnits ?? {}
  const life = (value: number | undefined, of: string | undefined, byDefault: string, standard: number) =>
    value ? value * units[of ?? byDefault]! : standard
  return {
    name,
    id,
    flows: flowsOf(given.ExplicitAuthFlows),
    secret: given.GenerateSecret === true,
    hideUsers: given.PreventUserExistenceErrors === 'ENABLED',
    read: listOf(given.ReadAttributes),
    write: listOf(given.WriteAttributes),
    refresh: {
      life: life(given.RefreshTokenValidity, unit.RefreshToken, 'days', 30 * day),
      rotate: given.RefreshTokenRotation?.Feature === 'ENABLED',
      grace: (given.RefreshTokenRotation?.RetryGracePeriodSeconds ?? 0) * 1000,
    },
    accessLife: life(given.AccessTokenValidity, unit.AccessToken, 'hours', 60 * minute),
    idLife: life(given.IdTokenValidity, unit.IdToken, 'hours', 60 * minute),
    sessionLife: (given.AuthSessionValidity ?? 3) * minute,
    oauth: oauthSettings(given),
  }
}

function oauthSettings(given: MadeClient['given']): OAuthSettings {
  const { CallbackURLs = [], LogoutURLs = [], AllowedOAuthFlows = [], AllowedOAuthScopes = [] } = given
  const isAllowed = given.AllowedOAuthFlowsUserPoolClient === true
  return {
    grants: isAllowed
      ? (['code', 'client_credentials'] as const).filter(each => AllowedOAuthFlows.includes(each))
      : [],
    callbacks: CallbackURLs,
    logouts: LogoutURLs,
    scopes: AllowedOAuthScopes,
    providers: given.SupportedIdentityProviders ?? [],
  }
}

/** An empty list is what clients send for none. */
function listOf(names: readonly string[] | undefined): readonly string[] | undefined {
  return names?.length === 0 ? undefined : names
}

/** Triggers by the names of the API, where they differ from the contract's. */
const triggerNames: { readonly [name: string]: string } = {
  PreTokenGeneration: 'TokenGeneration',
  PreTokenGenerationConfig: 'TokenGeneration',
}

const versions: { readonly [name: string]: TriggerSettings['version'] } = {
  V1_0: '1',
  V2_0: '2',
  V3_0: '3',
}

function triggersOf(
  given: NonNullable<MadePool['given']['LambdaConfig']>,
): ReadonlyMap<Source, TriggerSettings> {
  return new Map(
    Object.entries(given).flatMap(([name, callee]) => {
      const { LambdaArn, LambdaVersion } = (typeof callee === 'string' ? { LambdaArn: callee } : callee) as {
        readonly LambdaArn?: string
        readonly LambdaVersion?: string
      }
      if (typeof LambdaArn !== 'string') return []
      const version = versions[LambdaVersion ?? ''] ?? '1'
      return sourcesOf(triggerNames[name] ?? name).map(
        source => [source, { functionName: functionNameOf(LambdaArn), version }] as const,
      )
    }),
  )
}

/** The name of a function. An ARN holds more than the name. */
function functionNameOf(arn: string): string {
  return /^arn:[^:]+:lambda:[^:]*:[^:]*:function:([^:]+)/.exec(arn)?.[1] ?? arn
}
