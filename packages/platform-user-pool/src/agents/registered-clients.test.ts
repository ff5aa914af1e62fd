import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { agentCallback, agentSetup } from '../testing/agent-setup.ts'
import { password } from '../testing/hosted-setup.ts'
import { listeningPool } from '../testing/listening-pool.ts'
import { poolId, poolSetup } from '../testing/pool-setup.ts'
import { keepClient, register, registeredClient, registeredClients } from './registered-clients.ts'

const UserPoolId = 'eu-central-1_Staff01'
const open = { registration: { open: true } }

it('a program registers itself, and signs a user in after a consent', async () => {
  await using setup = await agentSetup(open)
  const discovery = await fetch(`${setup.issuer}/.well-known/oauth-authorization-server`)
  expect(await discovery.json()).toMatchObject({ registration_endpoint: `${setup.issuer}/oauth2/register` })
  const answer = await setup.json('/oauth2/register', {
    client_name: 'Agent <b>',
    client_uri: 'https://agent.example',
    logo_uri: 'http://127.0.0.1/logo.png',
    redirect_uris: [agentCallback],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_basic',
    scope: 'openid aws.cognito.signin.user.admin',
  })
  expect(answer.status).toBe(201)
  const client = (await answer.json()) as { readonly client_id: string }
  expect(client).toEqual({
    client_id: expect.stringMatching(/^[a-z\d]{26}$/),
    client_id_issued_at: expect.any(Number),
    client_name: 'Agent <b>',
    client_uri: 'https://agent.example',
    redirect_uris: [agentCallback],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: 'openid',
  })
  const { url, verifier } = await setup.asks(client.client_id, { scope: 'openid' })
  const page = await setup.signIn(await setup.visitor.open(url))
  expect(page.text).toContain('It has registered itself.')
  expect(page.text).not.toContain('<b>')
  const returned = await setup.visitor.send(page, { answer: 'allow' })
  expect((await setup.redeem(client.client_id, returned, verifier)).status).toBe(200)
})

it('a long name ends with a whole character', async () => {
  await using setup = await agentSetup(open)
  const client_name = `${'a'.repeat(79)}\u{1f600}`
  const answer = await setup.json('/oauth2/register', {
    redirect_uris: [agentCallback],
    client_name: `${client_name}\u{1f600}`,
  })
  expect(await answer.json()).toMatchObject({ client_name })
})

it('an error before the user has answered stays on a page, since anyone can make such a client', async () => {
  await using setup = await agentSetup(open)
  const client = await setup.registered()
  for (const more of [{ scope: 'orders/read' }, { response_type: 'token' }, { prompt: 'none' }]) {
    const page = await setup.visitor.open((await setup.asks(client, more)).url)
    expect([page.status, page.url.startsWith(setup.issuer)]).toEqual([400, true])
    expect(page.text).toContain('This does not work')
  }
})

it('a client asks for no more than it has registered', async () => {
  await using setup = await agentSetup(open)
  const client = await setup.registered({ scope: 'openid' })
  expect((await setup.visitor.open((await setup.asks(client)).url)).text).toContain('must not ask')
  const { url } = await setup.asks(client, { scope: 'openid' })
  expect((await setup.visitor.open(url)).text).toContain('Sign in')
})

it('an address on the device matches at any port, and others do not', async () => {
  await using setup = await agentSetup(open)
  const client = await setup.registered({
    redirect_uris: ['http://127.0.0.1/cb', 'vscode://example.agent/cb', 'https://agent.example/cb'],
  })
  const status = async (redirect_uri: string) =>
    (await setup.visitor.open((await setup.asks(client, { redirect_uri })).url)).status
  for (const address of ['http://127.0.0.1:53112/cb', 'http://127.0.0.1/cb', 'vscode://example.agent/cb'])
    expect(await status(address)).toBe(200)
  for (const address of [
    'http://127.0.0.1:53112/other',
    'http://127.0.0.1:53112@agent.example/cb',
    'http://localhost:53112/cb',
    'https://agent.example:53112/cb',
  ])
    expect(await status(address)).toBe(400)
})

