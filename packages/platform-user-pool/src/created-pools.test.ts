import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider'
import { expect, it } from '@jest/globals'
import { listeningPool } from './testing/listening-pool.ts'

const configured = 'eu-central-1_Staff01'
const Password = 'Right-7even'

/** Starts a listener with one configured user pool, and an AWS SDK client for it. */
async function setupOf(dataDir?: string) {
  const running = await listeningPool({}, dataDir)
  const client = new CognitoIdentityProvider({
    endpoint: running.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
  })
  return {
    client,
    url: running.url,
    events: running.events,
    notices: running.notices,
    invocations: running.invocations,
    async [Symbol.asyncDispose]() {
      client.destroy()
      await running[Symbol.asyncDispose]()
    },
  }
}

type Client = Awaited<ReturnType<typeof setupOf>>['client']

async function signUp(client: Client, ClientId: string, Username: string) {
  await client.signUp({
    ClientId,
    Username,
    Password,
    UserAttributes: [{ Name: 'custom:tenant', Value: 't1' }],
  })
}

it('users sign in through a pool and a client created through the API, even after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'created-pools-'))
  try {
    const ids = { UserPoolId: '', ClientId: '' }
    {
      await using setup = await setupOf(folder)
      const { client } = setup
      const { UserPool } = await client.createUserPool({
        PoolName: 'customers',
        Schema: [{ Name: 'tenant', AttributeDataType: 'String' }],
        Policies: { PasswordPolicy: { MinimumLength: 10, RequireSymbols: false } },
        LambdaConfig: {
          PreSignUp: 'arn:aws:lambda:eu-central-1:000000000000:function:work',
          PreTokenGenerationConfig: { LambdaVersion: 'V2_0', LambdaArn: 'work' },
        },
        MfaConfiguration: 'OFF',
      })
      ids.UserPoolId = UserPool!.Id!
      expect(UserPool).toMatchObject({
        Id: expect.stringMatching(/^[a-z]{2}-[a-z]+-\d_[0-9A-Za-z]{9}$/),
        Name: 'customers',
        CreationDate: expect.any(Date),
      })
      const { UserPoolClient } = await client.createUserPoolClient({
        UserPoolId: ids.UserPoolId,
        ClientName: 'web',
        ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
        AccessTokenValidity: 10,
        TokenValidityUnits: { AccessToken: 'minutes' },
      })
      ids.ClientId = UserPoolClient!.ClientId!
      await signUp(client, ids.ClientId, 'ann')
      expect(setup.events[0]).toMatchObject({ triggerSource: 'PreSignUp_SignUp', userPoolId: ids.UserPoolId })
      await client.adminConfirmSignUp({ UserPoolId: ids.UserPoolId, Username: 'ann' })
    }
    await using setup = await setupOf(folder)
    const { client } = setup
    const { UserPools } = await client.listUserPools({ MaxResults: 10 })
    expect(UserPools!.map(({ Name }) => Name)).toEqual(['staff', 'customers'])
    const begin = () =>
      client.initiateAuth({
        ClientId: ids.ClientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: 'ann', PASSWORD: Password },
      })
    const { AuthenticationResult } = await begin()
    expect(AuthenticationResult).toMatchObject({ ExpiresIn: 600 })
    expect(setup.events.map(({ triggerSource, version }) => [triggerSource, version])).toEqual([
      ['TokenGeneration_Authentication', '2'],
    ])
    const keys = await fetch(`${setup.url}/${ids.UserPoolId}/.well-known/jwks.json`)
    expect((await keys.json()) as object).toHaveProperty('keys')
    const { AccessToken } = AuthenticationResult!
    expect((await client.getUser({ AccessToken })).UserAttributes).toContainEqual({
      Name: 'custom:tenant',
      Value: 't1',
    })
    await client.updateUserPoolClient({
      UserPoolId: ids.UserPoolId,
      ClientId: ids.ClientId,
      ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH'],
    })
    await expect(begin()).rejects.toMatchObject({
      message: 'USER_PASSWORD_AUTH flow not enabled for this client',
    })
    await client.deleteUserPoolClient({ UserPoolId: ids.UserPoolId, ClientId: ids.ClientId })
    await expect(begin()).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
    await client.deleteUserPool({ UserPoolId: ids.UserPoolId })
    await expect(client.getUser({ AccessToken })).rejects.toMatchObject({ name: 'NotAuthorizedException' })
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('the API refuses to change configured pools', async () => {
  await using setup = await setupOf()
  const { client } = setup
  const refusals = await Promise.allSettled([
    client.updateUserPool({ UserPoolId: configured }),
    client.deleteUserPool({ UserPoolId: configured }),
    client.addCustomAttributes({ UserPoolId: configured, CustomAttributes: [] }),
    client.setUserPoolMfaConfig({ UserPoolId: configured, MfaConfiguration: 'OFF' }),
    client.createUserPoolClient({ UserPoolId: configured, ClientName: 'other' }),
    client.deleteUserPoolClient({ UserPoolId: configured, ClientId: 'web' }),
    client.createResourceServer({ UserPoolId: configured, Identifier: 'api', Name: 'api' }),
  ])
  for (const refusal of refusals)
    expect(refusal).toMatchObject({
      reason: {
        name: 'InvalidParameterException',
        message: expect.stringMatching(/^The user pool eu-central-1_Staff01 is staff of the configuration/),
      },
    })
  expect(await client.describeUserPoolClient({ UserPoolId: configured, ClientId: 'web' })).toBeDefined()
})

it('the API shows the resource servers and identity providers of configured pools, without secrets', async () => {
  await using running = await listeningPool({
    resourceServers: { orders: { name: 'Orders', scopes: { read: 'Read orders' } } },
    identityProviders: {
      Login: {
        issuer: 'https://login.example',
        clientId: 'pool',
        clientSecret: 'a-secret',
        identifiers: ['example'],
      },
    },
  })
  const client = new CognitoIdentityProvider({
    endpoint: running.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  })
  const UserPoolId = configured
  const server = {
    UserPoolId,
    Identifier: 'orders',
    Name: 'Orders',
    Scopes: [{ ScopeName: 'read', ScopeDescription: 'Read orders' }],
  }
  expect(await client.listResourceServers({ UserPoolId, MaxResults: 5 })).toMatchObject({
    ResourceServers: [server],
  })
  expect(await client.describeResourceServer({ UserPoolId, Identifier: 'orders' })).toMatchObject({
    ResourceServer: server,
  })
  expect(await client.listIdentityProviders({ UserPoolId })).toMatchObject({
    Providers: [{ ProviderName: 'Login', ProviderType: 'OIDC' }],
  })
  const { IdentityProvider } = await client.describeIdentityProvider({ UserPoolId, ProviderName: 'Login' })
  expect(IdentityProvider).toEqual({
    UserPoolId,
    ProviderName: 'Login',
    ProviderType: 'OIDC',
    ProviderDetails: {
      client_id: 'pool',
      oidc_issuer: 'https://login.example',
      authorize_scopes: 'openid email profile',
    },
    AttributeMapping: { email: 'email' },
    IdpIdentifiers: ['example'],
  })
  const byIdentifier = { UserPoolId, IdpIdentifier: 'example' }
  expect((await client.getIdentityProviderByIdentifier(byIdentifier)).IdentityProvider).toEqual(
    IdentityProvider,
  )
  await expect(client.deleteResourceServer({ UserPoolId, Identifier: 'orders' })).rejects.toMatchObject({
    name: 'InvalidParameterException',
  })
  client.destroy()
})

it('clients, attributes and resource servers that simultaneous requests create are all stored', async () => {
  await using setup = await setupOf()
  const { client } = setup
  const { UserPool } = await client.createUserPool({ PoolName: 'customers' })
  const UserPoolId = UserPool!.Id
  const numbers = Array.from({ length: 10 }, (_, at) => at)
  await Promise.all(
    numbers.flatMap((at): Promise<unknown>[] => [
      client.createUserPoolClient({ UserPoolId, ClientName: `client ${at}` }),
      client.createResourceServer({ UserPoolId, Identifier: `api${at}`, Name: 'api' }),
      client.addCustomAttributes({
        UserPoolId,
        CustomAttributes: [{ Name: `number${at}`, AttributeDataType: 'Number' }],
      }),
    ]),
  )
  const { UserPoolClients } = await client.listUserPoolClients({ UserPoolId, MaxResults: 60 })
  expect(UserPoolClients).toHaveLength(10)
  const { ResourceServers } = await client.listResourceServers({ UserPoolId, MaxResults: 50 })
  expect(ResourceServers).toHaveLength(10)
  const { SchemaAttributes } = (await client.describeUserPool({ UserPoolId })).UserPool!
  expect(SchemaAttributes!.filter(({ Name }) => Name!.startsWith('custom:'))).toHaveLength(10)
  await expect(
    client.createResourceServer({ UserPoolId, Identifier: 'api1', Name: 'api' }),
  ).rejects.toMatchObject({ name: 'InvalidParameterException' })
  await expect(client.describeResourceServer({ UserPoolId, Identifier: 'none' })).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  })
})

