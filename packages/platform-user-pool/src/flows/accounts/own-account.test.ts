import { describe, expect, it } from '@jest/globals'
import { clientId as ClientId, poolSetup, poolId as UserPoolId } from '../../testing/pool-setup.ts'

const email = (Value: string) => [{ Name: 'email', Value }]

async function signedIn(options: Parameters<typeof poolSetup>[0] = {}) {
  const setup = await poolSetup(options)
  await setup.user()
  const { AccessToken } = (await setup.signIn()).AuthenticationResult
  const attributes = async (): Promise<Record<string, string>> => {
    const { UserAttributes } = await setup.call('GetUser', { AccessToken })
    return Object.fromEntries(
      UserAttributes.map(({ Name, Value }: { Name: string; Value: string }) => [Name, Value]),
    )
  }
  return { setup, AccessToken: AccessToken as string, attributes }
}

describe('forgotten passwords', () => {
  it('can be reset with a one-time code, and a reset ends all earlier sign-ins', async () => {
    const { setup, AccessToken } = await signedIn()
    await using _setup = setup
    await setup.call('ForgotPassword', { ClientId, Username: 'ann' })
    const [text] = await setup.texts()
    expect(text).toMatchObject({
      occasion: 'ForgotPassword',
      text: `Your password reset code is ${text!.code}`,
    })
    const input = { ClientId, Username: 'ann', Password: 'Other-7even', ConfirmationCode: text!.code }
    await expect(setup.call('ConfirmForgotPassword', { ...input, Password: 'weak' })).rejects.toMatchObject({
      type: 'InvalidPasswordException',
    })
    await setup.call('ConfirmForgotPassword', input)
    await expect(setup.call('ConfirmForgotPassword', input)).rejects.toMatchObject({
      type: 'CodeMismatchException',
    })
    await expect(setup.call('GetUser', { AccessToken })).rejects.toMatchObject({
      type: 'NotAuthorizedException',
    })
    await expect(setup.signIn()).rejects.toMatchObject({ message: 'Incorrect username or password.' })
    expect(await setup.signIn('ann', 'Other-7even')).toHaveProperty('AuthenticationResult')
  })

  it('cannot be reset with a code that is older than an hour', async () => {
    const { setup } = await signedIn()
    await using _setup = setup
    await setup.call('ForgotPassword', { ClientId, Username: 'ann' })
    const ConfirmationCode = await setup.code()
    await setup.clock.advance(3_600_000)
    const input = { ClientId, Username: 'ann', Password: 'Other-7even', ConfirmationCode }
    await expect(setup.call('ConfirmForgotPassword', input)).rejects.toMatchObject({
      type: 'ExpiredCodeException',
    })
  })
})

it('users can change a password that they know, but not too often', async () => {
  const { setup, AccessToken } = await signedIn()
  await using _setup = setup
  const change = (PreviousPassword: string, ProposedPassword: string) =>
    setup.call('ChangePassword', { AccessToken, PreviousPassword, ProposedPassword })
  await expect(change('Wrong-7even', 'Other-7even')).rejects.toMatchObject({
    message: 'Incorrect username or password.',
  })
  await expect(change(setup.password, 'weak')).rejects.toMatchObject({ type: 'InvalidPasswordException' })
  await change(setup.password, 'Other-7even')
  expect(await setup.signIn('ann', 'Other-7even')).toHaveProperty('AuthenticationResult')
  for (let i = 0; i < 2; i++) await change('Other-7even', 'Other-7even')
  await expect(change('Other-7even', setup.password)).rejects.toMatchObject({
    type: 'LimitExceededException',
  })
})

it.each([
  ['is too short', 'Sh0rt-', 'not long enough'],
  ['has no upper case', 'no-upper-7', 'uppercase'],
  ['has no lower case', 'NO-LOWER-7', 'lowercase'],
  ['has no digit', 'No-numbers', 'numeric'],
  ['has no symbol', 'NoSymbols7', 'symbol'],
])('a password that %s, such as “%s”, is refused', async (_case, Password, why) => {
  await using setup = await poolSetup()
  await expect(setup.user('ann', { Password })).rejects.toMatchObject({
    type: 'InvalidPasswordException',
    message: expect.stringContaining(why),
  })
})

