import { type ChallengeName, challengeMetadata, session, userNotFound } from './challenge.ts'
import { extension, optional, required } from './field.ts'
import { attributes, clientMetadata, map } from './maps.ts'
import { filled, flag, knownTexts, list, openText, type TextMap, text, textMap } from './shape.ts'
import { claimsAndScopeOverrideDetails, claimsOverrideDetails, groupConfiguration } from './token.ts'
import type { TriggerRow } from './trigger-row.ts'

/** The triggers of signing in, custom authentication and tokens included (contract A.2). */
export const signInTriggers = {
  /** Contract A.2, pre authentication. */
  PreAuthentication: {
    sources: { Authentication: {} },
    request: {
      userAttributes: required(attributes),
      validationData: extension(optional(map)),
      userNotFound: extension(userNotFound),
    },
    response: {},
    answer: 'none expected',
  },
  /** Contract A.2, define auth challenge. */
  DefineAuthChallenge: {
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
  /** Contract A.2, create auth challenge. */
  CreateAuthChallenge: {
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
  /** Contract A.2, verify auth challenge response. */
  VerifyAuthChallengeResponse: {
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
  /** Contract A.2, pre token generation. */
  TokenGeneration: {
    sources: {
      HostedAuth: {},
      Authentication: {},
      NewPasswordChallenge: {},
      AuthenticateDevice: {},
      RefreshTokens: {},
      ClientCredentials: {
        extension: true,
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
  /** Contract A.2, post authentication. */
  PostAuthentication: {
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
