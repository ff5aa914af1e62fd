import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, it } from '@jest/globals'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { createPlatform, type UserPoolConfig, type UserPoolListenerConfig } from '@signalbox/platform'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { freePort } from '@signalbox/platform-runtime/testing/free-port'
import { mcpServer } from './server.ts'

const callback = 'http://localhost:7777/callback'
const password = 'Right-7even'

/** Starts the server behind a load balancer, and the pool of its users. */
async function opened(pool: Partial<UserPoolConfig>, listener: UserPoolListenerConfig = {}) {
  const [port, poolPort] = [await freePort(), await freePort()]
  const resource = `http://127.0.0.1:${port}/mcp`
  const issuer = `http://127.0.0.1:${poolPort}/eu-central-1_Agents1`
  const platform = createPlatform({
    functions: { mcp: { handler: mcpServer({ issuer, resource }) } },
    loadBalancers: { mcp: { port, function: 'mcp' } },
    userPools: {
      agents: {
        id: 'eu-central-1_Agents1',
        clients: {},
        resourceServers: { mcp: { identifier: resource, scopes: { call: 'Call tools' } } },
        ...pool,
      },
    },
    userPoolListener: { port: poolPort, ...listener },
    dataDir: ':memory:',
  })
  await platform.start()
  await platform.userPools.get('agents').users.add('ann', { password })
  return { platform, resource, issuer, [Symbol.asyncDispose]: () => platform.stop() }
}

/** Keeps what a client of MCP gets, and the address that it sends its user to. */
function agent(clientMetadataUrl?: string) {
  let client: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0] | undefined
  let tokens: Parameters<OAuthClientProvider['saveTokens']>[0] | undefined
  let verifier = ''
  let discovered: Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0] | undefined
  const visited: string[] = []
  const provider: OAuthClientProvider = {
    redirectUrl: callback,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    clientMetadata: { client_name: 'Test agent', redirect_uris: [callback] },
    state: () => 'abc',
    clientInformation: () => client,
    saveClientInformation: saved => {
      client = saved
    },
    tokens: () => tokens,
    saveTokens: saved => {
      tokens = saved
    },
    redirectToAuthorization: ({ href }) => void visited.push(href),
    saveCodeVerifier: saved => {
      verifier = saved
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: saved => {
      discovered = saved
    },
    discoveryState: () => discovered,
  }
  return { provider, visited, tokens: () => tokens, client: () => client }
}

const unescaped = (text: string) =>
  text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

