import { expect, it } from '@jest/globals'
import * as oidc from 'openid-client'
import type { UserPoolConfig } from '../config/user-pool-config.ts'
import { newBrowserSession } from '../flows/sign-in/new-browser-session.ts'
import { agentSetup } from '../testing/agent-setup.ts'
import { hostedSetup, password } from '../testing/hosted-setup.ts'
import { pageVisitor, type VisitedPage } from '../testing/page-visitor.ts'
import { poolId, poolSetup } from '../testing/pool-setup.ts'
import { hostedPage } from './hosted-pages.ts'

const scope = 'openid aws.cognito.signin.user.admin'

async function accountSetup(pool: Partial<UserPoolConfig> = { sessions: {} }) {
  const hosted = await hostedSetup({
    pool,
    client: { flows: ['password', 'refresh'], scopes: ['openid', 'aws.cognito.signin.user.admin'] },
  })
  const { address } = await hosted.ask({ scope })
  const page = `${hosted.staff.issuer}/account${address.search}`
  const call = async (operation: string, input: object) => {
    const headers = { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` }
    const answer = await fetch(hosted.url, { method: 'POST', headers, body: JSON.stringify(input) })
    // biome-ignore lint/suspicious/noExplicitAny: each test states what it expects of an answer.
    return (await answer.json()) as any
  }
  return {
    ...hosted,
    call,
    open: (visitor = hosted.visitor) => visitor.open(page),
    enter: (shown: VisitedPage, visitor = hosted.visitor) =>
      visitor.send(shown, { username: 'ann', password }),
    /** Signs in by the API, as an app does. */
    async signIn(username = 'ann') {
      const AuthParameters = { USERNAME: username, PASSWORD: password }
      const input = { ClientId: 'web', AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters }
      return (await call('InitiateAuth', input)).AuthenticationResult
    },
  }
}

const listed = ({ text }: VisitedPage) => text.match(/<li>/g)?.length ?? 0
const titleOf = ({ text }: VisitedPage) => /<h1>(.*?)<\/h1>/.exec(text)?.[1]
const idsIn = ({ text }: VisitedPage) => [...text.matchAll(/name="id" value="([^"]+)"/g)].map(([, id]) => id!)
const formFor = (page: VisitedPage, action: string, id: string) => ({
  ...page,
  text:
    page.text.split('</form>').find(form => form.includes(`value="${action}"`) && form.includes(id))! +
    '</form>',
})

it('a user sees the sessions of programs and browsers, ends one, and returns to the application', async () => {
  await using setup = await accountSetup()
  const { AccessToken } = await setup.signIn()
  const phone = pageVisitor(setup.url)
  expect(titleOf(await setup.open(phone))).toBe('Sign in')
  await setup.enter(await setup.open(phone), phone)
  const page = await setup.enter(await setup.open())
  expect([titleOf(page), listed(page)]).toEqual(['Your account', 3])
  expect(page.text).toContain('You are signed in as ann.')
  expect(page.text).toMatch(/<li>This browser, since <time datetime="[^"]+">[\d-]+ [\d:]+ UTC<\/time>/)
  expect(page.text).toContain('<li>The program web')
  expect(page.text).toContain('from 127.0.0.1')
  // The session of this browser has no form.
  const token = idsIn(page).find(id => id.startsWith('tkn'))!
  expect(idsIn(page)).toHaveLength(2)
  const ended = await setup.visitor.send(formFor(page, 'end', token), { action: 'end' })
  expect([ended.text.includes('The session has ended.'), listed(ended)]).toEqual([true, 2])
  expect((await setup.call('GetUser', { AccessToken })).message).toBe('Access Token has been revoked')
  const link = /href="(oauth2\/authorize[^"]+)"/.exec(ended.text)![1]!.replaceAll('&#38;', '&')
  expect((await setup.visitor.open(`${setup.staff.issuer}/${link}`)).url).toContain('?code=')
})

it('the end of another browser signs it out, with the programs that it has signed in', async () => {
  await using setup = await accountSetup()
  const phone = pageVisitor(setup.url)
  await setup.enter(await setup.open(phone), phone)
  const { address, checks } = await setup.ask({ scope })
  const back = await phone.open(address.href)
  const { access_token } = await oidc.authorizationCodeGrant(setup.config, new URL(back.url), checks)
  const page = await setup.enter(await setup.open())
  expect(listed(page)).toBe(3)
  const browser = idsIn(page).find(id => id.startsWith('sso'))!
  const ended = await setup.visitor.send(formFor(page, 'end', browser), { action: 'end' })
  expect(listed(ended)).toBe(1)
  expect(titleOf(await setup.open(phone))).toBe('Sign in')
  expect((await setup.call('GetUser', { AccessToken: access_token })).message).toContain('revoked')
})

it('a user signs out everywhere, also where the pool does not track sessions', async () => {
  for (const pool of [{ sessions: {} }, {}]) {
    await using setup = await accountSetup(pool)
    const { AccessToken } = await setup.signIn()
    const page = await setup.enter(await setup.open())
    expect(page.text.includes('Where you are signed in')).toBe('sessions' in pool)
    const out = await setup.visitor.send(page, { action: 'everywhere' })
    expect(out.text).toContain('You are signed out everywhere.')
    expect((await setup.call('GetUser', { AccessToken })).message).toContain('revoked')
    expect(titleOf(await setup.open())).toBe('Sign in')
  }
})

it('a user forgets a device, which then needs the second factor again', async () => {
  await using setup = await accountSetup({ devices: 'always', mfa: { mode: 'optional', by: ['email'] } })
  await setup.call('AdminSetUserMFAPreference', {
    ...{ UserPoolId: setup.staff.id, Username: 'ann' },
    EmailMfaSettings: { Enabled: true },
  })
  const asked = await setup.enter(await setup.open())
  const page = await setup.visitor.send(asked, { code: (await setup.staff.code('ann'))! })
  expect(page.text).toContain('Devices that need no second factor')
  expect(page.text).toContain('<li>This browser, last used')
  const forgotten = await setup.visitor.send(page, { action: 'forget' })
  expect([forgotten.text.includes('The device is forgotten.'), listed(forgotten)]).toEqual([true, 0])
  expect(forgotten.text).toContain('There is none.')
  const { address } = await setup.ask({ prompt: 'login', scope })
  expect((await setup.enter(await setup.visitor.open(address.href))).text).toContain('A code was sent to')
})

it('a user who signs out everywhere needs the second factor again', async () => {
  await using setup = await accountSetup({ devices: 'always', mfa: { mode: 'optional', by: ['email'] } })
  await setup.call('AdminSetUserMFAPreference', {
    ...{ UserPoolId: setup.staff.id, Username: 'ann' },
    EmailMfaSettings: { Enabled: true },
  })
  const asked = await setup.enter(await setup.open())
  const page = await setup.visitor.send(asked, { code: (await setup.staff.code('ann'))! })
  await setup.visitor.send(page, { action: 'everywhere' })
  expect((await setup.enter(await setup.open())).text).toContain('A code was sent to')
})

it('nobody ends the sessions, or forgets the devices, of another user', async () => {
  await using setup = await accountSetup({ sessions: {}, devices: 'always' })
  await setup.staff.users.add('bob', { password })
  const bob = await setup.signIn('bob')
  const { Sessions } = await setup.call('ListUserSessions', { AccessToken: bob.AccessToken })
  await setup.call('ConfirmDevice', {
    ...{ AccessToken: bob.AccessToken, DeviceKey: bob.NewDeviceMetadata.DeviceKey },
    DeviceSecretVerifierConfig: { PasswordVerifier: 'AQID', Salt: 'AQID' },
  })
  const own = await setup.signIn()
  const page = await setup.enter(await setup.open())
  expect(listed(page)).toBe(2)
  const text = page.text.replaceAll('value="everywhere">', 'value="x"><input name="id" value="">')
  const forged = { ...page, text: text.slice(text.lastIndexOf('<form')) }
  const refused = await setup.visitor.send(forged, { action: 'end', id: Sessions[0].SessionId })
  expect([refused.status, refused.text.includes('Session does not exist.')]).toEqual([400, true])
  const other = await setup.visitor.send(forged, { action: 'forget', id: bob.NewDeviceMetadata.DeviceKey })
  expect([other.status, other.text.includes('Device does not exist.')]).toEqual([400, true])
  const unknown = await setup.visitor.send(forged, { action: 'x' })
  expect([unknown.status, listed(unknown)]).toEqual([400, 2])
  for (const { AccessToken } of [bob, own])
    expect((await setup.call('GetUser', { AccessToken })).Username).toBeDefined()
  expect((await setup.call('ListDevices', { AccessToken: bob.AccessToken })).Devices).toHaveLength(1)
})

it('the session of this browser is ended by a sign-out only, and a forged form changes nothing', async () => {
  await using setup = await accountSetup()
  const { AccessToken } = await setup.signIn()
  const page = await setup.enter(await setup.open())
  const { Sessions } = await setup.call('ListUserSessions', { AccessToken })
  const browser = Sessions.find((each: { SessionType: string }) => each.SessionType === 'SSO').SessionId
  const refused = await setup.visitor.send(page, { action: 'end', id: browser })
  expect(refused.text).toContain('This is the browser that you are using.')
  const forged = {
    ...page,
    text: page.text.replaceAll(/name="_token" value="[^"]*"/g, 'name="_token" value="x"'),
  }
  expect(titleOf(await setup.visitor.send(forged, { action: 'everywhere' }))).toBe('Sign in')
  expect((await setup.call('GetUser', { AccessToken })).Username).toBe('ann')
})

it('shows the name of a program that has registered itself as text', async () => {
  await using setup = await agentSetup({ registration: { open: true }, sessions: {} })
  const client = await setup.registered({ client_name: 'Agent <b>' })
  const { url, verifier } = await setup.asks(client, { scope: 'openid' })
  const page = await setup.signIn(await setup.visitor.open(url))
  await setup.redeem(client, await setup.visitor.send(page, { answer: 'allow' }), verifier)
  const shown = await setup.visitor.open(`${setup.issuer}/account${new URL(url).search}`)
  expect(shown.text).toContain('The program Agent &#60;b&#62;')
})

it('a user whose sign-in is older than fifteen minutes must sign in again', async () => {
  await using setup = await poolSetup({ client: { callbacks: ['http://localhost:3000/cb'] } })
  await setup.user()
  const { engine } = setup
  const pool = engine.poolOf(poolId)
  const user = (await engine.store.userNamed(poolId, 'ann'))!
  const session = newBrowserSession(engine, { pool, client: pool.clients[0]!, sdk: 'test' }, user)
  await engine.store.change({ pool: poolId, now: engine.clock.now(), adds: [session.credential] })
  const query = new URLSearchParams({
    ...{ client_id: 'web', redirect_uri: 'http://localhost:3000/cb', response_type: 'code' },
    ...{ code_challenge: 'A'.repeat(43), code_challenge_method: 'S256' },
  })
  const open = () =>
    hostedPage(engine, pool, {
      ...{ method: 'GET', path: '/account', query, form: undefined, authorization: undefined },
      cookies: `__Host-signin-${poolId}=${session.handle}`,
      ...{ fetchSite: undefined, origin: 'https://pools.example', sdk: 'x' },
    })
  await setup.clock.advance(15 * 60_000 - 1)
  expect((await open())!).toMatchObject({ body: expect.stringContaining('Your account') })
  await setup.clock.advance(1)
  expect((await open())!.headers.location).toMatch(/^login\?.*next=account$/)
})
