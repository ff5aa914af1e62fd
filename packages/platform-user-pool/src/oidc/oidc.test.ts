import { describe, expect, it } from '@jest/globals'
import * as oidc from 'openid-client'
import { callback, hostedSetup, password } from '../testing/hosted-setup.ts'

type Hosted = Awaited<ReturnType<typeof hostedSetup>>

it('openid-client signs a user in with a code and PKCE, reads userInfo, refreshes and revokes tokens', async () => {
  await using hosted = await hostedSetup({ answers: { TokenGeneration_HostedAuth: () => ({}) } })
  const { config } = hosted
  const { tokens, returned } = await hosted.signedIn()
  expect(new URL(returned.url).searchParams.get('iss')).toBe(hosted.staff.issuer)
  const claims = tokens.claims()!
  expect(claims).toMatchObject({
    iss: hosted.staff.issuer,
    aud: 'web',
    token_use: 'id',
    email: 'ann@example.com',
    email_verified: true,
    'cognito:username': 'ann',
    at_hash: expect.any(String),
  })
  expect(claims).not.toHaveProperty('given_name')
  expect(tokens.scope).toBeUndefined()
  const access = JSON.parse(Buffer.from(tokens.access_token.split('.')[1]!, 'base64url').toString())
  expect(access).toMatchObject({
    scope: 'openid email',
    client_id: 'web',
    token_use: 'access',
    username: 'ann',
  })
  expect(access).not.toHaveProperty('aud')
  expect(hosted.setup.called).toEqual(['TokenGeneration_HostedAuth'])

  const info = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
  expect(info).toEqual({ sub: claims.sub, email: 'ann@example.com', email_verified: true, username: 'ann' })

  const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token!)
  expect(refreshed.claims()).toMatchObject({ sub: claims.sub, auth_time: claims.auth_time })
  expect(refreshed.claims()).not.toHaveProperty('nonce')
  await oidc.tokenRevocation(config, tokens.refresh_token!)
  await expect(oidc.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  await expect(oidc.fetchUserInfo(config, tokens.access_token, claims.sub)).rejects.toMatchObject({
    status: 401,
  })
})

/** Returns the query parameters with which the pool has sent a visitor back to the client. */
const returnedTo = (url: string) => Object.fromEntries(new URL(url).searchParams)

it('openid-client refuses a response with the wrong state or nonce', async () => {
  await using hosted = await hostedSetup()
  for (const wrong of [{ expectedState: 'other' }, { expectedNonce: 'other' }]) {
    const { address, checks } = await hosted.ask({ prompt: 'login' })
    const { url } = await hosted.signIn(address)
    await expect(
      oidc.authorizationCodeGrant(hosted.config, new URL(url), { ...checks, ...wrong }),
    ).rejects.toThrow()
  }
})

