import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { signatureHeaders } from '@signalbox/platform-runtime/signature'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { totpAt } from './flows/factors/totp.ts'
import { newBrowserSession } from './flows/sign-in/new-browser-session.ts'
import { browserSessionOf } from './oidc/browser-sessions.ts'
import { listeningPool } from './testing/listening-pool.ts'
import { clientId, poolId, poolSetup } from './testing/pool-setup.ts'

const hour = 3_600_000
const day = 24 * hour
const noon = 1_700_000_000_000

type Setup = Awaited<ReturnType<typeof poolSetup>>

function claimsOf(token: string): Record<string, number> {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
}

it('tokens follow the wall clock, and a token from a clock that was 400 days ahead is not valid until then', async () => {
  await using setup = await poolSetup()
  const { clock, call } = setup
  await setup.user()
  const before = (await setup.signIn()).AuthenticationResult
  clock.jump(400 * day)
  const ahead = (await setup.signIn()).AuthenticationResult
  const iat = Math.floor((noon + 400 * day) / 1000)
  expect(claimsOf(ahead.AccessToken)).toMatchObject({ iat, auth_time: iat, exp: iat + 3600 })
  expect(await call('GetUser', { AccessToken: ahead.AccessToken })).toHaveProperty('Username', 'ann')
  clock.jump(-400 * day)
  await expect(call('GetUser', { AccessToken: ahead.AccessToken })).rejects.toThrow(
    'Access Token has expired',
  )
  expect(await call('GetUser', { AccessToken: before.AccessToken })).toHaveProperty('Username', 'ann')
  const after = (await setup.signIn()).AuthenticationResult
  expect(claimsOf(after.AccessToken)).toMatchObject({ iat: noon / 1000, exp: noon / 1000 + 3600 })
})

it('tokens of programs, and signatures of administrators, follow the wall clock', async () => {
  const clock = manualClock(noon)
  const secret = 'aSecretOfTwentyEight+Letters'
  const admin = { accessKeyId: 'AKIDADMINISTRATOR', secretAccessKey: 'a secret of administrators' }
  const machine = { id: 'job', secret, grants: ['client_credentials'], scopes: ['orders/read'] }
  await using setup = await listeningPool(
    {
      clock,
      clients: { job: machine },
      resourceServers: { orders: { scopes: { read: 'Read orders' } } },
    } as never,
    ':memory:',
    { admin },
  )
  clock.jump(-400 * day)
  const answer = await fetch(`${setup.url}/${poolId}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`job:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'orders/read' }),
  })
  const iat = Math.floor(clock.wall() / 1000)
  const { access_token } = (await answer.json()) as { readonly access_token: string }
  expect(claimsOf(access_token)).toMatchObject({ iat, auth_time: iat, exp: iat + 3600 })

  const headers = { 'x-amz-target': 'AWSCognitoIdentityProviderService.ListUsers' }
  const body = JSON.stringify({ UserPoolId: poolId })
  const all = Object.entries({ host: new URL(setup.url).host, ...headers }).flat()
  const signable = { method: 'POST', target: '/', headers: all, body: Buffer.from(body) }
  const statusAt = async (now: number) => {
    const signature = signatureHeaders(signable, admin, { region: 'local', service: 'cognito-idp', now })
    return (await fetch(setup.url, { method: 'POST', headers: { ...headers, ...signature }, body })).status
  }
  expect([await statusAt(clock.wall()), await statusAt(clock.now())]).toEqual([200, 400])
})

it('a browser session from a clock that was ahead is not reused for longer than the client allows', async () => {
  await using setup = await poolSetup({ pool: { sessions: {} } })
  const { clock, engine, store } = setup
  const id = await setup.user()
  const caller = engine.clientCaller(clientId, 'sdk')
  const ahead = { ...engine, clock: { ...clock, now: () => clock.now() + 30 * 60_000 } }
  const { handle, credential } = newBrowserSession(ahead, caller, { id })
  await store.change({ pool: poolId, now: clock.now(), adds: [credential] })
  const within = (minutes: number) => browserSessionOf(engine, caller.pool, handle, minutes * 60_000)
  expect(await within(31)).toBeDefined()
  expect(await within(30)).toBeUndefined()
})

