import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider'
import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import * as oidc from 'openid-client'
import { newBrowserSession } from './flows/sign-in/new-browser-session.ts'
import { grantValue, revokeSession, sessionsOfUser } from './flows/sign-in/tracked-sessions.ts'
import { hostedSetup } from './testing/hosted-setup.ts'
import { listeningPool } from './testing/listening-pool.ts'
import { clientId as ClientId, poolSetup, poolId as UserPoolId } from './testing/pool-setup.ts'

const Password = 'Right-7even'
const minute = 60_000
const hour = 60 * minute
const bob = { UserPoolId, Username: 'bob' }

/** Starts a pool of the configuration that tracks sessions, with the users ann and bob, and an AWS SDK client for it. */
async function setupOf(pool: object = { sessions: {} }) {
  const clock = manualClock(1_700_000_000_000)
  const running = await listeningPool({ ...pool, clock })
  const client = new CognitoIdentityProvider({
    endpoint: running.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
  })
  const staff = running.platform.userPools.get('staff')
  for (const name of ['ann', 'bob']) await staff.users.add(name, { password: Password })
  const list = async (AccessToken?: string) => (await client.listUserSessions({ AccessToken })).Sessions!
  return {
    client,
    clock,
    list,
    async signIn(USERNAME = 'bob') {
      const { AuthenticationResult } = await client.initiateAuth({
        ClientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME, PASSWORD: Password },
      })
      return AuthenticationResult!
    },
    refresh: (RefreshToken?: string) => client.getTokensFromRefreshToken({ ClientId, RefreshToken }),
    async current(AccessToken?: string) {
      return (await list(AccessToken)).find(each => each.IsCurrentSession)!.SessionId!
    },
    async [Symbol.asyncDispose]() {
      client.destroy()
      await running[Symbol.asyncDispose]()
    },
  }
}

describe('lists of sessions', () => {
  it('have what a stock client shows of each, the latest first', async () => {
    await using setup = await setupOf()
    const first = await setup.signIn()
    await setup.clock.advance(minute)
    const second = await setup.signIn()
    await setup.clock.advance(minute)
    await setup.refresh(first.RefreshToken)
    const sessions = await setup.list(second.AccessToken)
    const time = (minutes: number) => new Date(1_700_000_000_000 + minutes * minute)
    const shared = { SessionType: 'TOKEN', ClientId, LastIPAddress: '127.0.0.1' }
    expect(sessions).toMatchObject([
      { ...shared, CreateDate: time(0), LastActiveDate: time(2), IsCurrentSession: false },
      { ...shared, CreateDate: time(1), LastActiveDate: time(1), IsCurrentSession: true },
    ])
    for (const { SessionId, DeviceType } of sessions) {
      expect(SessionId).toMatch(/^tkn[a-z\d]{25}$/)
      expect(DeviceType).toMatch(/^aws-sdk-js-/)
    }
    const { Sessions } = await setup.client.adminListUserSessions(bob)
    expect(Sessions).toEqual(sessions.map(each => ({ ...each, IsCurrentSession: false })))
  })

  it('have no session of another user', async () => {
    await using setup = await setupOf()
    const [mine, theirs] = [await setup.signIn('ann'), await setup.signIn('bob')]
    const id = await setup.current(theirs.AccessToken)
    const list = await setup.list(mine.AccessToken)
    expect(list).toHaveLength(1)
    expect(list.map(({ SessionId }) => SessionId)).not.toContain(id)
  })

  it('have no session that has ended or expired', async () => {
    await using setup = await setupOf()
    const first = await setup.signIn()
    await setup.signIn()
    await setup.client.revokeToken({ ClientId, Token: first.RefreshToken })
    expect((await setup.client.adminListUserSessions(bob)).Sessions).toHaveLength(1)
    await setup.clock.advance(31 * 24 * hour)
    expect((await setup.client.adminListUserSessions(bob)).Sessions).toEqual([])
  })

  it('need a token with the right to the own account, and a pool that tracks sessions', async () => {
    await using setup = await setupOf()
    await expect(setup.list('none')).rejects.toMatchObject({ name: 'NotAuthorizedException' })
    await using other = await setupOf({})
    const { AccessToken } = await other.signIn()
    const refusal = { name: 'OperationNotEnabledException' }
    await expect(other.list(AccessToken)).rejects.toMatchObject(refusal)
    await expect(other.client.adminListUserSessions(bob)).rejects.toMatchObject(refusal)
    const SessionId = `tkn${'a'.repeat(25)}`
    await expect(other.client.revokeUserSession({ AccessToken, SessionId })).rejects.toMatchObject(refusal)
    await expect(other.client.adminRevokeUserSession({ ...bob, SessionId })).rejects.toMatchObject(refusal)
  })

  it('contain a session from before the tracking after its next refresh', async () => {
    await using setup = await poolSetup()
    const { UserPool } = await setup.call('CreateUserPool', { PoolName: 'made' })
    const pool = { UserPoolId: UserPool.Id }
    const { UserPoolClient } = await setup.call('CreateUserPoolClient', { ...pool, ClientName: 'web' })
    const client = { ClientId: UserPoolClient.ClientId }
    const user = { ...pool, Username: 'bob' }
    await setup.call('AdminCreateUser', user)
    await setup.call('AdminSetUserPassword', { ...user, Password, Permanent: true })
    const { AuthenticationResult } = await setup.signIn('bob', Password, client)
    const settings = { UserSessionTracking: 'ENABLED', TokenSession: { MaxPerUser: 3 } }
    await setup.call('SetUserPoolSessionConfiguration', { ...pool, ...settings })
    expect(await setup.call('AdminListUserSessions', user)).toEqual({ Sessions: [] })
    const { RefreshToken } = AuthenticationResult
    await setup.call('GetTokensFromRefreshToken', { ...client, RefreshToken })
    expect((await setup.call('AdminListUserSessions', user)).Sessions).toHaveLength(1)
  })
})

