import { createHmac } from 'node:crypto'
import {
  CognitoIdentityProvider,
  type ListUsersCommandOutput,
} from '@aws-sdk/client-cognito-identity-provider'
import { expect, it } from '@jest/globals'
import type { UserPoolConfig } from './config/user-pool-config.ts'
import { challenges } from './testing/challenges.ts'
import { listeningPool, runClient } from './testing/listening-pool.ts'
import type { Answers } from './testing/pool-setup.ts'

const UserPoolId = 'eu-central-1_Staff01'
const Password = 'Right-7even'
const ClientId = 'web'
const attributes = (values: { readonly [name: string]: string }) =>
  Object.entries(values).map(([Name, Value]) => ({ Name, Value }))

/** Starts a pool with the user `ann`, and an AWS SDK client for it. */
async function stockSetup(pool: Partial<UserPoolConfig> & { readonly answers?: Answers } = {}) {
  const setup = await listeningPool(pool)
  const client = new CognitoIdentityProvider({
    endpoint: setup.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
  })
  const staff = setup.platform.userPools.get('staff')
  await staff.users.add('ann', {
    password: Password,
    attributes: { email: 'ann@example.com', email_verified: 'true' },
  })
  return {
    url: setup.url,
    called: () => setup.called,
    client,
    staff,
    signIn: async (client_ = ClientId, PASSWORD = Password, more: object = {}) =>
      client.initiateAuth({
        ClientId: client_,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: 'ann', PASSWORD, ...more },
      }),
    async [Symbol.asyncDispose]() {
      client.destroy()
      await setup[Symbol.asyncDispose]()
    },
  }
}

it('the AWS SDK gets custom challenges until the answer is right, with a new session each time', async () => {
  await using setup = await stockSetup({ answers: challenges })
  const begin = (USERNAME: string) =>
    setup.client.initiateAuth({ ClientId, AuthFlow: 'CUSTOM_AUTH', AuthParameters: { USERNAME } })
  const answer = (ANSWER: string, Session?: string) =>
    setup.client.respondToAuthChallenge({
      ClientId,
      ChallengeName: 'CUSTOM_CHALLENGE',
      Session,
      ChallengeResponses: { USERNAME: 'ann', ANSWER },
    })
  const begun = await begin('ann')
  expect(begun).toMatchObject({
    ChallengeName: 'CUSTOM_CHALLENGE',
    ChallengeParameters: { USERNAME: 'ann', hint: 'a number' },
  })
  const again = await answer('6', begun.Session)
  expect(again.ChallengeName).toBe('CUSTOM_CHALLENGE')
  await expect(answer('7', begun.Session)).rejects.toMatchObject({
    name: 'NotAuthorizedException',
    message: 'Invalid session for the user, session can only be used once.',
  })
  expect((await answer('7', again.Session)).AuthenticationResult).toMatchObject({ TokenType: 'Bearer' })
  // An unknown user name gets the same challenges, but no tokens.
  const hidden = await begin('ghost')
  expect(hidden.ChallengeParameters).toEqual({ USERNAME: 'ghost', hint: 'a number' })
  await expect(answer('7', hidden.Session)).rejects.toMatchObject({
    name: 'NotAuthorizedException',
    message: 'Incorrect username or password.',
  })
})

it('amazon-cognito-identity-js answers custom challenges with and without SRP, and sets a new password', async () => {
  await using setup = await stockSetup({ answers: challenges })
  await setup.client.adminCreateUser({
    UserPoolId,
    Username: 'bo',
    TemporaryPassword: 'Given-7even',
    UserAttributes: attributes({ email: 'bo@example.com' }),
    MessageAction: 'SUPPRESS',
  })
  expect(await runClient('identity-js-challenges.ts', setup.url, UserPoolId, ClientId, Password)).toEqual({
    alone: 'ann',
    wrongAnswers: 'NotAuthorizedException: Incorrect username or password.',
    afterSrp: 'ann',
    wrongPassword: 'NotAuthorizedException: Incorrect username or password.',
    userAttributes: { email: 'bo@example.com' },
    newPassword: 'bo',
    attribute: 'Bo',
  })
})

