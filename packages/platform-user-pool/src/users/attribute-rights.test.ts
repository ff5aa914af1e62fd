import { expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import { poolSetup } from '../testing/pool-setup.ts'

const email = { Name: 'email', Value: 'ann@example.com' }
const tenant = { Name: 'custom:tenant', Value: 't1' }
const level = { Name: 'custom:level', Value: '3' }
const custom = { tenant: 'string', level: 'number' } as const

const named = (list: readonly { readonly Name: string }[]) => list.map(({ Name }) => Name).sort()

it('users can write only the attributes that their client may write', async () => {
  await using setup = await poolSetup({ pool: { custom }, client: { write: ['email', 'custom:tenant'] } })
  const who = { ClientId: 'web', Username: 'ann', Password: setup.password }
  const unauthorized = { type: 'NotAuthorizedException', message: expect.stringContaining('custom:level') }
  await expect(setup.call('SignUp', { ...who, UserAttributes: [email, level] })).rejects.toMatchObject(
    unauthorized,
  )
  await setup.user('ann', { UserAttributes: [email, tenant] })
  const { AccessToken } = (await setup.signIn()).AuthenticationResult
  await expect(
    setup.call('UpdateUserAttributes', { AccessToken, UserAttributes: [level] }),
  ).rejects.toMatchObject(unauthorized)
  await expect(
    setup.call('DeleteUserAttributes', { AccessToken, UserAttributeNames: ['custom:level'] }),
  ).rejects.toMatchObject(unauthorized)
  await setup.call('UpdateUserAttributes', { AccessToken, UserAttributes: [{ ...tenant, Value: 't2' }] })
  const admin = { UserPoolId: setup.engine.pools[0]!.id, Username: 'ann' }
  await setup.call('AdminUpdateUserAttributes', { ...admin, UserAttributes: [level] })
  await setup.call('AdminSetUserPassword', { ...admin, Password: setup.password })
  const { Session } = await setup.signIn()
  const answer = (more: object) =>
    setup.call('RespondToAuthChallenge', {
      ClientId: 'web',
      ChallengeName: 'NEW_PASSWORD_REQUIRED',
      Session,
      ChallengeResponses: { USERNAME: 'ann', NEW_PASSWORD: setup.password, ...more },
    })
  await expect(answer({ 'userAttributes.custom:level': '9' })).rejects.toMatchObject(unauthorized)
  expect(await answer({ 'userAttributes.custom:tenant': 't3' })).toHaveProperty('AuthenticationResult')
})

it('users can read only the attributes that their client may read, in GetUser and in identity tokens', async () => {
  await using setup = await poolSetup({ pool: { custom }, client: { read: ['custom:tenant'] } })
  await setup.user('ann', { UserAttributes: [email, tenant, level] })
  const { AccessToken, IdToken } = (await setup.signIn()).AuthenticationResult
  const { UserAttributes } = await setup.call('GetUser', { AccessToken })
  expect(named(UserAttributes)).toEqual(['custom:tenant', 'sub'])
  const claims = decodeJwt(IdToken)
  expect(claims).toMatchObject({ 'custom:tenant': 't1', 'cognito:username': 'ann' })
  for (const name of ['email', 'email_verified', 'custom:level']) expect(claims).not.toHaveProperty(name)
  const shown = await setup.call('AdminGetUser', {
    UserPoolId: setup.engine.pools[0]!.id,
    Username: 'ann',
  })
  expect(named(shown.UserAttributes)).toContain('email')
})

it('an immutable attribute keeps its first value, and even administrators cannot change it', async () => {
  await using setup = await poolSetup({ pool: { custom, immutable: ['custom:tenant'] } })
  await setup.user('ann', { UserAttributes: [email, tenant] })
  const { AccessToken } = (await setup.signIn()).AuthenticationResult
  const refused = {
    type: 'InvalidParameterException',
    message: 'user.custom:tenant: Attribute cannot be updated.\n',
  }
  await expect(
    setup.call('UpdateUserAttributes', { AccessToken, UserAttributes: [tenant] }),
  ).rejects.toMatchObject(refused)
  await expect(
    setup.call('DeleteUserAttributes', { AccessToken, UserAttributeNames: ['custom:tenant'] }),
  ).rejects.toMatchObject(refused)
  const admin = { UserPoolId: setup.engine.pools[0]!.id, Username: 'ann' }
  await expect(
    setup.call('AdminUpdateUserAttributes', { ...admin, UserAttributes: [tenant] }),
  ).rejects.toMatchObject(refused)
})

it('AdminDeleteUserAttributes fails and lists the attributes that the pool does not define', async () => {
  await using setup = await poolSetup()
  await setup.user()
  await expect(
    setup.call('AdminDeleteUserAttributes', {
      UserPoolId: setup.engine.pools[0]!.id,
      Username: 'ann',
      UserAttributeNames: ['nickname', 'custom:foo', 'custom:bar'],
    }),
  ).rejects.toMatchObject({
    message:
      'Invalid user attributes: user.custom:foo: Attribute does not exist in the schema.\nuser.custom:bar: Attribute does not exist in the schema.\n',
  })
})

it('email_verified accepts "True" as well as "true"', async () => {
  await using setup = await poolSetup()
  const { User } = await setup.call('AdminCreateUser', {
    UserPoolId: setup.engine.pools[0]!.id,
    Username: 'ann',
    UserAttributes: [email, { Name: 'email_verified', Value: 'True' }],
  })
  expect(User.Attributes).toContainEqual({ Name: 'email_verified', Value: 'true' })
})

it("a pool created through the API enforces its schema and its clients' read and write attributes", async () => {
  await using setup = await poolSetup()
  const { call } = setup
  const Schema = [
    {
      Name: 'code',
      AttributeDataType: 'String',
      Mutable: false,
      StringAttributeConstraints: { MinLength: '2', MaxLength: '3' },
    },
    {
      Name: 'size',
      AttributeDataType: 'Number',
      NumberAttributeConstraints: { MinValue: '1', MaxValue: '9' },
    },
    { Name: 'rank', AttributeDataType: 'String', DeveloperOnlyAttribute: true },
  ]
  const { UserPool } = await call('CreateUserPool', { PoolName: 'made', Schema })
  const pool = { UserPoolId: UserPool.Id }
  await expect(
    call('CreateUserPoolClient', { ...pool, ClientName: 'web', ReadAttributes: ['nothing'] }),
  ).rejects.toMatchObject({ message: 'Invalid read attributes specified while creating a client' })
  const { UserPoolClient } = await call('CreateUserPoolClient', {
    ...pool,
    ClientName: 'web',
    ReadAttributes: ['email', 'custom:code'],
    WriteAttributes: ['email', 'custom:code', 'custom:size'],
  })
  await expect(
    call('UpdateUserPoolClient', {
      ...pool,
      ClientId: UserPoolClient.ClientId,
      WriteAttributes: ['nothing'],
    }),
  ).rejects.toMatchObject({ message: 'Invalid write attributes specified while updating a client' })
  const ann = { ...pool, Username: 'ann' }
  const create = (Name: string, Value: string) =>
    call('AdminCreateUser', { ...ann, UserAttributes: [{ Name, Value }] })
  await expect(create('custom:code', 'a')).rejects.toMatchObject({
    message: 'Attribute value for custom:code has fewer than 2 characters.',
  })
  await expect(create('custom:code', 'abcd')).rejects.toMatchObject({
    message: 'Attribute value for custom:code has more than 3 characters.',
  })
  await expect(create('custom:size', '0')).rejects.toMatchObject({
    message: 'Attribute value for custom:size is less than 1.',
  })
  await expect(create('custom:size', '10')).rejects.toMatchObject({
    message: 'Attribute value for custom:size is more than 9.',
  })
  await create('custom:code', 'abc')
  await call('AdminSetUserPassword', { ...ann, Password: setup.password, Permanent: true })
  await call('AdminUpdateUserAttributes', {
    ...ann,
    UserAttributes: [{ Name: 'dev:custom:rank', Value: 'high' }],
  })
  const answer = await call('AdminInitiateAuth', {
    ...pool,
    ClientId: UserPoolClient.ClientId,
    AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: 'ann', PASSWORD: setup.password },
  })
  const { AccessToken } = answer.AuthenticationResult
  const update = (Name: string) =>
    call('UpdateUserAttributes', { AccessToken, UserAttributes: [{ Name, Value: 'low' }] })
  await expect(update('dev:custom:rank')).rejects.toMatchObject({ type: 'NotAuthorizedException' })
  await expect(update('custom:code')).rejects.toMatchObject({
    message: 'user.custom:code: Attribute cannot be updated.\n',
  })
  expect(named((await call('GetUser', { AccessToken })).UserAttributes)).toEqual(['custom:code', 'sub'])
  await call('DeleteUserPoolClient', { ...pool, ClientId: UserPoolClient.ClientId })
  await expect(call('GetUser', { AccessToken })).rejects.toMatchObject({
    message: 'Access Token has been revoked',
  })
})
