import { integerFrom } from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import type { StoredSecret } from '../config/user-pool-settings.ts'

const kept = t.record(t.string, t.unknown)
const texts = t.array(t.string)
const tags = t.record(t.string, t.string)
const addresses = t.array(t.keyof({ email: 0, phone_number: 0 }))

const passwordPolicy = t.partial({
  MinimumLength: t.number,
  RequireUppercase: t.boolean,
  RequireLowercase: t.boolean,
  RequireNumbers: t.boolean,
  RequireSymbols: t.boolean,
  PasswordHistorySize: integerFrom(0, 24),
  TemporaryPasswordValidityDays: integerFrom(0, 365),
})

/** The pool fields that the API can change. Some of them are only stored and shown. */
export const changeable = {
  Policies: t.partial({
    PasswordPolicy: passwordPolicy,
    SignInPolicy: t.partial({
      AllowedFirstAuthFactors: t.array(t.keyof({ PASSWORD: 0, EMAIL_OTP: 0, SMS_OTP: 0, WEB_AUTHN: 0 })),
    }),
  }),
  LambdaConfig: kept,
  AutoVerifiedAttributes: texts,
  MfaConfiguration: t.string,
  DeviceConfiguration: t.partial({
    ChallengeRequiredOnNewDevice: t.boolean,
    DeviceOnlyRememberedOnUserPrompt: t.boolean,
  }),
  AdminCreateUserConfig: t.partial({
    AllowAdminCreateUserOnly: t.boolean,
    UnusedAccountValidityDays: t.number,
    InviteMessageTemplate: t.partial({
      SMSMessage: t.string,
      EmailMessage: t.string,
      EmailSubject: t.string,
    }),
  }),
  UserPoolTags: tags,
  SmsVerificationMessage: t.string,
  EmailVerificationMessage: t.string,
  EmailVerificationSubject: t.string,
  VerificationMessageTemplate: t.partial({
    SmsMessage: t.string,
    EmailMessage: t.string,
    EmailSubject: t.string,
    EmailMessageByLink: t.string,
    EmailSubjectByLink: t.string,
    DefaultEmailOption: t.keyof({ CONFIRM_WITH_CODE: 0, CONFIRM_WITH_LINK: 0 }),
  }),
  SmsAuthenticationMessage: t.string,
  UserAttributeUpdateSettings: t.partial({ AttributesRequireVerificationBeforeUpdate: addresses }),
  DeletionProtection: t.keyof({ ACTIVE: 0, INACTIVE: 0 }),
  EmailConfiguration: t.intersection([
    kept,
    t.partial({ EmailSendingAccount: t.keyof({ COGNITO_DEFAULT: 0, DEVELOPER: 0 }) }),
  ]),
  SmsConfiguration: kept,
  UserPoolAddOns: t.intersection([
    kept,
    t.partial({ AdvancedSecurityMode: t.keyof({ OFF: 0, AUDIT: 0, ENFORCED: 0 }) }),
  ]),
  DcrConfiguration: t.partial({
    EnableStatus: t.keyof({ Enabled: 0, Disabled: 0 }),
    OpenDcrEnabled: t.boolean,
    AuthenticatedGrantTypes: texts,
    OpenDcrGrantTypes: texts,
    AllowedScopes: texts,
  }),
  AccountRecoverySetting: t.partial({
    RecoveryMechanisms: t.array(
      t.type({
        Name: t.keyof({ verified_email: 0, verified_phone_number: 0, admin_only: 0 }),
        Priority: integerFrom(1, 2),
      }),
    ),
  }),
  UserPoolTier: t.keyof({ LITE: 0, ESSENTIALS: 0, PLUS: 0 }),
}

/** The pool fields that never change. */
export const unchangeable = {
  AliasAttributes: texts,
  UsernameAttributes: texts,
  UsernameConfiguration: t.partial({ CaseSensitive: t.boolean }),
}

const requestedPool = t.partial({ ...changeable, ...unchangeable })