it('an answer to NEW_PASSWORD_REQUIRED can add an address, but cannot change an existing one', async () => {
  await using setup = await stockSetup()
  await setup.client.adminCreateUser({
    UserPoolId,
    Username: 'bo',
    TemporaryPassword: 'Given-7even',
    UserAttributes: attributes({ email: 'bo@example.com', email_verified: 'true' }),
    MessageAction: 'SUPPRESS',
  })
  const { Session } = await setup.client.initiateAuth({
    ClientId,
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: 'bo', PASSWORD: 'Given-7even' },
  })
  const choose = (more: object) =>
    setup.client.respondToAuthChallenge({
      ClientId,
      ChallengeName: 'NEW_PASSWORD_REQUIRED',
      Session,
      ChallengeResponses: { USERNAME: 'bo', NEW_PASSWORD: Password, ...more },
    })
  await expect(choose({ 'userAttributes.email': 'ann@example.com' })).rejects.toMatchObject({
    name: 'NotAuthorizedException',
    message: 'Cannot modify an already provided email',
  })
  const { AuthenticationResult } = await choose({ 'userAttributes.phone_number': '+4930123456' })
  const { UserAttributes } = await setup.client.getUser({ AccessToken: AuthenticationResult!.AccessToken })
  expect(Object.fromEntries(UserAttributes!.map(({ Name, Value }) => [Name, Value]))).toMatchObject({
    email: 'bo@example.com',
    email_verified: 'true',
    phone_number: '+4930123456',
    phone_number_verified: 'false',
  })
})

it('users of the AWS SDK change and verify an address, and replace known and forgotten passwords', async () => {
  await using setup = await stockSetup()
  const { client, staff } = setup
  const AccessToken = (await setup.signIn()).AuthenticationResult!.AccessToken
  expect(
    await client.updateUserAttributes({
      AccessToken,
      UserAttributes: attributes({ email: 'new@example.com' }),
    }),
  ).toMatchObject({
    CodeDeliveryDetailsList: [{ Destination: 'n***@e***', DeliveryMedium: 'EMAIL', AttributeName: 'email' }],
  })
  const verify = (Code?: string) => client.verifyUserAttribute({ AccessToken, AttributeName: 'email', Code })
  const code = await staff.code('ann')
  await expect(verify(`x${code}`)).rejects.toMatchObject({ name: 'CodeMismatchException' })
  await verify(code)
  await expect(verify(code)).rejects.toMatchObject({ name: 'ExpiredCodeException' })
  expect((await staff.users.get('ann'))!.attributes).toMatchObject({
    email: 'new@example.com',
    email_verified: 'true',
  })

  const change = (PreviousPassword: string) =>
    client.changePassword({ AccessToken, PreviousPassword, ProposedPassword: 'Other-7even' })
  await expect(change('Wrong-7even')).rejects.toMatchObject({ name: 'NotAuthorizedException' })
  await change(Password)
  await expect(setup.signIn()).rejects.toMatchObject({ message: 'Incorrect username or password.' })

  const who = { ClientId, Username: 'ann' }
  expect(await client.forgotPassword(who)).toMatchObject({
    CodeDeliveryDetails: { Destination: 'n***@e***', AttributeName: 'email' },
  })
  const ConfirmationCode = await staff.code('ann')
  const confirm = (given: string) =>
    client.confirmForgotPassword({ ...who, ConfirmationCode, Password: given })
  await expect(confirm('weak')).rejects.toMatchObject({ name: 'InvalidPasswordException' })
  await confirm(Password)
  await expect(confirm(Password)).rejects.toMatchObject({ name: 'CodeMismatchException' })
  await setup.signIn()
})

