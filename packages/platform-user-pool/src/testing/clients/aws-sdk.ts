import {
  type AuthenticationResultType,
  CognitoIdentityProvider,
  type RespondToAuthChallengeCommandOutput,
} from '@aws-sdk/client-cognito-identity-provider'
import { createSrpSession, signSrpSession, wrapAuthChallenge, wrapInitiateAuth } from 'cognito-srp-helper'
import { printFlows } from './flows.ts'

await printFlows(({ url, poolId, clientId: ClientId }) => {
  const client = new CognitoIdentityProvider({
    endpoint: url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
  })
  let current: AuthenticationResultType = {}
  const signedIn = ({ AuthenticationResult: result, ChallengeName }: RespondToAuthChallengeCommandOutput) => {
    if (result === undefined) throw Object.assign(new Error(String(ChallengeName)), { name: 'Unfinished' })
    current = { ...current, ...result }
    return { idToken: current.IdToken!, accessToken: current.AccessToken! }
  }
  const bySrp = async (name: string, password: string, AuthFlow: 'USER_SRP_AUTH' | 'CUSTOM_AUTH') => {
    const session = createSrpSession(name, password, poolId, false)
    // The SRP client was written for an older SDK with different types.
    const initiate = wrapInitiateAuth(session, {
      ClientId,
      AuthFlow,
      AuthParameters: { USERNAME: name, CHALLENGE_NAME: 'SRP_A' },
    })
    const begun = await client.initiateAuth({ ...initiate, AuthFlow })
    const respond = wrapAuthChallenge(signSrpSession(session, begun as never), {
      ClientId,
      ChallengeName: 'PASSWORD_VERIFIER',
      ChallengeResponses: { USERNAME: name },
    })
    return client.respondToAuthChallenge({ ...respond, ChallengeName: 'PASSWORD_VERIFIER' })
  }
  return {
    async signUp(Username, Password, email) {
      const { CodeDeliveryDetails } = await client.signUp({
        ClientId,
        Username,
        Password,
        UserAttributes: [{ Name: 'email', Value: email }],
      })
      return CodeDeliveryDetails?.Destination
    },
    confirm: (Username, ConfirmationCode) => client.confirmSignUp({ ClientId, Username, ConfirmationCode }),
    signIn: async (name, password) => signedIn(await bySrp(name, password, 'USER_SRP_AUTH')),
    async signInByChallenges(name, password, answers) {
      let step = await bySrp(name, password, 'CUSTOM_AUTH')
      for (const ANSWER of answers)
        step = await client.respondToAuthChallenge({
          ClientId,
          ChallengeName: 'CUSTOM_CHALLENGE',
          Session: step.Session,
          ChallengeResponses: { USERNAME: name, ANSWER },
        })
      return signedIn(step)
    },
    refresh: async () =>
      signedIn(
        await client.initiateAuth({
          ClientId,
          AuthFlow: 'REFRESH_TOKEN_AUTH',
          AuthParameters: { REFRESH_TOKEN: current.RefreshToken! },
        }),
      ),
    async changeEmail(email) {
      const { CodeDeliveryDetailsList } = await client.updateUserAttributes({
        AccessToken: current.AccessToken,
        UserAttributes: [{ Name: 'email', Value: email }],
      })
      return CodeDeliveryDetailsList?.[0]?.Destination
    },
    verifyEmail: Code =>
      client.verifyUserAttribute({ AccessToken: current.AccessToken, AttributeName: 'email', Code }),
    async attributes() {
      const { UserAttributes = [] } = await client.getUser({ AccessToken: current.AccessToken })
      return Object.fromEntries(UserAttributes.map(({ Name, Value }) => [Name, Value]))
    },
    async forgotPassword(Username) {
      const { CodeDeliveryDetails } = await client.forgotPassword({ ClientId, Username })
      return CodeDeliveryDetails?.Destination
    },
    replacePassword: (Username, ConfirmationCode, Password) =>
      client.confirmForgotPassword({ ClientId, Username, ConfirmationCode, Password }),
    signOutEverywhere: () => client.globalSignOut({ AccessToken: current.AccessToken }),
  }
})
