import { describe, expect, test } from 'tstyche'
import type { ChallengeName } from './fields/challenge.ts'
import type { ClaimValue } from './fields/claim.ts'
import type { TextMap } from './fields/shape.ts'
import type { TakeoverAttributes, UserAttributes } from './fields/user-attribute.ts'
import type {
  Source,
  SourcesOf,
  Trigger,
  TriggerEvent,
  TriggerOf,
  TriggerRequest,
  TriggerResponse,
} from './trigger-event.ts'
import type { ProviderType } from './triggers/account-triggers.ts'

type Maybe<A> = A | null | undefined
type Texts = Readonly<Record<string, string>>
type Object = { readonly [name: string]: unknown }
type Session = readonly {
  readonly challengeName: ChallengeName
  readonly challengeResult: boolean
  readonly challengeMetadata?: Maybe<string>
}[]
type Groups = {
  readonly groupsToOverride?: Maybe<readonly string[]>
  readonly accessRolesToOverride?: Maybe<readonly string[]>
  readonly preferredRole?: Maybe<string>
}

describe('the type of a request', () => {
  test('has the same fields for every source of PreSignUp', () => {
    expect<TriggerRequest<SourcesOf<'PreSignUp'>>>().type.toBe<{
      readonly userAttributes: UserAttributes
      readonly validationData: TextMap
      readonly clientMetadata: TextMap
    }>()
  })

  test('has the same fields for every source of PostConfirmation', () => {
    expect<TriggerRequest<SourcesOf<'PostConfirmation'>>>().type.toBe<{
      readonly userAttributes: UserAttributes
      readonly clientMetadata: TextMap
    }>()
  })

  test('has the fields of PreAuthentication', () => {
    expect<TriggerRequest<'PreAuthentication_Authentication'>>().type.toBe<{
      readonly userAttributes: UserAttributes
      readonly validationData: TextMap
      readonly userNotFound?: Maybe<boolean>
    }>()
  })

  test('has the fields of PostAuthentication', () => {
    expect<TriggerRequest<'PostAuthentication_Authentication'>>().type.toBe<{
      readonly userAttributes: UserAttributes
      readonly clientMetadata: TextMap
      readonly newDeviceUsed?: Maybe<boolean>
    }>()
  })

  test('has the fields of DefineAuthChallenge', () => {
    expect<TriggerRequest<'DefineAuthChallenge_Authentication'>>().type.toBe<{
      readonly userAttributes: UserAttributes
      readonly session: Session
      readonly clientMetadata: TextMap
      readonly userNotFound?: Maybe<boolean>
    }>()
  })

  test('has the fields of CreateAuthChallenge', () => {
    expect<TriggerRequest<'CreateAuthChallenge_Authentication'>>().type.toBe<{
      readonly userAttributes: UserAttributes
      readonly challengeName: ChallengeName
      readonly session: Session
      readonly clientMetadata: TextMap
      readonly userNotFound?: Maybe<boolean>
    }>()
  })

  test('has the fields of VerifyAuthChallengeResponse', () => {
    expect<TriggerRequest<'VerifyAuthChallengeResponse_Authentication'>>().type.toBe<{
      readonly userAttributes: UserAttributes
      readonly privateChallengeParameters: { answer?: string } & TextMap
      readonly clientMetadata: TextMap
      readonly challengeAnswer: string
      readonly userNotFound?: Maybe<boolean>
    }>()
  })

  test('has the same fields for every source of TokenGeneration', () => {
    expect<TriggerRequest<SourcesOf<'TokenGeneration'>>>().type.toBe<{
      readonly userAttributes: UserAttributes
      readonly groupConfiguration: Groups
      readonly clientMetadata: TextMap
      readonly scopes?: Maybe<readonly string[]>
    }>()
  })

  test('has the same fields for every source of CustomMessage', () => {
    expect<TriggerRequest<SourcesOf<'CustomMessage'>>>().type.toBe<{
      readonly userAttributes: UserAttributes
      readonly codeParameter: string
      readonly clientMetadata: TextMap
      readonly linkParameter?: Maybe<string>
      readonly usernameParameter?: Maybe<string>
    }>()
  })

  test('has a password for UserMigration_Authentication, but not for UserMigration_ForgotPassword', () => {
    expect<TriggerRequest<'UserMigration_Authentication'>>().type.toBe<{
      readonly password: string
      readonly validationData: TextMap
      readonly clientMetadata: TextMap
      readonly userAttributes: UserAttributes
    }>()
    expect<TriggerRequest<'UserMigration_ForgotPassword'>>().type.toBe<{
      readonly password?: undefined
      readonly validationData: TextMap
      readonly clientMetadata: TextMap
      readonly userAttributes: UserAttributes
    }>()
  })

  test('has the same fields for every source of CustomEmailSender that sends a code', () => {
    type Ordinary = Exclude<SourcesOf<'CustomEmailSender'>, `${string}AccountTakeOverNotification`>
    expect<TriggerRequest<Ordinary>>().type.toBe<{
      readonly type: 'customEmailSenderRequestV1'
      readonly code: string
      readonly clientMetadata: TextMap
      readonly userAttributes: UserAttributes
    }>()
  })

  test('has different user attributes for CustomEmailSender_AccountTakeOverNotification', () => {
    expect<TriggerRequest<'CustomEmailSender_AccountTakeOverNotification'>>().type.toBe<{
      readonly type: 'customEmailSenderRequestV1'
      readonly clientMetadata: TextMap
      readonly userAttributes: TakeoverAttributes
      readonly code?: Maybe<string>
    }>()
  })

  test('has the same fields for every source of CustomSMSSender', () => {
    expect<TriggerRequest<SourcesOf<'CustomSMSSender'>>>().type.toBe<{
      readonly type: 'customSMSSenderRequestV1' | 'customEmailSenderRequestV1'
      readonly code: string
      readonly clientMetadata: TextMap
      readonly userAttributes: UserAttributes
    }>()
  })

  test('has the fields of InboundFederation', () => {
    expect<TriggerRequest<'InboundFederation_ExternalProvider'>>().type.toBe<{
      readonly providerName: string
      readonly providerType: ProviderType
      readonly attributes: {
        readonly tokenResponse: Object
        readonly idToken: Object
        readonly userInfo: Object
        readonly samlResponse: Object
      }
    }>()
  })
})