describe('the attributes of a user', () => {
  it('can be changed, and a new address is verified with a code that is sent to it', async () => {
    const { setup, AccessToken, attributes } = await signedIn({ pool: { custom: { seats: 'number' } } })
    await using _setup = setup
    const update = (UserAttributes: object[]) =>
      setup.call('UpdateUserAttributes', { AccessToken, UserAttributes })
    expect(await update([...email('new@example.com'), { Name: 'custom:seats', Value: '7' }])).toEqual({
      CodeDeliveryDetailsList: [
        { Destination: 'n***@e***', DeliveryMedium: 'EMAIL', AttributeName: 'email' },
      ],
    })
    expect(await attributes()).toMatchObject({
      email: 'new@example.com',
      email_verified: 'false',
      'custom:seats': '7',
    })
    const verify = (Code: string) =>
      setup.call('VerifyUserAttribute', { AccessToken, AttributeName: 'email', Code })
    await expect(verify('0')).rejects.toMatchObject({ type: 'CodeMismatchException' })
    const first = await setup.code()
    await update(email('newer@example.com'))
    await expect(verify(first)).rejects.toMatchObject({ type: 'CodeMismatchException' })
    await verify(await setup.code())
    expect(await attributes()).toMatchObject({ email: 'newer@example.com', email_verified: 'true' })
    await setup.call('GetUserAttributeVerificationCode', { AccessToken, AttributeName: 'email' })
    await verify(await setup.code())
    await setup.call('DeleteUserAttributes', { AccessToken, UserAttributeNames: ['custom:seats'] })
    expect(await attributes()).not.toHaveProperty('custom:seats')
  })

  it('of the standard follow no rule of a custom attribute whose name they end in', async () => {
    const { setup, AccessToken, attributes } = await signedIn({
      pool: { custom: { e: 'number', te: 'boolean' } },
    })
    await using _setup = setup
    const UserAttributes = [
      { Name: 'nickname', Value: 'Annie' },
      { Name: 'birthdate', Value: '1990-01-31' },
    ]
    await setup.call('UpdateUserAttributes', { AccessToken, UserAttributes })
    expect(await attributes()).toMatchObject({ nickname: 'Annie', birthdate: '1990-01-31' })
  })

  it.each([
    ['a verification without a code', { Name: 'email_verified', Value: 'true' }, 'NotAuthorizedException'],
    ['an unknown attribute', { Name: 'custom:unknown', Value: 'a' }, 'InvalidParameterException'],
    ['text for a number', { Name: 'custom:seats', Value: 'many' }, 'InvalidParameterException'],
    ['an invalid e-mail address', { Name: 'email', Value: 'no address' }, 'InvalidParameterException'],
    ['an invalid phone number', { Name: 'phone_number', Value: '030' }, 'InvalidParameterException'],
    ['another sub', { Name: 'sub', Value: 'me' }, 'InvalidParameterException'],
  ])('do not accept %s', async (_case, attribute, type) => {
    const { setup, AccessToken } = await signedIn({ pool: { custom: { seats: 'number' } } })
    await using _setup = setup
    await expect(
      setup.call('UpdateUserAttributes', { AccessToken, UserAttributes: [attribute] }),
    ).rejects.toMatchObject({ type })
  })
})

describe('verified aliases', () => {
  it('can be used to sign in, and move to another user with ForceAliasCreation', async () => {
    await using setup = await poolSetup({ pool: { signIn: ['name', 'email'] } })
    await setup.user('ann', { UserAttributes: email('shared@example.com') })
    expect(await setup.signIn('Shared@example.com')).toHaveProperty('AuthenticationResult')
    const bob = { ClientId, Username: 'bob' }
    await setup.call('SignUp', {
      ...bob,
      Password: 'Other-7even',
      UserAttributes: email('shared@example.com'),
    })
    const confirm = async (more: object = {}) =>
      setup.call('ConfirmSignUp', { ...bob, ConfirmationCode: await setup.code(), ...more })
    await expect(confirm()).rejects.toMatchObject({ type: 'AliasExistsException' })
    await confirm({ ForceAliasCreation: true })
    expect(await setup.signIn('shared@example.com', 'Other-7even')).toHaveProperty('AuthenticationResult')
    expect(await setup.signIn('ann')).toHaveProperty('AuthenticationResult')
    await expect(setup.user('carl@example.com')).rejects.toMatchObject({ type: 'InvalidParameterException' })
  })

  it('are unique in a pool whose users sign up with their e-mail addresses', async () => {
    await using setup = await poolSetup({ pool: { signIn: ['email'] } })
    await setup.user('ann@example.com')
    await expect(setup.user('ANN@example.com')).rejects.toMatchObject({ type: 'UsernameExistsException' })
    await setup.user('bob@example.com')
    const { AccessToken } = (await setup.signIn('bob@example.com')).AuthenticationResult
    await expect(
      setup.call('UpdateUserAttributes', { AccessToken, UserAttributes: email('ann@example.com') }),
    ).rejects.toMatchObject({ type: 'AliasExistsException' })
  })
})

