import { Amplify } from 'aws-amplify'
import {
  type ConfirmSignInOutput,
  confirmResetPassword,
  confirmSignIn,
  confirmSignUp,
  confirmUserAttribute,
  fetchAuthSession,
  fetchUserAttributes,
  resetPassword,
  signIn,
  signOut,
  signUp,
  updateUserAttributes,
} from 'aws-amplify/auth'
import { type ClientTokens, printFlows } from './flows.ts'

await printFlows(({ url, poolId, clientId }) => {
  Amplify.configure({
    Auth: { Cognito: { userPoolId: poolId, userPoolClientId: clientId, userPoolEndpoint: url } },
  })
  const tokens = async (forceRefresh = false): Promise<ClientTokens> => {
    const { tokens: found } = await fetchAuthSession({ forceRefresh })
    if (found === undefined) throw new Error('Nobody is signed in.')
    return { idToken: String(found.idToken), accessToken: String(found.accessToken) }
  }
  const signedIn = (step: Pick<ConfirmSignInOutput, 'isSignedIn' | 'nextStep'>) => {
    if (step.isSignedIn) return tokens()
    throw Object.assign(new Error(step.nextStep.signInStep), { name: 'Unfinished' })
  }
  return {
    async signUp(username, password, email) {
      const { nextStep } = await signUp({ username, password, options: { userAttributes: { email } } })
      return nextStep.signUpStep === 'CONFIRM_SIGN_UP'
        ? nextStep.codeDeliveryDetails?.destination
        : nextStep.signUpStep
    },
    confirm: (username, confirmationCode) => confirmSignUp({ username, confirmationCode }),
    async signIn(username, password) {
      // Amplify refuses to sign in while a user is signed in.
      await signOut()
      const step = await signIn({ username, password, options: { authFlowType: 'USER_SRP_AUTH' } })
      if (step.nextStep.signInStep === 'CONFIRM_SIGN_UP')
        throw Object.assign(new Error('User is not confirmed.'), { name: 'UserNotConfirmedException' })
      return signedIn(step)
    },
    async signInByChallenges(username, password, answers) {
      await signOut()
      let step: Pick<ConfirmSignInOutput, 'isSignedIn' | 'nextStep'> = await signIn({
        username,
        password,
        options: { authFlowType: 'CUSTOM_WITH_SRP' },
      })
      for (const challengeResponse of answers) step = await confirmSignIn({ challengeResponse })
      return signedIn(step)
    },
    refresh: () => tokens(true),
    async changeEmail(email) {
      const { email: result } = await updateUserAttributes({ userAttributes: { email } })
      return result?.nextStep.codeDeliveryDetails?.destination
    },
    verifyEmail: confirmationCode => confirmUserAttribute({ userAttributeKey: 'email', confirmationCode }),
    attributes: fetchUserAttributes,
    async forgotPassword(username) {
      const { nextStep } = await resetPassword({ username })
      return nextStep.codeDeliveryDetails?.destination
    },
    replacePassword: (username, confirmationCode, newPassword) =>
      confirmResetPassword({ username, confirmationCode, newPassword }),
    signOutEverywhere: () => signOut({ global: true }),
  }
})
