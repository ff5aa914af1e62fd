import { expect, it } from '@jest/globals'
import * as oidc from 'openid-client'
import { federatedSetup } from '../testing/federated-setup.ts'
import { callback, hostedSetup, password } from '../testing/hosted-setup.ts'
import { pageVisitor } from '../testing/page-visitor.ts'

it('the first sign-in through an external provider creates an account, calls triggers and returns tokens', async () => {
  const nothing = () => ({})
  await using setup = await federatedSetup({
    PreSignUp_ExternalProvider: () => ({ autoVerifyEmail: true }),
    PostConfirmation_ConfirmSignUp: nothing,
    PostAuthentication_Authentication: nothing,
    TokenGeneration_HostedAuth: nothing,
  })
  const { pool } = setup
  const { there, back, checks } = await setup.signInThere()
  expect(Object.fromEntries(there.searchParams)).toMatchObject({
    code_challenge_method: 'S256',
    state: expect.any(String),
    nonce: expect.any(String),
    scope: 'openid email profile',
  })
  const returned = await pool.visitor.open(back.href)
  const tokens = await oidc.authorizationCodeGrant(pool.config, new URL(returned.url), checks)
  const sub = (await setup.provider.staff.users.get('ann'))!.sub
  expect(tokens.claims()).toMatchObject({
    'cognito:username': `Login_${sub}`,
    email: 'ann@example.com',
    email_verified: true,
  })
  expect(pool.setup.called).toEqual([
    'PreSignUp_ExternalProvider',
    'PostConfirmation_ConfirmSignUp',
    'TokenGeneration_HostedAuth',
  ])
  const user = (await pool.staff.users.get(`Login_${sub}`))!
  expect(user).toMatchObject({ status: 'EXTERNAL_PROVIDER', attributes: { given_name: 'Ann' } })

  // At the second sign-in, the account already exists. It has no password, and its e-mail address cannot be used to
  // sign in.
  const again = await setup.signInThere({ scope: 'openid' })
  const second = await pool.visitor.open(again.back.href)
  const more = await oidc.authorizationCodeGrant(pool.config, new URL(second.url), again.checks)
  expect(more.claims()).toMatchObject({
    sub: tokens.claims()!.sub,
    identities: [{ providerName: 'Login', userId: sub, providerType: 'OIDC', primary: 'true' }],
  })
  expect(pool.setup.called.slice(3)).toEqual([
    'PostAuthentication_Authentication',
    'TokenGeneration_HostedAuth',
  ])
  const page = await pool.visitor.open((await pool.ask({ prompt: 'login' })).address.href)
  expect(page.text).toContain('Continue with Login')
  const tried = await pool.visitor.send(page, { username: `Login_${sub}`, password })
  expect(tried.text).toContain('Incorrect username or password.')
})

it('a user of a provider comes back to the hosted page that asked for the sign-in', async () => {
  await using setup = await federatedSetup()
  const { pool } = setup
  const { back } = await setup.signInThere({ next: 'account' })
  const page = await pool.visitor.open(back.href)
  expect(new URL(page.url).pathname).toMatch(/\/account$/)
  expect(page.text).toContain('Your account')
})

it('a client that expects another user, or a recent sign-in, says so to the provider, too', async () => {
  await using setup = await federatedSetup()
  const { pool } = setup
  const { tokens } = await pool.signedIn()
  const { there, back, checks } = await setup.signInThere({ id_token_hint: tokens.id_token!, max_age: '60' })
  expect(there.searchParams.get('max_age')).toBe('60')
  const { url } = await pool.visitor.open(back.href)
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    error: 'login_required',
    state: checks.expectedState,
  })
})

it('an inbound-federation function can choose which provider attributes are stored, or deny the sign-in', async () => {
  await using setup = await federatedSetup({
    InboundFederation_ExternalProvider: ({ request }) => {
      const { idToken, userInfo } = request.attributes as {
        idToken: { sub: string }
        userInfo: { sub: string }
      }
      return {
        userAttributesToMap: { email: 'other@example.com', nickname: `${idToken.sub === userInfo.sub}` },
      }
    },
  })
  const { back } = await setup.signInThere()
  await setup.pool.visitor.open(back.href)
  const all = await setup.pool.staff.users.list()
  expect(all.find(({ status }) => status === 'EXTERNAL_PROVIDER')!.attributes).toMatchObject({
    email: 'other@example.com',
    nickname: 'true',
  })
  await using denying = await federatedSetup({
    PreSignUp_ExternalProvider: () => {
      throw new Error('not you')
    },
  })
  const denied = await denying.signInThere()
  const { url } = await denying.pool.visitor.open(denied.back.href)
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    error: 'access_denied',
    error_description: 'PreSignUp failed with error not you.',
    state: denied.checks.expectedState,
  })
})

it('a provider’s response is valid only once, in the browser that asked, with the right state, nonce and issuer', async () => {
  await using setup = await federatedSetup()
  const { pool } = setup
  const notAsked = 'This browser did not ask for this sign-in'
  const first = await setup.signInThere()
  // An attacker makes another browser open the last step of a sign-in.
  expect((await pageVisitor(pool.url).open(first.back.href)).text).toContain(notAsked)
  const anotherVisitor = pageVisitor(pool.url)
  anotherVisitor.cookies.set(`signin-${pool.staff.id}`, 'A'.repeat(43))
  expect((await anotherVisitor.open(first.back.href)).text).toContain(notAsked)
  const forged = new URL(first.back)
  forged.searchParams.set('state', 'other')
  expect((await pool.visitor.open(forged.href)).text).toContain(notAsked)
  const before = new Map(pool.visitor.cookies)
  expect((await pool.visitor.open(first.back.href)).url).toContain(`${callback}?code=`)
  expect(pool.visitor.cookies).not.toEqual(before)
  expect((await pool.visitor.open(first.back.href)).text).toContain(notAsked)

  for (const [name, value] of [
    ['iss', 'https://evil.example'],
    ['iss', ''],
    ['code', 'other'],
    ['error', 'access_denied'],
  ] as const) {
    const { back, checks } = await setup.signInThere()
    if (value === '') back.searchParams.delete(name)
    else back.searchParams.set(name, value)
    const { url } = await pool.visitor.open(back.href)
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      error: 'access_denied',
      state: checks.expectedState,
    })
  }
  // A code from one sign-in is invalid in another, which has a different nonce and verifier.
  const one = await setup.signInThere()
  const other = await setup.signInThere()
  other.back.searchParams.set('code', one.back.searchParams.get('code')!)
  expect((await pool.visitor.open(other.back.href)).url).toContain('error=access_denied')
})

it('a sign-in fails while its provider is unreachable, and the next sign-in contacts the provider again', async () => {
  await using hosted = await hostedSetup({
    pool: { identityProviders: { Gone: { issuer: 'http://127.0.0.1:9', clientId: 'web' } } },
  })
  const { address } = await hosted.ask({ identity_provider: 'Gone' })
  for (const _ of [1, 2]) {
    const { url } = await hosted.visitor.open(address.href)
    expect(new URL(url).searchParams.get('error_description')).toBe(
      'The identity provider Gone cannot be reached.',
    )
  }
})
