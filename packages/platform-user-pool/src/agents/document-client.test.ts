import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { clientDocuments } from '../context/client-documents.ts'
import { agentCallback, agentSetup, documentServer } from '../testing/agent-setup.ts'
import { listeningPool } from '../testing/listening-pool.ts'
import { poolId, poolSetup } from '../testing/pool-setup.ts'
import { documentClient, keepDocument } from './document-client.ts'

const hour = 3_600_000
const day = 24 * hour

const pool = (host: string) => ({
  clients: { web: { id: 'web', callbacks: ['http://localhost:3000/cb'] }, other: { id: 'other' } },
  clientDocuments: { agents: { patterns: [`http://${host}/*`, 'https://*'], client: 'web' } },
})

it('a client is known by the URL of its document, and its user consents on a page', async () => {
  using server = await documentServer()
  server.describes({ client_uri: 'https://agent.example/about' })
  await using setup = await agentSetup(pool(server.host), { privateProviderHosts: [server.host] })
  const { url, verifier } = await setup.asks(server.url)
  const page = await setup.signIn(await setup.visitor.open(url))
  for (const shown of ['Agent', server.host, 'agent.example', 'https://agent.example/about', 'ann'])
    expect(page.text).toContain(shown)
  const returned = await setup.visitor.send(page, { answer: 'allow' })
  expect(returned.url).toMatch(new RegExp(`^${agentCallback}\\?code=.*&state=abc&iss=`))
  const answer = await setup.redeem(server.url, returned, verifier)
  expect(answer.status).toBe(200)
  const tokens = (await answer.json()) as { readonly access_token: string; readonly refresh_token: string }
  const claims = JSON.parse(Buffer.from(tokens.access_token.split('.')[1]!, 'base64url').toString())
  expect(claims).toMatchObject({ client_id: server.url, scope: 'openid email' })
  const refreshed = await setup.hosted.post('/oauth2/token', {
    ...{ grant_type: 'refresh_token', client_id: server.url, refresh_token: tokens.refresh_token },
  })
  expect(refreshed.status).toBe(200)
  // The client has no secret, so its refresh tokens rotate.
  expect(await refreshed.json()).toMatchObject({
    refresh_token: expect.not.stringMatching(tokens.refresh_token),
  })
  const info = await fetch(`${setup.issuer}/oauth2/userInfo`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  })
  expect(await info.json()).toMatchObject({ email: 'ann@example.com' })
  // The document is fetched once.
  expect(server.hits).toEqual(['/client.json'])
})

it('discovery says that documents are supported where a policy accepts some', async () => {
  await using setup = await agentSetup(pool('127.0.0.1:1'))
  const supported = async (issuer: string) => {
    const answer = await fetch(`${issuer}/.well-known/openid-configuration`)
    return ((await answer.json()) as { [name: string]: unknown }).client_id_metadata_document_supported
  }
  expect(await supported(setup.issuer)).toBe(true)
  await using without = await agentSetup()
  expect(await supported(without.issuer)).toBeUndefined()
})