it('a deleted account has no valid tokens, and its name can be used again', async () => {
  const { setup, AccessToken } = await signedIn()
  await using _setup = setup
  await setup.call('DeleteUser', { AccessToken })
  await expect(setup.call('GetUser', { AccessToken })).rejects.toMatchObject({
    type: 'UserNotFoundException',
    message: 'User does not exist.',
  })
  expect((await setup.call('ListUsers', { UserPoolId })).Users).toEqual([])
  await setup.user()
})

it('of two accounts that are confirmed with the same alias at once, one gets it, and the other learns why not', async () => {
  await using setup = await poolSetup({ pool: { signIn: ['name', 'email'] } })
  const names = ['ann', 'bob']
  const codes: string[] = []
  for (const Username of names) {
    const UserAttributes = email('shared@example.com')
    await setup.call('SignUp', { ClientId, Username, Password: setup.password, UserAttributes })
    codes.push(await setup.code())
  }
  const results = await Promise.allSettled(
    names.map((Username, at) =>
      setup.call('ConfirmSignUp', { ClientId, Username, ConfirmationCode: codes[at] }),
    ),
  )
  expect(results).toContainEqual({ status: 'fulfilled', value: {} })
  expect(results).toContainEqual({
    status: 'rejected',
    reason: expect.objectContaining({
      type: 'AliasExistsException',
      message: 'An account with the given email already exists.',
    }),
  })
})

it.each(['UpdateUserAttributes', 'AdminUpdateUserAttributes'])(
  '%s does not take away the only address that a user signs in with',
  async operation => {
    await using setup = await poolSetup({ pool: { signIn: ['email'] } })
    const Username = 'ann@example.com'
    await setup.user(Username)
    const { AccessToken } = (await setup.signIn(Username)).AuthenticationResult
    const who = operation.startsWith('Admin') ? { UserPoolId, Username } : { AccessToken }
    await expect(setup.call(operation, { ...who, UserAttributes: email('') })).rejects.toMatchObject({
      type: 'InvalidParameterException',
      message: 'A user needs an address to sign in with.',
    })
    expect(await setup.signIn(Username)).toHaveProperty('AuthenticationResult')
  },
)

it('an e-mail address has no control characters', async () => {
  const { setup, AccessToken } = await signedIn()
  await using _setup = setup
  for (const address of ['ann\0@example.com', 'ann@exam\u001fple.com', 'ann\u007f@example.com'])
    await expect(
      setup.call('UpdateUserAttributes', { AccessToken, UserAttributes: email(address) }),
    ).rejects.toMatchObject({ message: 'Invalid email address format.' })
})

it('a phone number is refused in the words of the service', async () => {
  const { setup, AccessToken } = await signedIn()
  await using _setup = setup
  for (const Value of ['030123456', '+49 30 123456', '+49'])
    await expect(
      setup.call('UpdateUserAttributes', {
        AccessToken,
        UserAttributes: [{ Name: 'phone_number', Value }],
      }),
    ).rejects.toMatchObject({ type: 'InvalidParameterException', message: 'Invalid phone number format.' })
})

it('a date of birth has ten characters', async () => {
  const { setup, AccessToken } = await signedIn()
  await using _setup = setup
  const update = (Value: string) =>
    setup.call('UpdateUserAttributes', { AccessToken, UserAttributes: [{ Name: 'birthdate', Value }] })
  for (const date of ['1.1.1990', '1990-01-01T00'])
    await expect(update(date)).rejects.toMatchObject({ type: 'InvalidParameterException' })
  await update('1990-01-01')
  await update('')
})

it('simultaneous sign-ups with the same name create only one account', async () => {
  await using setup = await poolSetup({
    answers: { PreSignUp_SignUp: async () => ({ autoConfirmUser: true }) },
  })
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => setup.user('ann')))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