describe('a revoked session', () => {
  it('gives its tokens no access, and leaves the others', async () => {
    await using setup = await setupOf()
    const [lost, kept] = [await setup.signIn(), await setup.signIn()]
    const SessionId = await setup.current(lost.AccessToken)
    await setup.client.revokeUserSession({ AccessToken: kept.AccessToken, SessionId })
    const revoked = { name: 'NotAuthorizedException', message: 'Access Token has been revoked' }
    await expect(setup.client.getUser({ AccessToken: lost.AccessToken })).rejects.toMatchObject(revoked)
    await expect(setup.refresh(lost.RefreshToken)).rejects.toMatchObject({
      message: 'Refresh Token has been revoked',
    })
    await setup.client.getUser({ AccessToken: kept.AccessToken })
    await setup.refresh(kept.RefreshToken)
    const again = setup.client.revokeUserSession({ AccessToken: kept.AccessToken, SessionId })
    await expect(again).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  })

  it('is not the current one, unless an administrator revokes it', async () => {
    await using setup = await setupOf()
    const { AccessToken } = await setup.signIn()
    const SessionId = await setup.current(AccessToken)
    await expect(setup.client.revokeUserSession({ AccessToken, SessionId })).rejects.toMatchObject({
      name: 'InvalidParameterException',
    })
    await setup.client.adminRevokeUserSession({ ...bob, SessionId })
    await expect(setup.client.getUser({ AccessToken })).rejects.toMatchObject({
      name: 'NotAuthorizedException',
    })
  })

  it('belongs to the user who names it', async () => {
    await using setup = await setupOf()
    const [mine, theirs] = [await setup.signIn('ann'), await setup.signIn('bob')]
    const SessionId = await setup.current(theirs.AccessToken)
    const refusal = { name: 'ResourceNotFoundException', message: 'Session does not exist.' }
    await expect(
      setup.client.revokeUserSession({ AccessToken: mine.AccessToken, SessionId }),
    ).rejects.toMatchObject(refusal)
    await expect(
      setup.client.adminRevokeUserSession({ UserPoolId, Username: 'ann', SessionId }),
    ).rejects.toMatchObject(refusal)
    await setup.client.getUser({ AccessToken: theirs.AccessToken })
  })

  it('is not revived by a refresh at the same time', async () => {
    await using setup = await setupOf()
    const [lost, kept] = [await setup.signIn(), await setup.signIn()]
    const SessionId = await setup.current(lost.AccessToken)
    await Promise.allSettled([
      ...[1, 2, 3].map(() => setup.refresh(lost.RefreshToken)),
      setup.client.revokeUserSession({ AccessToken: kept.AccessToken, SessionId }),
      ...[1, 2, 3].map(() => setup.refresh(lost.RefreshToken)),
    ])
    await expect(setup.refresh(lost.RefreshToken)).rejects.toMatchObject({
      name: 'NotAuthorizedException',
    })
    expect(await setup.list(kept.AccessToken)).toHaveLength(1)
  })
})

describe('the limit of sessions', () => {
  it('ends the session that was not used for the longest time, at the next sign-in', async () => {
    await using setup = await setupOf({ sessions: { most: 2 } })
    const first = await setup.signIn()
    await setup.clock.advance(minute)
    const second = await setup.signIn()
    await setup.clock.advance(minute)
    await setup.refresh(first.RefreshToken)
    const third = await setup.signIn()
    await expect(setup.refresh(second.RefreshToken)).rejects.toMatchObject({
      message: 'Refresh Token has been revoked',
    })
    await setup.refresh(first.RefreshToken)
    await setup.refresh(third.RefreshToken)
  })

  it('holds for sign-ins at the same time, and leaves as many sessions as it allows', async () => {
    await using setup = await setupOf({ sessions: { most: 1 } })
    await Promise.all([1, 2, 3, 4].map(() => setup.signIn()))
    expect((await setup.client.adminListUserSessions(bob)).Sessions).toHaveLength(1)
    await setup.signIn('ann')
    expect((await setup.client.adminListUserSessions(bob)).Sessions).toHaveLength(1)
  })
})