/** Signs Ann in, allows the access, and returns the address to which her browser goes then. */
async function visit(address: string): Promise<URL> {
  const cookies = new Map<string, string>()
  const open = async (url: string, body?: URLSearchParams): Promise<{ url: string; text: string }> => {
    const cookie = [...cookies].map(each => each.join('=')).join('; ')
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(body && { method: 'POST', body }),
    })
    for (const each of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each)!
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location === null) return { url, text: await answer.text() }
    const next = new URL(location, url).href
    return next.startsWith(callback) ? { url: next, text: '' } : open(next)
  }
  const send = ({ url, text }: { url: string; text: string }, fields: { [name: string]: string }) => {
    const form = /<form [^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/s.exec(text)!
    const hidden = [...form[2]!.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
    const body = new URLSearchParams(hidden.map(([, name, value]) => [name!, unescaped(value!)]))
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    return open(new URL(unescaped(form[1]!), url).href, body)
  }
  const consent = await send(await open(address), { username: 'ann', password })
  expect(consent.text).toContain('Test agent')
  return new URL((await send(consent, { answer: 'allow' })).url)
}

/**
 * Connects a client of MCP to the server: its user signs in and consents, and it calls a tool.
 * @returns the parameters of the authorization request
 */
async function connect(
  { resource, issuer }: { readonly resource: string; readonly issuer: string },
  { provider, visited }: ReturnType<typeof agent>,
): Promise<URLSearchParams> {
  const transport = () => new StreamableHTTPClientTransport(new URL(resource), { authProvider: provider })
  const first = transport()
  await expect(new Client({ name: 'test', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError)
  expect(visited).toHaveLength(1)
  const asked = new URL(visited[0]!).searchParams
  expect(asked.get('resource')).toBe(resource)
  const returned = await visit(visited[0]!)
  expect(returned.searchParams.get('iss')).toBe(issuer)
  await first.finishAuth(returned.searchParams)
  const connected = new Client({ name: 'test', version: '1' })
  await connected.connect(transport())
  expect((await connected.listTools()).tools.map(({ name }) => name)).toEqual(['whoami'])
  expect(await connected.callTool({ name: 'whoami' })).toMatchObject({
    content: [{ type: 'text', text: 'You are ann.' }],
  })
  await connected.close()
  return asked
}

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())

it('the client of MCP registers itself, signs its user in, and calls a tool', async () => {
  await using setup = await opened({ registration: { open: true } })
  const registered = agent()
  const asked = await connect(setup, registered)
  expect(asked.get('client_id')).toBe(registered.client()!.client_id)
  const claims = claimsOf(registered.tokens()!.access_token)
  expect(claims).toMatchObject({ aud: setup.resource, scope: 'openid' })
})

/** Serves the document of a client over https, and trusts its certificate. */
async function documentHost() {
  const asked: string[] = []
  const server = createServer(certificate, (request, response) => {
    asked.push(request.url!)
    const document = { client_id: url, client_name: 'Test agent', redirect_uris: [callback] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = `localhost:${(server.address() as AddressInfo).port}`
  const url = `https://${host}/agent/client.json`
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, certificate.cert])
  return {
    ...{ host, url, asked },
    [Symbol.dispose]() {
      setDefaultCACertificates(trusted)
      server.closeAllConnections()
      server.close()
    },
  }
}

it('the client of MCP is known by its document, which the pool fetches over https', async () => {
  using documents = await documentHost()
  const { host, url } = documents
  await using setup = await opened(
    {
      clients: { agent: { callbacks: [callback], scopes: ['openid'] } },
      clientDocuments: { known: { patterns: [`https://${host}/agent/*`], client: 'agent' } },
    },
    // The host of the test is private.
    { privateProviderHosts: [host] },
  )
  const known = agent(url)
  const asked = await connect(setup, known)
  expect(asked.get('client_id')).toBe(url)
  expect(documents.asked).toEqual(['/agent/client.json'])
  const claims = claimsOf(known.tokens()!.access_token)
  expect(claims).toMatchObject({ aud: setup.resource, client_id: url, scope: 'openid' })
})

it('a document whose server has a certificate that is not trusted is not used', async () => {
  using documents = await documentHost()
  setDefaultCACertificates(getCACertificates('bundled'))
  const { host, url } = documents
  await using setup = await opened(
    {
      clients: { agent: { callbacks: [callback], scopes: ['openid'] } },
      clientDocuments: { known: { patterns: [`https://${host}/agent/*`], client: 'agent' } },
    },
    { privateProviderHosts: [host] },
  )
  const unknown = agent(url)
  const transport = new StreamableHTTPClientTransport(new URL(setup.resource), {
    authProvider: unknown.provider,
  })
  await expect(new Client({ name: 'test', version: '1' }).connect(transport)).rejects.toThrow(
    UnauthorizedError,
  )
  const page = await fetch(unknown.visited[0]!)
  expect([page.status, page.redirected]).toEqual([400, false])
  expect(await page.text()).toContain('There is no client with this client_id.')
  expect(documents.asked).toEqual([])
})

it('the server accepts no token for another resource, and says where to get one', async () => {
  await using setup = await opened({})
  const answer = await fetch(setup.resource, { method: 'POST', body: '{}' })
  expect(answer.status).toBe(401)
  const { origin } = new URL(setup.resource)
  const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`
  expect(answer.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadata}"`)
  expect(await (await fetch(metadata)).json()).toMatchObject({ authorization_servers: [setup.issuer] })
})
