import { describe, expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import { clientId as ClientId, poolBox, poolId as UserPoolId } from '../testing/pool-box.ts'

const ann = { UserPoolId, Username: 'ann' }
const email = (Value: string) => [{ Name: 'email', Value }]

describe('administrators', () => {
  it('invite users, once more when asked, who choose a password in time', async () => {
    await using box = await poolBox({ pool: { password: { temporaryDays: 1 } } })
    const { User } = await box.call('AdminCreateUser', { ...ann, UserAttributes: email('ann@example.com') })
    expect(User).toMatchObject({ Username: 'ann', UserStatus: 'FORCE_CHANGE_PASSWORD', Enabled: true })
    const first = await box.code()
    expect((await box.texts())[0]!.text).toBe(`Your username is ann and temporary password is ${first}`)
    await box.call('AdminCreateUser', { ...ann, MessageAction: 'RESEND' })
    await expect(box.signIn('ann', first)).rejects.toMatchObject({ type: 'NotAuthorizedException' })
    expect(await box.signIn('ann', await box.code())).toMatchObject({
      ChallengeName: 'NEW_PASSWORD_REQUIRED',
    })
    await expect(box.call('AdminCreateUser', ann)).rejects.toMatchObject({ type: 'UsernameExistsException' })
    await box.clock.advance(86_400_000)
    await expect(box.signIn('ann', await box.code())).rejects.toMatchObject({
      message: 'Temporary password has expired and must be reset by an administrator.',
    })
  })

  it('disable, enable, confirm, reset, sign out and delete users', async () => {
    await using box = await poolBox()
    const UserAttributes = email('ann@example.com')
    await box.call('SignUp', { ClientId, Username: 'ann', Password: box.password, UserAttributes })
    await box.call('AdminConfirmSignUp', ann)
    await expect(box.call('AdminConfirmSignUp', ann)).rejects.toMatchObject({
      type: 'NotAuthorizedException',
    })
    const { AuthenticationResult } = await box.signIn()
    await box.call('AdminDisableUser', ann)
    await expect(box.call('GetUser', AuthenticationResult)).rejects.toMatchObject({
      type: 'NotAuthorizedException',
    })
    await expect(box.signIn()).rejects.toMatchObject({ message: 'User is disabled.' })
    await box.call('AdminEnableUser', ann)
    const again = (await box.signIn()).AuthenticationResult
    await box.call('AdminUserGlobalSignOut', ann)
    await expect(box.call('GetUser', again)).rejects.toMatchObject({
      message: 'Access Token has been revoked',
    })
    await expect(box.call('AdminResetUserPassword', ann)).rejects.toMatchObject({
      type: 'InvalidParameterException',
    })
    await box.call('AdminUpdateUserAttributes', {
      ...ann,
      UserAttributes: [{ Name: 'email_verified', Value: 'true' }],
    })
    await box.call('AdminResetUserPassword', ann)
    await expect(box.signIn()).rejects.toMatchObject({ type: 'PasswordResetRequiredException' })
    const ConfirmationCode = await box.code()
    await box.call('ConfirmForgotPassword', {
      ClientId,
      Username: 'ann',
      Password: 'Other-7even',
      ConfirmationCode,
    })
    await box.call('AdminSetUserPassword', { ...ann, Password: box.password, Permanent: true })
    expect(await box.signIn()).toHaveProperty('AuthenticationResult')
    await box.call('AdminSetUserPassword', { ...ann, Password: 'Third-7even' })
    expect(await box.signIn('ann', 'Third-7even')).toMatchObject({ ChallengeName: 'NEW_PASSWORD_REQUIRED' })
    await box.call('AdminDeleteUser', ann)
    await expect(box.call('AdminGetUser', ann)).rejects.toMatchObject({ type: 'UserNotFoundException' })
  })

  it('sign users in by AdminInitiateAuth, which is not for clients', async () => {
    await using box = await poolBox()
    const sub = await box.user()
    const input = {
      ClientId,
      AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: sub, PASSWORD: box.password },
    }
    expect(await box.call('AdminInitiateAuth', { UserPoolId, ...input })).toHaveProperty(
      'AuthenticationResult',
    )
    await expect(box.call('InitiateAuth', input)).rejects.toMatchObject({ type: 'InvalidParameterException' })
  })
})

it('groups are made, change, hold users and go into tokens by precedence', async () => {
  await using box = await poolBox({ pool: { groups: { crew: { precedence: 5, role: 'sail' } } } })
  await box.user()
  const group = (GroupName: string) => ({ UserPoolId, GroupName })
  await box.call('CreateGroup', { ...group('admins'), Precedence: 1, RoleArn: 'rule', Description: 'all' })
  await expect(box.call('CreateGroup', group('admins'))).rejects.toMatchObject({
    type: 'GroupExistsException',
  })
  for (const name of ['crew', 'admins']) await box.call('AdminAddUserToGroup', { ...ann, GroupName: name })
  expect(decodeJwt((await box.signIn()).AuthenticationResult.IdToken)).toMatchObject({
    'cognito:groups': ['admins', 'crew'],
    'cognito:roles': ['rule', 'sail'],
    'cognito:preferred_role': 'rule',
  })
  await box.call('UpdateGroup', { ...group('admins'), Precedence: 9 })
  expect(await box.call('GetGroup', group('admins'))).toMatchObject({
    Group: { Precedence: 9, Description: 'all' },
  })
  const names = async () =>
    (await box.call('AdminListGroupsForUser', ann)).Groups.map(
      ({ GroupName }: { GroupName: string }) => GroupName,
    )
  expect(await names()).toEqual(['crew', 'admins'])
  expect((await box.call('ListUsersInGroup', group('crew'))).Users).toMatchObject([{ Username: 'ann' }])
  await box.call('AdminRemoveUserFromGroup', { ...ann, GroupName: 'crew' })
  await box.call('DeleteGroup', group('admins'))
  expect(await names()).toEqual([])
  await expect(box.call('AdminAddUserToGroup', { ...ann, GroupName: 'admins' })).rejects.toMatchObject({
    type: 'ResourceNotFoundException',
  })
  expect((await box.call('ListGroups', { UserPoolId })).Groups).toMatchObject([{ GroupName: 'crew' }])
})

