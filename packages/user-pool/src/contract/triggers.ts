import { type ChallengeName, challengeMetadata, session, userNotFound } from './challenge.ts'
import { extension, object, optional, required } from './field.ts'
import {
  filled,
  flag,
  jsonMap,
  knownTexts,
  list,
  oneOf,
  openText,
  type TextMap,
  text,
  textMap,
} from './shape.ts'
import { claimsAndScopeOverrideDetails, claimsOverrideDetails, groupConfiguration } from './token.ts'
import type { TriggerRow } from './trigger-row.ts'
import type { TakeoverAttributes, UserAttributes } from './user-attribute.ts'

const attributes = filled(knownTexts<UserAttributes>())
const map = filled(knownTexts<TextMap>())
const clientMetadata = optional(map)

const senderRequest = {
  code: required(text),
  clientMetadata,
  userAttributes: required(attributes),
}

/**
 * Contract A, whole: a trigger is a row. Codecs, TypeScript types, the normalizer, the router's keys, the test
 * builders and arbitraries all derive from this table. Rows, sources and fields about which the contract is
 * silent are marked `extension`.
 */
export const triggers = {
  PreSignUp: {
    title: 'Pre sign-up',
    when: 'just before a new user is signed up',
    section: 'A.2, pre sign-up',
    sources: { SignUp: {}, AdminCreateUser: {}, ExternalProvider: {} },
    request: { userAttributes: required(attributes), validationData: required(map), clientMetadata },
    response: {
      autoConfirmUser: optional(flag),
      autoVerifyEmail: optional(flag),
      autoVerifyPhone: optional(flag),
    },
    answer: 'read',
  },
  PostConfirmation: {
    title: 'Post confirmation',
    when: 'after a new user is confirmed',
    section: 'A.2, post confirmation',
    sources: { ConfirmSignUp: {}, ConfirmForgotPassword: { extension: true } },
    request: { userAttributes: required(attributes), clientMetadata: extension(clientMetadata) },
    response: {},
    answer: 'none expected',
  },
  PreAuthentication: {
    title: 'Pre authentication',
    when: 'when a user attempts to sign in',
    section: 'A.2, pre authentication',
    sources: { Authentication: {} },
    request: {
      userAttributes: required(attributes),
      validationData: extension(optional(map)),
      userNotFound: extension(userNotFound),
    },
    response: {},
    answer: 'none expected',
  },
  PostAuthentication: {
    title: 'Post authentication',
    when: 'after a user has signed in',
    section: 'A.2, post authentication',
    sources: { Authentication: {} },
    request: {
      newDeviceUsed: optional(flag),
      userAttributes: required(attributes),
      clientMetadata: extension(clientMetadata),
    },
    response: {},
    answer: 'none expected',
  },
  DefineAuthChallenge: {
    title: 'Define auth challenge',
    when: 'starts the custom authentication flow, and after every challenge',
    section: 'A.2, define auth challenge',
    sources: { Authentication: {} },
    request: {
      userAttributes: required(attributes),
      session: required(session),
      clientMetadata: extension(clientMetadata),
      userNotFound,
    },
    response: {
      challengeName: extension(optional(openText<ChallengeName>())),
      issueTokens: extension(required(flag)),
      failAuthentication: extension(required(flag)),
    },
    answer: 'read',
  },
  CreateAuthChallenge: {
    title: 'Create auth challenge',
    when: 'after define auth challenge',
    section: 'A.2, create auth challenge',
    sources: { Authentication: {} },
    request: {
      userAttributes: required(attributes),
      challengeName: required(openText<ChallengeName>()),
      session: required(session),
      clientMetadata: extension(clientMetadata),
      userNotFound,
    },
    response: {
      publicChallengeParameters: extension(required(textMap)),
      privateChallengeParameters: extension(required(textMap)),
      challengeMetadata,
    },
    answer: 'read',
  },
  VerifyAuthChallengeResponse: {
    title: 'Verify auth challenge response',
    when: "to check the end user's answer",
    section: 'A.2, verify auth challenge response',
    sources: { Authentication: {} },
    request: {
      userAttributes: required(attributes),
      privateChallengeParameters: required(filled(knownTexts<{ answer?: string } & TextMap>())),
      clientMetadata,
      challengeAnswer: required(text),
      userNotFound,
    },
    response: { answerCorrect: extension(required(flag)) },
    answer: 'read',
  },
  TokenGeneration: {
    title: 'Pre token generation',
    when: 'before token generation',
    section: 'A.2, pre token generation',
    sources: {
      HostedAuth: { when: 'hosted sign-in page' },
      Authentication: { when: 'after authentication flows complete' },
      NewPasswordChallenge: { when: 'admin-created user must change a temporary password' },
      AuthenticateDevice: { when: 'end of device authentication' },
      RefreshTokens: { when: 'identity and access tokens refreshed' },
      ClientCredentials: {
        extension: true,
        when: 'a machine gets an access token',
        request: {
          userAttributes: optional(attributes),
          groupConfiguration: optional(groupConfiguration),
        },
      },
    },
    request: {
      userAttributes: required(attributes),
      groupConfiguration: required(groupConfiguration),
      clientMetadata,
      scopes: extension(optional(list(text))),
    },
    response: {
      claimsOverrideDetails: optional(claimsOverrideDetails),
      claimsAndScopeOverrideDetails: extension(optional(claimsAndScopeOverrideDetails)),
    },
    answer: 'read',
  },
  CustomMessage: {
    title: 'Custom message',
    when: 'before an email, phone verification message or MFA code is sent',
    section: 'A.2, custom message',
    sources: {
      SignUp: { when: 'confirmation code after sign-up' },
      AdminCreateUser: { when: 'temporary password to a new user' },
      ResendCode: { when: 'resend confirmation code' },
      ForgotPassword: { when: 'forgot-password code' },
      UpdateUserAttribute: { when: 'code sent automatically when email or phone number changes' },
      VerifyUserAttribute: {
        when: 'code sent when the user manually requests verification of a new email or phone number',
      },
      Authentication: { when: 'MFA code during sign-in' },
    },
    request: {
      userAttributes: required(attributes),
      codeParameter: required(text),
      linkParameter: extension(optional(text)),
      usernameParameter: optional(text),
      clientMetadata,
    },
    response: {
      smsMessage: optional(text),
      emailMessage: optional(text),
      emailSubject: optional(text),
    },
    answer: 'read',
  },
  UserMigration: {
    title: 'User migration',
    when: 'when the user does not exist at password sign-in or in the forgot-password flow',
    section: 'A.2, user migration',
    sources: {
      Authentication: {},
      ForgotPassword: { request: { password: undefined } },
    },
    request: {
      password: required(text),
      validationData: optional(map),
      clientMetadata,
      userAttributes: extension(optional(attributes)),
    },
    response: {
      userAttributes: required(textMap),
      finalUserStatus: optional(oneOf('CONFIRMED', 'RESET_REQUIRED')),
      messageAction: optional(oneOf('SUPPRESS', 'RESEND')),
      desiredDeliveryMediums: optional(list(oneOf('EMAIL', 'SMS'))),
      forceAliasCreation: optional(flag),
    },
    answer: 'read',
  },
  CustomEmailSender: {
    title: 'Custom email sender',
    when: 'to send an email through a third party',
    section: 'A.2, custom email sender',
    sources: {
      SignUp: {},
      ResendCode: {},
      ForgotPassword: {},
      UpdateUserAttribute: {},
      VerifyUserAttribute: {},
      AdminCreateUser: {},
      Authentication: { extension: true },
      AccountTakeOverNotification: {
        when: 'attempted account takeover detected',
        request: {
          code: optional(text),
          userAttributes: required(filled(knownTexts<TakeoverAttributes>())),
        },
      },
    },
    request: { type: required(oneOf('customEmailSenderRequestV1')), ...senderRequest },
    response: {},
    answer: 'not read',
  },
  CustomSMSSender: {
    title: 'Custom SMS sender',
    when: 'to send an SMS through a third party',
    section: 'A.2, custom SMS sender',
    sources: {
      SignUp: {},
      ResendCode: {},
      ForgotPassword: {},
      UpdateUserAttribute: {},
      VerifyUserAttribute: {},
      Authentication: { when: 'SMS MFA sign-in' },
      AdminCreateUser: {},
    },
    // Platforms have been seen to send the e-mail sender's marker here too.
    request: {
      type: extension(required(oneOf('customSMSSenderRequestV1', 'customEmailSenderRequestV1'))),
      code: extension(senderRequest.code),
      clientMetadata: extension(clientMetadata),
      userAttributes: extension(senderRequest.userAttributes),
    },
    response: {},
    answer: 'not read',
  },
  InboundFederation: {
    title: 'Inbound federation',
    when: "when an external provider has vouched for a user, before the user's attributes are stored",
    section: 'not in the contract',
    extension: true,
    sources: { ExternalProvider: { extension: true } },
    request: {
      providerName: extension(required(text)),
      providerType: extension(required(openText<ProviderType>())),
      attributes: extension(
        required(
          filled(
            object('provider attributes', {
              tokenResponse: extension(optional(filled(jsonMap))),
              idToken: extension(optional(filled(jsonMap))),
              userInfo: extension(optional(filled(jsonMap))),
              samlResponse: extension(optional(filled(jsonMap))),
            }),
          ),
        ),
      ),
    },
    response: { userAttributesToMap: extension(required(textMap)) },
    answer: 'read',
  },
} as const satisfies { readonly [trigger: string]: TriggerRow }

/** Kinds of external providers; others are possible. */
export type ProviderType = 'OIDC' | 'SAML' | (string & {})
