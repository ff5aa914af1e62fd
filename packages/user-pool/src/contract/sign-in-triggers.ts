import { type ChallengeName, challengeMetadata, session, userNotFound } from './challenge.ts'
import { extension, optional, required } from './field.ts'
import { attributes, clientMetadata, map } from './maps.ts'
import { filled, flag, knownTexts, list, openText, type TextMap, text, textMap } from './shape.ts'
import { claimsAndScopeOverrideDetails, claimsOverrideDetails, groupConfiguration } from './token.ts'
import type { TriggerRow } from './trigger-row.ts'

/** The triggers of signing in, custom authentication and tokens included (contract A.2). */
export const signInTriggers = {
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
} as const satisfies { readonly [trigger: string]: TriggerRow }
