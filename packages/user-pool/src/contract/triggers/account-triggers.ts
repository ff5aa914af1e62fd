import { extension, object, optional, required } from '../fields/field.ts'
import { filled, flag, jsonMap, list, oneOf, openText, text, textMap } from '../fields/shape.ts'
import { attributes, clientMetadata, map } from './maps.ts'
import type { TriggerRow } from './trigger-row.ts'

/** The kinds of external providers. Other kinds are possible. */
export type ProviderType = 'OIDC' | 'SAML' | (string & {})

/** The triggers that create users (docs/contract/user-pool.md). */
export const accountTriggers = {
  /** See docs/contract/user-pool.md#pre-sign-up. */
  PreSignUp: () =>
    ({
      sources: { SignUp: {}, AdminCreateUser: {}, ExternalProvider: {} },
      request: {
        /** User attributes by name. */
        userAttributes: required(attributes),
        /** Validation data of the registration request, by name. */
        validationData: required(map),
        /** Custom input to the function, by name. */
        clientMetadata,
      },
      response: {
        /** True confirms the user. */
        autoConfirmUser: optional(flag),
        /** True marks the e-mail address as verified. */
        autoVerifyEmail: optional(flag),
        /** True marks the phone number as verified. */
        autoVerifyPhone: optional(flag),
      },
      answer: 'read',
    }) as const,
  /** See docs/contract/user-pool.md#post-confirmation. */
  PostConfirmation: () =>
    ({
      sources: { ConfirmSignUp: {}, ConfirmForgotPassword: { extension: true } },
      request: {
        /** User attributes by name. */
        userAttributes: required(attributes),
        /** Custom input to the function, by name. */
        clientMetadata: extension(clientMetadata),
      },
      response: {},
      answer: 'none expected',
    }) as const,
  /** See docs/contract/user-pool.md#user-migration. */
  UserMigration: () =>
    ({
      sources: {
        Authentication: {},
        ForgotPassword: { request: { password: undefined } },
      },
      request: {
        /** The password that the user supplied. Absent in the forgot-password flow (extension). */
        password: required(text),
        /** Validation data of the sign-in, by name. */
        validationData: optional(map),
        /** Custom input to the function, by name. */
        clientMetadata,
        /** User attributes by name. */
        userAttributes: extension(optional(attributes)),
      },
      response: {
        /** Attributes of the user that the pool creates. */
        userAttributes: required(textMap),
        /** Status of the user. The values are an extension. */
        finalUserStatus: optional(oneOf('CONFIRMED', 'RESET_REQUIRED')),
        /** Whether the welcome message is suppressed or sent again. The values are an extension. */
        messageAction: optional(oneOf('SUPPRESS', 'RESEND')),
        /** How the welcome message is sent. The values are an extension. */
        desiredDeliveryMediums: optional(list(oneOf('EMAIL', 'SMS'))),
        /** Whether an alias moves to this user from another one. */
        forceAliasCreation: optional(flag),
        /** Whether the user has text messages as a second factor. */
        enableSMSMFA: extension(optional(flag)),
      },
      answer: 'read',
    }) as const,
  /** The contract does not contain this trigger: docs/contract/user-pool.md#inbound-federation */
  InboundFederation: () =>
    ({
      extension: true,
      sources: { ExternalProvider: { extension: true } },
      request: {
        /** Name of the external provider. */
        providerName: extension(required(text)),
        /** Kind of the provider, such as `OIDC` or `SAML`. */
        providerType: extension(required(openText<ProviderType>())),
        /** The provider's data about the user. */
        attributes: extension(
          required(
            filled(
              object('provider attributes', {
                /** Answer of the provider’s token endpoint. */
                tokenResponse: extension(optional(filled(jsonMap))),
                /** Claims of the provider’s identity token. */
                idToken: extension(optional(filled(jsonMap))),
                /** Answer of the provider’s user-info endpoint. */
                userInfo: extension(optional(filled(jsonMap))),
                /** Assertion of a SAML provider. */
                samlResponse: extension(optional(filled(jsonMap))),
              }),
            ),
          ),
        ),
      },
      response: {
        /** User attributes that the pool stores. */
        userAttributesToMap: extension(required(textMap)),
      },
      answer: 'read',
    }) as const,
} satisfies { readonly [trigger: string]: () => TriggerRow }
