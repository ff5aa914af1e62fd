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
} as const satisfies { readonly [trigger: string]: TriggerRow }