describe('the type of a response', () => {
  // The fields of a response type, except those that the type forbids.
  type Own<T extends Trigger> = {
    [K in keyof TriggerResponse<T> as [Exclude<TriggerResponse<T>[K], undefined>] extends [never]
      ? never
      : K]: TriggerResponse<T>[K]
  }

  test('has the fields of its trigger', () => {
    expect<Own<'PreSignUp'>>().type.toBe<{
      readonly autoConfirmUser?: Maybe<boolean>
      readonly autoVerifyEmail?: Maybe<boolean>
      readonly autoVerifyPhone?: Maybe<boolean>
    }>()
    expect<
      Own<
        | 'PostConfirmation'
        | 'PreAuthentication'
        | 'PostAuthentication'
        | 'CustomEmailSender'
        | 'CustomSMSSender'
      >
      // biome-ignore lint/complexity/noBannedTypes: an object without a single field is meant
    >().type.toBe<{}>()
    expect<Own<'DefineAuthChallenge'>>().type.toBe<{
      readonly issueTokens: boolean
      readonly failAuthentication: boolean
      readonly challengeName?: Maybe<ChallengeName>
    }>()
    expect<Own<'CreateAuthChallenge'>>().type.toBe<{
      readonly publicChallengeParameters: Texts
      readonly privateChallengeParameters: Texts
      readonly challengeMetadata?: Maybe<string>
    }>()
    expect<Own<'VerifyAuthChallengeResponse'>>().type.toBe<{ readonly answerCorrect: boolean }>()
    expect<Own<'CustomMessage'>>().type.toBe<{
      readonly smsMessage?: Maybe<string>
      readonly emailMessage?: Maybe<string>
      readonly emailSubject?: Maybe<string>
    }>()
    expect<Own<'UserMigration'>>().type.toBe<{
      readonly userAttributes: Texts
      readonly finalUserStatus?: Maybe<'CONFIRMED' | 'RESET_REQUIRED'>
      readonly messageAction?: Maybe<'SUPPRESS' | 'RESEND'>
      readonly desiredDeliveryMediums?: Maybe<readonly ('EMAIL' | 'SMS')[]>
      readonly forceAliasCreation?: Maybe<boolean>
      readonly enableSMSMFA?: Maybe<boolean>
    }>()
    expect<Own<'InboundFederation'>>().type.toBe<{ readonly userAttributesToMap: Texts }>()
    type Claims = { readonly [name: string]: ClaimValue }
    expect<Own<'TokenGeneration'>>().type.toBe<{
      readonly claimsOverrideDetails?: Maybe<{
        readonly claimsToAddOrOverride?: Maybe<Texts>
        readonly claimsToSuppress?: Maybe<readonly string[]>
        readonly groupOverrideDetails?: Maybe<Groups>
      }>
      readonly claimsAndScopeOverrideDetails?: Maybe<{
        readonly idTokenGeneration?: Maybe<{
          readonly claimsToAddOrOverride?: Maybe<Claims>
          readonly claimsToSuppress?: Maybe<readonly string[]>
        }>
        readonly accessTokenGeneration?: Maybe<{
          readonly claimsToAddOrOverride?: Maybe<Claims>
          readonly claimsToSuppress?: Maybe<readonly string[]>
          readonly scopesToAdd?: Maybe<readonly string[]>
          readonly scopesToSuppress?: Maybe<readonly string[]>
        }>
        readonly groupOverrideDetails?: Maybe<Groups>
      }>
    }>()
  })

  test('has no fields that belong only to other triggers', () => {
    expect<TriggerResponse<'PreSignUp'>['answerCorrect']>().type.toBe<undefined>()
    expect<TriggerResponse<'PreSignUp_SignUp'>>().type.toBe<TriggerResponse<'PreSignUp'>>()
  })
})

describe('a trigger source', () => {
  test('belongs to the trigger that its name begins with', () => {
    expect<TriggerOf<'CustomSMSSender_Authentication'>>().type.toBe<'CustomSMSSender'>()
    expect<TriggerOf<Source>>().type.toBe<Trigger>()
    expect<SourcesOf<'UserMigration'>>().type.toBe<
      'UserMigration_Authentication' | 'UserMigration_ForgotPassword'
    >()
  })

  test('has an event type with the common fields', () => {
    type Event = TriggerEvent<'PreSignUp_SignUp'>
    expect<Event['triggerSource']>().type.toBe<'PreSignUp_SignUp'>()
    expect<Event['version' | 'region' | 'userPoolId' | 'userName']>().type.toBe<string>()
    expect<Event['callerContext']>().type.toBeAssignableTo<{ cloudSdkVersion: string; clientId: string }>()
  })
})
