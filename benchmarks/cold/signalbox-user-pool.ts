import { signalbox } from '@signalbox/core'
import { deny, userPool } from '@signalbox/user-pool'

export const handler = signalbox(
  userPool({
    PreSignUp_SignUp: ({ request }) => {
      if (!request.userAttributes.email?.endsWith('@example.com')) deny('Staff addresses only')
      return { autoConfirmUser: true, autoVerifyEmail: true }
    },
    TokenGeneration: () => ({ claimsOverrideDetails: { claimsToSuppress: ['email'] } }),
  }),
)