/** The request fields that describe a client. */
export const clientFields = {
  GenerateSecret: t.boolean,
  RefreshTokenValidity: t.number,
  AccessTokenValidity: t.number,
  IdTokenValidity: t.number,
  TokenValidityUnits: t.partial({ AccessToken: t.string, IdToken: t.string, RefreshToken: t.string }),
  ReadAttributes: texts,
  WriteAttributes: texts,
  ExplicitAuthFlows: texts,
  SupportedIdentityProviders: texts,
  CallbackURLs: texts,
  LogoutURLs: texts,
  DefaultRedirectURI: t.string,
  AllowedOAuthFlows: texts,
  AllowedOAuthScopes: texts,
  AllowedOAuthFlowsUserPoolClient: t.boolean,
  AnalyticsConfiguration: kept,
  PreventUserExistenceErrors: t.keyof({ LEGACY: 0, ENABLED: 0 }),
  EnableTokenRevocation: t.boolean,
  EnablePropagateAdditionalUserContextData: t.boolean,
  AuthSessionValidity: t.number,
  RefreshTokenRotation: t.partial({
    Feature: t.keyof({ ENABLED: 0, DISABLED: 0 }),
    RetryGracePeriodSeconds: integerFrom(0, 60),
  }),
}

const requestedClient = t.partial(clientFields)

/** An attribute in a request. */
export const attributeInput = t.partial({
  Name: t.string,
  AttributeDataType: t.string,
  DeveloperOnlyAttribute: t.boolean,
  Mutable: t.boolean,
  Required: t.boolean,
  NumberAttributeConstraints: t.partial({ MinValue: t.string, MaxValue: t.string }),
  StringAttributeConstraints: t.partial({ MinLength: t.string, MaxLength: t.string }),
})

/** The request fields that set a pool's second factors. */
export const mfaFields = {
  SmsMfaConfiguration: t.partial({ SmsAuthenticationMessage: t.string, SmsConfiguration: kept }),
  SoftwareTokenMfaConfiguration: t.partial({ Enabled: t.boolean }),
  EmailMfaConfiguration: t.partial({ Message: t.string, Subject: t.string }),
  WebAuthnConfiguration: t.partial({
    RelyingPartyId: t.string,
    UserVerification: t.keyof({ preferred: 0, required: 0 }),
    FactorConfiguration: t.keyof({ SINGLE_FACTOR: 0, MULTI_FACTOR_WITH_USER_VERIFICATION: 0 }),
  }),
}

const requestedMfa = t.partial(mfaFields)

export type RequestedPool = t.TypeOf<typeof requestedPool>
export type RequestedClient = t.TypeOf<typeof requestedClient>
export type AttributeInput = t.TypeOf<typeof attributeInput>
export type RequestedMfa = t.TypeOf<typeof requestedMfa>

/** An attribute of a pool, as clients see it. */
export interface SchemaAttribute {
  readonly Name: string
  readonly AttributeDataType: string
  readonly DeveloperOnlyAttribute: boolean
  readonly Mutable: boolean
  readonly Required: boolean
  readonly NumberAttributeConstraints?: AttributeInput['NumberAttributeConstraints']
  readonly StringAttributeConstraints?: AttributeInput['StringAttributeConstraints']
}

/** A client created through the API. Times are milliseconds since the epoch. */
export interface CreatedClient {
  readonly id: string
  readonly name: string
  readonly created: number
  readonly modified: number
  readonly requested: RequestedClient
  /** The secrets, the oldest first. Absent as long as the client has the one that it was created with, or none. */
  readonly secrets?: readonly StoredSecret[]
  /** How old a sign-in on the hosted pages can be for this client, if the pool tracks sessions. Default 60. */
  readonly reuseMinutes?: number
}

/** A part of a pool, such as a resource server, with its name and its requested settings. */
export interface PoolPart {
  readonly name: string
  readonly created: number
  readonly modified: number
  readonly requested: { readonly [field: string]: unknown }
}

/** A pool created through the API, as it is stored. */
export interface CreatedPool {
  readonly id: string
  readonly name: string
  readonly created: number
  readonly modified: number
  readonly requested: RequestedPool
  readonly mfa: RequestedMfa
  readonly schema: readonly SchemaAttribute[]
  readonly clients: readonly CreatedClient[]
  readonly resourceServers: readonly PoolPart[]
  readonly identityProviders: readonly PoolPart[]
  /** How the pool tracks sessions. Absent until that is set. */
  readonly sessions?: { readonly isTracked: boolean; readonly most: number }
  /** The domain that is the first label of a host. */
  readonly domain?: PoolPart | undefined
  /** The domain that is a whole host, which a pool can have beside the other one. */
  readonly customDomain?: PoolPart | undefined
  /**
   * The page styles by client id, or under `ALL` for all clients. Absent in pools that an earlier version has stored.
   */
  readonly uiCustomizations?: readonly PoolPart[]
  /** The terms of clients, by their ids. Absent in pools that an earlier version has stored. */
  readonly terms?: readonly PoolPart[]
}
