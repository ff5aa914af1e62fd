import { describe, expect, it } from '@jest/globals'
import { clientId as ClientId, poolId, poolSetup } from '../../testing/pool-setup.ts'

describe('sign-up with a code', () => {
  it('sends a one-time code that confirms the account', async () => {
    await using setup = await poolSetup()
    const Username = 'ann'
    const UserAttributes = [{ Name: 'email', Value: 'ann@example.com' }]
    const input = { ClientId, Username, Password: setup.password, UserAttributes }
    expect(await setup.call('SignUp', input)).toEqual({
      UserConfirmed: false,
      UserSub: expect.any(String),
      CodeDeliveryDetails: { Destination: 'a***@e***', DeliveryMedium: 'EMAIL', AttributeName: 'email' },
    })
    await expect(setup.signIn()).rejects.toMatchObject({ type: 'UserNotConfirmedException' })
    const confirm = (ConfirmationCode: string) =>
      setup.call('ConfirmSignUp', { ClientId, Username, ConfirmationCode })
    await expect(confirm('000000')).rejects.toMatchObject({ type: 'CodeMismatchException' })
    const [text] = await setup.texts()
    expect(text).toMatchObject({
      to: 'ann@example.com',
      state: 'kept',
      text: `Your confirmation code is ${text!.code}`,
    })
    await confirm(text!.code)
    await expect(confirm(text!.code)).rejects.toMatchObject({ type: 'CodeMismatchException' })
    const { AuthenticationResult } = await setup.signIn()
    const { UserAttributes: found } = await setup.call('GetUser', AuthenticationResult)
    expect(found).toContainEqual({ Name: 'email_verified', Value: 'true' })
  })

  it('refuses a code that is older than a day', async () => {
    await using setup = await poolSetup()
    const user = { ClientId, Username: 'ann' }
    const UserAttributes = [{ Name: 'email', Value: 'ann@example.com' }]
    await setup.call('SignUp', { ...user, Password: setup.password, UserAttributes })
    const ConfirmationCode = await setup.code()
    await setup.clock.advance(24 * 3_600_000)
    await expect(setup.call('ConfirmSignUp', { ...user, ConfirmationCode })).rejects.toMatchObject({
      type: 'ExpiredCodeException',
    })
    await setup.call('ResendConfirmationCode', user)
    await expect(setup.call('ConfirmSignUp', { ...user, ConfirmationCode })).rejects.toMatchObject({
      type: 'CodeMismatchException',
    })
    await setup.call('ConfirmSignUp', { ...user, ConfirmationCode: await setup.code() })
  })

  it('limits wrong codes and requests for new codes', async () => {
    await using setup = await poolSetup()
    const user = { ClientId, Username: 'ann' }
    const UserAttributes = [{ Name: 'email', Value: 'ann@example.com' }]
    await setup.call('SignUp', { ...user, Password: setup.password, UserAttributes })
    for (let i = 0; i < 15; i++)
      await expect(setup.call('ConfirmSignUp', { ...user, ConfirmationCode: '1' })).rejects.toMatchObject({
        type: 'CodeMismatchException',
      })
    const tooOften = { type: 'LimitExceededException' }
    const ConfirmationCode = await setup.code()
    await expect(setup.call('ConfirmSignUp', { ...user, ConfirmationCode })).rejects.toMatchObject(tooOften)
    for (let i = 0; i < 5; i++) await setup.call('ResendConfirmationCode', user)
    await expect(setup.call('ResendConfirmationCode', user)).rejects.toMatchObject(tooOften)
    await setup.clock.advance(3_600_000)
    await setup.call('ConfirmSignUp', { ...user, ConfirmationCode: await setup.code() })
  })
})

