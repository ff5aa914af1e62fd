import { expect, it } from '@jest/globals'
import * as oidc from 'openid-client'
import { hostedSetup } from '../testing/hosted-setup.ts'

const orders = 'https://orders.example/api'
const files = 'https://files.example/api'
const own = 'aws.cognito.signin.user.admin'

const setup = () =>
  hostedSetup({
    pool: {
      resourceServers: {
        orders: { identifier: orders, scopes: { read: 'Read orders' } },
        files: { identifier: files, scopes: { read: 'Read files' } },
        plain: { scopes: { read: 'Read' } },
      },
    },
    client: { scopes: ['openid', 'email', own, `${orders}/read`, `${files}/read`] },
  })

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as {
    readonly [claim: string]: unknown
  }

const errorOf = async (answer: Response | Promise<Response>) => {
  const response = await answer
  return [response.status, ((await response.json()) as { readonly error?: string }).error]
}

it('openid-client gets an access token for one resource, and keeps its audience with each refresh', async () => {
  await using hosted = await setup()
  const { tokens } = await hosted.signedIn({ resource: orders, scope: `openid email ${orders}/read` })
  expect(claimsOf(tokens.access_token)).toMatchObject({
    aud: orders,
    client_id: 'web',
    scope: `openid email ${orders}/read`,
  })
  expect(tokens.claims()).toMatchObject({ aud: 'web' })
  const refreshed = await oidc.refreshTokenGrant(hosted.config, tokens.refresh_token!, { resource: orders })
  expect(claimsOf(refreshed.access_token)).toMatchObject({ aud: orders })
  const without = await oidc.refreshTokenGrant(hosted.config, tokens.refresh_token!)
  expect(claimsOf(without.access_token)).toMatchObject({ aud: orders })
})

