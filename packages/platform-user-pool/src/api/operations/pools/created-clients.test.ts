import { expect, it } from '@jest/globals'
import { poolSetup } from '../../../testing/pool-setup.ts'

const callback = 'https://app.example/cb'

it.each<[string, object]>([
  ['http://app.example/cb cannot use the HTTP protocol.', { CallbackURLs: ['http://app.example/cb'] }],
  ['https://app.example/cb#done cannot use fragment', { LogoutURLs: ['https://app.example/cb#done'] }],
  [
    'The default redirect URI https://app.example/ is not in the callback URIs list.',
    { CallbackURLs: [callback], DefaultRedirectURI: 'https://app.example/' },
  ],
  [
    "Auth flow name with prefix 'ALLOW' cannot be used with legacy auth flow names.",
    { ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH', 'USER_PASSWORD_AUTH'] },
  ],
  [
    'Access and Id Token expiration times must be less than or equal to refresh token expiration times.',
    { RefreshTokenValidity: 1, AccessTokenValidity: 2, TokenValidityUnits: { RefreshToken: 'hours' } },
  ],
])('a client is refused in the words of the service: %s', async (message, more) => {
  await using setup = await poolSetup()
  const { UserPool } = await setup.call('CreateUserPool', { PoolName: 'made' })
  const client = { UserPoolId: UserPool.Id, ClientName: 'web' }
  await expect(setup.call('CreateUserPoolClient', { ...client, ...more })).rejects.toMatchObject({
    type: 'InvalidParameterException',
    message,
  })
})

it.each(['app.example/cb', '/cb', 'http://app.example/cb#done'])(
  'a client cannot have the callback %s',
  async address => {
    await using setup = await poolSetup()
    const { UserPool } = await setup.call('CreateUserPool', { PoolName: 'made' })
    const client = { UserPoolId: UserPool.Id, ClientName: 'web', CallbackURLs: [address] }
    await expect(setup.call('CreateUserPoolClient', client)).rejects.toMatchObject({
      type: 'InvalidParameterException',
      message: expect.stringMatching(/^CallbackURLs must be addresses/),
    })
  },
)