it('a token of another platform whose clock is a minute ahead is valid', async () => {
  await using setup = await poolSetup()
  await setup.user()
  setup.clock.jump(60_000)
  const { AccessToken } = (await setup.signIn()).AuthenticationResult
  setup.clock.jump(-60_000)
  expect(await setup.call('GetUser', { AccessToken })).toHaveProperty('Username', 'ann')
})

it.each([400 * day, -day])(
  'a jump of the wall clock by %i ms ends no session and no refresh token',
  async jump => {
    await using setup = await poolSetup({ client: { flows: ['srp', 'refresh', 'password'] } })
    const { clock, call } = setup
    await setup.user()
    const { RefreshToken } = (await setup.signIn()).AuthenticationResult
    const { respond } = await setup.srp()
    clock.jump(jump)
    expect(await respond()).toHaveProperty('AuthenticationResult')
    const refresh = {
      ClientId: clientId,
      AuthFlow: 'REFRESH_TOKEN_AUTH',
      AuthParameters: { REFRESH_TOKEN: RefreshToken },
    }
    const { AccessToken } = (await call('InitiateAuth', refresh)).AuthenticationResult
    // The time of the sign-in, too, is told by the clock of the present, so that its age stays right.
    expect(claimsOf(AccessToken)).toMatchObject({
      iat: (noon + jump) / 1000,
      auth_time: (noon + jump) / 1000,
    })
  },
)

it('a lock neither ends nor lasts longer when the wall clock jumps', async () => {
  await using setup = await poolSetup()
  const { clock, signIn } = setup
  await setup.user()
  const lock = async () => {
    for (let turn = 0; turn < 5; turn++) await signIn('ann', 'wrong').catch(() => {})
  }
  await lock()
  clock.jump(day)
  await expect(signIn()).rejects.toThrow('Password attempts exceeded')
  await clock.advance(1000)
  expect(await signIn()).toHaveProperty('AuthenticationResult')
  await lock()
  clock.jump(-day)
  await clock.advance(1000)
  expect(await signIn()).toHaveProperty('AuthenticationResult')
})

it("an authenticator's code follows the wall clock, because the authenticator has no other", async () => {
  await using setup = await poolSetup({ pool: { mfa: { mode: 'optional', by: ['totp'] } } })
  const { clock, call } = setup
  await setup.user()
  const { AccessToken } = (await setup.signIn()).AuthenticationResult
  const { SecretCode } = await call('AssociateSoftwareToken', { AccessToken })
  clock.jump(600_000)
  const verify = (time: number) =>
    call('VerifySoftwareToken', { AccessToken, UserCode: totpAt(SecretCode, time) })
  await expect(verify(noon)).rejects.toThrow('Code mismatch')
  expect(await verify(noon + 600_000)).toMatchObject({ Status: 'SUCCESS' })
})

it('what was written while the clock was 400 days ahead is cut to its longest life by the next start', async () => {
  using folder = temporaryFolder()
  const database = () => new DatabaseSync(join(folder.path, 'user-pools.sqlite'))
  let tokens: { AccessToken: string; RefreshToken: string }
  {
    await using ahead = await poolSetup({ database: database(), time: noon + 400 * day })
    await ahead.user()
    tokens = (await ahead.signIn()).AuthenticationResult
    await ahead.call('AdminCreateUser', {
      UserPoolId: poolId,
      Username: 'bob',
      TemporaryPassword: 'Right-8even',
    })
    for (let turn = 0; turn < 5; turn++) await ahead.signIn('ann', 'wrong').catch(() => {})
  }
  const file = database()
  await using setup = await poolSetup({ database: file, time: noon })
  const { clock, call } = setup
  const user = await call('AdminGetUser', { UserPoolId: poolId, Username: 'ann' })
  expect(user.UserCreateDate).toBe(noon / 1000)
  await expect(call('GetUser', { AccessToken: tokens.AccessToken })).rejects.toThrow(
    'Access Token has expired',
  )
  // The account is locked for as long as it may be, and not for 400 days.
  await expect(setup.signIn()).rejects.toThrow('Password attempts exceeded')
  await clock.advance(1000)
  expect(await setup.signIn()).toHaveProperty('AuthenticationResult')
  const refresh = () =>
    call('InitiateAuth', {
      ClientId: clientId,
      AuthFlow: 'REFRESH_TOKEN_AUTH',
      AuthParameters: { REFRESH_TOKEN: tokens.RefreshToken },
    })
  const { AccessToken } = (await refresh()).AuthenticationResult
  expect(claimsOf(AccessToken).auth_time).toBeLessThanOrEqual(claimsOf(AccessToken).iat!)
  const latest = file.prepare('select max(expires) as expires from credentials').get()
  expect(latest!.expires).toBeLessThan(noon + 32 * day)
  const temporary = file.prepare("select password_expires as expires from users where name = 'bob'").get()
  expect(temporary).toEqual({ expires: noon + 7 * day })
})

