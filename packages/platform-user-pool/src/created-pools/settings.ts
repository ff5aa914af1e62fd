import { valuesOf } from '@signalbox/platform-runtime/config'
import { registrationFields } from '../config/agent-config.ts'
import { customCss } from '../config/custom-css.ts'
import { historyFields } from '../config/kept-sign-ins-config.ts'
import { limitFields } from '../config/limits-config.ts'
import type { PagesSettings, Terms } from '../config/pages-config.ts'
import { passwordSettings } from '../config/pool-defaults.ts'
import { isProviderIssuer } from '../config/redirect-address.ts'
import { type FirstFactor, userPoolFields } from '../config/user-pool-config.ts'
import type {
  AttributeRules,
  IdentityProviderSettings,
  PoolSettings,
  ResourceServerSettings,
} from '../config/user-pool-settings.ts'
import type { Factor } from '../store/user-pool-store.ts'
import { settingsOfCreatedClient } from './client-settings.ts'
import type { CreatedPool, PoolPart } from './created-pool.ts'
import { enabledFactors } from './enabled-factors.ts'
import { triggersOf } from './triggers.ts'

/** Returns the settings of a pool created through the API, as sign-in flows use them. */
export function settingsOfCreatedPool(createdPool: CreatedPool): PoolSettings {
  const { id, name, requested, schema, sessions } = createdPool
  const [region, poolName] = id.split('_') as [string, string]
  const { PasswordPolicy: password = {}, SignInPolicy } = requested.Policies ?? {}
  const { UsernameAttributes: usernames = [], AliasAttributes: aliases = [] } = requested
  const names = (usernames.length > 0 ? usernames : aliases).flatMap(each => signInNames[each] ?? [])
  const temporary =
    password.TemporaryPasswordValidityDays ?? requested.AdminCreateUserConfig?.UnusedAccountValidityDays
  const { immutable: _, ...unset } = valuesOf(userPoolFields, {})
  return {
    ...unset,
    name,
    id,
    poolName,
    region,
    triggers: triggersOf(requested.LambdaConfig ?? {}),
    signIn: usernames.length > 0 ? names : ['name', ...names],
    required: schema.filter(each => each.Required && each.Name !== 'sub').map(each => each.Name),
    custom: customOf(createdPool),
    rules: rulesOf(createdPool),
    verify: (requested.AutoVerifiedAttributes ?? []).map(each => (each === 'email' ? 'email' : 'phone')),
    from: fromOf(requested.EmailConfiguration),
    signUp: requested.AdminCreateUserConfig?.AllowAdminCreateUserOnly !== true,
    limits: valuesOf(limitFields, {}),
    takeover: undefined,
    migrateFrom: undefined,
    pages: lookOf(createdPool, 'ALL') ?? {},
    history: hasHistory(requested.UserPoolAddOns) ? valuesOf(historyFields, {}).days : undefined,
    sessions: sessions?.isTracked ? { most: sessions.most } : undefined,
    password: passwordSettings({
      min: password.MinimumLength,
      lower: password.RequireLowercase,
      upper: password.RequireUppercase,
      digits: password.RequireNumbers,
      symbols: password.RequireSymbols,
      temporaryDays: temporary || undefined,
    }),
    mfa: { mode: modes[requested.MfaConfiguration ?? ''] ?? 'off', by: factorsOf(createdPool) },
    devices: devicesOf(requested.DeviceConfiguration),
    firstFactors: (SignInPolicy?.AllowedFirstAuthFactors ?? ['PASSWORD']).flatMap(
      each => firstFactors[each] ?? [],
    ),
    recovery: recoveryOf(requested.AccountRecoverySetting),
    texts: textsOf(createdPool),
    passkeys: passkeysOf(createdPool.mfa.WebAuthnConfiguration),
    groups: {},
    clients: createdPool.clients.map(client => ({
      ...settingsOfCreatedClient(client),
      terms: termsOf(createdPool, client.id),
      pages: lookOf(createdPool, client.id),
    })),
    domain: createdPool.domain?.name,
    customDomain: createdPool.customDomain?.name,
    resourceServers: createdPool.resourceServers.map(resourceServerSettings),
    clientDocuments: [],
    registration: registrationOf(requested.DcrConfiguration),
    identityProviders: createdPool.identityProviders.flatMap(identityProviderSettings),
  }
}

function registrationOf(
  requested: CreatedPool['requested']['DcrConfiguration'],
): PoolSettings['registration'] {
  if (requested?.EnableStatus !== 'Enabled') return undefined
  const { OpenDcrEnabled, OpenDcrGrantTypes = ['code'], AuthenticatedGrantTypes = ['code'] } = requested
  const open = OpenDcrEnabled === true && OpenDcrGrantTypes.includes('code')
  if (!open && !AuthenticatedGrantTypes.includes('code')) return undefined
  return valuesOf(registrationFields, { open, scopes: requested.AllowedScopes })
}

/** Returns the look that a client has by `SetUICustomization`, or all clients by `ALL`. */
function lookOf({ uiCustomizations = [] }: CreatedPool, client: string): PagesSettings | undefined {
  const part = uiCustomizations.find(({ name }) => name === client)
  return part && { css: customCss(String(part.requested.CSS ?? '')).rules }
}

/** Returns what the page for signing up refers to. The pages are in English. */
function termsOf({ terms = [] }: CreatedPool, client: string): Terms {
  const linkOf = (begin: string) => {
    const part = terms.find(
      ({ requested: { ClientId, TermsName } }) => ClientId === client && String(TermsName).startsWith(begin),
    )
    const links = (part?.requested.Links ?? {}) as Texts
    return links['cognito:english'] ?? links['cognito:default']
  }
  return { termsOfUse: linkOf('terms-of-use'), privacyPolicy: linkOf('privacy-policy') }
}

