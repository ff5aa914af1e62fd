import { describe, expect, it } from '@jest/globals'
import { claimsSetup } from '../testing/claims-provider.ts'

type Setup = Awaited<ReturnType<typeof claimsSetup>>

const password = 'Right-7even'
const refused = 'The identity provider Login did not sign the user in'

it('a claim named Cognito_Subject opens another user’s linked account no more', async () => {
  await using setup = await claimsSetup()
  await setup.staff.users.add('boss', { password })
  expect(await setup.link('boss', 'Cognito_Subject', 'sub of boss')).toEqual({})
  expect(await setup.signIn({ claims: { sub: 'eve', Cognito_Subject: 'sub of boss' } })).toBe('Login_eve')
  expect(await setup.signIn({ claims: { sub: 'mallory', Sub: 'sub of boss' } })).toBe('Login_mallory')
  const odd = JSON.parse('{"sub":"mia","__proto__":{"sub":"sub of boss"}}')
  expect(await setup.signIn({ claims: odd })).toBe('Login_mia')
  expect(await setup.signIn({ claims: { sub: 'sub of boss' } })).toBe('boss')
})

it('an identity token with a wrong signature signs no user in', async () => {
  await using setup = await claimsSetup()
  const claims = { sub: 'ann' }
  const other = setup.otherKey()
  expect(await setup.signIn({ claims, signedWith: other })).toContain(refused)
  expect(await setup.signIn({ claims, header: { alg: 'RS256', kid: 'unknown' } })).toContain(refused)
  expect(await setup.signIn({ claims, signedWith: 'nothing' })).toContain(refused)
  expect(await setup.signIn({ claims, header: { alg: 'none' }, signedWith: 'nothing' })).toContain(refused)
  expect(await setup.staff.users.list()).toEqual([])
  expect(await setup.signIn({ claims })).toBe('Login_ann')
})

describe('an identity token that signs no user in', () => {
  const now = Math.floor(Date.now() / 1000)
  it.each<[string, object, string]>([
    ['another issuer', { iss: 'https://evil.example' }, 'unexpected JWT iss (issuer) claim value'],
    ['no issuer', { iss: undefined }, 'JWT iss (issuer) claim missing'],
    ['another audience', { aud: 'other' }, 'unexpected JWT aud (audience) claim value'],
    ['no audience', { aud: undefined }, 'JWT aud (audience) claim missing'],
    ['two audiences and no authorized party', { aud: ['pool', 'other'] }, 'aud'],
    ['another authorized party', { aud: ['pool', 'other'], azp: 'other' }, 'azp'],
    ['another nonce', { nonce: 'other' }, 'unexpected ID Token nonce claim value'],
    ['no nonce', { nonce: undefined }, 'JWT nonce (nonce) claim missing'],
    ['an expiry in the past', { exp: now - 3600 }, 'exp'],
    ['no expiry', { exp: undefined }, 'JWT exp (expiration time) claim missing'],
    ['no time of issue', { iat: undefined }, 'JWT iat (issued at) claim missing'],
    ['a start in the future', { nbf: now + 3600 }, 'nbf'],
    ['no subject', { sub: undefined }, 'JWT sub (subject) claim missing'],
    ['an empty subject', { sub: '' }, 'the claim sub must have 1 to 255 characters'],
    ['a subject that is too long', { sub: 's'.repeat(256) }, 'the claim sub must have 1 to 255 characters'],
  ])('has %s, and the error names the claim', async (_what, wrong, why) => {
    await using setup = await claimsSetup()
    const refusal = await setup.signIn({ claims: { sub: 'ann', ...wrong } })
    expect(refusal).toContain(`${refused}: `)
    expect(refusal).toContain(why)
    expect(await setup.staff.users.list()).toEqual([])
  })
})

it('a userinfo response about another user signs nobody in', async () => {
  await using setup = await claimsSetup({ hasUserInfo: true })
  expect(await setup.signIn({ claims: { sub: 'ann' }, userInfo: { sub: 'eve' } })).toContain(refused)
  expect(await setup.staff.users.list()).toEqual([])
  expect(await setup.signIn({ claims: { sub: 'ann' }, userInfo: {} })).toBe('Login_ann')
})

it.each([
  ['authorization_endpoint', undefined],
  ['authorization_endpoint', '/authorize'],
  ['authorization_endpoint', 'javascript:alert()'],
  ['token_endpoint', undefined],
  ['jwks_uri', undefined],
])(
  'a provider whose discovery document has the %s %s is not used until it has another one',
  async (name, value) => {
    await using setup = await claimsSetup()
    setup.provider.describe({ [name]: value })
    expect(await setup.signIn({ claims: { sub: 'ann' } })).toBe(
      'The identity provider Login cannot be reached.',
    )
    expect(setup.notices.at(-1)).toContain(`its discovery document has no usable ${name}.`)
    setup.provider.describe({})
    expect(await setup.signIn({ claims: { sub: 'ann' } })).toBe('Login_ann')
  },
)

