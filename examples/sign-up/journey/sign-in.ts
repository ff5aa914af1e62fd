// #region sign-in
import { customAuth, deny, oneTimeCode, type Routes } from '@signalbox/user-pool'
import { outbox } from '../services.ts'

export const signIn = {
  PreAuthentication: ({ callerContext }) => {
    if (callerContext.clientId === 'retired') deny('Please update the app')
  },
  ...customAuth({
    challenges: [
      oneTimeCode({ send: (code, { request }) => outbox.mail(request.userAttributes.email, code) }),
    ],
    maxAttempts: 3,
  }),
} satisfies Routes
// #endregion sign-in
