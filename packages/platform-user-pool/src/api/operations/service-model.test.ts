import { expect, it } from '@jest/globals'
import { challenges } from '../../testing/challenges.ts'
import { clientId as ClientId, poolSetup, poolId as UserPoolId } from '../../testing/pool-setup.ts'
import {
  answerProblems,
  declaredErrors,
  isServiceError,
  isServiceOperation,
} from '../../testing/service-model.ts'
import { userPoolErrorTypes } from '../../user-pool-error.ts'
import { extensionOperations } from './extensions.ts'
import { operations } from './operations.ts'

/**
 * Errors from the protocol, the credentials check and the listener. Cognito's service model does not list them for any
 * operation.
 */
const ofEveryOperation = [
  'AccessDeniedException',
  'IncompleteSignatureException',
  'InternalErrorException',
  'InvalidParameterException',
  'InvalidSignatureException',
  'MissingAuthenticationTokenException',
  'RequestEntityTooLargeException',
  'RequestTimeoutException',
  'SerializationException',
  'ServiceUnavailableException',
  'TooManyRequestsException',
  'UnknownOperationException',
  'UnrecognizedClientException',
]

it('every error type of the user-pool API also exists in Cognito or its protocol', () => {
  const unknown = userPoolErrorTypes.filter(type => !ofEveryOperation.includes(type) && !isServiceError(type))
  expect(unknown).toEqual([])
})

it('every operation of the user-pool API exists in Cognito, or is an extension for the command line', () => {
  const extensions = Object.keys(extensionOperations)
  const unknown = Object.keys(operations).filter(name => !isServiceOperation(name))
  expect(unknown.filter(name => !extensions.includes(name))).toEqual([])
})

it('the check against Cognito’s service model finds wrong fields and types in responses', () => {
  const Group = { GroupName: 1, CreationDate: 1_700_000_000_000, Color: 'red' }
  expect(answerProblems('GetGroup', { Group })).toEqual([
    'GetGroup.Group.GroupName: expected a string, got 1',
    'GetGroup.Group.CreationDate: expected seconds since 1970, got 1700000000000',
    'GetGroup.Group.Color: the service has no such field',
  ])
  expect(answerProblems('DeleteGroup', { Group })).toEqual(['DeleteGroup: expected nothing'])
  expect(declaredErrors('ForgotPassword')).toContain('UserNotFoundException')
  expect(declaredErrors('ForgotPassword')).not.toContain('AliasExistsException')
})

/** Returns a `call` that records how responses and errors differ from the service model. */
function checked({ call }: Awaited<ReturnType<typeof poolSetup>>) {
  const problems: string[] = []
  const called = new Set<string>()
  return {
    problems,
    called,
    async call(operation: string, input: object = {}) {
      called.add(operation)
      try {
        const answer = await call(operation, input)
        problems.push(...answerProblems(operation, answer))
        return answer
      } catch (error) {
        const { type, message } = error as { readonly type: string; readonly message: string }
        if (![...ofEveryOperation, ...declaredErrors(operation)].includes(type))
          problems.push(`${operation}: the service does not answer ${type} (${message})`)
        return {}
      }
    },
  }
}