describe('an authorization code', () => {
  const redeem = (hosted: Hosted, code: string, more: { [name: string]: string }) =>
    hosted.post('/oauth2/token', {
      grant_type: 'authorization_code',
      client_id: 'web',
      redirect_uri: callback,
      code,
      ...more,
    })
  const codeOf = async (hosted: Hosted) => {
    const { address, checks } = await hosted.ask()
    const { code } = returnedTo((await hosted.signIn(address)).url)
    return { code: code!, code_verifier: checks.pkceCodeVerifier }
  }

  it('that is used twice revokes the tokens of its first use', async () => {
    await using hosted = await hostedSetup()
    const { tokens, returned, checks } = await hosted.signedIn()
    await expect(
      oidc.authorizationCodeGrant(hosted.config, new URL(returned.url), checks),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect(oidc.refreshTokenGrant(hosted.config, tokens.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    const info = await fetch(`${hosted.staff.issuer}/oauth2/userInfo`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect([info.status, info.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ])
  })

  it('gives tokens to only one of three simultaneous requests', async () => {
    await using hosted = await hostedSetup()
    const { code, code_verifier } = await codeOf(hosted)
    const answers = await Promise.all([1, 2, 3].map(() => redeem(hosted, code, { code_verifier })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })

  it.each<[string, { [name: string]: string }]>([
    ['another redirect address', { redirect_uri: 'http://localhost:3000/cb/' }],
    ['no redirect address', { redirect_uri: '' }],
    ['another code verifier', { code_verifier: 'x'.repeat(43) }],
    ['an empty code verifier', { code_verifier: '' }],
  ])('becomes invalid after a request with %s', async (_what, wrong) => {
    await using hosted = await hostedSetup()
    const { code, code_verifier } = await codeOf(hosted)
    for (const more of [{ code_verifier, ...wrong }, { code_verifier }]) {
      const answer = await redeem(hosted, code, more)
      expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([
        400,
        'invalid_grant',
      ])
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })

  it('is refused for a different client, but stays valid for its own client', async () => {
    await using hosted = await hostedSetup()
    const { code, code_verifier } = await codeOf(hosted)
    const stolen = await redeem(hosted, code, { code_verifier, client_id: 'other' })
    expect(await stolen.json()).toMatchObject({ error: 'invalid_grant' })
    expect((await redeem(hosted, code, { code_verifier })).status).toBe(200)
  })

  it('is invalid after its user has signed out everywhere', async () => {
    await using hosted = await hostedSetup()
    const { code, code_verifier } = await codeOf(hosted)
    await fetch(hosted.url, {
      method: 'POST',
      headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.AdminUserGlobalSignOut' },
      body: JSON.stringify({ UserPoolId: hosted.staff.id, Username: 'ann' }),
    })
    expect((await redeem(hosted, code, { code_verifier })).status).toBe(400)
  })
})

describe('an authorization request', () => {
  it.each<[string, { [name: string]: string }]>([
    ['its client is unknown', { client_id: 'none' }],
    ['its redirect address only begins like an address of the client', { redirect_uri: `${callback}/more` }],
    ['its redirect address differs in upper and lower case', { redirect_uri: 'http://LOCALHOST:3000/cb' }],
    ['its redirect address is on another server', { redirect_uri: 'https://evil.example/cb' }],
    ['it has no redirect address', { redirect_uri: '' }],
  ])('leads to an error page when %s', async (_what, more) => {
    await using hosted = await hostedSetup()
    const { address } = await hosted.ask(more)
    const page = await hosted.visitor.open(address.href)
    expect([page.status, new URL(page.url).origin]).toEqual([400, hosted.url])
    expect(page.text).toContain('This does not work')
  })

  it.each<[string, string, { [name: string]: string }]>([
    ['an unknown response type', 'unsupported_response_type', { response_type: 'token' }],
    ['no response type', 'invalid_request', { response_type: '' }],
    [
      'a scope that the client does not have',
      'invalid_scope',
      { scope: 'openid aws.cognito.signin.user.admin' },
    ],
    ['only the scope “email”', 'invalid_scope', { scope: 'email' }],
    ['no code challenge', 'invalid_request', { code_challenge: '', code_challenge_method: '' }],
    ['a plain code challenge', 'invalid_request', { code_challenge_method: 'plain' }],
    ['a code challenge but no method', 'invalid_request', { code_challenge_method: '' }],
    ['a request object', 'request_not_supported', { request: 'e30.e30.' }],
    ['the URL of a request object', 'request_uri_not_supported', { request_uri: 'https://rp.example/r' }],
    ['the response mode “fragment”', 'invalid_request', { response_mode: 'fragment' }],
    ['a max_age that is not a number', 'invalid_request', { max_age: 'old' }],
    ['the prompt “none” and another prompt', 'invalid_request', { prompt: 'none login' }],
    ['an unknown prompt', 'invalid_request', { prompt: 'Login' }],
    ['the prompt “none” before a sign-in', 'login_required', { prompt: 'none' }],
    ['an unknown provider', 'invalid_request', { identity_provider: 'Other' }],
  ])('with %s returns %s and the state', async (_what, error, more) => {
    await using hosted = await hostedSetup()
    const { address, checks } = await hosted.ask(more)
    const page = await hosted.visitor.open(address.href)
    expect(page.url.startsWith(`${callback}?`)).toBe(true)
    expect(returnedTo(page.url)).toMatchObject({
      error,
      state: checks.expectedState,
      iss: hosted.staff.issuer,
    })
  })

  it('with a repeated parameter is refused', async () => {
    await using hosted = await hostedSetup()
    const { address } = await hosted.ask()
    const twice = await hosted.visitor.open(`${address.href}&scope=openid`)
    expect(returnedTo(twice.url)).toMatchObject({ error: 'invalid_request' })
    const page = await hosted.visitor.open(`${address.href}&redirect_uri=https%3A%2F%2Fevil.example`)
    expect([page.status, new URL(page.url).origin]).toEqual([400, hosted.url])
  })

  it('can be sent as a form, and leads to the sign-in page', async () => {
    await using hosted = await hostedSetup()
    const { address } = await hosted.ask({ login_hint: 'ann@example.com' })
    const answer = await fetch(address.origin + address.pathname, {
      method: 'POST',
      body: address.searchParams,
    })
    expect(answer.url).toContain('/login?')
    expect(await answer.text()).toContain('value="ann@example.com"')
  })
})

it('a browser stays signed in until it signs out, or a client requires a new or more recent sign-in', async () => {
  await using hosted = await hostedSetup()
  const { tokens } = await hosted.signedIn()
  const again = async (more: { [name: string]: string }) =>
    hosted.visitor.open((await hosted.ask(more)).address.href)
  const silent = await hosted.ask({ prompt: 'none' })
  const renewed = await oidc.authorizationCodeGrant(
    hosted.config,
    new URL((await hosted.visitor.open(silent.address.href)).url),
    silent.checks,
  )
  expect(renewed.claims()).toMatchObject({
    sub: tokens.claims()!.sub,
    auth_time: tokens.claims()!.auth_time,
  })
  expect((await again({ prompt: 'login' })).text).toContain('<h1>Sign in</h1>')
  expect((await again({ max_age: '3600' })).url).toContain(callback)
  const strict = await hosted.visitor.open((await hosted.ask({ max_age: '0', prompt: 'login' })).address.href)
  expect(strict.url).toContain('/login?')

  const bye = 'http://localhost:3000/bye'
  const left = await hosted.visitor.open(
    `${hosted.staff.issuer}/logout?client_id=web&logout_uri=${bye}&state=s`,
  )
  expect(left.url).toBe(`${bye}?state=s`)
  expect(hosted.visitor.cookies.size).toBe(0)
  expect((await again({ prompt: 'none' })).url).toContain('error=login_required')
  // A sign-out in the browser does not revoke the tokens of clients.
  await oidc.refreshTokenGrant(hosted.config, tokens.refresh_token!)
})

it('a sign-in replaces the session cookie, and does not sign in a browser with the old cookie', async () => {
  await using hosted = await hostedSetup()
  const { address } = await hosted.ask()
  const page = await hosted.visitor.open(address.href)
  const before = new Map(hosted.visitor.cookies)
  await hosted.visitor.send(page, { username: 'ann', password })
  const after = new Map(hosted.visitor.cookies)
  expect([...after.keys()]).toEqual([...before.keys()])
  expect(after).not.toEqual(before)
  for (const [name, value] of before) hosted.visitor.cookies.set(name, value)
  const silent = await hosted.ask({ prompt: 'none' })
  expect((await hosted.visitor.open(silent.address.href)).url).toContain('error=login_required')
})

it('userInfo rejects ID tokens, refresh tokens and forged tokens with 401', async () => {
  await using hosted = await hostedSetup()
  const { tokens } = await hosted.signedIn()
  const [header, claims] = tokens.access_token.split('.') as [string, string]
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  const info = (token: string) =>
    fetch(`${hosted.staff.issuer}/oauth2/userInfo`, { headers: { authorization: `Bearer ${token}` } })
  for (const token of [
    tokens.id_token!,
    `${header}.${claims}.AAAA`,
    `${none}.${claims}.`,
    tokens.refresh_token!,
  ])
    expect((await info(token)).status).toBe(401)
  const bare = await fetch(`${hosted.staff.issuer}/oauth2/userInfo`)
  // The header has no error code where no token was sent, and a realm, because there has to be a parameter (RFC 6750, 3).
  expect([bare.status, bare.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="userInfo"'])
  // An access token from the hosted pages has only the scopes that the client asked for.
  const own = await fetch(hosted.url, {
    method: 'POST',
    headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.GetUser' },
    body: JSON.stringify({ AccessToken: tokens.access_token }),
  })
  expect(await own.json()).toMatchObject({ message: 'Access Token does not have required scopes' })
})

it('only a refresh token can be revoked, and only by its own client', async () => {
  await using hosted = await hostedSetup()
  const { tokens } = await hosted.signedIn()
  const revoke = async (form: { [name: string]: string }) => {
    const answer = await hosted.post('/oauth2/revoke', { client_id: 'web', ...form })
    return [answer.status, await answer.text()]
  }
  expect(await revoke({ token: 'unknown' })).toEqual([200, ''])
  expect(await revoke({})).toEqual([400, expect.stringContaining('invalid_request')])
  expect(await revoke({ token: tokens.access_token })).toEqual([
    400,
    expect.stringContaining('unsupported_token_type'),
  ])
  expect(await revoke({ token: tokens.refresh_token!, client_id: 'other' })).toEqual([
    400,
    expect.stringContaining('invalid_request'),
  ])
  await oidc.refreshTokenGrant(hosted.config, tokens.refresh_token!)
})

it('a refresh token with rotation is replaced at the token endpoint, and its reuse ends the grant', async () => {
  await using hosted = await hostedSetup({ client: { refresh: { rotate: true } } })
  const { tokens } = await hosted.signedIn()
  const next = await oidc.refreshTokenGrant(hosted.config, tokens.refresh_token!)
  expect(next.refresh_token).not.toBe(tokens.refresh_token)
  for (const token of [tokens.refresh_token!, next.refresh_token!])
    await expect(oidc.refreshTokenGrant(hosted.config, token)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
})

it('a client with a secret can omit PKCE, but a code_verifier without a code_challenge is refused', async () => {
  const secret = 'aSecretOfTwentyEight+Letters'
  await using hosted = await hostedSetup({ client: { secret } })
  const { address, checks } = await hosted.ask({ code_challenge: '', code_challenge_method: '' })
  const { url } = await hosted.signIn(address)
  await expect(oidc.authorizationCodeGrant(hosted.config, new URL(url), checks)).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  const silent = await hosted.ask({ code_challenge: '', code_challenge_method: '' })
  const again = await hosted.visitor.open(silent.address.href)
  const { pkceCodeVerifier: _, ...others } = silent.checks
  const tokens = await oidc.authorizationCodeGrant(hosted.config, new URL(again.url), others)
  expect(tokens.claims()).toMatchObject({ aud: 'web' })
})

it('the scope openid alone gives access to every attribute, and without openid there is no ID token', async () => {
  const scopes = ['openid', 'email', 'profile', 'aws.cognito.signin.user.admin']
  await using hosted = await hostedSetup({ client: { scopes } })
  const { tokens } = await hosted.signedIn({ scope: 'openid' })
  expect(tokens.claims()).toMatchObject({ given_name: 'Ann', email: 'ann@example.com' })
  const { address, checks } = await hosted.ask({ scope: 'aws.cognito.signin.user.admin', nonce: '' })
  const { url } = await hosted.visitor.open(address.href)
  const { expectedNonce: _, ...others } = checks
  const bare = await oidc.authorizationCodeGrant(hosted.config, new URL(url), others)
  expect(bare.id_token).toBeUndefined()
  const refreshed = await oidc.refreshTokenGrant(hosted.config, bare.refresh_token!)
  expect(refreshed.id_token).toBeUndefined()
  await expect(
    oidc.fetchUserInfo(hosted.config, bare.access_token, tokens.claims()!.sub),
  ).rejects.toMatchObject({
    status: 403,
  })
})
