import { extension, optional, required } from './field.ts'
import { attributes, clientMetadata } from './maps.ts'
import { filled, knownTexts, oneOf, text } from './shape.ts'
import type { TriggerRow } from './trigger-row.ts'
import type { TakeoverAttributes } from './user-attribute.ts'

const senderRequest = {
  code: required(text),
  clientMetadata,
  userAttributes: required(attributes),
}

/** The triggers of messages: what they say, and who sends them (contract A.2). */
export const messageTriggers = {
  /** Contract A.2, custom message. */
  CustomMessage: {
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
  /** Contract A.2, custom email sender. */
  CustomEmailSender: {
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
          code: optional(text),
          userAttributes: required(filled(knownTexts<TakeoverAttributes>())),
        },
      },
    },
    request: { type: required(oneOf('customEmailSenderRequestV1')), ...senderRequest },
    response: {},
    answer: 'not read',
  },
  /** Contract A.2, custom SMS sender. */
  CustomSMSSender: {
    sources: {
      SignUp: {},
      ResendCode: {},
      ForgotPassword: {},
      UpdateUserAttribute: {},
      VerifyUserAttribute: {},
      Authentication: {},
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
} as const satisfies { readonly [trigger: string]: TriggerRow }
