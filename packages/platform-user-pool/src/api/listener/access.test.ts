import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { signatureHeaders } from '@signalbox/platform-runtime/signature'
import { configProblems, createPlatform } from '../../testing/pool-program.ts'
import { operations } from '../operations/operations.ts'

const region = 'eu-central-1'
const secretOf = (id: string) => `a long secret of ${id}`
const key = (id: string, pools: readonly string[]) => ({
  keys: [{ id, secret: secretOf(id) }],
  rights: { userPools: { administer: pools } },
})
const UserPoolId = 'eu-central-1_Staff01'
const otherId = 'eu-central-1_Shop001'

let url = ''
let platform: ReturnType<typeof createPlatform>
beforeAll(async () => {
  platform = createPlatform({
    functions: {},
    userPools: {
      staff: { id: UserPoolId, clients: { web: {} } },
      shop: { id: otherId, clients: { web: {} } },
    },
    userPoolListener: { port: 0 },
    dataDir: ':memory:',
    access: {
      identities: {
        busy: { ...key('busy', ['staff']), limits: { requests: 1, window: 3600 } },
        staff: key('staff', ['staff']),
        nothing: key('nothing', []),
        all: key('all', ['*']),
      },
    },
  } as never)
  const [address] = await platform.start()
  url = address!.url
})
afterAll(() => platform.stop())

function client(accessKeyId: string, secretAccessKey = secretOf(accessKeyId)) {
  const credentials = { accessKeyId, secretAccessKey }
  const made = new CognitoIdentityProvider({ endpoint: url, region, credentials, maxAttempts: 1 })
  return Object.assign(made, { [Symbol.dispose]: () => made.destroy() })
}

interface Answer {
  readonly __type?: string
  readonly Pools?: readonly { readonly id: string }[]
}

