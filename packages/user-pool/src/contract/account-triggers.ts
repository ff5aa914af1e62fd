import { extension, object, optional, required } from './field.ts'
import { attributes, clientMetadata, map } from './maps.ts'
import { filled, flag, jsonMap, list, oneOf, openText, text, textMap } from './shape.ts'
import type { TriggerRow } from './trigger-row.ts'

/** Kinds of external providers; others are possible. */
export type ProviderType = 'OIDC' | 'SAML' | (string & {})

/** The triggers of users coming to be (contract A.2). */
export const accountTriggers = {
  /** Contract A.2, pre sign-up. */
  PreSignUp: {
    sources: { SignUp: {}, AdminCreateUser: {}, ExternalProvider: {} },
    request: { userAttributes: required(attributes), validationData: required(map), clientMetadata },
    response: {
      autoConfirmUser: optional(flag),
      autoVerifyEmail: optional(flag),
      autoVerifyPhone: optional(flag),
    },
    answer: 'read',
  },
  /** Contract A.2, post confirmation. */
  PostConfirmation: {
    sources: { ConfirmSignUp: {}, ConfirmForgotPassword: { extension: true } },
    request: { userAttributes: required(attributes), clientMetadata: extension(clientMetadata) },
    response: {},
    answer: 'none expected',
  },
  /** Contract A.2, user migration. */
  UserMigration: {
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
  /** Not in the contract. */
  InboundFederation: {
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
