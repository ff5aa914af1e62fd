import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider'
import { createSrpSession, signSrpSession, wrapAuthChallenge, wrapInitiateAuth } from 'cognito-srp-helper'

const [endpoint, poolId = '', ClientId = '', Username = '', Password = ''] = process.argv.slice(2)
const client = new CognitoIdentityProvider({
  endpoint: endpoint!,
  region: 'eu-central-1',
  credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  maxAttempts: 1,
})

async function bySrp(password: string) {
  const session = createSrpSession(Username, password, poolId, false)
  // The types of the SRP client are those of an older SDK.
  const initiate = wrapInitiateAuth(session, {
    ClientId,
    AuthFlow: 'USER_SRP_AUTH',
    AuthParameters: { USERNAME: Username, CHALLENGE_NAME: 'SRP_A' },
  })
  const begun = await client.initiateAuth({ ...initiate, AuthFlow: 'USER_SRP_AUTH' })
  const respond = wrapAuthChallenge(signSrpSession(session, begun as never), {
    ClientId,
    ChallengeName: 'PASSWORD_VERIFIER',
    ChallengeResponses: { USERNAME: Username },
  })
  return client.respondToAuthChallenge({ ...respond, ChallengeName: 'PASSWORD_VERIFIER' })
}

const { AuthenticationResult } = await bySrp(Password)
const wrong = await bySrp('Wrong-7even').catch((error: Error) => `${error.name}: ${error.message}`)
const { AccessToken, IdToken, RefreshToken } = AuthenticationResult!
const user = await client.getUser({ AccessToken })
const refreshed = await client.initiateAuth({
  ClientId,
  AuthFlow: 'REFRESH_TOKEN_AUTH',
  AuthParameters: { REFRESH_TOKEN: RefreshToken! },
})
await client.globalSignOut({ AccessToken })
const after = await client.getUser({ AccessToken }).catch((error: Error) => `${error.name}: ${error.message}`)
process.stdout.write(
  JSON.stringify({ wrong, user, IdToken, AccessToken, refreshed: refreshed.AuthenticationResult, after }),
)