it('a client with a secret sends a secret hash, or sends the secret itself in requests with a token', async () => {
  const secret = 'aSecretOfTwentyEightLetters1'
  await using setup = await stockSetup({
    clients: { web: { id: ClientId, flows: ['password', 'refresh'], secret } },
  })
  const hash = (name: string) => createHmac('sha256', secret).update(`${name}${ClientId}`).digest('base64')
  await expect(setup.signIn()).rejects.toMatchObject({
    message: 'Client web is configured with secret but SECRET_HASH was not received',
  })
  await expect(setup.signIn(ClientId, Password, { SECRET_HASH: hash('bo') })).rejects.toMatchObject({
    message: 'Unable to verify secret hash for client web',
  })
  const { AuthenticationResult } = await setup.signIn(ClientId, Password, { SECRET_HASH: hash('ann') })
  const RefreshToken = AuthenticationResult!.RefreshToken!
  const refresh = (more: object) =>
    setup.client.initiateAuth({
      ClientId,
      AuthFlow: 'REFRESH_TOKEN_AUTH',
      AuthParameters: { REFRESH_TOKEN: RefreshToken, ...more },
    })
  await expect(refresh({})).rejects.toMatchObject({ name: 'NotAuthorizedException' })
  expect((await refresh({ SECRET_HASH: hash('ann') })).AuthenticationResult).not.toHaveProperty(
    'RefreshToken',
  )
  const revoke = (ClientSecret?: string) =>
    setup.client.revokeToken({ ClientId, Token: RefreshToken, ClientSecret })
  await expect(revoke()).rejects.toMatchObject({ message: 'Unable to verify secret for client web' })
  await revoke(secret)
  await expect(
    setup.client.getTokensFromRefreshToken({ ClientId, RefreshToken, ClientSecret: secret }),
  ).rejects.toMatchObject({ message: 'Refresh Token has been revoked' })
})

it('a refresh does not take the secret hash of an alias', async () => {
  const secret = 'aSecretOfTwentyEightLetters1'
  await using setup = await stockSetup({
    signIn: ['name', 'email'],
    clients: { web: { id: ClientId, flows: ['password', 'refresh'], secret } },
  })
  const email = 'ann@example.com'
  const hash = (name: string) => createHmac('sha256', secret).update(`${name}${ClientId}`).digest('base64')
  const byAlias = { USERNAME: email, SECRET_HASH: hash(email) }
  const { AuthenticationResult } = await setup.signIn(ClientId, Password, byAlias)
  const refresh = (SECRET_HASH: string) =>
    setup.client.initiateAuth({
      ClientId,
      AuthFlow: 'REFRESH_TOKEN_AUTH',
      AuthParameters: { REFRESH_TOKEN: AuthenticationResult!.RefreshToken!, SECRET_HASH },
    })
  await expect(refresh(hash(email))).rejects.toMatchObject({
    name: 'NotAuthorizedException',
    message: 'Unable to verify secret hash for client web',
  })
  expect((await refresh(hash('ann'))).AuthenticationResult).toHaveProperty('AccessToken')
})

it('refresh tokens rotate, reuse of a refresh token ends its grant, and access tokens cannot be revoked', async () => {
  await using setup = await stockSetup({
    clients: { web: { id: ClientId, flows: ['password', 'refresh'], refresh: { rotate: true } } },
  })
  const rotate = async (RefreshToken?: string) =>
    (await setup.client.getTokensFromRefreshToken({ ClientId, RefreshToken })).AuthenticationResult!
  const first = (await setup.signIn()).AuthenticationResult!
  const second = await rotate(first.RefreshToken)
  expect(second.RefreshToken).not.toBe(first.RefreshToken)
  await expect(rotate(first.RefreshToken)).rejects.toMatchObject({ name: 'RefreshTokenReuseException' })
  await expect(rotate(second.RefreshToken)).rejects.toMatchObject({
    message: 'Refresh Token has been revoked',
  })
  const { AccessToken } = (await setup.signIn()).AuthenticationResult!
  await expect(setup.client.revokeToken({ ClientId, Token: AccessToken })).rejects.toMatchObject({
    name: 'UnsupportedTokenTypeException',
  })
  expect(await setup.client.getUser({ AccessToken })).toMatchObject({ Username: 'ann' })
  await setup.client.revokeToken({ ClientId, Token: 'unknown' })
})

