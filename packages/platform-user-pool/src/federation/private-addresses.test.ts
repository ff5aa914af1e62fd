import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from '@jest/globals'
import { publicFetch } from '../context/public-fetch.ts'
import { claimsSetup } from '../testing/claims-provider.ts'
import { listeningPool } from '../testing/listening-pool.ts'
import { configProblems } from '../testing/pool-program.ts'

/** A server inside the network, which no provider may make the platform ask. */
async function innerServer(location?: string) {
  const hits: string[] = []
  const server = createServer(({ url }, response) => {
    hits.push(url!)
    response.writeHead(location === undefined ? 200 : 302, { ...(location !== undefined && { location }) })
    response.end('{"inner":true}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    hits,
    port,
    url: `http://127.0.0.1:${port}`,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Creates a pool with a provider by the API, and opens the address that begins a sign-in there. */
async function askProvider(oidc_issuer: string, privateProviderHosts?: readonly string[]) {
  await using setup = await listeningPool(
    {},
    ':memory:',
    privateProviderHosts ? { privateProviderHosts } : {},
  )
  const call = async (operation: string, input: object): Promise<Record<string, never>> => {
    const headers = { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` }
    const answer = await fetch(setup.url, { method: 'POST', headers, body: JSON.stringify(input) })
    return (await answer.json()) as Record<string, never>
  }
  const { UserPool } = await call('CreateUserPool', { PoolName: 'made' })
  const { Id: UserPoolId } = UserPool as unknown as { readonly Id: string }
  const { message } = await call('CreateIdentityProvider', {
    ...{ UserPoolId, ProviderName: 'Evil', ProviderType: 'OIDC' },
    ProviderDetails: { client_id: 'x', oidc_issuer, authorize_scopes: 'openid' },
  })
  if (message !== undefined) return message as string
  const { UserPoolClient } = await call('CreateUserPoolClient', {
    ...{ UserPoolId, ClientName: 'web', CallbackURLs: ['https://app.example/cb'] },
    ...{ AllowedOAuthFlows: ['code'], AllowedOAuthScopes: ['openid'], SupportedIdentityProviders: ['Evil'] },
    AllowedOAuthFlowsUserPoolClient: true,
  })
  const { ClientId } = UserPoolClient as unknown as { readonly ClientId: string }
  const query = `client_id=${ClientId}&response_type=code&redirect_uri=https://app.example/cb&scope=openid&identity_provider=Evil&code_challenge=${'a'.repeat(43)}&code_challenge_method=S256`
  await fetch(`${setup.url}/${UserPoolId}/oauth2/authorize?${query}`, { redirect: 'manual' })
  return setup.notices.find(each => each.includes('cannot be reached')) ?? ''
}

it('a provider that a client of the API names is at a public host', async () => {
  using inner = await innerServer()
  for (const issuer of [
    inner.url,
    `http://localhost:${inner.port}`,
    `https://localhost:${inner.port}`,
    `https://127.1:${inner.port}`,
    `https://2130706433:${inner.port}`,
    `https://0x7f.0.0.1:${inner.port}`,
    `https://[::ffff:127.0.0.1]:${inner.port}`,
    'https://169.254.169.254/latest',
    'https://10.0.0.1',
    'https://[fd00::1]',
  ])
    expect(await askProvider(issuer)).toMatch(/oidc_issuer must be at a public host/)
  expect(inner.hits).toEqual([])
})

it('the configuration can let providers of the API be at private hosts', async () => {
  using inner = await innerServer()
  for (const host of ['127.0.0.1', `127.0.0.1:${inner.port}`]) await askProvider(inner.url, [host])
  expect(inner.hits).toEqual(Array.from({ length: 2 }, () => '/.well-known/openid-configuration'))
  expect(await askProvider(inner.url, ['127.0.0.1:1', 'login.internal'])).toMatch(/at a public host/)
  const problems = (privateProviderHosts: unknown) =>
    configProblems({ userPools: {}, userPoolListener: { privateProviderHosts } } as never)
  expect(problems(['login.internal', '10.0.0.7:8443', '[::1]:80'])).toEqual([])
  for (const wrong of ['*', ['*'], ['https://login.internal'], ['login.internal/'], [7]])
    expect(problems(wrong)[0]!.pointer).toMatch(/^\/userPoolListener\/privateProviderHosts/)
})

it('the address of a provider is checked after its name is resolved', async () => {
  using inner = await innerServer()
  const options = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' } as const
  const fetchPublic = publicFetch(() => false)
  for (const host of ['localhost', '127.0.0.1', '[::1]', '0.0.0.0'])
    await expect(fetchPublic(`http://${host}:${inner.port}`, options as never)).rejects.toThrow(
      'is not a host of the public internet',
    )
  expect(inner.hits).toEqual([])
  const answer = await publicFetch(({ port }) => port === String(inner.port))(inner.url, options as never)
  expect(await answer.json()).toEqual({ inner: true })
})

it('a redirect of a provider is not followed', async () => {
  using inner = await innerServer()
  using redirecting = await innerServer(inner.url)
  const options = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' } as const
  const answer = await publicFetch(() => true)(redirecting.url, options as never)
  expect(answer.status).toBe(302)
  expect(inner.hits).toEqual([])
})

it('the discovery document of a provider cannot name addresses of this machine', async () => {
  using inner = await innerServer()
  for (const endpoint of ['token_endpoint', 'jwks_uri', 'userinfo_endpoint']) {
    await using setup = await claimsSetup()
    setup.provider.describe({ [endpoint]: `${inner.url}/${endpoint}` })
    expect(await setup.signIn({ claims: { sub: 'ann' } })).toContain('did not sign the user in')
  }
  expect(inner.hits).toEqual([])
})
