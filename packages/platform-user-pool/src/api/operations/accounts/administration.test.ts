import { describe, expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import { clientId as ClientId, poolSetup, poolId as UserPoolId } from '../../../testing/pool-setup.ts'

const ann = { UserPoolId, Username: 'ann' }
const email = (Value: string) => [{ Name: 'email', Value }]

it('simultaneous changes by administrators all take effect', async () => {
  await using setup = await poolSetup()
  await setup.call('AdminCreateUser', { ...ann, MessageAction: 'SUPPRESS' })
  await Promise.all([
    setup.call('AdminSetUserPassword', { ...ann, Password: setup.password, Permanent: true }),
    setup.call('AdminDisableUser', ann),
    setup.call('AdminDeleteSoftwareToken', ann),
  ])
  expect(await setup.call('AdminGetUser', ann)).toMatchObject({ UserStatus: 'CONFIRMED', Enabled: false })
})

it.each([
  ['no characters', { GroupName: '' }],
  ['more than 128 characters', { GroupName: 'g'.repeat(129) }],
  ['a line break', { GroupName: 'staff\nadmins' }],
  ['a blank', { GroupName: 'staff admins' }],
])('a name of a group with %s is refused', async (_, group) => {
  await using setup = await poolSetup()
  await expect(setup.call('CreateGroup', { UserPoolId, ...group })).rejects.toMatchObject({
    type: 'InvalidParameterException',
    message: expect.stringContaining("Value at 'groupName' failed to satisfy constraint"),
  })
  expect(await setup.call('ListGroups', { UserPoolId })).toEqual({ Groups: [] })
})

it('a description of a group has 2,048 characters at most', async () => {
  await using setup = await poolSetup()
  const create = (Description: string) =>
    setup.call('CreateGroup', { UserPoolId, GroupName: 'staff', Description })
  await expect(create('d'.repeat(2049))).rejects.toMatchObject({ type: 'InvalidParameterException' })
  await create('d'.repeat(2048))
})

describe('administrators', () => {
  it('invite users with a temporary password that expires, and can repeat an invitation', async () => {
    await using setup = await poolSetup({ pool: { password: { temporaryDays: 1 } } })
    const { User } = await setup.call('AdminCreateUser', { ...ann, UserAttributes: email('ann@example.com') })
    expect(User).toMatchObject({ Username: 'ann', UserStatus: 'FORCE_CHANGE_PASSWORD', Enabled: true })
    const first = await setup.code()
    expect((await setup.texts())[0]!.text).toBe(`Your username is ann and temporary password is ${first}`)
    await setup.call('AdminCreateUser', { ...ann, MessageAction: 'RESEND' })
    await expect(setup.signIn('ann', first)).rejects.toMatchObject({ type: 'NotAuthorizedException' })
    expect(await setup.signIn('ann', await setup.code())).toMatchObject({
      ChallengeName: 'NEW_PASSWORD_REQUIRED',
    })
    await expect(setup.call('AdminCreateUser', ann)).rejects.toMatchObject({
      type: 'UsernameExistsException',
    })
    const temporary = await setup.code()
    await setup.clock.advance(86_400_000)
    await expect(setup.signIn('ann', temporary)).rejects.toMatchObject({
      message: 'Temporary password has expired and must be reset by an administrator.',
    })
  })

  it('disable, enable, confirm, reset, sign out and delete users', async () => {
    await using setup = await poolSetup()
    const UserAttributes = email('ann@example.com')
    await setup.call('SignUp', { ClientId, Username: 'ann', Password: setup.password, UserAttributes })
    await setup.call('AdminConfirmSignUp', ann)
    await expect(setup.call('AdminConfirmSignUp', ann)).rejects.toMatchObject({
      type: 'NotAuthorizedException',
    })
    const { AuthenticationResult } = await setup.signIn()
    await setup.call('AdminDisableUser', ann)
    await expect(setup.call('GetUser', AuthenticationResult)).rejects.toMatchObject({
      type: 'NotAuthorizedException',
    })
    await expect(setup.signIn()).rejects.toMatchObject({ message: 'User is disabled.' })
    await setup.call('AdminEnableUser', ann)
    const again = (await setup.signIn()).AuthenticationResult
    await setup.call('AdminUserGlobalSignOut', ann)
    await expect(setup.call('GetUser', again)).rejects.toMatchObject({
      message: 'Access Token has been revoked',
    })
    await expect(setup.call('AdminResetUserPassword', ann)).rejects.toMatchObject({
      type: 'InvalidParameterException',
    })
    await setup.call('AdminUpdateUserAttributes', {
      ...ann,
      UserAttributes: [{ Name: 'email_verified', Value: 'true' }],
    })
    await setup.call('AdminResetUserPassword', ann)
    await expect(setup.signIn()).rejects.toMatchObject({ type: 'PasswordResetRequiredException' })
    const ConfirmationCode = await setup.code()
    await setup.call('ConfirmForgotPassword', {
      ClientId,
      Username: 'ann',
      Password: 'Other-7even',
      ConfirmationCode,
    })
    await setup.call('AdminSetUserPassword', { ...ann, Password: setup.password, Permanent: true })
    expect(await setup.signIn()).toHaveProperty('AuthenticationResult')
    await setup.call('AdminSetUserPassword', { ...ann, Password: 'Third-7even' })
    expect(await setup.signIn('ann', 'Third-7even')).toMatchObject({ ChallengeName: 'NEW_PASSWORD_REQUIRED' })
    await setup.call('AdminDeleteUser', ann)
    await expect(setup.call('AdminGetUser', ann)).rejects.toMatchObject({ type: 'UserNotFoundException' })
  })

  it('sign users in with AdminInitiateAuth, in a flow that clients cannot use', async () => {
    await using setup = await poolSetup()
    const sub = await setup.user()
    const input = {
      ClientId,
      AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: sub, PASSWORD: setup.password },
    }
    expect(await setup.call('AdminInitiateAuth', { UserPoolId, ...input })).toHaveProperty(
      'AuthenticationResult',
    )
    const refused = { type: 'InvalidParameterException', message: 'Initiate Auth method not supported' }
    await expect(setup.call('InitiateAuth', input)).rejects.toMatchObject(refused)
    const asClient = { UserPoolId, ...input, AuthFlow: 'USER_PASSWORD_AUTH' }
    await expect(setup.call('AdminInitiateAuth', asClient)).rejects.toMatchObject(refused)
    await expect(setup.call('InitiateAuth', { ...input, AuthFlow: 'NO_SUCH_FLOW' })).rejects.toMatchObject({
      type: 'InvalidParameterException',
      message: expect.stringMatching(
        /^1 validation error detected: Value 'NO_SUCH_FLOW' at 'authFlow' failed to satisfy constraint: Member must satisfy enum value set: \[USER_SRP_AUTH, .*\]$/,
      ),
    })
  })

  it.each([
    ['email', 'ann@example.com', 'email'],
    ['phone', '+15555550100', 'phone number'],
  ] as const)('cannot create two users with the same %s as their user name', async (kind, Username, what) => {
    await using setup = await poolSetup({ pool: { signIn: [kind] } })
    const create = () => setup.call('AdminCreateUser', { UserPoolId, Username })
    await create()
    await expect(create()).rejects.toMatchObject({
      type: 'UsernameExistsException',
      message: `An account with the given ${what} already exists.`,
    })
  })
})

