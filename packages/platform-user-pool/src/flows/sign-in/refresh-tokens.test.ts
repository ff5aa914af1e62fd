import { describe, expect, it } from '@jest/globals'
import { clientId as ClientId, poolSetup, poolId as UserPoolId } from '../../testing/pool-setup.ts'

type Setup = Awaited<ReturnType<typeof poolSetup>>

async function signedIn(client: object = {}) {
  const setup = await poolSetup({ client })
  await setup.user()
  const { AuthenticationResult } = await setup.signIn()
  return { setup, ...(AuthenticationResult as { RefreshToken: string; AccessToken: string }) }
}

const refresh = (setup: Setup, REFRESH_TOKEN: string) =>
  setup.call('InitiateAuth', { ClientId, AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters: { REFRESH_TOKEN } })
const rotate = (setup: Setup, RefreshToken: string) =>
  setup.call('GetTokensFromRefreshToken', { ClientId, RefreshToken })

/** Returns a promise and the function that resolves it. */
function signal() {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return [promise, resolve] as const
}

/** The operations that end a sign-in, with the errors that a later refresh gets. */
const endings: readonly (readonly [
  string,
  string,
  (
    setup: Setup,
    tokens: { RefreshToken: string; AccessToken: string; DeviceKey: string },
  ) => Promise<unknown>,
])[] = [
  [
    'RevokeToken',
    'Refresh Token has been revoked',
    (setup, { RefreshToken: Token }) => setup.call('RevokeToken', { ClientId, Token }),
  ],
  [
    'GlobalSignOut',
    'Refresh Token has been revoked',
    (setup, { AccessToken }) => setup.call('GlobalSignOut', { AccessToken }),
  ],
  [
    'AdminDisableUser',
    'Refresh Token has been revoked',
    setup => setup.call('AdminDisableUser', { UserPoolId, Username: 'ann' }),
  ],
  [
    'AdminDeleteUser',
    'Invalid Refresh Token',
    setup => setup.call('AdminDeleteUser', { UserPoolId, Username: 'ann' }),
  ],
  [
    'ForgetDevice',
    'Invalid Refresh Token',
    (setup, { AccessToken, DeviceKey }) => setup.call('ForgetDevice', { AccessToken, DeviceKey }),
  ],
]

const refreshes = [
  ['REFRESH_TOKEN_AUTH', {}, refresh],
  ['GetTokensFromRefreshToken without rotation', {}, rotate],
  ['GetTokensFromRefreshToken with rotation', { refresh: { rotate: true } }, rotate],
] as const

it.each(
  refreshes.flatMap(([operation, client, refreshing]) =>
    endings.map(([ending, message, end]) => [operation, ending, message, client, refreshing, end] as const),
  ),
)(
  '%s issues no tokens when %s is called at the same time',
  async (_, __, message, client, refreshing, end) => {
    const [ended, setEnded] = signal()
    const [begun, setBegun] = signal()
    await using setup = await poolSetup({
      pool: { devices: 'always' },
      client,
      answers: {
        async TokenGeneration_RefreshTokens() {
          setBegun()
          await ended
          return {}
        },
      },
    })
    await setup.user()
    const { RefreshToken, AccessToken, NewDeviceMetadata } = (await setup.signIn()).AuthenticationResult
    const { DeviceKey } = NewDeviceMetadata
    const DeviceSecretVerifierConfig = { PasswordVerifier: 'AQID', Salt: 'BAUG' }
    await setup.call('ConfirmDevice', { AccessToken, DeviceKey, DeviceSecretVerifierConfig })
    const refusal = refreshing(setup, RefreshToken).catch(error => error)
    await begun
    await end(setup, { RefreshToken, AccessToken, DeviceKey })
    setEnded()
    expect(await refusal).toMatchObject({ type: 'NotAuthorizedException', message })
  },
)

