import { createHmac } from 'node:crypto'
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider'
import { expect, it } from '@jest/globals'
import { systemRandom } from '@signalbox/platform-runtime'
import { vault } from '@signalbox/platform-runtime/secrets'
import * as oidc from 'openid-client'
import { authenticatedClient } from './oidc/client-authentication.ts'
import { hostedSetup } from './testing/hosted-setup.ts'
import { listeningPool } from './testing/listening-pool.ts'
import { configProblems } from './testing/pool-program.ts'
import { clientId, poolId, poolSetup } from './testing/pool-setup.ts'

const Password = 'Right-7even'
const chosen = 'chosen_by_an_administrator'
const other = 'another_one_of_the_same+form'

/** Starts a pool that the API has created, with a client that has a secret, and an AWS SDK client for it. */
async function setupOf(more: { GenerateSecret?: boolean; ClientSecret?: string } = { GenerateSecret: true }) {
  const running = await listeningPool()
  const client = new CognitoIdentityProvider({
    endpoint: running.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
  })
  const { UserPool } = await client.createUserPool({ PoolName: 'customers' })
  const UserPoolId = UserPool!.Id!
  await client.createResourceServer({
    UserPoolId,
    Identifier: 'orders',
    Name: 'orders',
    Scopes: [{ ScopeName: 'read', ScopeDescription: 'Read orders' }],
  })
  const { UserPoolClient } = await client.createUserPoolClient({
    UserPoolId,
    ClientName: 'web',
    ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH'],
    AllowedOAuthFlowsUserPoolClient: true,
    AllowedOAuthFlows: more.GenerateSecret || more.ClientSecret ? ['client_credentials'] : ['code'],
    AllowedOAuthScopes: ['orders/read'],
    ...more,
  })
  const ClientId = UserPoolClient!.ClientId!
  const hash = (secret: string, name = 'ann') =>
    createHmac('sha256', secret).update(`${name}${ClientId}`).digest('base64')
  const token = (headers: { [name: string]: string }, form: { [name: string]: string } = {}) =>
    fetch(`${running.url}/${UserPoolId}/oauth2/token`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ grant_type: 'client_credentials', ...form }),
    }).then(({ status }) => status)
  return {
    client,
    of: { UserPoolId, ClientId },
    secret: UserPoolClient!.ClientSecret,
    signUp: (secret: string, Username: string) =>
      client.signUp({ ClientId, Username, Password, SecretHash: hash(secret, Username) }),
    byBasic: (secret: string) =>
      token({ authorization: `Basic ${Buffer.from(`${ClientId}:${secret}`).toString('base64')}` }),
    byPost: (secret: string) => token({}, { client_id: ClientId, client_secret: secret }),
    async [Symbol.asyncDispose]() {
      client.destroy()
      await running[Symbol.asyncDispose]()
    },
  }
}

it('a second secret is valid beside the first, in hashes and at the token endpoint, until one is deleted', async () => {
  await using setup = await setupOf()
  const { client, of, signUp, byBasic, byPost } = setup
  const first = setup.secret!
  const { ClientSecretDescriptor } = await client.addUserPoolClientSecret(of)
  const second = ClientSecretDescriptor!.ClientSecretValue!
  expect(second).toMatch(/^[\w+]{24,64}$/)
  expect(second).not.toBe(first)
  for (const [at, secret] of [first, second].entries()) {
    await signUp(secret, `user${at}`)
    expect([await byBasic(secret), await byPost(secret)]).toEqual([200, 200])
  }
  const { ClientSecrets } = await client.listUserPoolClientSecrets(of)
  expect(ClientSecrets!.map(each => Object.keys(each).sort())).toEqual([
    ['ClientSecretCreateDate', 'ClientSecretId'],
    ['ClientSecretCreateDate', 'ClientSecretId'],
  ])
  expect(ClientSecrets![1]!.ClientSecretId).toBe(ClientSecretDescriptor!.ClientSecretId)
  await client.deleteUserPoolClientSecret({ ...of, ClientSecretId: ClientSecrets![0]!.ClientSecretId })
  await expect(signUp(first, 'late')).rejects.toMatchObject({ name: 'NotAuthorizedException' })
  expect([await byBasic(first), await byPost(first)]).toEqual([401, 401])
  await signUp(second, 'late')
  expect([await byBasic(second), await byPost(second)]).toEqual([200, 200])
  const described = await client.describeUserPoolClient(of)
  expect(described.UserPoolClient!.ClientSecret).toBe(second)
})

it('a client has at most two secrets and at least one, and a public client has none', async () => {
  await using setup = await setupOf()
  const { client, of } = setup
  await client.addUserPoolClientSecret(of)
  await expect(client.addUserPoolClientSecret(of)).rejects.toMatchObject({ name: 'LimitExceededException' })
  const { ClientSecrets } = await client.listUserPoolClientSecrets(of)
  const [one, two] = ClientSecrets!.map(({ ClientSecretId }) => ({ ...of, ClientSecretId }))
  await client.deleteUserPoolClientSecret(one!)
  await expect(client.deleteUserPoolClientSecret(one!)).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  })
  await expect(client.deleteUserPoolClientSecret(two!)).rejects.toMatchObject({
    name: 'InvalidParameterException',
    message: 'The last secret of a client cannot be deleted.',
  })
  await using open = await setupOf({})
  await expect(open.client.addUserPoolClientSecret(open.of)).rejects.toMatchObject({
    name: 'InvalidParameterException',
    message: 'The app client has no client secret.',
  })
  expect((await open.client.listUserPoolClientSecrets(open.of)).ClientSecrets).toEqual([])
})