it('a refresh is refused after the pool no longer allows a scope', async () => {
  await using setup = await agentSetup()
  const { operation, visitor, hosted } = setup
  const Name = 'https://orders.example/api'
  const scopes = [{ ScopeName: 'read', ScopeDescription: 'Read orders' }]
  const dcr = (AllowedScopes: readonly string[]) => ({
    DcrConfiguration: { EnableStatus: 'Enabled', OpenDcrEnabled: true, AllowedScopes },
  })
  const { UserPool } = await operation('CreateUserPool', { PoolName: 'made', ...dcr([`${Name}/read`]) })
  const { Id } = UserPool as { readonly Id: string }
  await operation('CreateResourceServer', {
    UserPoolId: Id,
    Identifier: Name,
    Name: 'Orders',
    Scopes: scopes,
  })
  await operation('AdminCreateUser', { UserPoolId: Id, Username: 'ann', MessageAction: 'SUPPRESS' })
  await operation('AdminSetUserPassword', {
    ...{ UserPoolId: Id, Username: 'ann', Password: password, Permanent: true },
  })
  const post = async (path: string, form: { [name: string]: string }) => {
    const body = new URLSearchParams(form)
    const answer = await fetch(`${hosted.url}/${Id}${path}`, { method: 'POST', body })
    return (await answer.json()) as { readonly [name: string]: string }
  }
  const answer = await fetch(`${hosted.url}/${Id}/oauth2/register`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ redirect_uris: [agentCallback] }),
  })
  const { client_id } = (await answer.json()) as { readonly client_id: string }
  const { url, verifier } = await setup.asks(client_id, { scope: `openid ${Name}/read`, resource: Name })
  const page = await setup.signIn(await visitor.open(url.replace(setup.issuer, `${hosted.url}/${Id}`)))
  const returned = await visitor.send(page, { answer: 'allow' })
  const first = await post('/oauth2/token', {
    ...{ grant_type: 'authorization_code', client_id, code_verifier: verifier, redirect_uri: agentCallback },
    code: new URL(returned.url).searchParams.get('code') ?? '',
  })
  const refreshed = (refresh_token = '') =>
    post('/oauth2/token', { grant_type: 'refresh_token', client_id, refresh_token })
  const second = await refreshed(first.refresh_token)
  expect(second.access_token).toBeDefined()
  await operation('UpdateUserPool', { UserPoolId: Id, ...dcr([]) })
  expect(await refreshed(second.refresh_token)).toMatchObject({ error: 'invalid_grant' })
})

it('registration is off unless it is set', async () => {
  await using setup = await agentSetup()
  expect((await setup.json('/oauth2/register', { redirect_uris: [agentCallback] })).status).toBe(404)
  const discovery = await fetch(`${setup.issuer}/.well-known/oauth-authorization-server`)
  expect(await discovery.json()).not.toHaveProperty('registration_endpoint')
})

it.each<[string, unknown, string]>([
  ['text that is not JSON', '{', 'invalid_client_metadata'],
  ['a list', [], 'invalid_client_metadata'],
  ['no redirect URI', {}, 'invalid_redirect_uri'],
  ['an address by http elsewhere', { redirect_uris: ['http://agent.example/cb'] }, 'invalid_redirect_uri'],
  ['an address with a fragment', { redirect_uris: [`${agentCallback}#a`] }, 'invalid_redirect_uri'],
  ['too many addresses', { redirect_uris: Array(21).fill(agentCallback) }, 'invalid_redirect_uri'],
  ['a scheme that can be any program’s', { redirect_uris: ['ms-settings:cb'] }, 'invalid_redirect_uri'],
  [
    'long addresses together',
    { redirect_uris: Array.from({ length: 5 }, (_, at) => `${agentCallback}?${'a'.repeat(900)}${at}`) },
    'invalid_redirect_uri',
  ],
  [
    'a grant for machines alone',
    { redirect_uris: [agentCallback], grant_types: ['client_credentials'] },
    'invalid_client_metadata',
  ],
  [
    'the implicit flow',
    { redirect_uris: [agentCallback], response_types: ['token'] },
    'invalid_client_metadata',
  ],
])('a registration with %s is refused', async (_, metadata, error) => {
  await using setup = await agentSetup(open)
  const answer = await setup.json('/oauth2/register', metadata)
  expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([400, error])
})

