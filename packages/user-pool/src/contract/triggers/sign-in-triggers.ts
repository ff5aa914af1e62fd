import { type ChallengeName, challengeMetadata, session, userNotFound } from '../fields/challenge.ts'
import { extension, optional, required } from '../fields/field.ts'
import { filled, flag, knownTexts, list, openText, type TextMap, text, textMap } from '../fields/shape.ts'
import { claimsAndScopeOverrideDetails, claimsOverrideDetails, groupConfiguration } from '../fields/token.ts'
import { attributes, clientMetadata, map } from './maps.ts'
import type { TriggerRow } from './trigger-row.ts'

/** The triggers for signing in, including custom authentication and tokens (docs/contract/user-pool.md). */
export const signInTriggers = {
  /** See docs/contract/user-pool.md#pre-authentication. */
  PreAuthentication: () =>
    ({
      sources: { Authentication: {} },
      request: {
        /** User attributes by name. */
        userAttributes: required(attributes),
        /** Validation data of the sign-in, by name. */
        validationData: extension(optional(map)),
        /** Whether the user was not found. */
        userNotFound: extension(userNotFound),
      },
      response: {},
      answer: 'none expected',
    }) as const,
  /** See docs/contract/user-pool.md#define-auth-challenge. */
  DefineAuthChallenge: () =>
    ({
      sources: { Authentication: {} },
      request: {
        /** User attributes by name. */
        userAttributes: required(attributes),
        /** The challenges so far, oldest first. Empty at the start of a flow without SRP (extension). */
        session: required(session),
        /** Custom input to the function, by name. */
        clientMetadata: extension(clientMetadata),
        /** Whether the user was not found. */
        userNotFound,
      },
      response: {
        /** Name of the next challenge, if there is one. */
        challengeName: extension(optional(openText<ChallengeName>())),
        /** True ends the flow with tokens. */
        issueTokens: extension(required(flag)),
        /** True ends the flow without tokens. */
        failAuthentication: extension(required(flag)),
      },
      answer: 'read',
    }) as const,
  /** See docs/contract/user-pool.md#create-auth-challenge. */
  CreateAuthChallenge: () =>
    ({
      sources: { Authentication: {} },
      request: {
        /** User attributes by name. */
        userAttributes: required(attributes),
        /** Name of the challenge. */
        challengeName: required(openText<ChallengeName>()),
        /** The challenges so far, oldest first. */
        session: required(session),
        /** Custom input to the function, by name. */
        clientMetadata: extension(clientMetadata),
        /** Whether the user was not found. */
        userNotFound,
      },
      response: {
        /** The parameters that the client gets. */
        publicChallengeParameters: extension(required(textMap)),
        /** The parameters that only the verify trigger gets. */
        privateChallengeParameters: extension(required(textMap)),
        /** The metadata of the challenge. */
        challengeMetadata,
      },
      answer: 'read',
    }) as const,
  /** See docs/contract/user-pool.md#verify-auth-challenge-response. */
  VerifyAuthChallengeResponse: () =>
    ({
      sources: { Authentication: {} },
      request: {
        /** User attributes by name. */
        userAttributes: required(attributes),
        /** Private parameters of the challenge; `answer` (string) is the expected answer. */
        privateChallengeParameters: required(filled(knownTexts<{ answer?: string } & TextMap>())),
        /** Custom input to the function, by name. */
        clientMetadata,
        /** The answer of the user. */
        challengeAnswer: required(text),
        /** Whether the user was not found. */
        userNotFound,
      },
      response: {
        /** Whether the answer is correct. */
        answerCorrect: extension(required(flag)),
      },
      answer: 'read',
    }) as const,
  /** See docs/contract/user-pool.md#pre-token-generation. */
  TokenGeneration: () =>
    ({
      sources: {
        HostedAuth: {},
        Authentication: {},
        NewPasswordChallenge: {},
        AuthenticateDevice: {},
        RefreshTokens: {},
        ClientCredentials: {
          extension: true,
          request: {
            /** User attributes by name. */
            userAttributes: optional(attributes),
            /** The groups of the user. */
            groupConfiguration: optional(groupConfiguration),
          },
        },
      },
      request: {
        /** User attributes by name. */
        userAttributes: required(attributes),
        /** The groups of the user. */
        groupConfiguration: required(groupConfiguration),
        /** Custom input to the function, by name. */
        clientMetadata,
        /** Scopes of the access token. */
        scopes: extension(optional(list(text))),
      },
      response: {
        /** Changes to the identity token. */
        claimsOverrideDetails: optional(claimsOverrideDetails),
        /** Changes to both tokens, for versions 2 and 3 of the event. */
        claimsAndScopeOverrideDetails: extension(optional(claimsAndScopeOverrideDetails)),
      },
      answer: 'read',
    }) as const,
  /** See docs/contract/user-pool.md#post-authentication. */
  PostAuthentication: () =>
    ({
      sources: { Authentication: {} },
      request: {
        /** Whether the user signed in on a new device. */
        newDeviceUsed: optional(flag),
        /** User attributes by name. */
        userAttributes: required(attributes),
        /** Custom input to the function, by name. */
        clientMetadata: extension(clientMetadata),
      },
      response: {},
      answer: 'none expected',
    }) as const,
} satisfies { readonly [trigger: string]: () => TriggerRow }