it('groups can be created and changed, and members’ tokens list their groups by precedence', async () => {
  await using setup = await poolSetup({ pool: { groups: { crew: { precedence: 5, role: 'sail' } } } })
  await setup.user()
  const group = (GroupName: string) => ({ UserPoolId, GroupName })
  await setup.call('CreateGroup', { ...group('admins'), Precedence: 1, RoleArn: 'rule', Description: 'all' })
  await expect(setup.call('CreateGroup', group('admins'))).rejects.toMatchObject({
    type: 'GroupExistsException',
  })
  for (const name of ['crew', 'admins']) await setup.call('AdminAddUserToGroup', { ...ann, GroupName: name })
  expect(decodeJwt((await setup.signIn()).AuthenticationResult.IdToken)).toMatchObject({
    'cognito:groups': ['admins', 'crew'],
    'cognito:roles': ['rule', 'sail'],
    'cognito:preferred_role': 'rule',
  })
  await setup.call('UpdateGroup', { ...group('admins'), Precedence: 9 })
  expect(await setup.call('GetGroup', group('admins'))).toMatchObject({
    Group: { Precedence: 9, Description: 'all' },
  })
  const names = async () =>
    (await setup.call('AdminListGroupsForUser', ann)).Groups.map(
      ({ GroupName }: { GroupName: string }) => GroupName,
    )
  expect(await names()).toEqual(['crew', 'admins'])
  expect((await setup.call('ListUsersInGroup', group('crew'))).Users).toMatchObject([{ Username: 'ann' }])
  await setup.call('AdminRemoveUserFromGroup', { ...ann, GroupName: 'crew' })
  await setup.call('DeleteGroup', group('admins'))
  expect(await names()).toEqual([])
  await expect(setup.call('AdminAddUserToGroup', { ...ann, GroupName: 'admins' })).rejects.toMatchObject({
    type: 'ResourceNotFoundException',
  })
  expect((await setup.call('ListGroups', { UserPoolId })).Groups).toMatchObject([{ GroupName: 'crew' }])
})

