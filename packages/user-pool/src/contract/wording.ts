import type { Source, SourcesOf, Trigger } from './trigger-event.ts'

/** The contract's name for a trigger, and a description of when the platform calls it, in general and by source. */
interface Wording<T extends Trigger> {
  readonly title: string
  readonly when: string
  readonly sources?: { readonly [S in SourcesOf<T>]?: string }
}

/**
 * The descriptions in docs/contract/user-pool.md. They are outside the table of triggers, so that functions do not
 * bundle them.
 */
const wording: { readonly [T in Trigger]: Wording<T> } = {
  PreSignUp: {
    title: 'Pre sign-up',
    when: 'just before a new user is signed up',
  },
  PostConfirmation: {
    title: 'Post confirmation',
    when: 'after a new user is confirmed',
  },
  UserMigration: {
    title: 'User migration',
    when: 'when the user does not exist at password sign-in or in the forgot-password flow',
  },
  InboundFederation: {
    title: 'Inbound federation',
    when: "when an external provider has vouched for a user, before the user's attributes are stored",
  },
  PreAuthentication: {
    title: 'Pre authentication',
    when: 'when a user attempts to sign in',
  },
  DefineAuthChallenge: {
    title: 'Define auth challenge',
    when: 'starts the custom authentication flow, and after every challenge',
  },
  CreateAuthChallenge: {
    title: 'Create auth challenge',
    when: 'after define auth challenge',
  },
  VerifyAuthChallengeResponse: {
    title: 'Verify auth challenge response',
    when: "to check the end user's answer",
  },
  TokenGeneration: {
    title: 'Pre token generation',
    when: 'before token generation',
    sources: {
      TokenGeneration_HostedAuth: 'hosted sign-in page',
      TokenGeneration_Authentication: 'after authentication flows complete',
      TokenGeneration_NewPasswordChallenge: 'admin-created user must change a temporary password',
      TokenGeneration_AuthenticateDevice: 'end of device authentication',
      TokenGeneration_RefreshTokens: 'identity and access tokens refreshed',
      TokenGeneration_ClientCredentials: 'a machine gets an access token',
    },
  },
  PostAuthentication: {
    title: 'Post authentication',
    when: 'after a user has signed in',
  },
  CustomMessage: {
    title: 'Custom message',
    when: 'before an email, phone verification message or MFA code is sent',
    sources: {
      CustomMessage_SignUp: 'confirmation code after sign-up',
      CustomMessage_AdminCreateUser: 'temporary password to a new user',
      CustomMessage_ResendCode: 'resend confirmation code',
      CustomMessage_ForgotPassword: 'forgot-password code',
      CustomMessage_UpdateUserAttribute: 'code sent automatically when email or phone number changes',
      CustomMessage_VerifyUserAttribute:
        'code sent when the user manually requests verification of a new email or phone number',
      CustomMessage_Authentication: 'MFA code during sign-in',
    },
  },
  CustomEmailSender: {
    title: 'Custom email sender',
    when: 'to send an email through a third party',
    sources: {
      CustomEmailSender_AccountTakeOverNotification: 'attempted account takeover detected',
    },
  },
  CustomSMSSender: {
    title: 'Custom SMS sender',
    when: 'to send an SMS through a third party',
    sources: {
      CustomSMSSender_Authentication: 'SMS MFA sign-in',
    },
  },
}

/**
 * Returns the contract's name for a trigger.
 * @example
 * ```ts
 * import { titleOf } from '@signalbox/user-pool/contract'
 *
 * titleOf('PreSignUp') // 'Pre sign-up'
 * ```
 */
export function titleOf(trigger: Trigger): string {
  return wording[trigger].title
}

/**
 * Describes when the platform calls a function with this trigger source.
 * @example
 * ```ts
 * import { whenCalled } from '@signalbox/user-pool/contract'
 *
 * whenCalled('PreSignUp_SignUp') // 'just before a new user is signed up'
 * ```
 */
export function whenCalled(source: Source): string {
  const { when, sources }: Wording<Trigger> = wording[source.slice(0, source.indexOf('_')) as Trigger]
  return sources?.[source] ?? when
}