describe('the settings of sessions', () => {
  it('are off by default, and each Set replaces everything', async () => {
    await using setup = await setupOf({})
    const { client } = setup
    const { UserPool } = await client.createUserPool({ PoolName: 'made' })
    const pool = { UserPoolId: UserPool!.Id! }
    const { UserPoolClient } = await client.createUserPoolClient({ ...pool, ClientName: 'web' })
    const of = { ...pool, ClientId: UserPoolClient!.ClientId! }
    expect(await client.getUserPoolSessionConfiguration(pool)).toMatchObject({
      UserSessionTracking: 'DISABLED',
      TokenSession: { MaxPerUser: 20 },
    })
    expect(await client.getUserPoolClientSessionConfiguration(of)).toMatchObject({
      ...of,
      SSOSession: { MaxValidityMinutes: 60 },
    })
    const SSOSession = { MaxValidityMinutes: 120 }
    await expect(client.setUserPoolClientSessionConfiguration({ ...of, SSOSession })).rejects.toMatchObject({
      name: 'OperationNotEnabledException',
    })
    const enabled = { UserSessionTracking: 'ENABLED' as const, TokenSession: { MaxPerUser: 3 } }
    expect(await client.setUserPoolSessionConfiguration({ ...pool, ...enabled })).toMatchObject(enabled)
    expect(await client.setUserPoolClientSessionConfiguration({ ...of, SSOSession })).toMatchObject({
      SSOSession,
    })
    const disabled = { UserSessionTracking: 'DISABLED' as const, TokenSession: { MaxPerUser: 5 } }
    await client.setUserPoolSessionConfiguration({ ...pool, ...disabled })
    expect(await client.getUserPoolSessionConfiguration(pool)).toMatchObject(disabled)
    // The setting of the client is kept, and has an effect again when sessions are tracked.
    expect(await client.getUserPoolClientSessionConfiguration(of)).toMatchObject({ SSOSession })
  })

  it.each([0, 101, 1.5])('refuse %d sessions for a user', async MaxPerUser => {
    await using setup = await poolSetup()
    const { UserPool } = await setup.call('CreateUserPool', { PoolName: 'made' })
    const settings = { UserSessionTracking: 'ENABLED', TokenSession: { MaxPerUser } }
    await expect(
      setup.call('SetUserPoolSessionConfiguration', { UserPoolId: UserPool.Id, ...settings }),
    ).rejects.toMatchObject({ type: 'InvalidParameterException' })
  })

  it('need another tier than LITE, and are the configuration’s in a pool of the configuration', async () => {
    await using setup = await poolSetup({ pool: { sessions: { most: 7 } }, client: { reuseMinutes: 5 } })
    const settings = { UserSessionTracking: 'ENABLED', TokenSession: { MaxPerUser: 3 } }
    const { UserPool } = await setup.call('CreateUserPool', { PoolName: 'made', UserPoolTier: 'LITE' })
    await expect(
      setup.call('SetUserPoolSessionConfiguration', { UserPoolId: UserPool.Id, ...settings }),
    ).rejects.toMatchObject({ type: 'FeatureUnavailableInTierException' })
    await expect(
      setup.call('SetUserPoolSessionConfiguration', { UserPoolId, ...settings }),
    ).rejects.toMatchObject({ type: 'InvalidParameterException' })
    expect(await setup.call('GetUserPoolSessionConfiguration', { UserPoolId })).toEqual({
      UserPoolId,
      UserSessionTracking: 'ENABLED',
      TokenSession: { MaxPerUser: 7 },
    })
    expect(await setup.call('GetUserPoolClientSessionConfiguration', { UserPoolId, ClientId })).toEqual({
      UserPoolId,
      ClientId,
      SSOSession: { MaxValidityMinutes: 5 },
    })
  })
})

