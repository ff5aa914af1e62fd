import { signalbox } from '@signalbox/core'
import { claims, customAuth, deny, oneTimeCode, userPool } from '@signalbox/user-pool'
import { outbox } from './services.ts'

// #region handler
export const handler = signalbox(
  userPool({
    PreSignUp_SignUp: ({ request }) => {
      if (!request.userAttributes.email?.toLowerCase().endsWith('@example.com')) deny('Staff addresses only')
      return { autoConfirmUser: true, autoVerifyEmail: true }
    },
    PreAuthentication: ({ userName }) => {
      if (userName === 'mallory') deny('This account is closed')
    },
    TokenGeneration: event => claims().set('tenant', 't1').suppress('email').for(event),
    ...customAuth({
      challenges: [
        oneTimeCode({ send: (code, { request }) => outbox.mail(request.userAttributes.email, code) }),
      ],
      maxAttempts: 3,
    }),
  }),
)
// #endregion handler
