import { describe, expect, it } from '@jest/globals'
import { clientId as ClientId, poolBox } from '../testing/pool-box.ts'

type Box = Awaited<ReturnType<typeof poolBox>>

async function signedIn(client: object = {}) {
  const box = await poolBox({ client })
  await box.user()
  const { AuthenticationResult } = await box.signIn()
  return { box, ...(AuthenticationResult as { RefreshToken: string; AccessToken: string }) }
}

const refresh = (box: Box, REFRESH_TOKEN: string) =>
  box.call('InitiateAuth', { ClientId, AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters: { REFRESH_TOKEN } })
const rotate = (box: Box, RefreshToken: string) =>
  box.call('GetTokensFromRefreshToken', { ClientId, RefreshToken })

describe('refresh tokens', () => {
  it('give new tokens, and no new refresh token, until they end', async () => {
    const { box, RefreshToken } = await signedIn({ refresh: { days: 2 } })
    await using _box = box
    const { AuthenticationResult } = await refresh(box, RefreshToken)
    expect(AuthenticationResult).not.toHaveProperty('RefreshToken')
    expect(await box.call('GetUser', AuthenticationResult)).toMatchObject({ Username: 'ann' })
    await box.clock.advance(2 * 86_400_000)
    await expect(refresh(box, RefreshToken)).rejects.toMatchObject({ message: 'Refresh Token has expired' })
    await expect(refresh(box, 'forged')).rejects.toMatchObject({ message: 'Invalid Refresh Token' })
  })

  it('end with RevokeToken, together with the access tokens', async () => {
    const { box, RefreshToken, AccessToken } = await signedIn()
    await using _box = box
    const other = (await box.signIn()).AuthenticationResult
    await box.call('RevokeToken', { ClientId, Token: RefreshToken })
    await expect(refresh(box, RefreshToken)).rejects.toMatchObject({
      message: 'Refresh Token has been revoked',
    })
    await expect(box.call('GetUser', { AccessToken })).rejects.toMatchObject({
      message: 'Access Token has been revoked',
    })
    expect(await refresh(box, other.RefreshToken)).toHaveProperty('AuthenticationResult')
    await box.call('GlobalSignOut', other)
    await expect(refresh(box, other.RefreshToken)).rejects.toMatchObject({
      message: 'Refresh Token has been revoked',
    })
    expect(await box.call('RevokeToken', { ClientId, Token: 'forged' })).toEqual({})
  })

  it('are replaced by GetTokensFromRefreshToken, and count once', async () => {
    const { box, RefreshToken } = await signedIn({ refresh: { rotate: true } })
    await using _box = box
    const { AuthenticationResult: next } = await rotate(box, RefreshToken)
    expect(next.RefreshToken).not.toBe(RefreshToken)
    const { AuthenticationResult: third } = await rotate(box, next.RefreshToken)
    await expect(rotate(box, RefreshToken)).rejects.toMatchObject({ type: 'RefreshTokenReuseException' })
    await expect(rotate(box, third.RefreshToken)).rejects.toMatchObject({
      message: 'Refresh Token has been revoked',
    })
  })

  it('that were replaced still count within the grace period', async () => {
    const { box, RefreshToken } = await signedIn({ refresh: { rotate: true, grace: 10 } })
    await using _box = box
    await rotate(box, RefreshToken)
    await box.clock.advance(9_999)
    expect(await rotate(box, RefreshToken)).toHaveProperty('AuthenticationResult')
    await box.clock.advance(1)
    await expect(rotate(box, RefreshToken)).rejects.toMatchObject({ type: 'RefreshTokenReuseException' })
  })

  it('are replaced once by many requests at a time', async () => {
    const { box, RefreshToken } = await signedIn({ refresh: { rotate: true } })
    await using _box = box
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => rotate(box, RefreshToken)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('are not those of another client', async () => {
    const clients = {
      web: { id: 'web', flows: ['password', 'refresh'] },
      app: { id: 'app', flows: ['refresh'] },
    }
    await using box = await poolBox({ pool: { clients } as never })
    await box.user()
    const { RefreshToken: REFRESH_TOKEN } = (await box.signIn()).AuthenticationResult
    const input = { ClientId: 'app', AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters: { REFRESH_TOKEN } }
    await expect(box.call('InitiateAuth', input)).rejects.toMatchObject({ message: 'Invalid Refresh Token' })
  })
})

it('access tokens end, and forged ones never count', async () => {
  const { box, AccessToken } = await signedIn({ accessMinutes: 5 })
  await using _box = box
  const forged = `${AccessToken.slice(0, -4)}AAAA`
  await expect(box.call('GetUser', { AccessToken: forged })).rejects.toMatchObject({
    message: 'Invalid Access Token',
  })
  await expect(box.call('GetUser', { AccessToken: 'a.b.c' })).rejects.toMatchObject({
    message: 'Invalid Access Token',
  })
  await box.clock.advance(5 * 60_000)
  await expect(box.call('GetUser', { AccessToken })).rejects.toMatchObject({
    message: 'Access Token has expired',
  })
})

it('tokens that a rotated key has signed count until they end, and new ones have the next key', async () => {
  const { box, AccessToken } = await signedIn({ accessMinutes: 5, idMinutes: 5 })
  await using _box = box
  const [pool] = box.engine.pools
  const before = (await box.engine.keys.published(pool!)).map(({ kid }) => kid)
  const current = await box.engine.keys.rotate(pool!)
  expect(before).toEqual(expect.arrayContaining([...current]))
  expect(await box.call('GetUser', { AccessToken })).toMatchObject({ Username: 'ann' })
  const { AuthenticationResult } = await box.signIn()
  const { kid } = JSON.parse(
    Buffer.from(AuthenticationResult.AccessToken.split('.')[0], 'base64url').toString(),
  )
  expect(current).toContain(kid)
  await box.clock.advance(5 * 60_000)
  expect((await box.engine.keys.published(pool!)).map(each => each.kid)).toHaveLength(4)
})
