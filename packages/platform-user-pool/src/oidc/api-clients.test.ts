import { expect, it } from '@jest/globals'
import * as oidc from 'openid-client'
import { callback, hostedSetup, password } from '../testing/hosted-setup.ts'

it('users and programs get tokens through a pool and clients created through the API', async () => {
  await using hosted = await hostedSetup()
  const call = async (operation: string, input: object) => {
    const answer = await fetch(hosted.url, {
      method: 'POST',
      headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` },
      body: JSON.stringify(input),
    })
    return (await answer.json()) as { [name: string]: { [name: string]: string } } & { message?: string }
  }
  const { UserPool } = await call('CreateUserPool', { PoolName: 'made' })
  const UserPoolId = UserPool!.Id!
  await call('CreateResourceServer', {
    UserPoolId,
    Identifier: 'orders',
    Name: 'Orders',
    Scopes: [{ ScopeName: 'read', ScopeDescription: 'Read orders' }],
  })
  await call('CreateUserPoolDomain', { UserPoolId, Domain: 'made' })
  const web = { UserPoolId, ClientName: 'web', AllowedOAuthFlowsUserPoolClient: true }
  const hosting = {
    ...web,
    AllowedOAuthFlows: ['code'],
    AllowedOAuthScopes: ['openid'],
    CallbackURLs: [callback],
  }
  const secretless = {
    ...web,
    AllowedOAuthFlows: ['client_credentials'],
    AllowedOAuthScopes: ['orders/read'],
  }
  expect((await call('CreateUserPoolClient', secretless)).message).toMatch(/does not have a client secret/)
  const { UserPoolClient: client } = await call('CreateUserPoolClient', hosting)
  const { UserPoolClient: batch } = await call('CreateUserPoolClient', {
    ...secretless,
    GenerateSecret: true,
  })
  await call('AdminCreateUser', { UserPoolId, Username: 'bob', MessageAction: 'SUPPRESS' })
  await call('AdminSetUserPassword', { UserPoolId, Username: 'bob', Password: password, Permanent: true })

  const issuer = new URL(`${hosted.url}/${UserPoolId}`)
  const execute = [oidc.allowInsecureRequests]
  const machine = await oidc.discovery(
    issuer,
    batch!.ClientId!,
    undefined,
    oidc.ClientSecretPost(batch!.ClientSecret!),
    { execute },
  )
  expect(machine.serverMetadata().scopes_supported).toContain('orders/read')
  expect((await oidc.clientCredentialsGrant(machine)).access_token).toMatch(/^eyJ/)

  const config = await oidc.discovery(issuer, client!.ClientId!, undefined, oidc.None(), { execute })
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid',
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const { url } = await hosted.signIn(address, 'bob')
  const tokens = await oidc.authorizationCodeGrant(config, new URL(url), { pkceCodeVerifier })
  expect(tokens.claims()).toMatchObject({ 'cognito:username': 'bob', aud: client!.ClientId })
  await call('UpdateUserPoolClient', {
    ...hosting,
    ClientId: client!.ClientId,
    CallbackURLs: ['https://app.example/'],
  })
  expect((await hosted.visitor.open(address.href)).status).toBe(400)
})
