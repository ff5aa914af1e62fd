import { extension, optional, required } from '../fields/field.ts'
import { filled, knownTexts, oneOf, text } from '../fields/shape.ts'
import type { TakeoverAttributes } from '../fields/user-attribute.ts'
import { attributes, clientMetadata } from './maps.ts'
import type { TriggerRow } from './trigger-row.ts'

const senderRequest = {
  /** The code to deliver, encrypted. */
  code: required(text),
  /** Custom input to the function, by name. */
  clientMetadata,
  /** User attributes by name. */
  userAttributes: required(attributes),
}

/** The triggers that customize or send messages (docs/contract/user-pool.md). */
export const messageTriggers = {
  /** See docs/contract/user-pool.md#custom-message. */
  CustomMessage: () =>
    ({
      sources: {
        SignUp: {},
        AdminCreateUser: {},
        ResendCode: {},
        ForgotPassword: {},
        UpdateUserAttribute: {},
        VerifyUserAttribute: {},
        Authentication: {},
      },
      request: {
        /** User attributes by name. */
        userAttributes: required(attributes),
        /** Placeholder that the platform replaces with the code. */
        codeParameter: required(text),
        /** Placeholder that the platform replaces with a link. */
        linkParameter: extension(optional(text)),
        /** Placeholder that the platform replaces with the user name. */
        usernameParameter: optional(text),
        /** Custom input to the function, by name. */
        clientMetadata,
      },
      response: {
        /** Text of the SMS. */
        smsMessage: optional(text),
        /** Text of the e-mail. */
        emailMessage: optional(text),
        /** Subject of the e-mail. */
        emailSubject: optional(text),
      },
      answer: 'read',
    }) as const,
  /** See docs/contract/user-pool.md#custom-email-sender. */
  CustomEmailSender: () =>
    ({
      sources: {
        SignUp: {},
        ResendCode: {},
        ForgotPassword: {},
        UpdateUserAttribute: {},
        VerifyUserAttribute: {},
        AdminCreateUser: {},
        Authentication: { extension: true },
        AccountTakeOverNotification: {
          request: {
            /** The code to deliver, encrypted. */
            code: optional(text),
            /** User attributes by name. */
            userAttributes: required(filled(knownTexts<TakeoverAttributes>())),
          },
        },
      },
      request: {
        /** Marks the version of the request. */
        type: required(oneOf('customEmailSenderRequestV1')),
        ...senderRequest,
      },
      response: {},
      answer: 'not read',
    }) as const,
  /** See docs/contract/user-pool.md#custom-sms-sender. */
  CustomSMSSender: () =>
    ({
      sources: {
        SignUp: {},
        ResendCode: {},
        ForgotPassword: {},
        UpdateUserAttribute: {},
        VerifyUserAttribute: {},
        Authentication: {},
        AdminCreateUser: {},
      },
      // Some platforms also use the type of the e-mail sender here.
      request: {
        /** Marks the version of the request. */
        type: extension(required(oneOf('customSMSSenderRequestV1', 'customEmailSenderRequestV1'))),
        /** The code to deliver, encrypted. */
        code: extension(senderRequest.code),
        /** Custom input to the function, by name. */
        clientMetadata: extension(clientMetadata),
        /** User attributes by name. */
        userAttributes: extension(senderRequest.userAttributes),
      },
      response: {},
      answer: 'not read',
    }) as const,
} satisfies { readonly [trigger: string]: () => TriggerRow }