it('users are listed by page and by filter', async () => {
  await using box = await poolBox({ answers: { PreSignUp_SignUp: () => ({ autoConfirmUser: true }) } })
  for (const name of ['ann', 'anton', 'bob']) await box.user(name)
  const list = async (more: object) => {
    const { Users, PaginationToken } = await box.call('ListUsers', { UserPoolId, ...more })
    return [Users.map(({ Username }: { Username: string }) => Username), PaginationToken]
  }
  expect(await list({ Limit: 2 })).toEqual([['ann', 'anton'], 'anton'])
  expect(await list({ Limit: 2, PaginationToken: 'anton' })).toEqual([['bob'], undefined])
  expect(await list({ Filter: 'email ^= "an"' })).toEqual([['ann', 'anton'], undefined])
  expect(await list({ Filter: 'username = "bob"' })).toEqual([['bob'], undefined])
  expect(await list({ Filter: 'cognito:user_status = "CONFIRMED"' })).toEqual([
    ['ann', 'anton', 'bob'],
    undefined,
  ])
  await box.call('AdminDisableUser', ann)
  expect(await list({ Filter: 'status = "Disabled"' })).toEqual([['ann'], undefined])
  expect(await list({ Filter: 'email = "%"' })).toEqual([[], undefined])
  await expect(list({ Filter: 'password = "x"' })).rejects.toMatchObject({
    type: 'InvalidParameterException',
  })
  const { Users } = await box.call('ListUsers', { UserPoolId, AttributesToGet: ['email'], Limit: 1 })
  expect(Users[0].Attributes).toEqual([{ Name: 'email', Value: 'ann@example.com' }])
})

it('pools and clients are described', async () => {
  await using box = await poolBox({ client: { secret: true } })
  expect((await box.call('ListUserPools', { MaxResults: 10 })).UserPools).toEqual([
    { Id: UserPoolId, Name: 'staff' },
  ])
  expect(await box.call('DescribeUserPool', { UserPoolId })).toMatchObject({
    UserPool: { Policies: { PasswordPolicy: { MinimumLength: 8 } }, EstimatedNumberOfUsers: 0 },
  })
  expect((await box.call('ListUserPoolClients', { UserPoolId })).UserPoolClients).toHaveLength(1)
  expect(await box.call('DescribeUserPoolClient', { UserPoolId, ClientId })).toMatchObject({
    UserPoolClient: {
      ClientSecret: expect.stringMatching(/^[\da-f]{52}$/),
      PreventUserExistenceErrors: 'ENABLED',
    },
  })
  expect(await box.call('GetUserPoolMfaConfig', { UserPoolId })).toEqual({ MfaConfiguration: 'OFF' })
  for (const [operation, input] of [
    ['DescribeUserPool', { UserPoolId: 'eu-central-1_Other' }],
    ['DescribeUserPoolClient', { UserPoolId, ClientId: 'other' }],
    ['InitiateAuth', { ClientId: 'other', AuthFlow: 'USER_SRP_AUTH' }],
  ] as const)
    await expect(box.call(operation, input)).rejects.toMatchObject({ type: 'ResourceNotFoundException' })
})

describe('requests that are wrong', () => {
  it('name every field that is missing, as clients expect it', async () => {
    await using box = await poolBox()
    await expect(box.call('SignUp', { ClientId, Username: 'ann' })).rejects.toMatchObject({
      type: 'InvalidParameterException',
      message:
        "1 validation error detected: Value at 'password' failed to satisfy constraint: Member must not be null",
    })
    await expect(box.call('SignUp', { ClientId: 7 })).rejects.toMatchObject({
      message: expect.stringMatching(/^3 validation errors detected/),
    })
  })

  it('name an operation that there is not', async () => {
    await using box = await poolBox()
    for (const name of ['StartWebAuthnRegistration', 'toString', '__proto__'])
      await expect(box.call(name)).rejects.toMatchObject({
        type: 'UnknownOperationException',
        message: `The operation ${name} is not supported.`,
      })
  })

  it('ask for a flow that the client does not have', async () => {
    await using box = await poolBox({ client: { flows: ['srp'] } })
    await expect(box.signIn()).rejects.toMatchObject({
      type: 'InvalidParameterException',
      message: 'USER_PASSWORD_AUTH flow not enabled for this client',
    })
  })
})