describe('a document is refused', () => {
  const refused = async (server: Awaited<ReturnType<typeof documentServer>>, id = server.url) => {
    await using setup = await agentSetup(pool(server.host), { privateProviderHosts: [server.host] })
    const page = await setup.visitor.open((await setup.asks(id)).url)
    expect(page.status).toBe(400)
    expect(page.text).toContain('There is no client with this client_id.')
    return setup.hosted.setup.notices.find(each => each.includes('client document')) ?? ''
  }

  it.each<[string, object, string]>([
    ['that names another client', { client_id: 'https://agent.example/client.json' }, 'is not its URL'],
    ['of a client with a secret', { token_endpoint_auth_method: 'client_secret_basic' }, 'public client'],
    ['with a secret', { client_secret: 'x' }, 'public client'],
    ['without redirect URIs', { redirect_uris: [] }, 'redirect_uris'],
    ['whose redirect URI runs script', { redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris'],
  ])('%s', async (_, fields, why) => {
    using server = await documentServer()
    server.describes(fields)
    expect(await refused(server)).toContain(why)
  })

  it('that redirects, without a request to the other address', async () => {
    using server = await documentServer()
    server.serves((response, url) => {
      response.writeHead(302, { location: url.replace('client.json', 'inner') }).end()
    })
    expect(await refused(server)).toContain('status 302')
    expect(server.hits).toEqual(['/client.json'])
  })

  it('that is larger than 32 KiB, before the rest of it is read', async () => {
    using server = await documentServer()
    let sent = 0
    server.serves(response => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const send = () => {
        while (!response.destroyed && sent < 2 ** 30) {
          sent += 2 ** 16
          if (!response.write(' '.repeat(2 ** 16))) return response.once('drain', send)
        }
        return response
      }
      send()
    })
    expect(await refused(server)).toContain('more than 32768 bytes')
    expect(sent).toBeLessThan(2 ** 26)
  })

  it('that is not JSON', async () => {
    using server = await documentServer()
    server.serves(response => void response.writeHead(200, { 'content-type': 'text/html' }).end('{}'))
    expect(await refused(server)).toContain('not JSON')
  })

  it('that is not JSON, without a word of it in the log', async () => {
    using server = await documentServer()
    server.serves(response => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('\u001b[2J\nforged line')
    })
    const notice = await refused(server)
    expect(notice).toContain('The document is not JSON.')
    expect(notice).not.toContain('forged')
  })

  it('whose server switches to another protocol', async () => {
    const server = createServer(socket => {
      socket.on('error', () => {})
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    await using setup = await agentSetup(pool(host), { privateProviderHosts: [host] })
    const page = await setup.visitor.open((await setup.asks(`http://${host}/client.json`)).url)
    server.close()
    expect(page.status).toBe(400)
    const notice = setup.hosted.setup.notices.find(each => each.includes('client document'))
    expect(notice).toContain('switches to another protocol')
  })

  it('at an address with another spelling, a query, a fragment or a user', async () => {
    using server = await documentServer()
    server.describes()
    for (const id of [
      `http://${server.host}`,
      `http://${server.host}/`,
      `http://${server.host}/a/../client.json`,
      `${server.url}?a`,
      `${server.url}#a`,
      server.url.replace('//', '//ann@'),
      server.url.replace('http', 'HTTP'),
    ])
      await refused(server, id)
    expect(server.hits).toEqual([])
  })
})

it.each([
  'https://127.0.0.1/client.json',
  'https://[::1]/client.json',
  'https://[::ffff:127.0.0.1]/client.json',
  'https://[fd00::1]/client.json',
  'https://10.0.0.1/client.json',
  'https://169.254.169.254/client.json',
  'https://2130706433/client.json',
  'https://localhost/client.json',
])('the document %s, which points inward, is not fetched', async id => {
  await using setup = await agentSetup(pool('127.0.0.1:1'))
  const page = await setup.visitor.open((await setup.asks(id)).url)
  expect(page.status).toBe(400)
  const notice = setup.hosted.setup.notices.find(each => each.includes('client document'))
  // An address that is written in another way is no id of a client at all.
  if (new URL(id).href === id) expect(notice).toContain('is not a host of the public internet')
  else expect(notice).toBeUndefined()
})

it('http is refused even where the pattern accepts it, unless the listener names the host', async () => {
  using server = await documentServer()
  server.describes()
  await using setup = await agentSetup(pool(server.host))
  expect((await setup.visitor.open((await setup.asks(server.url)).url)).status).toBe(400)
  expect(server.hits).toEqual([])
})

it('a pool without a policy fetches nothing', async () => {
  using server = await documentServer()
  server.describes()
  await using setup = await agentSetup({}, { privateProviderHosts: [server.host] })
  expect((await setup.visitor.open((await setup.asks(server.url)).url)).status).toBe(400)
  expect(server.hits).toEqual([])
})

it('a redirect URI must be one of the document, character for character', async () => {
  using server = await documentServer()
  server.describes()
  await using setup = await agentSetup(pool(server.host), { privateProviderHosts: [server.host] })
  for (const redirect_uri of [
    `${agentCallback}/`,
    `${agentCallback}?a`,
    'https://AGENT.example/cb',
    'http://localhost:3000/cb',
  ]) {
    const page = await setup.visitor.open((await setup.asks(server.url, { redirect_uri })).url)
    expect(page.status).toBe(400)
    expect(page.url).toContain(setup.issuer)
  }
})

it('one network address makes a pool fetch thirty documents in an hour at most', async () => {
  using server = await documentServer()
  await using setup = await agentSetup(pool(server.host), { privateProviderHosts: [server.host] })
  for (let at = 0; at < 40; at++)
    await setup.visitor.open((await setup.asks(`http://${server.host}/${at}.json`)).url)
  expect(server.hits).toHaveLength(30)
})

/** Starts a pool on this clock, and returns the status of an authorization request of a document's client. */
async function clockSetup(server: Awaited<ReturnType<typeof documentServer>>) {
  const clock = manualClock(1_700_000_000_000)
  const settings = { ...pool(server.host), limits: { documentsPerAddress: 3 }, clock }
  const setup = await listeningPool(settings, ':memory:', { privateProviderHosts: [server.host] })
  const { issuer } = setup.platform.userPools.get('staff')
  const page = async (redirect_uri = agentCallback) => {
    const pkce = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' }
    const request = { client_id: server.url, redirect_uri, response_type: 'code', ...pkce }
    const address = `${issuer}/oauth2/authorize?${new URLSearchParams(request)}`
    return (await fetch(address, { redirect: 'manual' })).status
  }
  return { clock, page, [Symbol.asyncDispose]: setup[Symbol.asyncDispose] }
}

it('a document that fails is asked for again after a minute', async () => {
  using server = await documentServer()
  await using setup = await clockSetup(server)
  for (let at = 0; at < 2; at++) expect(await setup.page()).toBe(400)
  expect(server.hits).toHaveLength(1)
  await setup.clock.advance(60_001)
  server.describes()
  expect(await setup.page()).toBe(303)
})

it('a document that no user has signed in with is kept for an hour', async () => {
  using server = await documentServer()
  await using setup = await clockSetup(server)
  server.describes()
  for (let at = 0; at < 2; at++) expect(await setup.page()).toBe(303)
  server.describes({ redirect_uris: ['https://agent.example/other'] })
  expect(await setup.page()).toBe(303)
  await setup.clock.advance(hour)
  expect(await setup.page()).toBe(400)
  expect(await setup.page('https://agent.example/other')).toBe(303)
  expect(server.hits).toHaveLength(2)
})

it('the document of a known client serves a week longer if it cannot be fetched again', async () => {
  using server = await documentServer()
  server.describes()
  const setup = await poolSetup({ pool: pool(server.host) })
  const { clock } = setup
  const documents = clientDocuments(clock, url => url.host === server.host)
  const engine = { ...setup.engine, documents }
  const found = engine.poolOf(poolId)
  const known = () => documentClient(engine, found, server.url, '192.0.2.1')
  await keepDocument(engine, found, (await known())!)
  server.serves(response => void response.writeHead(500).end())
  await clock.advance(8 * day - 1)
  expect(await known()).toMatchObject({ id: server.url })
  expect(server.hits).toHaveLength(2)
  await clock.advance(60_001)
  expect(await known()).toBeUndefined()
})

it('a pattern for every host reaches no private one, even if the listener names it', async () => {
  const server = createServer(socket => socket.destroy())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  await using setup = await agentSetup(pool('127.0.0.1:1'), { privateProviderHosts: [host] })
  expect((await setup.visitor.open((await setup.asks(`https://${host}/client.json`)).url)).status).toBe(400)
  server.close()
  const notice = setup.hosted.setup.notices.find(each => each.includes('client document'))
  expect(notice).toContain('is not a host of the public internet')
})

it('a document that does not end is given up after five seconds', async () => {
  using server = await documentServer()
  const clock = manualClock(1_700_000_000_000)
  const documents = clientDocuments(clock, url => url.host === server.host)
  const asked = new Promise<void>(resolve => {
    server.serves(response => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{')
      resolve()
    })
  })
  const fetched = documents.fetch(server.url, true)
  await asked
  await Promise.all([expect(fetched).rejects.toThrow(), clock.advance(5000)])
})
