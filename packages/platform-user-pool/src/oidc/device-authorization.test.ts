import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import * as oidc from 'openid-client'
import type { UserPoolConfig } from '../config/user-pool-config.ts'
import { hostedSetup, password } from '../testing/hosted-setup.ts'
import { listeningPool } from '../testing/listening-pool.ts'
import { pageVisitor, type VisitedPage } from '../testing/page-visitor.ts'

const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
const clients: UserPoolConfig['clients'] = {
  web: { id: 'web', callbacks: ['http://localhost:3000/cb'] },
  tv: { id: 'tv', grants: ['device_code'] },
  radio: { id: 'radio', grants: ['device_code'] },
}

interface Begun {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

async function deviceSetup(pool: Partial<UserPoolConfig> = {}) {
  const hosted = await hostedSetup({ pool: { clients, ...pool } })
  const begin = async (more: { [name: string]: string } = {}) => {
    const answer = await hosted.post('/oauth2/device_authorization', { client_id: 'tv', ...more })
    return (await answer.json()) as Begun & { readonly error?: string }
  }
  const ask = async (device_code: string, client_id = 'tv') => {
    const answer = await hosted.post('/oauth2/token', { grant_type, client_id, device_code })
    return (await answer.json()) as { readonly [name: string]: string }
  }
  const enter = async (user_code: string, visitor: ReturnType<typeof pageVisitor> = hosted.visitor) =>
    visitor.send(await visitor.open(`${hosted.staff.issuer}/device`), { user_code })
  const signIn = (page: VisitedPage) => hosted.visitor.send(page, { username: 'ann', password }, 'login')
  return { hosted, begin, ask, enter, signIn, [Symbol.asyncDispose]: () => hosted[Symbol.asyncDispose]() }
}

it('openid-client connects a device: its user enters the code, signs in and consents', async () => {
  await using setup = await deviceSetup()
  const { hosted } = setup
  const config = await hosted.configure('tv', oidc.None())
  expect(config.serverMetadata()).toMatchObject({
    device_authorization_endpoint: `${hosted.staff.issuer}/oauth2/device_authorization`,
    grant_types_supported: expect.arrayContaining([grant_type]),
  })
  const begun = await oidc.initiateDeviceAuthorization(config, { scope: 'openid email' })
  expect(begun).toMatchObject({ expires_in: 600, interval: 5 })
  expect(begun.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  expect(begun.verification_uri).toBe(`${hosted.staff.issuer}/device`)
  const form = await hosted.visitor.open(begun.verification_uri_complete!)
  expect(form.text).toContain(begun.user_code)
  const login = await hosted.visitor.send(form, {})
  const page = await setup.signIn(login)
  for (const shown of ['tv', 'ann', begun.user_code]) expect(page.text).toContain(shown)
  expect((await hosted.visitor.send(page, { answer: 'allow' })).text).toContain(
    'The device will be connected',
  )
  const tokens = await oidc.pollDeviceAuthorizationGrant(config, { ...begun, interval: 0 })
  expect(tokens.claims()).toMatchObject({ aud: 'tv', email: 'ann@example.com' })
  expect((await oidc.refreshTokenGrant(config, tokens.refresh_token!)).access_token).toBeDefined()
  // The code counts once.
  expect(await setup.ask(begun.device_code)).toMatchObject({ error: 'invalid_grant' })
}, 20_000)

it('a device that asks too often is told to slow down, and one whose user refuses gets nothing', async () => {
  await using setup = await deviceSetup()
  const { device_code, user_code } = await setup.begin()
  expect(await setup.ask(device_code)).toMatchObject({ error: 'authorization_pending' })
  expect(await setup.ask(device_code)).toMatchObject({ error: 'slow_down' })
  const page = await setup.signIn(await setup.enter(user_code.toLowerCase().replace('-', ' ')))
  await setup.hosted.visitor.send(page, { answer: 'refuse' })
  expect(await setup.ask(device_code)).toMatchObject({ error: 'access_denied' })
  expect(await setup.ask(device_code)).toMatchObject({ error: 'invalid_grant' })
})

it('a device waits ten minutes, and five seconds longer after each early question', async () => {
  const clock = manualClock(1_700_000_000_000)
  await using setup = await listeningPool({ clients, clock })
  const { issuer } = setup.platform.userPools.get('staff')
  const post = async (path: string, form: { [name: string]: string }) => {
    const answer = await fetch(`${issuer}${path}`, { method: 'POST', body: new URLSearchParams(form) })
    return (await answer.json()) as { readonly [name: string]: string }
  }
  const { device_code = '' } = await post('/oauth2/device_authorization', { client_id: 'tv' })
  const after = async (ms: number) => {
    await clock.advance(ms)
    return (await post('/oauth2/token', { grant_type, client_id: 'tv', device_code })).error
  }
  const pending = 'authorization_pending'
  expect(await after(0)).toBe(pending)
  expect(await after(5000)).toBe(pending)
  expect(await after(4999)).toBe('slow_down')
  expect(await after(9999)).toBe('slow_down')
  expect(await after(15_000)).toBe(pending)
  expect(await after(600_000)).toBe('expired_token')
  expect(await after(600_000)).toBe('invalid_grant')
})

it('only the client that began, and only one that may, gets the tokens of a device', async () => {
  await using setup = await deviceSetup()
  const { device_code } = await setup.begin()
  expect(await setup.ask(device_code, 'radio')).toMatchObject({ error: 'invalid_grant' })
  expect(await setup.ask(device_code, 'web')).toMatchObject({ error: 'unauthorized_client' })
  expect(await setup.begin({ client_id: 'web' })).toMatchObject({ error: 'unauthorized_client' })
  expect(await setup.begin({ scope: 'orders/read' })).toMatchObject({ error: 'invalid_scope' })
  expect(await setup.ask(device_code)).toMatchObject({ error: 'authorization_pending' })
})

it('wrong codes at one network address are limited in an hour, and right ones do not count', async () => {
  await using setup = await deviceSetup({ limits: { deviceCodesPerAddress: 2 } })
  const { user_code } = await setup.begin()
  for (let at = 0; at < 4; at++) expect((await setup.enter(user_code)).text).toContain('Sign in')
  for (let at = 0; at < 2; at++)
    expect((await setup.enter('BBBB-BBBB')).text).toContain('There is no such code')
  for (const code of ['BBBB-BBBB', user_code])
    expect((await setup.enter(code)).text).toContain('Too many wrong codes were entered.')
})

it('a setting limits how many devices can ask at one network address', async () => {
  await using setup = await deviceSetup({ limits: { devicesPerAddress: 1 } })
  await setup.begin()
  expect((await setup.begin()).error).toBe('temporarily_unavailable')
})

it('the address after a code was entered leads no other browser to a consent', async () => {
  await using setup = await deviceSetup()
  const { user_code } = await setup.begin()
  const attacker = pageVisitor(setup.hosted.url)
  const { url } = await setup.enter(user_code, attacker)
  expect(new URL(url).pathname).toContain('login')
  await setup.enter(user_code)
  for (const page of ['login', 'consent', 'oauth2/authorize']) {
    const stolen = await setup.hosted.visitor.open(url.replace(/login(?=\?)/, page))
    expect([stolen.status, stolen.text.includes('The device does not wait any longer.')]).toEqual([400, true])
  }
})

it('no other site can enter a code in a browser', async () => {
  await using setup = await deviceSetup()
  const { user_code } = await setup.begin()
  const { visitor, staff } = setup.hosted
  await visitor.open(`${staff.issuer}/device`)
  const answer = await fetch(`${staff.issuer}/device`, {
    ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams({ user_code }) },
    headers: { cookie: [...visitor.cookies].map(each => each.join('=')).join('; ') },
  })
  expect(answer.status).toBe(400)
})

it('of several questions at once, one is answered, and the others are told to slow down', async () => {
  await using setup = await deviceSetup()
  const { device_code } = await setup.begin()
  const answers = await Promise.all(Array.from({ length: 4 }, () => setup.ask(device_code)))
  const pending = answers.filter(({ error }) => error === 'authorization_pending')
  expect(pending).toHaveLength(1)
  expect(answers.filter(({ error }) => error === 'slow_down')).toHaveLength(3)
})

it('a device that was allowed gets nothing after the session of the browser has ended', async () => {
  await using setup = await deviceSetup({ sessions: {} })
  const { device_code, user_code } = await setup.begin()
  const page = await setup.signIn(await setup.enter(user_code))
  await setup.hosted.visitor.send(page, { answer: 'allow' })
  await setup.hosted.visitor.open(`${setup.hosted.staff.issuer}/logout`)
  expect(await setup.ask(device_code)).toMatchObject({ error: 'invalid_grant' })
})

it('a device names no other resource than the one that it began with', async () => {
  await using setup = await deviceSetup()
  const { device_code, user_code } = await setup.begin()
  const page = await setup.signIn(await setup.enter(user_code))
  await setup.hosted.visitor.send(page, { answer: 'allow' })
  const form = { grant_type, client_id: 'tv', device_code, resource: 'https://orders.example/api' }
  const answer = await setup.hosted.post('/oauth2/token', form)
  expect(await answer.json()).toMatchObject({ error: 'invalid_target' })
})

it('an authorization request can have an unknown parameter with the name device', async () => {
  await using setup = await deviceSetup()
  const { issuer } = setup.hosted.staff
  const known = { client_id: 'web', redirect_uri: 'http://localhost:3000/cb', response_type: 'code' }
  const pkce = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' }
  const query = new URLSearchParams({ ...known, ...pkce, device: 'phone' })
  expect((await setup.hosted.visitor.open(`${issuer}/oauth2/authorize?${query}`)).text).toContain('Sign in')
})

it('neither the code of a user nor that of a device opens a page', async () => {
  await using setup = await deviceSetup()
  const { user_code, device_code } = await setup.begin()
  const { issuer } = setup.hosted.staff
  for (const handle of [user_code, device_code, '']) {
    for (const page of ['login', 'consent', 'oauth2/authorize']) {
      const found = await setup.hosted.visitor.open(`${issuer}/${page}?_device=${encodeURIComponent(handle)}`)
      expect(found.status).toBe(400)
    }
  }
})

it('a device that was allowed gets nothing after its user has signed out everywhere', async () => {
  await using setup = await deviceSetup()
  const { device_code, user_code } = await setup.begin()
  const page = await setup.signIn(await setup.enter(user_code))
  await setup.hosted.visitor.send(page, { answer: 'allow' })
  await fetch(setup.hosted.url, {
    method: 'POST',
    headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.AdminUserGlobalSignOut' },
    body: JSON.stringify({ UserPoolId: 'eu-central-1_Staff01', Username: 'ann' }),
  })
  expect(await setup.ask(device_code)).toMatchObject({ error: 'invalid_grant' })
})

it('a form of the device page without its token allows nothing', async () => {
  await using setup = await deviceSetup()
  const { device_code, user_code } = await setup.begin()
  const page = await setup.signIn(await setup.enter(user_code))
  const answer = await fetch(page.url, {
    ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams({ answer: 'allow' }) },
    headers: { cookie: [...setup.hosted.visitor.cookies].map(each => each.join('=')).join('; ') },
  })
  expect(answer.status).toBe(400)
  expect(await setup.ask(device_code)).toMatchObject({ error: 'authorization_pending' })
})

it('a device that asks for openid alone gets no attributes, neither in its token nor at userInfo', async () => {
  await using setup = await deviceSetup()
  const { device_code, user_code } = await setup.begin({ scope: 'openid' })
  const page = await setup.signIn(await setup.enter(user_code))
  expect(page.text).toContain('your user name and your groups')
  await setup.hosted.visitor.send(page, { answer: 'allow' })
  const { id_token = '', access_token } = await setup.ask(device_code)
  const claims = JSON.parse(Buffer.from(id_token.split('.')[1]!, 'base64url').toString())
  expect(claims).toMatchObject({ 'cognito:username': 'ann' })
  expect(claims).not.toHaveProperty('email')
  const headers = { authorization: `Bearer ${access_token}` }
  const info = await fetch(`${setup.hosted.staff.issuer}/oauth2/userInfo`, { headers })
  expect(await info.json()).toEqual({ sub: claims.sub, username: 'ann' })
})

it('a pool without such a client has neither the endpoint in its metadata nor the page', async () => {
  await using hosted = await hostedSetup()
  expect(hosted.config.serverMetadata().device_authorization_endpoint).toBeUndefined()
  expect((await fetch(`${hosted.staff.issuer}/device`)).status).toBe(404)
})