it('the API refuses a pool with invalid settings', async () => {
  await using setup = await setupOf()
  const { client } = setup
  const refusals = await Promise.allSettled([
    client.createUserPool({ PoolName: 'x', Schema: [{ Name: 'a' }] }),
    client.createUserPool({ PoolName: 'x', UsernameAttributes: ['email'], AliasAttributes: ['email'] }),
    client.createUserPool({ PoolName: 'x', UsernameAttributes: ['name' as never] }),
    client.createUserPool({ PoolName: 'x', MfaConfiguration: 'SOMETIMES' as never }),
    client.createUserPool({ PoolName: 'x', Policies: { PasswordPolicy: { MinimumLength: 3 } } }),
    client.createUserPool({ PoolName: '' }),
  ])
  for (const refusal of refusals)
    expect(refusal).toMatchObject({ reason: { name: 'InvalidParameterException' } })
  expect((await client.listUserPools({ MaxResults: 10 })).UserPools).toHaveLength(1)
})

it('administrators cannot reset the password of a disabled or invited user, or give two users the same address', async () => {
  await using setup = await setupOf()
  const { client } = setup
  const { UserPool } = await client.createUserPool({ PoolName: 'customers', UsernameAttributes: ['email'] })
  const UserPoolId = UserPool!.Id!
  const user = (name: string) => ({ UserPoolId, Username: `${name}@example.com` })
  for (const name of ['ann', 'bo'])
    await client.adminCreateUser({
      ...user(name),
      MessageAction: 'SUPPRESS',
      UserAttributes: [{ Name: 'email_verified', Value: 'true' }],
    })
  await expect(client.adminResetUserPassword(user('ann'))).rejects.toMatchObject({
    message: 'User password cannot be reset in the current state.',
  })
  await client.adminDisableUser(user('ann'))
  await expect(client.adminResetUserPassword(user('ann'))).rejects.toMatchObject({
    message: 'User is disabled.',
  })
  await expect(
    client.adminUpdateUserAttributes({
      ...user('bo'),
      UserAttributes: [{ Name: 'email', Value: 'ann@example.com' }],
    }),
  ).rejects.toMatchObject({
    name: 'AliasExistsException',
    message: 'An account with the given email already exists.',
  })
})

