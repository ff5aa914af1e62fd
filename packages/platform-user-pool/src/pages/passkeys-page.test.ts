import { expect, it } from '@jest/globals'
import * as oidc from 'openid-client'
import type { UserPoolConfig } from '../config/user-pool-config.ts'
import { newBrowserSession } from '../flows/sign-in/new-browser-session.ts'
import { federatedSetup } from '../testing/federated-setup.ts'
import { hostedSetup, password } from '../testing/hosted-setup.ts'
import type { VisitedPage } from '../testing/page-visitor.ts'
import { poolId, poolSetup } from '../testing/pool-setup.ts'
import { softwareAuthenticator } from '../testing/software-authenticator.ts'
import { hostedPage } from './hosted-pages.ts'

async function passkeysSetup(pool: Partial<UserPoolConfig> = {}) {
  const hosted = await hostedSetup({ pool: { firstFactors: ['password', 'passkey'], ...pool } })
  const authenticator = softwareAuthenticator('http://localhost:9331')
  const { address, checks } = await hosted.ask()
  return {
    ...hosted,
    checks,
    authenticator,
    /** Opens the passkey page. */
    open: (visitor = hosted.visitor) => visitor.open(`${hosted.staff.issuer}/passkeys${address.search}`),
    /** Enters the user name and password if the page asks for them. */
    enter: (page: VisitedPage) => hosted.visitor.send(page, { username: 'ann', password }),
    async add(page: VisitedPage) {
      const created = await hosted.visitor.send(page, { action: 'add' })
      const credential = JSON.stringify(authenticator.create(optionsIn(created)))
      return { created, done: await hosted.visitor.send(created, { credential }) }
    },
  }
}

function optionsIn({ text }: VisitedPage) {
  const quoted = /data-creation="([^"]+)"/.exec(text)![1]!
  return JSON.parse(quoted.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))))
}

const listed = ({ text }: VisitedPage) => text.match(/<li>/g)?.length ?? 0
const titleOf = ({ text }: VisitedPage) => /<h1>(.*?)<\/h1>/.exec(text)?.[1]

it('a user signs in, adds passkeys, removes one, and returns to the application', async () => {
  await using setup = await passkeysSetup()
  const page = await setup.open()
  expect(titleOf(page)).toBe('Sign in')
  const empty = await setup.enter(page)
  expect([titleOf(empty), listed(empty)]).toEqual(['Your passkeys', 0])
  const { done } = await setup.add(empty)
  expect([done.text.includes('The passkey is added.'), listed(done)]).toEqual([true, 1])
  const two = (await setup.add(done)).done
  expect(listed(two)).toBe(2)
  const one = await setup.visitor.send(two, {
    action: 'remove',
    id: [...setup.authenticator.passkeys.keys()][0]!,
  })
  expect([one.text.includes('The passkey is removed.'), listed(one)]).toEqual([true, 1])
  const link = /href="(oauth2\/authorize[^"]+)"/.exec(one.text)![1]!.replaceAll('&#38;', '&')
  const back = await setup.visitor.open(`${setup.staff.issuer}/${link}`)
  const tokens = await oidc.authorizationCodeGrant(setup.config, new URL(back.url), setup.checks)
  expect(tokens.claims()).toMatchObject({ 'cognito:username': 'ann' })
})

it('the passkey page refuses a passkey with a forged form token, a reused challenge or an invalid response', async () => {
  await using setup = await passkeysSetup()
  const { visitor, authenticator } = setup
  const empty = await setup.enter(await setup.open())
  const forged = {
    ...empty,
    text: empty.text.replaceAll(/name="_token" value="[^"]*"/g, 'name="_token" value="x"'),
  }
  expect(titleOf(await visitor.send(forged, { action: 'add' }))).toBe('Sign in')
  const { created, done } = await setup.add(empty)
  const again = await visitor.send(created, {
    credential: JSON.stringify(authenticator.create(optionsIn(created))),
  })
  expect([again.status, listed(again)]).toEqual([400, 1])
  const next = await visitor.send(done, { action: 'add' })
  for (const credential of [
    'x',
    '{}',
    JSON.stringify(authenticator.create(optionsIn(next), { origin: 'https://evil.example' })),
  ]) {
    const refused = await visitor.send(next, { credential })
    expect([refused.status, listed(refused)]).toEqual([400, 1])
  }
})

it('only the signed-in user can see and remove the passkeys of an account', async () => {
  await using setup = await passkeysSetup()
  await setup.add(await setup.enter(await setup.open()))
  const [id] = [...setup.authenticator.passkeys.keys()]
  await setup.staff.users.add('bob', { password })
  const { address } = await setup.ask({ prompt: 'login' })
  await setup.visitor.send(await setup.visitor.open(address.href), { username: 'bob', password })
  const own = await setup.open()
  expect([titleOf(own), listed(own)]).toEqual(['Your passkeys', 0])
  const text = own.text.replace('value="add">', 'value="remove"><input name="id">')
  const refused = await setup.visitor.send({ ...own, text }, { id: id! })
  expect(refused.text).toContain('The user has no such passkey.')
  setup.visitor.cookies.clear()
  expect(titleOf(await setup.open())).toBe('Sign in')
})

it('a pool without passkeys has no passkey page, and a user of an external provider cannot have passkeys', async () => {
  await using without = await passkeysSetup({ firstFactors: ['password'] })
  const back = await without.enter(await without.open())
  expect(back.url).toContain('http://localhost:3000/cb?code=')
  expect(titleOf(await without.open())).toBe('Sign in')

  await using federated = await federatedSetup({}, undefined, { firstFactors: ['password', 'passkey'] })
  const { back: returned } = await federated.signInThere()
  await federated.pool.visitor.open(returned.href)
  const { address } = await federated.pool.ask()
  const page = await federated.pool.visitor.open(`${federated.pool.staff.issuer}/passkeys${address.search}`)
  expect(titleOf(page)).toBe('Your passkeys')
  const refused = await federated.pool.visitor.send(page, { action: 'add' })
  expect(refused.text).toContain('Users of another identity provider have no passkeys here.')
})

it('a user whose sign-in is older than fifteen minutes must sign in again to change passkeys', async () => {
  await using setup = await poolSetup({
    pool: { firstFactors: ['password', 'passkey'] },
    client: { callbacks: ['http://localhost:3000/cb'] },
  })
  await setup.user()
  const { engine } = setup
  const pool = engine.poolOf(poolId)
  const user = (await engine.store.userNamed(poolId, 'ann'))!
  const session = newBrowserSession(engine, { pool, client: pool.clients[0]!, sdk: 'test' }, user)
  await engine.store.change({ pool: poolId, now: engine.clock.now(), adds: [session.credential] })
  const query = new URLSearchParams({
    client_id: 'web',
    redirect_uri: 'http://localhost:3000/cb',
    response_type: 'code',
    code_challenge: 'A'.repeat(43),
    code_challenge_method: 'S256',
  })
  const open = () =>
    hostedPage(engine, pool, {
      method: 'GET',
      path: '/passkeys',
      query,
      form: undefined,
      authorization: undefined,
      cookies: `__Host-signin-${poolId}=${session.handle}`,
      fetchSite: undefined,
      origin: 'https://pools.example',
      sdk: 'x',
    })
  await setup.clock.advance(15 * 60_000 - 1)
  expect((await open())!).toMatchObject({ body: expect.stringContaining('Your passkeys') })
  await setup.clock.advance(1)
  expect((await open())!.headers.location).toMatch(/^login\?.*next=passkeys$/)
})
