import { expect, it } from '@jest/globals'
import * as oidc from 'openid-client'
import type { ClientConfig, UserPoolConfig } from '../config/user-pool-config.ts'
import { listeningPool } from '../testing/listening-pool.ts'
import { pageVisitor } from '../testing/page-visitor.ts'
import type { Answers } from '../testing/pool-setup.ts'

const callback = 'http://localhost:3000/cb'
const password = 'Right-7even'

/** A pool behind its listener, with a user, a stock client that was configured by discovery, and a visitor. */
async function hostedSetup({
  client = {},
  pool = {},
  answers = {},
}: { client?: ClientConfig; pool?: Partial<UserPoolConfig>; answers?: Answers } = {}) {
  const setup = await listeningPool({
    answers,
    clients: {
      web: { id: 'web', callbacks: [callback], logouts: ['http://localhost:3000/bye'], ...client },
      other: { id: 'other', callbacks: [callback] },
    },
    ...pool,
  })
  const staff = setup.platform.userPools.get('staff')
  await staff.users.add('ann', {
    password,
    attributes: { email: 'ann@example.com', email_verified: 'true', given_name: 'Ann' },
  })
  const configure = (id: string, authentication?: oidc.ClientAuth) =>
    oidc.discovery(new URL(staff.issuer), id, undefined, authentication, {
      execute: [oidc.allowInsecureRequests],
    })
  const secret = typeof client.secret === 'string' ? client.secret : undefined
  const config = await configure('web', secret === undefined ? oidc.None() : oidc.ClientSecretBasic(secret))
  const visitor = pageVisitor(setup.url)
  const ask = async (more: { [name: string]: string } = {}) => {
    const verifier = oidc.randomPKCECodeVerifier()
    const state = oidc.randomState()
    const nonce = oidc.randomNonce()
    const address = oidc.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: 'openid email',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...more,
    })
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }
    return { address, checks }
  }
  /** Signs in, and returns the address of the client with the code. */
  const signIn = async (address: URL, username = 'ann', given = password) => {
    const page = await visitor.open(address.href)
    return visitor.send(page, { username, password: given })
  }
  const signedIn = async (more: { [name: string]: string } = {}) => {
    const { address, checks } = await ask(more)
    const returned = await signIn(address)
    const tokens = await oidc.authorizationCodeGrant(config, new URL(returned.url), checks)
    return { tokens, returned, checks }
  }
  return {
    ...setup,
    setup,
    staff,
    config,
    configure,
    visitor,
    ask,
    signIn,
    signedIn,
    post: (path: string, form: { [name: string]: string }, headers: { [name: string]: string } = {}) =>
      fetch(`${staff.issuer}${path}`, { method: 'POST', body: new URLSearchParams(form), headers }),
    [Symbol.asyncDispose]: () => setup[Symbol.asyncDispose](),
  }
}

it('a stock client signs a user in by code and PKCE, reads the user, refreshes and revokes', async () => {
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
  expect(access).toMatchObject({ scope: 'openid email', client_id: 'web', token_use: 'access', username: 'ann' })
  expect(access).not.toHaveProperty('aud')
  expect(hosted.called).toEqual(['TokenGeneration_HostedAuth'])

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
