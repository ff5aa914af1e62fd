import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider'
import { expect, it } from '@jest/globals'
import { listeningPool } from '../../../testing/listening-pool.ts'
import { poolSetup } from '../../../testing/pool-setup.ts'

async function termsSetup() {
  const running = await listeningPool()
  const api = new CognitoIdentityProvider({
    endpoint: running.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
  })
  const { UserPool } = await api.createUserPool({ PoolName: 'shop' })
  const UserPoolId = UserPool!.Id!
  const client = async (ClientName: string) => {
    const { UserPoolClient } = await api.createUserPoolClient({
      ...{ UserPoolId, ClientName, CallbackURLs: ['https://app.example/cb'] },
      ...{
        AllowedOAuthFlows: ['code'],
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthScopes: ['openid'],
      },
      SupportedIdentityProviders: ['COGNITO'],
    })
    return UserPoolClient!.ClientId!
  }
  const signUpPage = async (client_id: string) => {
    const query = new URLSearchParams({
      ...{ client_id, redirect_uri: 'https://app.example/cb', response_type: 'code', scope: 'openid' },
      ...{ code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' },
    })
    return (await fetch(`${running.url}/${UserPoolId}/signup?${query}`)).text()
  }
  return {
    ...{ api, UserPoolId, client, signUpPage },
    async [Symbol.asyncDispose]() {
      api.destroy()
      await running[Symbol.asyncDispose]()
    },
  }
}

const kind = { TermsSource: 'LINK', Enforcement: 'NONE' } as const
const links = { 'cognito:default': 'https://example.com/terms', 'cognito:spanish': 'https://example.com/es' }

it('a client has terms of use and a privacy policy, which its page for signing up refers to', async () => {
  await using setup = await termsSetup()
  const { api, UserPoolId } = setup
  const [ClientId, other] = [await setup.client('web'), await setup.client('other')]
  const of = { UserPoolId, ClientId, ...kind }
  const { Terms } = await api.createTerms({ ...of, TermsName: 'terms-of-use', Links: links })
  expect(Terms).toMatchObject({ ...of, TermsId: expect.any(String), TermsName: 'terms-of-use', Links: links })
  const TermsId = Terms!.TermsId!
  const policy = { 'cognito:default': 'https://example.com/privacy?a=1&b=2' }
  await api.createTerms({ ...of, TermsName: 'privacy-policy', Links: policy })
  const page = await setup.signUpPage(ClientId)
  expect(page).toContain(
    'By creating an account, you agree to the <a href="https://example.com/terms" target="_blank" rel="noopener noreferrer">terms of use</a>, and you have read the <a href="https://example.com/privacy?a=1&#38;b=2"',
  )
  expect(await setup.signUpPage(other)).not.toContain('By creating an account')

  expect((await api.describeTerms({ UserPoolId, TermsId })).Terms).toEqual(Terms)
  const asked = { UserPoolId, ClientId, TermsName: 'terms-of-use' }
  expect((await api.describeTermsByClient(asked)).Terms).toEqual(Terms)
  const first = await api.listTerms({ UserPoolId, MaxResults: 1 })
  const second = await api.listTerms({ UserPoolId, MaxResults: 1, NextToken: first.NextToken })
  const names = [first, second].flatMap(({ Terms: terms }) => terms!.map(({ TermsName }) => TermsName))
  expect(names.toSorted()).toEqual(['privacy-policy', 'terms-of-use'])
  expect(second.NextToken).toBeUndefined()

  const english = { ...links, 'cognito:english': 'https://example.com/en' }
  await api.updateTerms({ UserPoolId, TermsId, Links: english })
  expect(await setup.signUpPage(ClientId)).toContain('href="https://example.com/en"')
  await api.deleteTerms({ UserPoolId, TermsId })
  expect(await setup.signUpPage(ClientId)).toContain('By creating an account, you have read the')
  await api.deleteUserPoolClient({ UserPoolId, ClientId })
  expect((await api.listTerms({ UserPoolId })).Terms).toEqual([])
})

it('a change of terms keeps what another platform has changed meanwhile, also that they are gone', async () => {
  await using setup = await poolSetup()
  const UserPoolId = (await setup.call('CreateUserPool', { PoolName: 'shop' })).UserPool.Id
  const client = await setup.call('CreateUserPoolClient', { UserPoolId, ClientName: 'web' })
  const { ClientId } = client.UserPoolClient
  const of = { UserPoolId, ClientId, ...kind, TermsName: 'terms-of-use', Links: links }
  const { TermsId } = (await setup.call('CreateTerms', of)).Terms
  /** Changes the terms in the database, which this platform has read before. */
  const elsewhere = async (change: (terms: { requested: object }[]) => object[]) => {
    const [stored] = await setup.store.pools()
    const { description, revision } = stored!
    const pool = JSON.parse(description)
    const changed = JSON.stringify({ ...pool, terms: change(pool.terms) })
    expect(await setup.store.setPool({ id: UserPoolId, description: changed }, revision)).toBe(true)
  }
  await elsewhere(([one]) => [{ ...one, requested: { ...one!.requested, TermsName: 'terms-of-use-2' } }])
  const Links = { ...links, 'cognito:english': 'https://example.com/en' }
  const { Terms } = await setup.call('UpdateTerms', { UserPoolId, TermsId, Links })
  expect(Terms).toMatchObject({ Links, TermsName: 'terms-of-use-2' })
  await elsewhere(() => [])
  await expect(setup.call('UpdateTerms', { UserPoolId, TermsId, Links })).rejects.toMatchObject({
    type: 'ResourceNotFoundException',
  })
  expect((await setup.call('ListTerms', { UserPoolId })).Terms).toEqual([])
})

it('terms that are there already, unknown or no addresses are refused', async () => {
  await using setup = await termsSetup()
  const { api, UserPoolId } = setup
  const ClientId = await setup.client('web')
  const of = { UserPoolId, ClientId, ...kind, TermsName: 'terms-of-use', Links: links }
  await api.createTerms(of)
  await expect(api.createTerms({ ...of, TermsName: 'terms-of-use-2' })).rejects.toMatchObject({
    name: 'TermsExistsException',
  })
  for (const wrong of [
    { TermsName: 'terms' },
    { Links: { 'cognito:default': 'javascript:alert(1)' } },
    { Links: { 'cognito:default': 'https://example.com/"><script>' } },
    { Links: { 'cognito:spanish': 'https://example.com/es' } },
    { Links: { __proto__x: 'https://example.com/es' } },
  ])
    await expect(api.createTerms({ ...of, ...wrong })).rejects.toMatchObject({
      name: 'InvalidParameterException',
    })
  const gone = { name: 'ResourceNotFoundException' }
  await expect(api.createTerms({ ...of, ClientId: 'none' })).rejects.toMatchObject(gone)
  await expect(api.describeTerms({ UserPoolId, TermsId: 'none' })).rejects.toMatchObject(gone)
  await expect(
    api.describeTermsByClient({ UserPoolId, ClientId, TermsName: 'privacy-policy' }),
  ).rejects.toMatchObject(gone)
  await expect(api.createTerms({ ...of, UserPoolId: 'eu-central-1_Staff01' })).rejects.toThrow(
    'of the configuration. Change it there',
  )
})