it('users, groups, pools and clients are listed in pages, and invalid page tokens are refused', async () => {
  await using setup = await stockSetup({
    groups: { admins: { precedence: 1 }, readers: { precedence: 2 } },
    clients: { web: { id: ClientId, flows: ['password'] }, other: { id: 'other' } },
  })
  const { client, staff } = setup
  for (const name of ['bo', 'cy']) await staff.users.add(name, { password: Password })
  const names = ({ Users }: Pick<ListUsersCommandOutput, 'Users'>) => Users!.map(({ Username }) => Username)
  const first = await client.listUsers({ UserPoolId, Limit: 2 })
  expect(names(first)).toEqual(['ann', 'bo'])
  const { PaginationToken } = first
  const last = await client.listUsers({ UserPoolId, Limit: 2, PaginationToken })
  expect(names(last)).toEqual(['cy'])
  expect(last.PaginationToken).toBeUndefined()
  expect(names(await client.listUsers({ UserPoolId, Limit: 0 }))).toHaveLength(3)
  for (const [Filter, found] of [
    ['email ^= "ann@"', ['ann']],
    ['username = "cy"', ['cy']],
    ['cognito:user_status = "CONFIRMED"', ['ann', 'bo', 'cy']],
    ['status = "Disabled"', []],
  ] as const)
    expect(names(await client.listUsers({ UserPoolId, Filter }))).toEqual(found)

  const member = { UserPoolId, Username: 'ann' }
  for (const GroupName of ['admins', 'readers']) await client.adminAddUserToGroup({ ...member, GroupName })
  const groups = await client.adminListGroupsForUser({ ...member, Limit: 1 })
  expect(groups.Groups).toMatchObject([{ GroupName: 'admins', Precedence: 1 }])
  expect(
    (await client.adminListGroupsForUser({ ...member, NextToken: groups.NextToken })).Groups,
  ).toMatchObject([{ GroupName: 'readers' }])
  expect(names(await client.listUsersInGroup({ UserPoolId, GroupName: 'admins', Limit: 0 }))).toEqual(['ann'])
  expect(await client.listUserPools({ MaxResults: 1 })).toMatchObject({
    UserPools: [{ Id: UserPoolId, Name: 'staff' }],
  })
  const clients = await client.listUserPoolClients({ UserPoolId, MaxResults: 1 })
  expect(clients).toMatchObject({ UserPoolClients: [{ ClientId }], NextToken: expect.any(String) })
  expect(await client.describeUserPoolClient({ UserPoolId, ClientId })).toMatchObject({
    UserPoolClient: { ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH'] },
  })
  expect(await client.adminGetUser(member)).toMatchObject({ Username: 'ann', UserStatus: 'CONFIRMED' })

  const refusals = await Promise.allSettled([
    client.listUsers({ UserPoolId, Limit: -1 }),
    client.listUsers({ UserPoolId, Limit: 1.5 }),
    client.listUsers({ UserPoolId, Limit: 61 }),
    client.listUsersInGroup({ UserPoolId, GroupName: 'admins', Limit: -1 }),
    client.listUserPools({ MaxResults: 0 }),
    client.listGroups({ UserPoolId, NextToken: 'none' }),
    client.updateGroup({ UserPoolId, GroupName: 'admins', Precedence: -1 }),
    client.listUsers({ UserPoolId, Filter: 'tenant = "t1"' }),
  ])
  for (const refusal of refusals)
    expect(refusal).toMatchObject({ reason: { name: 'InvalidParameterException' } })
})