it('every response has the fields and types of Cognito’s service model, and every error is declared there', async () => {
  await using setup = await poolSetup({
    answers: challenges,
    pool: {
      groups: { admins: { description: 'a', precedence: 1, role: 'r' } },
      devices: 'always',
      sessions: {},
    },
  })
  const { call, problems, called } = checked(setup)
  const who = { UserPoolId, Username: 'ann' }
  const UserAttributes = [{ Name: 'email', Value: 'ann@example.com' }]
  const { password } = setup
  await call('SignUp', { ClientId, Username: 'ann', Password: password, UserAttributes })
  await call('SignUp', { ClientId, Username: 'ann', Password: password, UserAttributes })
  await call('SignUp', { ClientId, Username: 'bob', Password: 'weak' })
  await call('ResendConfirmationCode', { ClientId, Username: 'ann' })
  await call('ConfirmSignUp', { ClientId, Username: 'ann', ConfirmationCode: 'wrong' })
  await call('ConfirmSignUp', { ClientId, Username: 'ann', ConfirmationCode: await setup.code() })
  const AuthParameters = { USERNAME: 'ann', PASSWORD: password }
  const signIn = { ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters }
  await call('InitiateAuth', { ...signIn, AuthParameters: { USERNAME: 'ann', PASSWORD: 'wrong' } })
  const { AuthenticationResult } = await call('InitiateAuth', signIn)
  const { AccessToken, RefreshToken, NewDeviceMetadata } = AuthenticationResult
  await call('AdminInitiateAuth', { ...signIn, UserPoolId, AuthFlow: 'ADMIN_USER_PASSWORD_AUTH' })
  const begun = await call('InitiateAuth', { ...signIn, AuthFlow: 'CUSTOM_AUTH' })
  const answer = { ClientId, ChallengeName: 'CUSTOM_CHALLENGE', Session: begun.Session }
  const responses = { ChallengeResponses: { USERNAME: 'ann', ANSWER: '7' } }
  await call('RespondToAuthChallenge', { ...answer, ...responses })
  await call('RespondToAuthChallenge', { ...answer, ...responses })
  await call('AdminRespondToAuthChallenge', { UserPoolId, ...answer, ...responses })
  await call('ForgotPassword', { ClientId, Username: 'ann' })
  const replace = { ClientId, Username: 'ann', Password: password }
  await call('ConfirmForgotPassword', { ...replace, ConfirmationCode: 'wrong' })
  await call('GetTokensFromRefreshToken', { ClientId, RefreshToken })
  await call('GetTokensFromRefreshToken', { ClientId, RefreshToken: 'none' })
  for (const token of [AccessToken, 'none']) {
    const own = { AccessToken: token }
    await call('GetUser', own)
    await call('UpdateUserAttributes', {
      ...own,
      UserAttributes: [{ Name: 'email', Value: 'new@example.com' }],
    })
    await call('GetUserAttributeVerificationCode', { ...own, AttributeName: 'email' })
    await call('VerifyUserAttribute', { ...own, AttributeName: 'email', Code: 'wrong' })
    await call('DeleteUserAttributes', { ...own, UserAttributeNames: ['nickname'] })
    await call('ChangePassword', { ...own, PreviousPassword: 'wrong', ProposedPassword: password })
    await call('AssociateSoftwareToken', own)
    await call('VerifySoftwareToken', { ...own, UserCode: '000000' })
    await call('SetUserMFAPreference', { ...own, SMSMfaSettings: { Enabled: false } })
    await call('SetUserSettings', { ...own, MFAOptions: [] })
    await call('GetUserAuthFactors', own)
    const { Sessions = [] } = await call('ListUserSessions', own)
    for (const SessionId of [Sessions[0]?.SessionId, 'none'])
      await call('RevokeUserSession', { ...own, SessionId, RevokeAssociatedSessions: 'LINKED' })
    await call('AdminListUserSessions', who)
    await call('AdminRevokeUserSession', { ...who, SessionId: 'none' })
    const DeviceKey = NewDeviceMetadata?.DeviceKey ?? 'none'
    await call('ConfirmDevice', {
      ...own,
      DeviceKey,
      DeviceSecretVerifierConfig: { PasswordVerifier: 'AQID', Salt: 'AQID' },
    })
    await call('GetDevice', { ...own, DeviceKey })
    await call('ListDevices', own)
    await call('UpdateDeviceStatus', { ...own, DeviceKey, DeviceRememberedStatus: 'remembered' })
    await call('AdminGetDevice', { ...who, DeviceKey })
    await call('AdminListDevices', who)
    await call('AdminUpdateDeviceStatus', { ...who, DeviceKey, DeviceRememberedStatus: 'remembered' })
    await call('ForgetDevice', { ...own, DeviceKey: 'none' })
    await call('AdminForgetDevice', { ...who, DeviceKey: 'none' })
  }
  await call('AdminCreateUser', { UserPoolId, Username: 'carl', UserAttributes })
  await call('AdminCreateUser', { UserPoolId, Username: 'carl' })
  for (const Username of ['carl', 'nobody']) {
    const user = { UserPoolId, Username }
    await call('AdminGetUser', user)
    await call('AdminDisableUser', user)
    await call('AdminEnableUser', user)
    await call('AdminConfirmSignUp', user)
    await call('AdminSetUserPassword', { ...user, Password: password, Permanent: true })
    await call('AdminUpdateUserAttributes', {
      ...user,
      UserAttributes: [{ Name: 'email', Value: 'c@d.example' }],
    })
    await call('AdminDeleteUserAttributes', { ...user, UserAttributeNames: ['nickname'] })
    await call('AdminResetUserPassword', user)
    await call('AdminSetUserMFAPreference', { ...user, SMSMfaSettings: { Enabled: false } })
    await call('AdminSetUserSettings', { ...user, MFAOptions: [] })
    await call('AdminGetUserAuthFactors', user)
    await call('AdminDeleteSoftwareToken', user)
    await call('AdminAddUserToGroup', { ...user, GroupName: 'admins' })
    await call('AdminAddUserToGroup', { ...user, GroupName: 'none' })
    await call('AdminListGroupsForUser', user)
    await call('AdminRemoveUserFromGroup', { ...user, GroupName: 'admins' })
    await call('AdminUserGlobalSignOut', user)
  }
  await call('AdminAddUserToGroup', { ...who, GroupName: 'admins' })
  for (const GroupName of ['admins', 'made', 'none']) {
    const group = { UserPoolId, GroupName }
    if (GroupName !== 'none') await call('CreateGroup', group)
    await call('GetGroup', group)
    await call('UpdateGroup', { ...group, Description: 'b' })
    await call('ListUsersInGroup', group)
  }
  await call('ListGroups', { UserPoolId })
  await call('DeleteGroup', { UserPoolId, GroupName: 'made' })
  await call('ListUsers', { UserPoolId })
  await call('ListUsers', { UserPoolId, Filter: 'status = "constructor"' })
  await call('ListUsers', { UserPoolId, Filter: 'wrong' })
  await call('CreateUserPool', { PoolName: 'made' })
  const { UserPools } = await call('ListUserPools', { MaxResults: 10 })
  for (const Id of [...UserPools.map((each: { readonly Id: string }) => each.Id), 'none_1']) {
    const pool = { UserPoolId: Id }
    await call('DescribeUserPool', pool)
    await call('GetUserPoolMfaConfig', pool)
    await call('CreateUserPoolClient', { ...pool, ClientName: 'app', GenerateSecret: true })
    const { UserPoolClients = [] } = await call('ListUserPoolClients', { ...pool, MaxResults: 10 })
    for (const { ClientId: id } of [...UserPoolClients, { ClientId: 'none' }])
      await call('DescribeUserPoolClient', { ...pool, ClientId: id })
    for (const ClientId of [UserPoolClients[0]?.ClientId ?? 'none', 'none']) {
      const of = { ...pool, ClientId }
      await call('AddUserPoolClientSecret', of)
      await call('ListUserPoolClientSecrets', of)
      await call('DeleteUserPoolClientSecret', { ...of, ClientSecretId: 'none' })
      await call('SetUserPoolClientSessionConfiguration', { ...of, SSOSession: { MaxValidityMinutes: 5 } })
      await call('GetUserPoolClientSessionConfiguration', of)
      const named = { TermsName: 'terms-of-use', TermsSource: 'LINK', Enforcement: 'NONE' }
      const Links = { 'cognito:default': 'https://example.com/terms' }
      const { Terms } = await call('CreateTerms', { ...of, ...named, Links })
      await call('CreateTerms', { ...of, ...named, Links })
      await call('DescribeTermsByClient', { ...of, TermsName: 'terms-of-use' })
      for (const TermsId of [Terms?.TermsId ?? 'none', 'none']) {
        await call('DescribeTerms', { ...pool, TermsId })
        await call('UpdateTerms', { ...pool, TermsId, ...named, Links })
        await call('ListTerms', pool)
        await call('DeleteTerms', { ...pool, TermsId })
      }
    }
    const tracking = { UserSessionTracking: 'ENABLED', TokenSession: { MaxPerUser: 5 } }
    await call('SetUserPoolSessionConfiguration', { ...pool, ...tracking })
    await call('GetUserPoolSessionConfiguration', pool)
    await call('AddCustomAttributes', {
      ...pool,
      CustomAttributes: [{ Name: 'tenant', AttributeDataType: 'String' }],
    })
    await call('UpdateUserPool', { ...pool, AutoVerifiedAttributes: ['email'] })
    await call('SetUserPoolMfaConfig', { ...pool, MfaConfiguration: 'OFF' })
    await call('CreateResourceServer', { ...pool, Identifier: 'https://a.example', Name: 'a' })
    await call('ListResourceServers', pool)
    await call('DescribeResourceServer', { ...pool, Identifier: 'https://a.example' })
    await call('SetUICustomization', { ...pool, CSS: '.banner-customizable {}' })
    await call('GetUICustomization', pool)
    await call('DeleteUserPool', pool)
  }
  const DestinationUser = { ProviderName: 'Cognito', ProviderAttributeValue: 'ann' }
  const provider = { ProviderName: 'None', ProviderAttributeName: 'sub', ProviderAttributeValue: '1' }
  await call('AdminLinkProviderForUser', { UserPoolId, DestinationUser, SourceUser: provider })
  await call('AdminDisableProviderForUser', { UserPoolId, User: provider })
  const CloudWatchLogsRoleArn = 'arn:aws:iam::000000000000:role/logs'
  const { UserImportJob } = await call('CreateUserImportJob', {
    UserPoolId,
    JobName: 'first',
    CloudWatchLogsRoleArn,
  })
  for (const JobId of [UserImportJob.JobId, 'none']) {
    const job = { UserPoolId, JobId }
    await call('DescribeUserImportJob', job)
    await call('StartUserImportJob', job)
    await call('StopUserImportJob', job)
  }
  await call('ListUserImportJobs', { UserPoolId, MaxResults: 1 })
  await call('GlobalSignOut', { AccessToken })
  await call('RevokeToken', { ClientId, Token: RefreshToken })
  await call('RevokeToken', { ClientId, Token: AccessToken })
  await call('DeleteUser', { AccessToken })
  await call('AdminDeleteUser', who)
  await call('AdminDeleteUser', who)
  expect([...new Set(problems)]).toEqual([])
  expect(called.size).toBeGreaterThanOrEqual(70)
})