it('the challenge PASSWORD_VERIFIER contains a session, because some clients require one', async () => {
  await using setup = await setupOf()
  const begun = await setup.client.initiateAuth({
    ClientId: 'web',
    AuthFlow: 'USER_SRP_AUTH',
    AuthParameters: { USERNAME: 'ann', SRP_A: 'abc' },
  })
  expect(begun).toMatchObject({ ChallengeName: 'PASSWORD_VERIFIER', Session: expect.any(String) })
  await expect(
    setup.client.initiateAuth({ ClientId: 'web', AuthFlow: 'ADMIN_USER_PASSWORD_AUTH' }),
  ).rejects.toMatchObject({ message: 'Initiate Auth method not supported' })
})

it('a pool with a domain cannot be deleted', async () => {
  await using setup = await setupOf()
  const { client } = setup
  const UserPoolId = (await client.createUserPool({ PoolName: 'made' })).UserPool!.Id!
  const CustomDomainConfig = { CertificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/one' }
  for (const domain of [{ Domain: 'made-here' }, { Domain: 'login.made.example', CustomDomainConfig }]) {
    await client.createUserPoolDomain({ UserPoolId, ...domain })
    await expect(client.deleteUserPool({ UserPoolId })).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: 'User pool cannot be deleted. It has a domain configured that should be deleted first.',
    })
    await client.deleteUserPoolDomain({ UserPoolId, Domain: domain.Domain })
  }
  await client.deleteUserPool({ UserPoolId })
})