describe('refresh tokens', () => {
  it('give new tokens until they expire, but no new refresh token', async () => {
    const { setup, RefreshToken } = await signedIn({ refresh: { days: 2 } })
    await using _setup = setup
    const { AuthenticationResult } = await refresh(setup, RefreshToken)
    expect(AuthenticationResult).not.toHaveProperty('RefreshToken')
    expect(await setup.call('GetUser', AuthenticationResult)).toMatchObject({ Username: 'ann' })
    await setup.clock.advance(2 * 86_400_000)
    await expect(refresh(setup, RefreshToken)).rejects.toMatchObject({ message: 'Refresh Token has expired' })
    await expect(refresh(setup, 'forged')).rejects.toMatchObject({ message: 'Invalid Refresh Token' })
  })

  it('are revoked by RevokeToken, together with the access tokens that they issued', async () => {
    const { setup, RefreshToken, AccessToken } = await signedIn()
    await using _setup = setup
    const other = (await setup.signIn()).AuthenticationResult
    await setup.call('RevokeToken', { ClientId, Token: RefreshToken })
    await expect(refresh(setup, RefreshToken)).rejects.toMatchObject({
      message: 'Refresh Token has been revoked',
    })
    await expect(setup.call('GetUser', { AccessToken })).rejects.toMatchObject({
      message: 'Access Token has been revoked',
    })
    expect(await refresh(setup, other.RefreshToken)).toHaveProperty('AuthenticationResult')
    await setup.call('GlobalSignOut', other)
    await expect(refresh(setup, other.RefreshToken)).rejects.toMatchObject({
      message: 'Refresh Token has been revoked',
    })
    expect(await setup.call('RevokeToken', { ClientId, Token: 'forged' })).toEqual({})
  })

  it('are replaced by GetTokensFromRefreshToken if they rotate, and reuse ends the grant', async () => {
    const { setup, RefreshToken } = await signedIn({ refresh: { rotate: true } })
    await using _setup = setup
    const { AuthenticationResult: next } = await rotate(setup, RefreshToken)
    expect(next.RefreshToken).not.toBe(RefreshToken)
    const { AuthenticationResult: third } = await rotate(setup, next.RefreshToken)
    await expect(rotate(setup, RefreshToken)).rejects.toMatchObject({ type: 'RefreshTokenReuseException' })
    await expect(rotate(setup, third.RefreshToken)).rejects.toMatchObject({
      message: 'Refresh Token has been revoked',
    })
  })

  it('are refused by REFRESH_TOKEN_AUTH when the client uses rotation', async () => {
    const { setup, RefreshToken } = await signedIn({ refresh: { rotate: true } })
    await using _setup = setup
    await expect(refresh(setup, RefreshToken)).rejects.toMatchObject({
      type: 'InvalidParameterException',
      message: 'REFRESH_TOKEN_AUTH flow not enabled for this client',
    })
    const { UserPoolClient } = await setup.call('DescribeUserPoolClient', { UserPoolId, ClientId })
    expect(UserPoolClient.ExplicitAuthFlows).not.toContain('ALLOW_REFRESH_TOKEN_AUTH')
    expect(await rotate(setup, RefreshToken)).toHaveProperty('AuthenticationResult')
  })

  it('stay valid for the grace period after their replacement', async () => {
    const { setup, RefreshToken } = await signedIn({ refresh: { rotate: true, grace: 10 } })
    await using _setup = setup
    await rotate(setup, RefreshToken)
    await setup.clock.advance(9_999)
    expect(await rotate(setup, RefreshToken)).toHaveProperty('AuthenticationResult')
    await setup.clock.advance(1)
    await expect(rotate(setup, RefreshToken)).rejects.toMatchObject({ type: 'RefreshTokenReuseException' })
  })

  it('are replaced only once by simultaneous requests', async () => {
    const { setup, RefreshToken } = await signedIn({ refresh: { rotate: true } })
    await using _setup = setup
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => rotate(setup, RefreshToken)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('are invalid for another client', async () => {
    const clients = {
      web: { id: 'web', flows: ['password', 'refresh'] },
      app: { id: 'app', flows: ['refresh'] },
    }
    await using setup = await poolSetup({ pool: { clients } as never })
    await setup.user()
    const { RefreshToken: REFRESH_TOKEN } = (await setup.signIn()).AuthenticationResult
    const input = { ClientId: 'app', AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters: { REFRESH_TOKEN } }
    await expect(setup.call('InitiateAuth', input)).rejects.toMatchObject({
      message: 'Invalid Refresh Token',
    })
  })
})

it('expired and forged access tokens are refused', async () => {
  const { setup, AccessToken } = await signedIn({ accessMinutes: 5 })
  await using _setup = setup
  const forged = `${AccessToken.slice(0, -4)}AAAA`
  await expect(setup.call('GetUser', { AccessToken: forged })).rejects.toMatchObject({
    message: 'Invalid Access Token',
  })
  await expect(setup.call('GetUser', { AccessToken: 'a.b.c' })).rejects.toMatchObject({
    message: 'Invalid Access Token',
  })
  await setup.clock.advance(5 * 60_000)
  await expect(setup.call('GetUser', { AccessToken })).rejects.toMatchObject({
    message: 'Access Token has expired',
  })
})

it('tokens stay valid after the signing key is rotated, and the next key signs new tokens', async () => {
  const { setup, AccessToken } = await signedIn({ accessMinutes: 5, idMinutes: 5 })
  await using _setup = setup
  const [pool] = setup.engine.pools
  const before = (await setup.engine.keys.published(pool!)).map(({ kid }) => kid)
  const current = await setup.engine.keys.rotate(pool!)
  expect(before).toEqual(expect.arrayContaining([...current]))
  expect(await setup.call('GetUser', { AccessToken })).toMatchObject({ Username: 'ann' })
  const { AuthenticationResult } = await setup.signIn()
  const { kid } = JSON.parse(
    Buffer.from(AuthenticationResult.AccessToken.split('.')[0], 'base64url').toString(),
  )
  expect(current).toContain(kid)
  await setup.clock.advance(6 * 60_000)
  expect((await setup.engine.keys.published(pool!)).map(each => each.kid)).toHaveLength(4)
})