it('users of a provider whose subs differ only by case get accounts of their own', async () => {
  await using setup = await claimsSetup()
  expect(await setup.signIn({ claims: { sub: 'Abc' } })).toBe('Login_Abc')
  const other = await setup.signIn({ claims: { sub: 'aBC' } })
  expect(other).toMatch(/^Login_aBC\.[\da-f]{16}$/)
  expect(await setup.signIn({ claims: { sub: 'Abc' } })).toBe('Login_Abc')
  expect(await setup.signIn({ claims: { sub: 'aBC' } })).toBe(other)
  // Administrators name users of a provider by `sub`, too.
  const User = { ProviderName: 'Login', ProviderAttributeName: 'Cognito_Subject' }
  await setup.call('AdminDisableProviderForUser', { User: { ...User, ProviderAttributeValue: 'aBC' } })
  expect(await setup.signIn({ claims: { sub: 'aBC' } })).toBe('User is disabled.')
  expect(await setup.signIn({ claims: { sub: 'Abc' } })).toBe('Login_Abc')
})

describe('the name of a provider’s user', () => {
  const why = /begin/
  const aliases = { pool: { signIn: ['name', 'preferred_username', 'email'] as const } }

  it('cannot be taken by a stranger who signs up', async () => {
    await using setup = await claimsSetup(aliases)
    const input = { ClientId: 'web', Password: password }
    const taken = await setup.call('SignUp', { ...input, Username: 'login_VICTIM' })
    expect(taken.message).toMatch(why)
    const UserAttributes = [{ Name: 'preferred_username', Value: 'Login_victim' }]
    const alias = await setup.call('SignUp', { ...input, Username: 'eve', UserAttributes })
    expect(alias.message).toMatch(why)
    expect((await setup.call('AdminCreateUser', { Username: 'LOGIN_x' })).message).toMatch(why)
    expect(await setup.signIn({ claims: { sub: 'victim' } })).toBe('Login_victim')
  })

  it('does not matter for the sign-in when an account has it as an alias', async () => {
    await using setup = await claimsSetup(aliases)
    // Before this user comes, another user has an address that looks like the name.
    await setup.staff.users.add('eve', {
      password,
      attributes: { email: 'login_ann@example.com', email_verified: 'true' },
    })
    expect(await setup.signIn({ claims: { sub: 'ann@example.com' } })).toMatch(/^Login_ann@example\.com\./)
  })
})

describe('a link by e-mail address', () => {
  const email = 'boss@example.com'
  const linked = async (setup: Setup) => {
    await setup.staff.users.add('boss', { password })
    await setup.link('boss', 'email', email)
  }

  it('does not open unless email_verified is true', async () => {
    await using setup = await claimsSetup({ attributes: { given_name: 'name' } })
    await linked(setup)
    for (const email_verified of [
      undefined,
      null,
      false,
      0,
      1,
      '',
      'false',
      'False',
      'no',
      'True',
      [true],
      {},
    ])
      expect(await setup.signIn({ claims: { sub: 'eve', email, email_verified } })).toBe('Login_eve')
    for (const email_verified of [true, 'true'])
      expect(await setup.signIn({ claims: { sub: 'ann', email, email_verified } })).toBe('boss')
  })

  it('does not open when one document has the address and the other one verifies another address', async () => {
    await using setup = await claimsSetup({ attributes: { given_name: 'name' }, hasUserInfo: true })
    await linked(setup)
    const verified = { email: 'eve@example.com', email_verified: true }
    for (const answer of [
      { claims: { sub: 'eve', email }, userInfo: verified },
      { claims: { sub: 'eve', ...verified }, userInfo: { email } },
      { claims: { sub: 'eve', email_verified: true }, userInfo: { email } },
    ])
      expect(await setup.signIn(answer)).toBe('Login_eve')
    const split = { claims: { sub: 'ann', email }, userInfo: { email, email_verified: true } }
    expect(await setup.signIn(split)).toBe('boss')
  })
})

it('a mapped address counts as verified only when the provider says so of this address', async () => {
  const attributes = { email: 'email', email_verified: 'email_verified' }
  await using setup = await claimsSetup({ attributes, hasUserInfo: true })
  const email = 'ann@example.com'
  const verificationOf = async (sub: string, claims: object, userInfo: object = {}) => {
    const name = await setup.signIn({ claims: { sub, ...claims }, userInfo: { ...userInfo } })
    return (await setup.staff.users.get(name))!.attributes.email_verified
  }
  expect(await verificationOf('1', { email, email_verified: true })).toBe('true')
  expect(await verificationOf('2', { email, email_verified: 'no' })).toBe('false')
  expect(
    await verificationOf('3', { email: 'x@example.com', email_verified: true }, { email }),
  ).toBeUndefined()
})
