import { expect, it } from '@jest/globals'
import * as oidc from 'openid-client'
import { agentCallback } from '../testing/agent-setup.ts'
import { federatedSetup } from '../testing/federated-setup.ts'
import { poolSetup, poolId as UserPoolId } from '../testing/pool-setup.ts'

type Setup = Awaited<ReturnType<typeof federatedSetup>>

/** Calls an administrative operation of the pool under test, not of the pool that acts as the provider. */
async function call({ pool }: Setup, operation: string, input: object) {
  const answer = await fetch(pool.url, {
    method: 'POST',
    headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` },
    body: JSON.stringify({ UserPoolId, ...input }),
  })
  return (await answer.json()) as { readonly [field: string]: unknown }
}

const own = { ProviderName: 'Cognito', ProviderAttributeValue: 'ann' }
const source = (ProviderAttributeValue: string, ProviderAttributeName = 'Cognito_Subject') => ({
  ProviderName: 'Login',
  ProviderAttributeName,
  ProviderAttributeValue,
})

/** Signs in at the provider. Resolves to the claims of the identity token, or to the reason for the pool's refusal. */
async function claims(setup: Setup) {
  const { back, checks } = await setup.signInThere({ prompt: 'login', scope: 'openid' })
  const { url } = await setup.pool.visitor.open(back.href)
  const refusal = new URL(url).searchParams.get('error_description')
  if (refusal !== null) return refusal
  return (await oidc.authorizationCodeGrant(setup.pool.config, new URL(url), checks)).claims()!
}

it('a provider’s user signs in to the linked pool account until the link is removed', async () => {
  await using setup = await federatedSetup()
  const { sub } = (await setup.provider.staff.users.get('ann'))!
  const ann = (await setup.pool.staff.users.get('ann'))!
  expect(
    await call(setup, 'AdminLinkProviderForUser', { DestinationUser: own, SourceUser: source(sub) }),
  ).toEqual({})
  const again = await call(setup, 'AdminLinkProviderForUser', {
    DestinationUser: own,
    SourceUser: source(sub),
  })
  expect(again.message).toBe('SourceUser is already linked to DestinationUser')
  expect(await claims(setup)).toMatchObject({
    sub: ann.sub,
    'cognito:username': 'ann',
    identities: [{ providerName: 'Login', userId: sub, primary: 'false' }],
  })
  expect(await setup.pool.staff.users.list()).toHaveLength(1)
  const { address } = await setup.pool.ask({ prompt: 'login' })
  expect((await setup.pool.signIn(address)).url).toContain('?code=')

  await call(setup, 'AdminDisableProviderForUser', { User: source(sub) })
  expect((await setup.pool.staff.users.get('ann'))!.attributes).not.toHaveProperty('identities')
  expect(await claims(setup)).toMatchObject({ 'cognito:username': `Login_${sub}` })
  const merging = await call(setup, 'AdminLinkProviderForUser', {
    DestinationUser: own,
    SourceUser: source(sub),
  })
  expect(merging.message).toMatch(/^Merging is not currently supported/)

  // The link has been removed, so this call disables the provider user's own account instead.
  await call(setup, 'AdminDisableProviderForUser', { User: source(sub) })
  expect(await claims(setup)).toBe('User is disabled.')
})

it('a link by e-mail address works only when the provider has verified this address', async () => {
  await using setup = await federatedSetup()
  const SourceUser = source('ann@example.com', 'email')
  expect(await call(setup, 'AdminLinkProviderForUser', { DestinationUser: own, SourceUser })).toEqual({})
  expect(await claims(setup)).toMatchObject({ 'cognito:username': 'ann' })
  const provider = setup.provider.setup.platform.userPools.get('staff')
  await fetch(setup.provider.url, {
    method: 'POST',
    headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.AdminUpdateUserAttributes' },
    body: JSON.stringify({
      UserPoolId,
      Username: 'ann',
      UserAttributes: [{ Name: 'email_verified', Value: 'false' }],
    }),
  })
  expect((await provider.users.get('ann'))!.attributes).toMatchObject({ email_verified: 'false' })
  expect(await claims(setup)).toMatchObject({ 'cognito:username': expect.stringMatching(/^Login_/) })
})

it('a provider’s user cannot sign in to a linked account that is disabled or needs a new password', async () => {
  await using setup = await federatedSetup()
  const { sub } = (await setup.provider.staff.users.get('ann'))!
  await call(setup, 'AdminLinkProviderForUser', { DestinationUser: own, SourceUser: source(sub) })
  await call(setup, 'AdminSetUserPassword', { Username: 'ann', Password: 'Right-7even' })
  expect(await claims(setup)).toBe('The account needs a new password first.')
  await call(setup, 'AdminDisableUser', { Username: 'ann' })
  expect(await claims(setup)).toBe('User is disabled.')
})

it('an exported account keeps its links', async () => {
  const identityProviders = { Login: { issuer: 'https://login.example', clientId: 'pool' } }
  await using from = await poolSetup({ pool: { identityProviders } })
  await using to = await poolSetup({ pool: { identityProviders } })
  await from.call('AdminCreateUser', { UserPoolId, Username: 'ann' })
  const link = { UserPoolId, DestinationUser: own, SourceUser: source('7') }
  await from.call('AdminLinkProviderForUser', link)
  const { Users } = await from.call('ExportUsers', { UserPoolId })
  await to.call('ImportUsers', { UserPoolId, Users })
  await expect(to.call('AdminLinkProviderForUser', link)).rejects.toThrow('already linked')
  await to.call('AdminDisableProviderForUser', { UserPoolId, User: source('7') })
  await to.call('AdminLinkProviderForUser', link)
})

it.each([
  ['an unknown account', { ...own, ProviderAttributeValue: 'bob' }, source('7'), 'User does not exist.'],
  ['an unknown provider', own, { ...source('7'), ProviderName: 'Other' }, 'no identity provider Other'],
  [
    'the pool itself as the source provider',
    own,
    { ...source('7'), ProviderName: 'Cognito' },
    'no identity provider',
  ],
  [
    'a missing attribute value',
    own,
    { ProviderName: 'Login', ProviderAttributeName: 'sub' },
    'ProviderAttributeValue',
  ],
])('AdminLinkProviderForUser refuses a request with %s', async (_what, DestinationUser, SourceUser, why) => {
  await using setup = await poolSetup({
    pool: { identityProviders: { Login: { issuer: 'https://login.example', clientId: 'pool' } } },
  })
  await setup.call('AdminCreateUser', { UserPoolId, Username: 'ann' })
  await expect(
    setup.call('AdminLinkProviderForUser', { UserPoolId, DestinationUser, SourceUser }),
  ).rejects.toThrow(why)
})

it('the consents of an account end with a link, and with the account of a provider’s user', async () => {
  await using setup = await federatedSetup({}, undefined, { registration: { open: true } })
  const { sub } = (await setup.provider.staff.users.get('ann'))!
  await call(setup, 'AdminLinkProviderForUser', { DestinationUser: own, SourceUser: source(sub) })
  const { issuer } = setup.pool.staff
  const registration = await fetch(`${issuer}/oauth2/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [agentCallback] }),
  })
  const { client_id } = (await registration.json()) as { readonly client_id: string }
  const query = new URLSearchParams({
    ...{ client_id, redirect_uri: agentCallback, response_type: 'code', scope: 'openid' },
    ...{ code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' },
  })
  const { visitor } = setup.pool
  const asks = () => visitor.open(`${issuer}/oauth2/authorize?${query}`)
  /** Signs in at the provider, and resolves to whether the client needs a consent. Gives it then. */
  const isAsked = async () => {
    await claims(setup)
    const page = await asks()
    const needsConsent = page.text.includes('Allow access?')
    if (needsConsent) await visitor.send(page, { answer: 'allow' })
    return needsConsent
  }
  expect([await isAsked(), await isAsked()]).toEqual([true, false])
  await call(setup, 'AdminDisableProviderForUser', { User: source(sub) })
  await call(setup, 'AdminLinkProviderForUser', { DestinationUser: own, SourceUser: source(sub) })
  expect(await isAsked()).toBe(true)

  await call(setup, 'AdminDisableProviderForUser', { User: source(sub) })
  expect([await isAsked(), await isAsked()]).toEqual([true, false])
  await call(setup, 'AdminDisableProviderForUser', { User: source(sub) })
  await call(setup, 'AdminEnableUser', { Username: `Login_${sub}` })
  expect(await isAsked()).toBe(true)
})

it('an account has at most five links', async () => {
  await using setup = await poolSetup({
    pool: { identityProviders: { Login: { issuer: 'https://login.example', clientId: 'pool' } } },
  })
  await setup.call('AdminCreateUser', { UserPoolId, Username: 'ann' })
  const link = (value: string) =>
    setup.call('AdminLinkProviderForUser', { UserPoolId, DestinationUser: own, SourceUser: source(value) })
  for (const value of ['1', '2', '3', '4', '5']) await link(value)
  await expect(link('6')).rejects.toThrow('5 links at most')
})
