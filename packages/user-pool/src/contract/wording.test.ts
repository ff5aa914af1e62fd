import { describe, expect, it } from '@jest/globals'
import { sources } from './triggers/source.ts'
import { whenCalled } from './wording.ts'

describe('whenCalled', () => {
  it.each([
    ['TokenGeneration_HostedAuth', 'hosted sign-in page'],
    ['TokenGeneration_Authentication', 'after authentication flows complete'],
    ['TokenGeneration_NewPasswordChallenge', 'admin-created user must change a temporary password'],
    ['TokenGeneration_AuthenticateDevice', 'end of device authentication'],
    ['TokenGeneration_RefreshTokens', 'identity and access tokens refreshed'],
    ['CustomMessage_SignUp', 'confirmation code after sign-up'],
    ['CustomMessage_AdminCreateUser', 'temporary password to a new user'],
    ['CustomMessage_ResendCode', 'resend confirmation code'],
    ['CustomMessage_ForgotPassword', 'forgot-password code'],
    ['CustomMessage_UpdateUserAttribute', 'code sent automatically when email or phone number changes'],
    [
      'CustomMessage_VerifyUserAttribute',
      'code sent when the user manually requests verification of a new email or phone number',
    ],
    ['CustomMessage_Authentication', 'MFA code during sign-in'],
    ['CustomEmailSender_AccountTakeOverNotification', 'attempted account takeover detected'],
    ['CustomSMSSender_Authentication', 'SMS MFA sign-in'],
    ['PreSignUp_SignUp', 'just before a new user is signed up'],
    ['PostConfirmation_ConfirmSignUp', 'after a new user is confirmed'],
    ['PreAuthentication_Authentication', 'when a user attempts to sign in'],
    ['CustomEmailSender_SignUp', 'to send an email through a third party'],
  ] as const)('describes when the platform calls %s as "%s"', (source, when) => {
    expect(whenCalled(source)).toBe(when)
  })

  it('has a description for every source', () => {
    for (const source of sources) expect(whenCalled(source)).not.toBe('')
  })
})
