// #region sign-up
import { deny, type Routes } from '@signalbox/user-pool'

export const signUp = {
  PreSignUp: ({ request }) => {
    const { email } = request.userAttributes
    if (request.validationData.invitation !== 'spring') deny('You need an invitation')
    return { autoConfirmUser: email?.toLowerCase().endsWith('@example.com'), autoVerifyEmail: false }
  },
} satisfies Routes
// #endregion sign-up