it('users are listed in pages and with filters', async () => {
  await using setup = await poolSetup({ answers: { PreSignUp_SignUp: () => ({ autoConfirmUser: true }) } })
  for (const name of ['ann', 'anton', 'bob']) await setup.user(name)
  const list = async (more: object) => {
    const { Users, PaginationToken } = await setup.call('ListUsers', { UserPoolId, ...more })
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
  await setup.call('AdminDisableUser', ann)
  expect(await list({ Filter: 'status = "Disabled"' })).toEqual([['ann'], undefined])
  expect(await list({ Filter: 'email = "%"' })).toEqual([[], undefined])
  await expect(list({ Filter: 'password = "x"' })).rejects.toMatchObject({
    type: 'InvalidParameterException',
  })
  const { Users } = await setup.call('ListUsers', { UserPoolId, AttributesToGet: ['email'], Limit: 1 })
  expect(Users[0].Attributes).toEqual([{ Name: 'email', Value: 'ann@example.com' }])
})

it('DescribeUserPool and DescribeUserPoolClient return the settings of the configuration', async () => {
  await using setup = await poolSetup({ client: { secret: true } })
  expect((await setup.call('ListUserPools', { MaxResults: 10 })).UserPools).toEqual([
    { Id: UserPoolId, Name: 'staff' },
  ])
  expect(await setup.call('DescribeUserPool', { UserPoolId })).toMatchObject({
    UserPool: { Policies: { PasswordPolicy: { MinimumLength: 8 } }, EstimatedNumberOfUsers: 0 },
  })
  expect((await setup.call('ListUserPoolClients', { UserPoolId })).UserPoolClients).toHaveLength(1)
  expect(await setup.call('DescribeUserPoolClient', { UserPoolId, ClientId })).toMatchObject({
    UserPoolClient: {
      ClientSecret: expect.stringMatching(/^[\da-f]{52}$/),
      PreventUserExistenceErrors: 'ENABLED',
    },
  })
  expect(await setup.call('GetUserPoolMfaConfig', { UserPoolId })).toEqual({ MfaConfiguration: 'OFF' })
  for (const [operation, input] of [
    ['DescribeUserPool', { UserPoolId: 'eu-central-1_Other' }],
    ['DescribeUserPoolClient', { UserPoolId, ClientId: 'other' }],
    ['InitiateAuth', { ClientId: 'other', AuthFlow: 'USER_SRP_AUTH' }],
  ] as const)
    await expect(setup.call(operation, input)).rejects.toMatchObject({ type: 'ResourceNotFoundException' })
})

describe('an invalid request', () => {
  it('gets an error that states how many fields are invalid', async () => {
    await using setup = await poolSetup()
    await expect(setup.call('SignUp', { ClientId, Username: 'ann' })).rejects.toMatchObject({
      type: 'InvalidParameterException',
      message:
        "1 validation error detected: Value at 'password' failed to satisfy constraint: Member must not be null",
    })
    await expect(setup.call('SignUp', { ClientId: 7 })).rejects.toMatchObject({
      message: expect.stringMatching(/^3 validation errors detected/),
    })
  })

  it('gets UnknownOperationException when the operation is unknown', async () => {
    await using setup = await poolSetup()
    for (const name of ['SetNothing', 'toString', '__proto__'])
      await expect(setup.call(name)).rejects.toMatchObject({
        type: 'UnknownOperationException',
        message: `The operation ${name} is not supported.`,
      })
  })

  it('gets an error when the client may not use the authentication flow', async () => {
    await using setup = await poolSetup({ client: { flows: ['srp'] } })
    await expect(setup.signIn()).rejects.toMatchObject({
      type: 'InvalidParameterException',
      message: 'USER_PASSWORD_AUTH flow not enabled for this client',
    })
  })
})