it('a code that resets a password is valid if it was made by a clock that is a moment ahead', async () => {
  using folder = temporaryFolder()
  const start = (time: number) =>
    poolSetup({ database: new DatabaseSync(join(folder.path, 'user-pools.sqlite')), time })
  let ConfirmationCode: string
  {
    await using ahead = await start(noon + 5000)
    await ahead.user()
    await ahead.call('ForgotPassword', { ClientId: clientId, Username: 'ann' })
    ConfirmationCode = await ahead.code()
  }
  await using setup = await start(noon)
  const answer = { ClientId: clientId, Username: 'ann', Password: 'Other-7even', ConfirmationCode }
  expect(await setup.call('ConfirmForgotPassword', answer)).toEqual({})
})

describe('what users hold from a clock that was 400 days ahead', () => {
  /** Lets users do something while the clock is ahead, and starts the pool again at the right time. */
  async function startedAgain<T>(whileAhead: (setup: Setup) => Promise<T>) {
    const folder = temporaryFolder()
    const start = (time: number) =>
      poolSetup({
        database: new DatabaseSync(join(folder.path, 'user-pools.sqlite')),
        client: { refresh: { rotate: true, grace: 60 } },
        time,
      })
    const had = await start(noon + 400 * day).then(async ahead => {
      await using setup = ahead
      await setup.user()
      return await whileAhead(setup)
    })
    const setup = await start(noon)
    return {
      ...setup,
      had,
      async [Symbol.asyncDispose]() {
        await setup[Symbol.asyncDispose]()
        folder[Symbol.dispose]()
      },
    }
  }

  const rotated = async ({ call }: Pick<Setup, 'call'>, RefreshToken: string): Promise<string> =>
    (await call('GetTokensFromRefreshToken', { ClientId: clientId, RefreshToken })).AuthenticationResult
      .RefreshToken
  const signedIn = async (setup: Setup): Promise<string> =>
    (await setup.signIn()).AuthenticationResult.RefreshToken

  it('a refresh token that replaced another one was valid until then', async () => {
    await using setup = await startedAgain(signedIn)
    const next = await rotated(setup, setup.had)
    await setup.clock.advance(30 * day)
    await expect(rotated(setup, next)).rejects.toThrow('Refresh Token has expired')
  })

  it('a refresh token that was replaced could be used again until then', async () => {
    await using setup = await startedAgain(async ahead => {
      const first = await signedIn(ahead)
      return [first, await rotated(ahead, first)] as const
    })
    const [first, second] = setup.had
    await expect(rotated(setup, first)).rejects.toThrow('Refresh token has been reused')
    await expect(rotated(setup, second)).rejects.toThrow('Refresh Token has been revoked')
  })

  it('a code that resets a password was valid for a day, and not for an hour', async () => {
    await using setup = await startedAgain(async ahead => {
      await ahead.call('ForgotPassword', { ClientId: clientId, Username: 'ann' })
      return ahead.code()
    })
    await setup.clock.advance(hour)
    const answer = { ClientId: clientId, Username: 'ann', Password: 'Other-7even' }
    await expect(
      setup.call('ConfirmForgotPassword', { ...answer, ConfirmationCode: setup.had }),
    ).rejects.toThrow('Invalid code provided, please request a code again.')
  })
})