it.each([[false], [true]])(
  'a refresh without the resource keeps audience and scopes, at every door, when tokens rotate: %s',
  async rotate => {
    await using hosted = await hostedSetup({
      pool: { resourceServers: { orders: { identifier: orders, scopes: { read: 'Read orders' } } } },
      client: {
        scopes: ['openid', 'email', own, `${orders}/read`],
        flows: ['refresh'],
        refresh: { rotate },
      },
    })
    const scope = `openid email ${orders}/read`
    const { tokens } = await hosted.signedIn({ resource: orders, scope })
    const api = async (operation: string, input: object) => {
      const headers = { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` }
      const answer = await fetch(hosted.url, { method: 'POST', headers, body: JSON.stringify(input) })
      return (await answer.json()) as {
        readonly message?: string
        readonly AuthenticationResult?: { readonly AccessToken: string; readonly RefreshToken?: string }
      }
    }
    const refreshed = await oidc.refreshTokenGrant(hosted.config, tokens.refresh_token!)
    const token = refreshed.refresh_token ?? tokens.refresh_token!
    const byApi = await (rotate
      ? api('GetTokensFromRefreshToken', { ClientId: 'web', RefreshToken: token })
      : api('InitiateAuth', {
          ...{ ClientId: 'web', AuthFlow: 'REFRESH_TOKEN_AUTH' },
          AuthParameters: { REFRESH_TOKEN: token },
        }))
    const { sub } = tokens.claims()!
    for (const AccessToken of [refreshed.access_token, byApi.AuthenticationResult!.AccessToken]) {
      expect(claimsOf(AccessToken)).toMatchObject({ aud: orders, scope })
      expect(await oidc.fetchUserInfo(hosted.config, AccessToken, sub)).toEqual({
        ...{ sub, username: 'ann', email: 'ann@example.com', email_verified: true },
      })
      expect(await api('GetUser', { AccessToken })).toMatchObject({
        message: 'Access Token does not have required scopes',
      })
    }
  },
)

it('a token for a resource has neither scopes of another resource nor the one that manages the account', async () => {
  await using hosted = await setup()
  const { address } = await hosted.ask({ resource: orders })
  address.searchParams.delete('scope')
  const { url } = await hosted.signIn(address)
  expect(new URL(url).searchParams.get('code')).not.toBeNull()
  for (const scope of [`openid ${files}/read`, `openid ${own}`]) {
    const refused = await hosted.visitor.open((await hosted.ask({ resource: orders, scope })).address.href)
    expect(new URL(refused.url).searchParams.get('error')).toBe('invalid_scope')
  }
})

it.each([
  ['of another pool', ['https://other.example/api']],
  ['with a fragment', [`${orders}#x`]],
  ['with a / at its end', [`${orders}/`]],
  ['that is no URL', ['plain']],
  ['beside a second one', [orders, files]],
])('an authorization request for a resource %s is refused', async (_, resources) => {
  await using hosted = await setup()
  const { address } = await hosted.ask()
  for (const each of resources) address.searchParams.append('resource', each)
  const { searchParams } = new URL((await hosted.visitor.open(address.href)).url)
  expect(searchParams.get('error')).toBe('invalid_target')
  expect(searchParams.get('iss')).toBe(hosted.staff.issuer)
})

it('a code or refresh token for one resource gives no token for another', async () => {
  await using hosted = await setup()
  const { address, checks } = await hosted.ask({ resource: orders, scope: 'openid' })
  const code = new URL((await hosted.signIn(address)).url).searchParams.get('code')!
  const form = {
    ...{ grant_type: 'authorization_code', client_id: 'web', redirect_uri: 'http://localhost:3000/cb' },
    ...{ code, code_verifier: checks.pkceCodeVerifier },
  }
  expect(await errorOf(hosted.post('/oauth2/token', { ...form, resource: files }))).toEqual([
    400,
    'invalid_target',
  ])
  const tokens = (await (await hosted.post('/oauth2/token', { ...form, resource: orders })).json()) as {
    readonly refresh_token: string
  }
  const refresh = { grant_type: 'refresh_token', client_id: 'web', refresh_token: tokens.refresh_token }
  expect(await errorOf(hosted.post('/oauth2/token', { ...refresh, resource: files }))).toEqual([
    400,
    'invalid_target',
  ])
  // A token without an audience cannot be given one later.
  const plain = await hosted.signedIn({ prompt: 'login' })
  const later = { ...refresh, refresh_token: plain.tokens.refresh_token!, resource: orders }
  expect(await errorOf(hosted.post('/oauth2/token', later))).toEqual([400, 'invalid_target'])
})

it('a machine gets a token for one resource, with the scopes of this resource', async () => {
  const secret = 'a'.repeat(32)
  await using hosted = await hostedSetup({
    pool: {
      resourceServers: {
        orders: { identifier: orders, scopes: { read: 'Read orders' } },
        files: { identifier: files, scopes: { read: 'Read files' } },
      },
      clients: {
        web: { id: 'web' },
        robot: {
          ...{ id: 'robot', secret, grants: ['client_credentials'] },
          scopes: [`${orders}/read`, `${files}/read`],
        },
      },
    },
  })
  const form = { grant_type: 'client_credentials', client_id: 'robot', client_secret: secret }
  const answer = await hosted.post('/oauth2/token', { ...form, resource: orders })
  const { access_token } = (await answer.json()) as { readonly access_token: string }
  expect(claimsOf(access_token)).toMatchObject({ aud: orders, scope: `${orders}/read`, sub: 'robot' })
  const confused = { ...form, resource: orders, scope: `${files}/read` }
  expect(await errorOf(hosted.post('/oauth2/token', confused))).toEqual([400, 'invalid_scope'])
  const unknown = { ...form, resource: 'https://other.example/api' }
  expect(await errorOf(hosted.post('/oauth2/token', unknown))).toEqual([400, 'invalid_target'])
})

it('a resource without a path can be named with a slash, as clients do that read it as a URL', async () => {
  const identifier = 'https://tools.example'
  await using hosted = await hostedSetup({
    pool: { resourceServers: { tools: { identifier, scopes: { call: 'Call tools' } } } },
    client: { scopes: ['openid', `${identifier}/call`] },
  })
  const { tokens } = await hosted.signedIn({
    resource: `${identifier}/`,
    scope: `openid ${identifier}/call`,
  })
  expect(claimsOf(tokens.access_token)).toMatchObject({ aud: identifier })
  const again = await oidc.refreshTokenGrant(hosted.config, tokens.refresh_token!, {
    resource: `${identifier}/`,
  })
  expect(claimsOf(again.access_token)).toMatchObject({ aud: identifier })
})
