import { describe, expect, it } from '@jest/globals'
import * as oidc from 'openid-client'
import { callback, hostedSetup, password } from '../testing/hosted-setup.ts'

// These checks are on the OpenID Foundation's list for the basic profile, and no other tests cover them.
// docs/user-pool-checks.md has the whole list.

type Hosted = Awaited<ReturnType<typeof hostedSetup>>

/** Returns the query parameters with which the pool has sent a visitor back to the client. */
const returnedTo = (url: string) => Object.fromEntries(new URL(url).searchParams)

/** Sends another authorization request from a browser with a signed-in user, and returns the tokens. */
async function silently(hosted: Hosted, more: { [name: string]: string }) {
  const { address, checks } = await hosted.ask(more)
  const { url } = await hosted.visitor.open(address.href)
  const { expectedNonce, ...others } = checks
  return oidc.authorizationCodeGrant(
    hosted.config,
    new URL(url),
    more.nonce === '' ? others : { ...others, expectedNonce },
  )
}

it('the discovery document contains the required endpoints, and the published keys match the tokens', async () => {
  await using hosted = await hostedSetup()
  const { issuer } = hosted.staff
  const answer = await fetch(`${issuer}/.well-known/openid-configuration`)
  const document = (await answer.json()) as { [name: string]: string }
  expect(document).toMatchObject({
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/oauth2/token`,
    userinfo_endpoint: `${issuer}/oauth2/userInfo`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: expect.arrayContaining(['openid', 'email', 'phone', 'profile']),
  })
  const { keys } = (await (await fetch(document.jwks_uri!)).json()) as { keys: { [name: string]: string }[] }
  const { tokens } = await hosted.signedIn()
  const { kid, alg } = JSON.parse(Buffer.from(tokens.id_token!.split('.')[0]!, 'base64url').toString())
  expect([alg, keys.find(key => key.kid === kid)]).toMatchObject(['RS256', { kty: 'RSA', use: 'sig' }])
  for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
})

it('unsupported and unknown parameters of an authorization request are ignored', async () => {
  await using hosted = await hostedSetup()
  const requests: { [name: string]: string }[] = [
    { display: 'page' },
    { display: 'popup' },
    { ui_locales: 'se' },
    { claims_locales: 'se' },
    { acr_values: '1 2' },
    { claims: '{"userinfo":{"name":{"essential":true}}}' },
    { extra: 'foobar' },
    { login_hint: 'ann' },
    { nonce: '' },
    { scope: 'email openid' },
  ]
  for (const more of requests) {
    const { address } = await hosted.ask(more)
    const page = await hosted.visitor.open(address.href)
    expect([more, page.status, page.text.includes('<h1>Sign in</h1>')]).toEqual([more, 200, true])
  }
  const { tokens } = await hosted.signedIn()
  const { sub, auth_time } = tokens.claims()!
  for (const more of requests) {
    const claims = (await silently(hosted, more)).claims()!
    expect([more, claims]).toEqual([more, expect.objectContaining({ sub, auth_time, aud: 'web' })])
    expect('nonce' in claims).toBe(more.nonce !== '')
  }
})

it('the scopes email, phone and profile each allow their claims, and the scope address is refused', async () => {
  await using hosted = await hostedSetup({ client: { scopes: ['openid', 'email', 'phone', 'profile'] } })
  await hosted.signedIn()
  const claimsFor = async (scope: string) => {
    const tokens = await silently(hosted, { scope })
    const { sub, ...claims } = await oidc.fetchUserInfo(
      hosted.config,
      tokens.access_token,
      tokens.claims()!.sub,
    )
    expect(tokens.claims()).toMatchObject(claims.username === 'ann' ? { sub } : {})
    return Object.keys(claims).sort()
  }
  expect(await claimsFor('openid email')).toEqual(['email', 'email_verified', 'username'])
  expect(await claimsFor('openid phone')).toEqual(['username'])
  expect(await claimsFor('openid profile email phone')).toEqual(
    expect.arrayContaining(['birthdate', 'email', 'family_name', 'given_name']),
  )
  const { address, checks } = await hosted.ask({ scope: 'openid address' })
  expect(returnedTo((await hosted.visitor.open(address.href)).url)).toMatchObject({
    error: 'invalid_scope',
    state: checks.expectedState,
  })
})

it('a client can authenticate at the token endpoint with the Authorization header or with form fields', async () => {
  const secret = 'aSecretOfTwentyEight+Letters'
  await using hosted = await hostedSetup({ client: { secret } })
  await hosted.signedIn()
  for (const authentication of [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]) {
    const config = await hosted.configure('web', authentication)
    const { address, checks } = await hosted.ask()
    const { url } = await hosted.visitor.open(address.href)
    const tokens = await oidc.authorizationCodeGrant(config, new URL(url), checks)
    expect((await oidc.refreshTokenGrant(config, tokens.refresh_token!)).claims()).toMatchObject({
      aud: 'web',
    })
  }
})

it('userInfo accepts an access token in the Authorization header or in a form, but not in both', async () => {
  await using hosted = await hostedSetup()
  const { tokens } = await hosted.signedIn()
  const url = `${hosted.staff.issuer}/oauth2/userInfo`
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const body = new URLSearchParams({ access_token: tokens.access_token })
  for (const init of [{ headers }, { method: 'POST', headers }, { method: 'POST', body }]) {
    const answer = await fetch(url, init)
    expect([answer.status, await answer.json()]).toMatchObject([200, { sub: tokens.claims()!.sub }])
  }
  const two = await fetch(url, { method: 'POST', headers, body })
  expect([two.status, two.headers.get('www-authenticate')]).toEqual([
    400,
    expect.stringContaining('error="invalid_request"'),
  ])
  // A token in the URL is refused, because it would appear in logs.
  expect((await fetch(`${url}?${body}`)).status).toBe(401)
})

it('a user has to sign in again when the previous sign-in is older than max_age', async () => {
  await using hosted = await hostedSetup()
  const { tokens } = await hosted.signedIn()
  const { auth_time } = tokens.claims()!
  expect((await silently(hosted, { max_age: '10000' })).claims()).toMatchObject({ auth_time })
  const { address } = await hosted.ask({ max_age: '0' })
  expect((await hosted.visitor.open(address.href)).text).toContain('<h1>Sign in</h1>')
  const none = await hosted.ask({ max_age: '0', prompt: 'none' })
  expect(returnedTo((await hosted.visitor.open(none.address.href)).url).error).toBe('login_required')
})

describe('an id_token_hint', () => {
  it('has no effect when it names the user who is signed in', async () => {
    await using hosted = await hostedSetup()
    const { tokens } = await hosted.signedIn()
    const again = await silently(hosted, { prompt: 'none', id_token_hint: tokens.id_token! })
    expect(again.claims()).toMatchObject({ sub: tokens.claims()!.sub })
  })

  it('gets no code for another user who signs in, and this browser stays as it was', async () => {
    await using hosted = await hostedSetup()
    await hosted.staff.users.add('bob', { password })
    const { tokens } = await hosted.signedIn()
    const signIn = async (id_token_hint: string) => {
      const { address } = await hosted.ask({ prompt: 'login', id_token_hint })
      const page = await hosted.visitor.open(address.href)
      return returnedTo((await hosted.visitor.send(page, { username: 'bob', password })).url)
    }
    const before = new Map(hosted.visitor.cookies)
    expect(await signIn(tokens.id_token!)).toMatchObject({
      error: 'login_required',
      iss: hosted.staff.issuer,
    })
    expect(hosted.visitor.cookies).toEqual(before)
    const still = await silently(hosted, { prompt: 'none' })
    expect(still.claims()).toMatchObject({ sub: tokens.claims()!.sub })
    // A hint that the pool has not signed names nobody.
    expect(await signIn('x')).toHaveProperty('code')
  })

  it('prevents a silent sign-in when it names another user or was not signed by the pool', async () => {
    await using hosted = await hostedSetup()
    await hosted.staff.users.add('bob', { password })
    const { tokens } = await hosted.signedIn()
    const [header, payload, signature] = tokens.id_token!.split('.')
    const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'other' })).toString('base64url')
    const hints = [
      tokens.access_token,
      `${header}.${forged}.${signature}`,
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`,
      'x',
    ]
    const { address } = await hosted.ask({ prompt: 'login' })
    const bob = await hosted.visitor.send(await hosted.visitor.open(address.href), {
      username: 'bob',
      password,
    })
    expect(bob.url.startsWith(callback)).toBe(true)
    for (const id_token_hint of [tokens.id_token!, ...hints]) {
      const silent = await hosted.ask({ prompt: 'none', id_token_hint })
      expect(returnedTo((await hosted.visitor.open(silent.address.href)).url)).toMatchObject({
        error: 'login_required',
      })
      const asked = await hosted.ask({ id_token_hint })
      expect((await hosted.visitor.open(asked.address.href)).text).toContain('<h1>Sign in</h1>')
    }
  })
})