it('an administrator can choose secrets, which responses do not repeat', async () => {
  await using setup = await setupOf({ ClientSecret: chosen })
  const { client, of, byBasic, byPost } = setup
  expect(await byBasic(chosen)).toBe(200)
  const { ClientSecretDescriptor } = await client.addUserPoolClientSecret({ ...of, ClientSecret: other })
  expect(ClientSecretDescriptor!.ClientSecretValue).toBeUndefined()
  expect([await byPost(chosen), await byPost(other), await byPost(`${other}x`)]).toEqual([200, 200, 401])
  for (const ClientSecret of ['short', 'x'.repeat(65), `${other}-${other}`])
    await expect(client.addUserPoolClientSecret({ ...of, ClientSecret })).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: 'ClientSecret must have 24 to 64 letters, digits, _ and +.',
    })
  await expect(
    client.createUserPoolClient({
      UserPoolId: of.UserPoolId,
      ClientName: 'both',
      GenerateSecret: true,
      ClientSecret: chosen,
    }),
  ).rejects.toMatchObject({ name: 'InvalidParameterException' })
})

it('secrets that an administrator has chosen are encrypted in the database', async () => {
  await using setup = await poolSetup()
  const { UserPool } = await setup.call('CreateUserPool', { PoolName: 'made' })
  const input = { UserPoolId: UserPool.Id, ClientName: 'web', ClientSecret: chosen }
  const { UserPoolClient } = await setup.call('CreateUserPoolClient', input)
  const of = { UserPoolId: UserPool.Id, ClientId: UserPoolClient.ClientId }
  await setup.call('AddUserPoolClientSecret', { ...of, ClientSecret: other })
  const stored = JSON.stringify(await setup.store.pools())
  expect(stored).toContain('encrypted')
  expect(stored).not.toContain(chosen)
  expect(stored).not.toContain(other)
})

it('a client whose secrets were encrypted with another key is not open to everyone', async () => {
  await using setup = await poolSetup()
  const { engine, store } = setup
  const { UserPool } = await setup.call('CreateUserPool', { PoolName: 'made' })
  const input = { UserPoolId: UserPool.Id, ClientName: 'web', ClientSecret: chosen }
  const { ClientId } = (await setup.call('CreateUserPoolClient', input)).UserPoolClient
  const { id, description, revision } = (await store.pools())[0]!
  const lost = vault(Buffer.alloc(32, 8), systemRandom).encrypt(chosen, 'another place')
  const changed = description.replace(/"encrypted":"[^"]+"/, `"encrypted":"${lost}"`)
  expect(changed).not.toBe(description)
  await store.setPool({ id, description: changed }, revision)
  await engine.createdPools.load()
  await expect(setup.call('SignUp', { ClientId, Username: 'ann', Password })).rejects.toMatchObject({
    type: 'NotAuthorizedException',
  })
  const pool = engine.poolOf(UserPool.Id)
  const from = { sdk: 'sdk', address: undefined }
  for (const client_secret of [undefined, chosen]) {
    const sent: { [name: string]: string | undefined } = { client_id: ClientId, client_secret }
    const parameters = { get: (name: string) => sent[name], all: () => [] }
    await expect(authenticatedClient(engine, pool, parameters, undefined, from)).rejects.toThrow(
      'secret is wrong',
    )
  }
})

it('two administrators who add a secret at once do not make three', async () => {
  await using setup = await setupOf()
  const { client, of } = setup
  const added = await Promise.allSettled([1, 2, 3].map(() => client.addUserPoolClientSecret(of)))
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await client.listUserPoolClientSecrets(of)).ClientSecrets).toHaveLength(2)
})

it('guesses are checked against both secrets, and none of their parts is right', async () => {
  await using setup = await setupOf({ ClientSecret: chosen })
  const { client, of, byBasic } = setup
  await client.addUserPoolClientSecret({ ...of, ClientSecret: other })
  for (const guess of ['', chosen.slice(1), chosen + other, `${chosen} ${other}`, `${chosen},${other}`])
    expect(await byBasic(guess)).toBe(401)
})

it('the configuration gives a client two secrets, with which stock clients authenticate', async () => {
  await using hosted = await hostedSetup({ client: { secret: [chosen, other] } })
  for (const secret of [chosen, other])
    for (const authentication of [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]) {
      const config = await hosted.configure('web', authentication)
      const { address, checks } = await hosted.ask({ prompt: 'login' })
      const { url } = await hosted.signIn(address)
      const tokens = await oidc.authorizationCodeGrant(config, new URL(url), checks)
      expect(tokens.access_token).toBeDefined()
    }
})

it('ListUserPoolClientSecrets shows how many secrets a configured client has, and the API does not change them', async () => {
  await using setup = await poolSetup({ client: { secret: [chosen, other] } })
  const of = { UserPoolId: poolId, ClientId: clientId }
  expect(await setup.call('ListUserPoolClientSecrets', of)).toEqual({
    ClientSecrets: [{ ClientSecretId: 'web--1' }, { ClientSecretId: 'web--2' }],
  })
  await expect(setup.call('AddUserPoolClientSecret', of)).rejects.toMatchObject({
    type: 'InvalidParameterException',
  })
})

it.each([[[chosen]], [[chosen, chosen]], [[chosen, 'short']], [[chosen, other, `${other}3`]]])(
  'a configuration with the secrets %j is refused',
  secret => {
    const clients = { web: { secret } }
    const problems = configProblems({ functions: {}, userPools: { staff: { clients } } } as never)
    expect(problems).toMatchObject([{ pointer: '/userPools/staff/clients/web/secret' }])
    expect(JSON.stringify(problems)).not.toContain('short')
  },
)