async function answerOf(operation: string, input: object, id?: string): Promise<Answer> {
  const body = Buffer.from(JSON.stringify(input))
  const headers = { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` }
  const signed = Object.entries({ host: new URL(url).host, ...headers }).flat()
  const signature =
    id === undefined
      ? {}
      : signatureHeaders(
          { method: 'POST', target: '/', headers: signed, body },
          { accessKeyId: id, secretAccessKey: secretOf(id) },
          { region, service: 'cognito-idp', now: Date.now() },
        )
  const answer = await fetch(url, { method: 'POST', headers: { ...headers, ...signature }, body })
  return (await answer.json()) as Answer
}

/** Returns the type of the error that an operation answers with, or an empty string. */
async function typeOf(...asked: Parameters<typeof answerOf>): Promise<string> {
  return (await answerOf(...asked)).__type ?? ''
}

it('an identity that uses the AWS SDK can administer only the pools that it has rights to', async () => {
  using staff = client('staff')
  expect(await staff.adminCreateUser({ UserPoolId, Username: 'ann' })).toMatchObject({
    User: { Username: 'ann' },
  })
  expect((await staff.listUserPools({ MaxResults: 9 })).UserPools).toMatchObject([{ Id: UserPoolId }])
  await expect(staff.listUsers({ UserPoolId: otherId })).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message:
      'User: staff is not authorized to perform: cognito-idp:ListUsers on resource: shop because the identity has no right to administer there.',
  })
  await expect(staff.createUserPool({ PoolName: 'staff' })).rejects.toMatchObject({
    name: 'AccessDeniedException',
  })
  using wrong = client('staff', 'another long secret')
  await expect(wrong.listUsers({ UserPoolId })).rejects.toMatchObject({ name: 'InvalidSignatureException' })
  using unknown = client('unknown')
  await expect(unknown.listUsers({ UserPoolId })).rejects.toMatchObject({
    name: 'UnrecognizedClientException',
  })
  await expect(unknown.forgotPassword({ ClientId: 'no', Username: 'ann' })).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  })
})

it('a right to a configured pool does not apply to an API-created pool with the same name', async () => {
  using all = client('all')
  const { UserPool } = await all.createUserPool({ PoolName: 'staff' })
  expect(await typeOf('DescribeUserPool', { UserPoolId: UserPool!.Id }, 'staff')).toBe(
    'AccessDeniedException',
  )
  expect(await typeOf('DescribeUserPool', { UserPoolId: UserPool!.Id }, 'all')).toBe('')
})

it('an identity lists the settings of only the pools that it has rights to', async () => {
  const listed = async (id: string) =>
    (await answerOf('ListPoolSettings', {}, id)).Pools!.map(pool => pool.id)
  expect(await listed('nothing')).toEqual([])
  expect(await listed('staff')).toEqual([UserPoolId])
  expect(await listed('all')).toEqual(expect.arrayContaining([UserPoolId, otherId]))
})

// The operations that Cognito's clients call without credentials. The list is not made of `isAdmin`, so that an
// operation of administrators that everyone may call fails.
const withoutKey = [
  ...['SignUp', 'ConfirmSignUp', 'ResendConfirmationCode', 'InitiateAuth', 'RespondToAuthChallenge'],
  ...['GetTokensFromRefreshToken', 'RevokeToken', 'ForgotPassword', 'ConfirmForgotPassword', 'GetUser'],
  ...['ChangePassword', 'UpdateUserAttributes', 'DeleteUserAttributes', 'GetUserAttributeVerificationCode'],
  ...['VerifyUserAttribute', 'DeleteUser', 'GlobalSignOut', 'AssociateSoftwareToken', 'VerifySoftwareToken'],
  ...['SetUserMFAPreference', 'SetUserSettings', 'GetUserAuthFactors', 'ConfirmDevice', 'GetDevice'],
  ...['ListDevices', 'ForgetDevice', 'UpdateDeviceStatus', 'StartWebAuthnRegistration'],
  ...['ListUserSessions', 'RevokeUserSession'],
  ...['CompleteWebAuthnRegistration', 'ListWebAuthnCredentials', 'DeleteWebAuthnCredential'],
]
const administration = Object.keys(operations).filter(name => !withoutKey.includes(name))

it.each(withoutKey)('%s needs no access key', async name => {
  expect(await typeOf(name, {})).toMatch(/^(?!MissingAuthenticationToken|AccessDenied|UnknownOperation)/)
})

// These operations do not belong to a single pool. They list the pools that the caller may see, create a pool, or look
// up a domain.
const lists = ['ListUserPools', 'ListPoolSettings']
const withoutPool = [...lists, 'CreateUserPool', 'DescribeUserPoolDomain']
const input = {
  UserPoolId,
  ResourceArn: `arn:aws:cognito-idp:local:0:userpool/${UserPoolId}`,
  Domain: 'none',
}
const other = JSON.parse(JSON.stringify(input).replaceAll(UserPoolId, otherId)) as typeof input

describe.each(administration)('%s', name => {
  it('refuses a request without an access key', async () => {
    expect(await typeOf(name, input)).toBe('MissingAuthenticationTokenException')
  })

  it('refuses an identity without the right to administer the pool', async () => {
    expect(await typeOf(name, input, 'all')).not.toBe('AccessDeniedException')
    if (lists.includes(name)) return
    expect(await typeOf(name, input, 'nothing')).toBe('AccessDeniedException')
    expect(await typeOf(name, other, 'staff')).toBe('AccessDeniedException')
    if (!withoutPool.includes(name))
      expect(await typeOf(name, input, 'staff')).not.toBe('AccessDeniedException')
  })
})

it("a configuration with both an administrators' key and `access` is refused", () => {
  const [problem] = configProblems({
    userPools: {},
    userPoolListener: { admin: { accessKeyId: 'AKIDADMINISTRATOR', secretAccessKey: 'secret' } },
    access: { identities: {} },
  })
  expect(problem).toMatchObject({ pointer: '/userPoolListener/admin' })
})

it('an identity that exceeds its rate limit gets TooManyRequestsException', async () => {
  using busy = client('busy')
  await busy.listUsers({ UserPoolId })
  await expect(busy.listUsers({ UserPoolId })).rejects.toMatchObject({
    name: 'TooManyRequestsException',
    $metadata: { httpStatusCode: 429 },
  })
})

it('an IP address that exceeds its rate limit gets TooManyRequestsException with a Retry-After header', async () => {
  const limited = createPlatform({
    userPools: { staff: { id: UserPoolId, clients: { web: {} } } },
    userPoolListener: { port: 0, limits: { requests: 1, window: 3600 } },
    dataDir: ':memory:',
  } as never)
  const [address] = await limited.start()
  await fetch(address!.url)
  const answer = await fetch(address!.url)
  expect(answer.status).toBe(429)
  expect(answer.headers.get('x-amzn-errortype')).toBe('TooManyRequestsException:')
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3500)
  await limited.stop()
})
