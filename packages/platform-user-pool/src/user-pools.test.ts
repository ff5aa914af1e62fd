import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider'
import { expect, it } from '@jest/globals'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { listeningPool } from './testing/listening-pool.ts'

const answers = {
  PreSignUp_SignUp: () => ({ autoConfirmUser: true, autoVerifyEmail: true }),
  PostConfirmation_ConfirmSignUp: () => ({}),
  PreAuthentication_Authentication: () => ({}),
  PostAuthentication_Authentication: () => ({}),
  TokenGeneration_Authentication: () => ({
    claimsOverrideDetails: { claimsToAddOrOverride: { tenant: 't1' } },
  }),
}

it('the AWS SDK signs a user up and in over HTTP, triggers are called, and the JWKS verifies the tokens', async () => {
  await using setup = await listeningPool({ answers })
  const client = new CognitoIdentityProvider({
    endpoint: setup.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
  })
  const Password = 'Right-7even'
  const signedUp = await client.signUp({
    ClientId: 'web',
    Username: 'ann',
    Password,
    UserAttributes: [{ Name: 'email', Value: 'ann@example.com' }],
  })
  expect(signedUp).toMatchObject({ UserConfirmed: true })
  const { AuthenticationResult: tokens } = await client.initiateAuth({
    ClientId: 'web',
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: 'ann', PASSWORD: Password },
  })
  const issuer = `${setup.url}/eu-central-1_Staff01`
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`))
  const { payload } = await jwtVerify(tokens!.IdToken!, keys, { issuer, audience: 'web' })
  expect(payload).toMatchObject({
    sub: signedUp.UserSub,
    email: 'ann@example.com',
    email_verified: true,
    'cognito:username': 'ann',
    tenant: 't1',
    token_use: 'id',
  })
  const { payload: access } = await jwtVerify(tokens!.AccessToken!, keys, { issuer })
  expect(access).toMatchObject({
    client_id: 'web',
    username: 'ann',
    token_use: 'access',
    scope: 'aws.cognito.signin.user.admin',
    origin_jti: payload.origin_jti,
  })
  expect(access.aud).toBeUndefined()
  expect(await client.getUser({ AccessToken: tokens!.AccessToken })).toMatchObject({ Username: 'ann' })
  expect(setup.called).toEqual(Object.keys(answers))
  expect(setup.notices).toEqual([expect.stringMatching(/^User pools send no e-mail/)])
  client.destroy()
})
