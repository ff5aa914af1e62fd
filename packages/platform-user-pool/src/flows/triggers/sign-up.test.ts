import { describe, expect, it } from '@jest/globals'
import { clientId as ClientId, poolSetup, poolId as UserPoolId } from '../../testing/pool-setup.ts'
import { email, signedUpSetup } from '../../testing/signed-up-setup.ts'

describe('PreSignUp_SignUp', () => {
  const input = (password: string) => ({
    ClientId,
    Username: 'ann',
    Password: password,
    UserAttributes: [...email('ann@example.com'), { Name: 'phone_number', Value: '+4930123456' }],
    ValidationData: [{ Name: 'captcha', Value: 'seven' }],
    ClientMetadata: { from: 'shop' },
  })

  it.each([
    ['autoConfirmUser', { autoConfirmUser: true }, true, 'false', 'false'],
    ['autoVerifyEmail', { autoConfirmUser: true, autoVerifyEmail: true }, true, 'true', 'false'],
    ['autoVerifyPhone', { autoConfirmUser: true, autoVerifyPhone: true }, true, 'false', 'true'],
    ['an empty response', {}, false, 'false', 'false'],
  ])(
    'confirms and verifies the account according to %s',
    async (_case, response, isConfirmed, byMail, byPhone) => {
      await using setup = await poolSetup({ answers: { PreSignUp_SignUp: () => response } })
      expect(await setup.call('SignUp', input(setup.password))).toMatchObject({ UserConfirmed: isConfirmed })
      const { UserAttributes } = await setup.call('AdminGetUser', { UserPoolId, Username: 'ann' })
      const value = (name: string) =>
        UserAttributes.find(({ Name }: { Name: string }) => Name === name)?.Value ?? 'false'
      expect([value('email_verified'), value('phone_number_verified')]).toEqual([byMail, byPhone])
      expect(setup.events[0]).toMatchObject({
        userName: 'ann',
        userPoolId: UserPoolId,
        region: 'eu-central-1',
        callerContext: { clientId: ClientId },
        request: {
          userAttributes: { email: 'ann@example.com', phone_number: '+4930123456' },
          validationData: { captcha: 'seven' },
          clientMetadata: { from: 'shop' },
        },
      })
    },
  )

  it.each([
    ['hidden', true],
    ['known to clients', false],
  ])(
    'sends a code to a verified address of an unconfirmed user, where users are %s',
    async (_case, hideUsers) => {
      await using setup = await poolSetup({
        client: { hideUsers },
        answers: { PreSignUp_SignUp: () => ({ autoVerifyEmail: true }) },
      })
      const user = { ClientId, Username: 'ann' }
      const CodeDeliveryDetails = {
        Destination: 'a***@e***',
        AttributeName: 'email',
        DeliveryMedium: 'EMAIL',
      }
      expect(await setup.call('SignUp', input(setup.password))).toMatchObject({
        UserConfirmed: false,
        CodeDeliveryDetails,
      })
      const first = await setup.code('ann@example.com')
      expect(first).not.toBe('')
      await setup.clock.advance(1000)
      expect(await setup.call('ResendConfirmationCode', user)).toEqual({ CodeDeliveryDetails })
      const ConfirmationCode = await setup.code('ann@example.com')
      expect(ConfirmationCode).not.toBe(first)
      await setup.call('ConfirmSignUp', { ...user, ConfirmationCode })
      expect(await setup.signIn()).toHaveProperty('AuthenticationResult')
    },
  )

  it('prefers an address that is not verified yet for the code', async () => {
    await using setup = await poolSetup({
      pool: { verify: ['email', 'phone'] },
      answers: { PreSignUp_SignUp: () => ({ autoVerifyEmail: true }) },
    })
    await setup.call('SignUp', input(setup.password))
    expect((await setup.texts()).map(({ to }) => to)).toEqual(['+4930123456'])
  })

  it('denies the sign-up when its function fails, and no account is created', async () => {
    await using setup = await poolSetup({
      answers: {
        PreSignUp_SignUp: () => {
          throw new Error('Staff only')
        },
      },
    })
    await expect(setup.call('SignUp', input(setup.password))).rejects.toMatchObject({
      type: 'UserLambdaValidationException',
      message: 'PreSignUp failed with error Staff only.',
    })
    expect((await setup.call('ListUsers', { UserPoolId })).Users).toEqual([])
  })
})

it('PreSignUp_AdminCreateUser is called, but cannot confirm the account', async () => {
  await using setup = await poolSetup({
    answers: { PreSignUp_AdminCreateUser: () => ({ autoConfirmUser: true }) },
  })
  const { User } = await setup.call('AdminCreateUser', {
    UserPoolId,
    Username: 'ann',
    UserAttributes: email('a@b.example'),
  })
  expect(User.UserStatus).toBe('FORCE_CHANGE_PASSWORD')
  expect(setup.called).toEqual(['PreSignUp_AdminCreateUser'])
})

describe('PostConfirmation', () => {
  const failing = () => {
    throw new Error('later')
  }

  it('ConfirmSignUp is called after the user is confirmed, and its failure leaves the user confirmed', async () => {
    await using setup = await poolSetup({ answers: { PostConfirmation_ConfirmSignUp: failing } })
    await expect(setup.user()).rejects.toMatchObject({ message: 'PostConfirmation failed with error later.' })
    expect(setup.events[0]).toMatchObject({
      request: {
        userAttributes: { 'pool:user_status': 'CONFIRMED', email_verified: 'true', sub: expect.any(String) },
      },
    })
    expect(await setup.signIn()).toHaveProperty('AuthenticationResult')
  })

  it('ConfirmForgotPassword is called after the new password is set', async () => {
    await using setup = await signedUpSetup({ answers: { PostConfirmation_ConfirmForgotPassword: failing } })
    await setup.call('ForgotPassword', { ClientId, Username: 'ann' })
    const ConfirmationCode = await setup.code()
    const input = { ClientId, Username: 'ann', ConfirmationCode, Password: 'Other-7even' }
    await expect(setup.call('ConfirmForgotPassword', input)).rejects.toMatchObject({
      message: 'PostConfirmation failed with error later.',
    })
    expect(await setup.signIn('ann', 'Other-7even')).toHaveProperty('AuthenticationResult')
    await expect(setup.call('ConfirmForgotPassword', input)).rejects.toMatchObject({
      type: 'CodeMismatchException',
    })
  })
})