it('a custom domain stands beside the prefix domain of a pool', async () => {
  await using setup = await setupOf()
  const { client } = setup
  const UserPoolId = (await client.createUserPool({ PoolName: 'made' })).UserPool!.Id!
  const CustomDomainConfig = { CertificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/one' }
  const prefix = { UserPoolId, Domain: 'made-here' }
  const custom = { UserPoolId, Domain: 'login.localhost' }
  await client.createUserPoolDomain(prefix)
  await client.createUserPoolDomain({ ...custom, CustomDomainConfig })
  const domains = async () => {
    const { Domain, CustomDomain } = (await client.describeUserPool({ UserPoolId })).UserPool!
    return [Domain, CustomDomain]
  }
  expect(await domains()).toEqual([prefix.Domain, custom.Domain])
  expect((await client.describeUserPoolDomain(custom)).DomainDescription).toMatchObject({
    UserPoolId,
    CustomDomainConfig,
  })
  const { port } = new URL(setup.url)
  for (const host of [`made-here.localhost:${port}`, `login.localhost:${port}`])
    expect(await keysAt(setup.url, host)).toHaveProperty('keys')
  await expect(client.createUserPoolDomain({ UserPoolId, Domain: 'another' })).rejects.toMatchObject({
    name: 'InvalidParameterException',
  })
  await client.deleteUserPoolDomain(custom)
  expect(await domains()).toEqual([prefix.Domain, undefined])
})

/** Returns the published keys of the pool that a Host header names. */
async function keysAt(url: string, host: string): Promise<unknown> {
  const request = get(`${url}/.well-known/jwks.json`, { headers: { host } })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return JSON.parse((await answer.toArray()).join(''))
}

it('scopes that nothing defines and lives beyond the limits of the service are refused', async () => {
  await using setup = await setupOf()
  const { client } = setup
  const UserPoolId = (await client.createUserPool({ PoolName: 'made' })).UserPool!.Id!
  const Scopes = [{ ScopeName: 'read', ScopeDescription: 'Read orders' }]
  await client.createResourceServer({ UserPoolId, Identifier: 'orders', Name: 'Orders', Scopes })
  const web = { UserPoolId, ClientName: 'web' }
  const AllowedOAuthScopes = ['openid', 'aws.cognito.signin.user.admin', 'orders/read']
  const { UserPoolClient } = await client.createUserPoolClient({ ...web, AllowedOAuthScopes })
  const update = { UserPoolId, ClientId: UserPoolClient!.ClientId! }
  for (const scope of ['orders/write', 'admin']) {
    const asked = { AllowedOAuthScopes: ['openid', scope] }
    const refusal = { name: 'ScopeDoesNotExistException', message: `Invalid scope requested: ${scope}` }
    await expect(client.createUserPoolClient({ ...web, ...asked })).rejects.toMatchObject(refusal)
    await expect(client.updateUserPoolClient({ ...update, ...asked })).rejects.toMatchObject(refusal)
  }
  for (const lives of [
    { AccessTokenValidity: 25 },
    { IdTokenValidity: 2, TokenValidityUnits: { IdToken: 'days' as const } },
    { AccessTokenValidity: 4, TokenValidityUnits: { AccessToken: 'minutes' as const } },
    { RefreshTokenValidity: 3651 },
    { RefreshTokenValidity: 59, TokenValidityUnits: { RefreshToken: 'minutes' as const } },
  ])
    await expect(client.createUserPoolClient({ ...web, ...lives })).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: 'Invalid range for token validity.',
    })
  await client.createUserPoolClient({ ...web, AccessTokenValidity: 24, IdTokenValidity: 24 })
})

it('a trigger with a function that the configuration lacks fails with UnexpectedLambdaException', async () => {
  const invocations = await failingSignUp()
  expect(invocations.at(-1)).toMatchObject({
    functionName: 'absent',
    failure: {
      kind: 'unavailable',
      message: 'the configuration has no function "absent", which user pool made names',
    },
  })
})

/** Signs a user up at a pool that names an unknown function. Returns the logged invocations. */
async function failingSignUp() {
  await using setup = await setupOf()
  const { client } = setup
  const { UserPool } = await client.createUserPool({
    PoolName: 'made',
    LambdaConfig: { PreSignUp: 'arn:aws:lambda:eu-central-1:000000000000:function:absent' },
  })
  const UserPoolId = UserPool!.Id!
  const { UserPoolClient } = await client.createUserPoolClient({ UserPoolId, ClientName: 'web' })
  const user = { ClientId: UserPoolClient!.ClientId, Username: 'ann', Password }
  await expect(client.signUp(user)).rejects.toMatchObject({
    name: 'UnexpectedLambdaException',
    $metadata: { httpStatusCode: 400 },
    message: 'PreSignUp invocation failed due to error the function is not available (unavailable).',
  })
  return setup.invocations
}

it('in development, clients with more flows than on the service are named once', async () => {
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'development'
  try {
    await using setup = await setupOf()
    const { client } = setup
    const UserPoolId = (await client.createUserPool({ PoolName: 'made' })).UserPool!.Id!
    const notices = () => setup.notices.filter(text => text.includes('ExplicitAuthFlows'))
    const ExplicitAuthFlows = ['ALLOW_USER_SRP_AUTH' as const]
    await client.createUserPoolClient({ UserPoolId, ClientName: 'named', ExplicitAuthFlows })
    expect(notices()).toEqual([])
    const { UserPoolClient } = await client.createUserPoolClient({ UserPoolId, ClientName: 'first' })
    await client.createUserPoolClient({ UserPoolId, ClientName: 'second' })
    expect(notices()).toEqual([
      expect.stringMatching(
        `^The client ${UserPoolClient!.ClientId} of the user pool ${UserPoolId} has no ExplicitAuthFlows.*ALLOW_ADMIN_USER_PASSWORD_AUTH`,
      ),
    ])
  } finally {
    process.env.NODE_ENV = before
  }
})