describe('sessions of browsers', () => {
  const tracked = { client: { reuseMinutes: 120, scopes: ['openid', 'aws.cognito.signin.user.admin'] } }
  const scope = 'openid aws.cognito.signin.user.admin'
  const setupInBrowser = async () => {
    const hosted = await hostedSetup({ ...tracked, pool: { sessions: {} } })
    const sdk = new CognitoIdentityProvider({
      endpoint: hosted.url,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
      maxAttempts: 1,
    })
    return {
      ...hosted,
      sdk,
      ann: { UserPoolId: hosted.staff.id, Username: 'ann' },
      async [Symbol.asyncDispose]() {
        sdk.destroy()
        await hosted[Symbol.asyncDispose]()
      },
    }
  }

  it('are listed with the token sessions that came from them', async () => {
    await using setup = await setupInBrowser()
    const { tokens } = await setup.signedIn({ scope })
    const { Sessions = [] } = await setup.sdk.listUserSessions({ AccessToken: tokens.access_token })
    const [token, browser] = ['TOKEN', 'SSO'].map(type => Sessions.find(each => each.SessionType === type)!)
    expect(Sessions).toHaveLength(2)
    expect(browser!.SessionId).toMatch(/^sso[a-z\d]{25}$/)
    expect(token).toMatchObject({ OriginSessionId: browser!.SessionId, IsCurrentSession: true })
    expect(browser).toMatchObject({ ClientId: 'web', IsCurrentSession: false })
    expect(browser).not.toHaveProperty('OriginSessionId')
  })

  it('that are revoked no longer sign the browser in, and end its tokens if those are linked', async () => {
    for (const RevokeAssociatedSessions of ['NONE', 'LINKED'] as const) {
      await using setup = await setupInBrowser()
      const { tokens } = await setup.signedIn({ scope })
      const { Sessions = [] } = await setup.sdk.adminListUserSessions(setup.ann)
      const SessionId = Sessions.find(({ SessionType }) => SessionType === 'SSO')!.SessionId!
      await setup.sdk.adminRevokeUserSession({ ...setup.ann, SessionId, RevokeAssociatedSessions })
      const { address } = await setup.ask({ scope, prompt: 'none' })
      expect((await setup.visitor.open(address.href)).url).toContain('error=login_required')
      const use = setup.sdk.getUser({ AccessToken: tokens.access_token })
      if (RevokeAssociatedSessions === 'NONE') await use
      else await expect(use).rejects.toMatchObject({ message: 'Access Token has been revoked' })
    }
  })

  it('end with the token session that begins while they are revoked as linked', async () => {
    await using setup = await poolSetup({ pool: { sessions: {} } })
    const { clock, engine, store } = setup
    const user = { id: await setup.user() }
    const caller = engine.clientCaller(ClientId, 'sdk')
    const browser = newBrowserSession(engine, caller, user)
    const now = clock.now()
    await store.change({ pool: UserPoolId, now, adds: [browser.credential] })
    const grant = { id: 'late', client: ClientId, authTime: now, scopes: ['openid'], browser: browser.id }
    const value = grantValue(caller, grant, now)
    const late = { kind: 'grant', id: 'late', user: user.id, expires: now + hour, value } as const
    let isFirst = true
    const change: typeof store.change = async change => {
      if (isFirst) await store.change({ pool: UserPoolId, now, adds: [late] })
      isFirst = false
      return store.change(change)
    }
    const [session] = await sessionsOfUser(engine, caller.pool, user)
    const meanwhile = { ...engine, store: { ...store, change } }
    await revokeSession(meanwhile, caller.pool, user, session!.id, true)
    expect(await sessionsOfUser(engine, caller.pool, user)).toEqual([])
  })

  it('end with their token session if that is revoked as linked, by its id or its refresh token', async () => {
    for (const byToken of [true, false]) {
      await using setup = await setupInBrowser()
      const { tokens } = await setup.signedIn({ scope })
      const { Sessions = [] } = await setup.sdk.adminListUserSessions(setup.ann)
      const SessionId = Sessions.find(({ SessionType }) => SessionType === 'TOKEN')!.SessionId!
      const RevokeAssociatedSessions = 'LINKED'
      if (byToken)
        await setup.sdk.revokeToken({
          ClientId: 'web',
          Token: tokens.refresh_token,
          RevokeAssociatedSessions,
        })
      else await setup.sdk.adminRevokeUserSession({ ...setup.ann, SessionId, RevokeAssociatedSessions })
      expect((await setup.sdk.adminListUserSessions(setup.ann)).Sessions).toEqual([])
      const { address } = await setup.ask({ scope, prompt: 'none' })
      expect((await setup.visitor.open(address.href)).url).toContain('error=login_required')
    }
  })

  it('give no tokens for a code that was issued before they were revoked', async () => {
    await using setup = await setupInBrowser()
    const { address, checks } = await setup.ask({ scope })
    const { url } = await setup.signIn(address)
    const { Sessions = [] } = await setup.sdk.adminListUserSessions(setup.ann)
    await setup.sdk.adminRevokeUserSession({ ...setup.ann, SessionId: Sessions[0]!.SessionId })
    await expect(oidc.authorizationCodeGrant(setup.config, new URL(url), checks)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect((await setup.sdk.adminListUserSessions(setup.ann)).Sessions).toEqual([])
  })
})