it('without open registration, a program needs an access token with the scope for it', async () => {
  const secret = 'a'.repeat(32)
  const clients = {
    web: { id: 'web', callbacks: ['http://localhost:3000/cb'] },
    robot: { id: 'robot', secret, grants: ['client_credentials'], scopes: ['aws.cognito/dcr/register'] },
    weak: { id: 'weak', secret, grants: ['client_credentials'], scopes: [] },
  } as const
  await using setup = await agentSetup({ registration: {}, clients })
  const tokenOf = async (client_id: string) => {
    const form = { grant_type: 'client_credentials', client_id, client_secret: secret }
    const answer = await setup.hosted.post('/oauth2/token', form)
    return ((await answer.json()) as { access_token: string }).access_token
  }
  const status = async (headers: { [name: string]: string }) => {
    const answer = await setup.json('/oauth2/register', { redirect_uris: [agentCallback] }, headers)
    return [answer.status, answer.headers.get('www-authenticate')]
  }
  const refused = [401, 'Bearer error="invalid_token"']
  expect(await status({})).toEqual(refused)
  expect(await status({ authorization: 'Bearer abc' })).toEqual(refused)
  expect(await status({ authorization: `Bearer ${await tokenOf('weak')}` })).toEqual(refused)
  expect(await status({ authorization: `Bearer ${await tokenOf('robot')}` })).toEqual([201, null])
})

it('a flood of registrations ends at the limits of an address, an hour and a pool', async () => {
  const statuses = async (registration: object) => {
    await using setup = await agentSetup({ registration: { open: true, ...registration } })
    const found: number[] = []
    for (let at = 0; at < 4; at++)
      found.push((await setup.json('/oauth2/register', { redirect_uris: [agentCallback] })).status)
    return found
  }
  for (const limit of [{ perAddress: 2 }, { perHour: 2 }, { most: 2 }])
    expect(await statuses(limit)).toEqual([201, 201, 429, 429])
})