function resourceServerSettings({ name: identifier, requested }: PoolPart): ResourceServerSettings {
  const scopes = (requested.Scopes ?? []) as readonly {
    readonly ScopeName: string
    readonly ScopeDescription: string
  }[]
  return {
    identifier,
    name: String(requested.Name),
    scopes: scopes.map(({ ScopeName: name, ScopeDescription: description }) => ({ name, description })),
  }
}

type Texts = { readonly [name: string]: string }

/** Returns the settings of an OpenID Connect provider. Other kinds of providers are only stored and shown. */
function identityProviderSettings({ name, requested }: PoolPart): readonly IdentityProviderSettings[] {
  const details = requested.ProviderDetails as Texts
  const { oidc_issuer: issuer, client_id: clientId, client_secret: clientSecret } = details
  if (requested.ProviderType !== 'OIDC' || clientId === undefined) return []
  if (issuer === undefined || !isProviderIssuer(issuer)) return []
  const { username: _, ...attributes } = (requested.AttributeMapping ?? {}) as Texts
  return [
    {
      name,
      issuer,
      clientId,
      clientSecret: clientSecret || undefined,
      scopes: (details.authorize_scopes ?? 'openid email profile').split(' '),
      attributes,
      identifiers: (requested.IdpIdentifiers ?? []) as readonly string[],
      isConfigured: false,
    },
  ]
}

/** Returns the sender address for e-mail. Undefined means the platform's own address. */
export function fromOf(requested: CreatedPool['requested']['EmailConfiguration']): string | undefined {
  return typeof requested?.From === 'string' ? requested.From : undefined
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

function passkeysOf(requested: CreatedPool['mfa']['WebAuthnConfiguration'] = {}): PoolSettings['passkeys'] {
  return {
    relyingParty: requested.RelyingPartyId,
    userVerification: requested.UserVerification === 'required' ? 'required' : 'preferred',
    bothFactors: requested.FactorConfiguration === 'MULTI_FACTOR_WITH_USER_VERIFICATION',
  }
}

const customTypes: { readonly [type: string]: 'number' | 'boolean' } = {
  Number: 'number',
  Boolean: 'boolean',
}

function customOf({ schema }: CreatedPool): PoolSettings['custom'] {
  return Object.fromEntries(
    schema.flatMap(({ Name, AttributeDataType: type }) =>
      Name.startsWith('custom:')
        ? [[Name.slice('custom:'.length), customTypes[type] ?? ('string' as const)] as const]
        : [],
    ),
  )
}

/** Returns the second factors of a pool. Pools that an earlier version has stored can be without one. Default: `totp`. */
function factorsOf(createdPool: CreatedPool): readonly Factor[] {
  const by = enabledFactors(createdPool)
  return by.length > 0 ? by : ['totp']
}

function rulesOf({ schema }: CreatedPool): PoolSettings['rules'] {
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

function recoveryOf(requested: CreatedPool['requested']['AccountRecoverySetting']): PoolSettings['recovery'] {
  const mechanisms = requested?.RecoveryMechanisms ?? []
  if (mechanisms.length === 0) return 'legacy'
  return [...mechanisms]
    .sort((one, other) => one.Priority - other.Priority)
    .flatMap(({ Name }) =>
      Name === 'verified_email' ? ['email' as const] : Name === 'admin_only' ? [] : ['phone' as const],
    )
}

const standardLinkText = 'Please click the link to confirm your registration. {##Verify Email##}'

function textsOf({ requested, mfa }: CreatedPool): PoolSettings['texts'] {
  const { VerificationMessageTemplate: template = {}, AdminCreateUserConfig } = requested
  const { InviteMessageTemplate: invitation = {} } = AdminCreateUserConfig ?? {}
  return {
    verification: {
      subject: template.EmailSubject ?? requested.EmailVerificationSubject,
      email: template.EmailMessage ?? requested.EmailVerificationMessage,
      sms: template.SmsMessage ?? requested.SmsVerificationMessage,
    },
    invitation: {
      subject: invitation.EmailSubject,
      email: invitation.EmailMessage,
      sms: invitation.SMSMessage,
    },
    authentication: {
      subject: mfa.EmailMfaConfiguration?.Subject,
      email: mfa.EmailMfaConfiguration?.Message,
      sms: mfa.SmsMfaConfiguration?.SmsAuthenticationMessage ?? requested.SmsAuthenticationMessage,
    },
    ...(template.DefaultEmailOption === 'CONFIRM_WITH_LINK' && {
      link: {
        subject: template.EmailSubjectByLink,
        email: template.EmailMessageByLink ?? standardLinkText,
      },
    }),
  }
}

function devicesOf(requested: CreatedPool['requested']['DeviceConfiguration']): PoolSettings['devices'] {
  if (requested === undefined) return { remember: 'off', skipFactor: false }
  return {
    remember: requested.DeviceOnlyRememberedOnUserPrompt ? 'opt-in' : 'always',
    skipFactor: requested.ChallengeRequiredOnNewDevice ?? false,
  }
}

/** Returns whether a pool keeps the sign-ins of its users, which the service does in both of these modes. */
function hasHistory(requested: CreatedPool['requested']['UserPoolAddOns']): boolean {
  const mode = requested?.AdvancedSecurityMode
  return mode === 'AUDIT' || mode === 'ENFORCED'
}