describe('sign-in', () => {
  it('issues tokens for a proof by SRP and for a plain password', async () => {
    await using setup = await poolSetup()
    await setup.user()
    const { begun, respond } = await setup.srp()
    expect(begun).toMatchObject({
      ChallengeName: 'PASSWORD_VERIFIER',
      ChallengeParameters: { USERNAME: 'ann' },
    })
    const { AuthenticationResult } = await respond()
    expect(AuthenticationResult).toMatchObject({
      ExpiresIn: 3600,
      TokenType: 'Bearer',
      RefreshToken: expect.any(String),
    })
    await expect(respond()).rejects.toMatchObject({ message: expect.stringMatching(/only be used once/) })
    expect(await setup.signIn()).toMatchObject({ AuthenticationResult: { TokenType: 'Bearer' } })
    await expect((await setup.srp('ann', 'Wrong-7even')).respond()).rejects.toMatchObject({
      type: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    })
  })
})

describe('where users sign up with an address, the user name', () => {
  const signUp = (setup: Awaited<ReturnType<typeof poolSetup>>, Username: string, email?: string) =>
    setup.call('SignUp', {
      ClientId,
      Username,
      Password: setup.password,
      ...(email !== undefined && { UserAttributes: [{ Name: 'email', Value: email }] }),
    })

  it.each([
    ['a line break and a header', 'ann@example.com\r\nBcc: eve@example.org'],
    ['a blank', 'ann @example.com'],
    ['a control character', 'ann\0@example.com'],
    ['two addresses', 'ann@example.com@example.org'],
    ['a display name', 'Ann<ann@example.com>'],
    ['more than 128 characters', `${'a'.repeat(128)}@example.com`],
    ['no address', 'ann'],
    ['a phone number', '+4930123456'],
  ])('is refused, and no message is sent: %s', async (_, name) => {
    await using setup = await poolSetup({ pool: { signIn: ['email'], required: ['email'] } })
    await expect(signUp(setup, name)).rejects.toMatchObject({
      type: 'InvalidParameterException',
      message: expect.stringMatching(/^Username should be /),
    })
    const UserAttributes = [{ Name: 'email', Value: 'ann@example.com' }]
    await expect(
      setup.call('AdminCreateUser', { UserPoolId: poolId, Username: name, UserAttributes }),
    ).rejects.toMatchObject({ type: 'InvalidParameterException' })
    expect(await setup.texts()).toEqual([])
  })

  it('is refused in the words of the service', async () => {
    await using setup = await poolSetup({ pool: { signIn: ['email', 'phone'], verify: ['email'] } })
    await expect(signUp(setup, 'ann')).rejects.toMatchObject({
      message: 'Username should be either an email or a phone number.',
    })
  })

  it('is refused if it only looks like a phone number', async () => {
    await using setup = await poolSetup({ pool: { signIn: ['phone'], verify: ['phone'] } })
    for (const name of ['+49\r\n30123456', '+', '+1', '+49-30', `+${'4'.repeat(16)}`])
      await expect(signUp(setup, name)).rejects.toMatchObject({ type: 'InvalidParameterException' })
    expect(await setup.texts()).toEqual([])
  })

  it('becomes the address of the account', async () => {
    await using setup = await poolSetup({ pool: { signIn: ['email'] } })
    await signUp(setup, 'ann@example.com', 'Ann@example.com')
    expect(await setup.texts()).toMatchObject([{ to: 'ann@example.com' }])
    const ConfirmationCode = await setup.code()
    await setup.call('ConfirmSignUp', { ClientId, Username: 'ann@example.com', ConfirmationCode })
    expect(await setup.signIn('ann@example.com')).toHaveProperty('AuthenticationResult')
  })

  it('is refused if the attributes contain another address', async () => {
    await using setup = await poolSetup({ pool: { signIn: ['email', 'phone'] } })
    const email = { Name: 'email', Value: 'other@example.com' }
    const refused = {
      type: 'InvalidParameterException',
      message: 'User email should be empty or same as username, since username attribute is email.',
    }
    await expect(signUp(setup, 'ann@example.com', email.Value)).rejects.toMatchObject(refused)
    const create = { UserPoolId: poolId, Username: 'ann@example.com' }
    await expect(
      setup.call('AdminCreateUser', {
        ...create,
        UserAttributes: [email, { Name: 'email_verified', Value: 'true' }],
      }),
    ).rejects.toMatchObject(refused)
    expect(await setup.texts()).toEqual([])
    await signUp(setup, '+4930123456', email.Value)
  })
})