it('a registration without a sign-in ends after a day', async () => {
  const clock = manualClock(1_700_000_000_000)
  await using setup = await listeningPool({ ...open, clock, clients: { web: {} } })
  const { issuer } = setup.platform.userPools.get('staff')
  const answer = await fetch(`${issuer}/oauth2/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [agentCallback] }),
  })
  const { client_id } = (await answer.json()) as { readonly client_id: string }
  const known = async () => {
    const pkce = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' }
    const request = { client_id, redirect_uri: agentCallback, response_type: 'code', ...pkce }
    const query = new URLSearchParams(request)
    const page = await fetch(`${issuer}/oauth2/authorize?${query}`, { redirect: 'manual' })
    return page.status === 303
  }
  expect(await known()).toBe(true)
  await clock.advance(24 * 3_600_000)
  expect(await known()).toBe(false)
})

it('in a full pool, a registration replaces the oldest without a sign-in after ten minutes', async () => {
  const clock = manualClock(1_700_000_000_000)
  const { engine } = await poolSetup({ pool: { registration: { open: true, most: 2 } } })
  const pool = engine.poolOf(poolId)
  const at = { ...engine, clock }
  const registered = () => register(at, pool, { name: 'Agent', redirectUris: [agentCallback] }, undefined)
  const [kept, unused] = [await registered(), await registered()]
  await keepClient(at, pool, (await registeredClient(at, pool, kept!.id))!, 'ann')
  await clock.advance(10 * 60_000 - 1)
  expect(await registered()).toBeUndefined()
  await clock.advance(1)
  const next = await registered()
  const ids = (await registeredClients(at, pool)).map(({ id }) => id)
  expect(ids.toSorted()).toEqual([kept!.id, next!.id].toSorted())
  expect(await registeredClient(at, pool, unused!.id)).toBeUndefined()
})

it('a client with which a user signs in just now is not replaced', async () => {
  const { engine, clock } = await poolSetup({ pool: { registration: { open: true, most: 2 } } })
  const pool = engine.poolOf(poolId)
  const registered = (at = engine) =>
    register(at, pool, { name: 'Agent', redirectUris: [agentCallback] }, undefined)
  const first = (await registered())!
  await clock.advance(1)
  const second = (await registered())!
  await clock.advance(10 * 60_000)
  const { store } = engine
  // The user signs in after the registration has found the oldest client, and before it replaces that.
  const nextToExpire: typeof store.nextToExpire = async (...query) => {
    const found = await store.nextToExpire(...query)
    if (found?.id === first.id)
      await keepClient(engine, pool, (await registeredClient(engine, pool, first.id))!, 'ann')
    return found
  }
  const third = await registered({ ...engine, store: { ...store, nextToExpire } })
  const ids = (await registeredClients(engine, pool)).map(({ id }) => id)
  expect(ids.toSorted()).toEqual([first.id, third!.id].toSorted())
  expect(ids).not.toContain(second.id)
})

it('registrations at the same time in a full pool replace one client each', async () => {
  const { engine, clock } = await poolSetup({ pool: { registration: { open: true, most: 2 } } })
  const pool = engine.poolOf(poolId)
  const registered = () => register(engine, pool, { name: 'Agent', redirectUris: [agentCallback] }, undefined)
  await Promise.all([registered(), registered()])
  await clock.advance(10 * 60_000)
  await Promise.all([registered(), registered(), registered()])
  expect(await registeredClients(engine, pool)).toHaveLength(2)
})

it('one user keeps fifty clients in thirty days at most', async () => {
  const { engine, clock } = await poolSetup({ pool: { registration: { open: true } } })
  const pool = engine.poolOf(poolId)
  for (let at = 0; at < 52; at++) {
    const { id } = (await register(
      engine,
      pool,
      { name: 'Agent', redirectUris: [agentCallback] },
      undefined,
    ))!
    await keepClient(engine, pool, (await registeredClient(engine, pool, id))!, 'ann')
  }
  await clock.advance(24 * 3_600_000)
  expect(await registeredClients(engine, pool)).toHaveLength(50)
})

it('administrators list, see and delete registered clients', async () => {
  await using setup = await agentSetup(open)
  const ClientId = await setup.registered({ client_name: 'Agent' })
  const list = async (more: object = {}) => {
    const { UserPoolClients } = await setup.operation('ListUserPoolClients', { UserPoolId, ...more })
    return (UserPoolClients as readonly { ClientId: string }[]).map(each => each.ClientId)
  }
  expect((await list()).toSorted()).toEqual(['other', 'web', ClientId].toSorted())
  expect(await list({ ClientType: 'DCR' })).toEqual([ClientId])
  expect(await list({ ClientType: 'REGULAR' })).not.toContain(ClientId)
  const { UserPoolClient } = await setup.operation('DescribeUserPoolClient', { UserPoolId, ClientId })
  expect(UserPoolClient).toMatchObject({
    ClientName: 'Agent',
    ClientType: 'DCR',
    CallbackURLs: [agentCallback],
  })
  expect(await setup.operation('DeleteUserPoolClient', { UserPoolId, ClientId })).toEqual({})
  expect(await list({ ClientType: 'DCR' })).toEqual([])
  expect((await setup.visitor.open((await setup.asks(ClientId)).url)).status).toBe(400)
})

it('the API has the registration settings of the service, and keeps the API’s sign-in from these clients', async () => {
  await using setup = await agentSetup()
  const created = async (DcrConfiguration: object) => {
    const { UserPool } = await setup.operation('CreateUserPool', { PoolName: 'made', DcrConfiguration })
    const { Id } = UserPool as { readonly Id: string }
    const answer = await fetch(`${setup.hosted.url}/${Id}/oauth2/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [agentCallback] }),
    })
    return { status: answer.status, body: (await answer.json()) as { client_id: string } }
  }
  const { status, body } = await created({ EnableStatus: 'Enabled', OpenDcrEnabled: true })
  expect(status).toBe(201)
  const signIn = await setup.operation('InitiateAuth', {
    ...{ ClientId: body.client_id, AuthFlow: 'USER_PASSWORD_AUTH' },
    AuthParameters: { USERNAME: 'ann', PASSWORD: 'x' },
  })
  expect(signIn).toMatchObject({ __type: 'ResourceNotFoundException' })
  expect((await created({})).status).toBe(404)
  expect((await created({ EnableStatus: 'Enabled' })).status).toBe(401)
  expect((await created({ EnableStatus: 'Disabled', OpenDcrEnabled: true })).status).toBe(404)
  expect(
    (await created({ EnableStatus: 'Enabled', OpenDcrEnabled: true, OpenDcrGrantTypes: [] })).status,
  ).toBe(401)
  const refused = await setup.operation('CreateUserPool', {
    ...{ PoolName: 'made', DcrConfiguration: { OpenDcrGrantTypes: ['client_credentials'] } },
  })
  expect(refused).toMatchObject({ message: 'OpenDcrGrantTypes must be of code, implicit.' })
})
