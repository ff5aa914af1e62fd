import { describe, expect, it } from '@jest/globals'
import { clientId as ClientId, poolBox } from '../testing/pool-box.ts'

describe('sign-up with a code', () => {
  it('sends a code, which confirms the account once', async () => {
    await using box = await poolBox()
    const Username = 'ann'
    const UserAttributes = [{ Name: 'email', Value: 'ann@example.com' }]
    const input = { ClientId, Username, Password: box.password, UserAttributes }
    expect(await box.call('SignUp', input)).toEqual({
      UserConfirmed: false,
      UserSub: expect.any(String),
      CodeDeliveryDetails: { Destination: 'a***@e***', DeliveryMedium: 'EMAIL', AttributeName: 'email' },
    })
    await expect(box.signIn()).rejects.toMatchObject({ type: 'UserNotConfirmedException' })
    const confirm = (ConfirmationCode: string) =>
      box.call('ConfirmSignUp', { ClientId, Username, ConfirmationCode })
    await expect(confirm('000000')).rejects.toMatchObject({ type: 'CodeMismatchException' })
    const [text] = await box.texts()
    expect(text).toMatchObject({
      to: 'ann@example.com',
      state: 'kept',
      text: `Your confirmation code is ${text!.code}`,
    })
    await confirm(text!.code)
    await expect(confirm(text!.code)).rejects.toMatchObject({ type: 'NotAuthorizedException' })
    const { AuthenticationResult } = await box.signIn()
    const { UserAttributes: found } = await box.call('GetUser', AuthenticationResult)
    expect(found).toContainEqual({ Name: 'email_verified', Value: 'true' })
  })

  it('ends a code after a day', async () => {
    await using box = await poolBox()
    const user = { ClientId, Username: 'ann' }
    const UserAttributes = [{ Name: 'email', Value: 'ann@example.com' }]
    await box.call('SignUp', { ...user, Password: box.password, UserAttributes })
    const ConfirmationCode = await box.code()
    await box.clock.advance(24 * 3_600_000)
    await expect(box.call('ConfirmSignUp', { ...user, ConfirmationCode })).rejects.toMatchObject({
      type: 'ExpiredCodeException',
    })
    await box.call('ResendConfirmationCode', user)
    await expect(box.call('ConfirmSignUp', { ...user, ConfirmationCode })).rejects.toMatchObject({
      type: 'CodeMismatchException',
    })
    await box.call('ConfirmSignUp', { ...user, ConfirmationCode: await box.code() })
  })

  it('counts tries of codes, and resends', async () => {
    await using box = await poolBox()
    const user = { ClientId, Username: 'ann' }
    const UserAttributes = [{ Name: 'email', Value: 'ann@example.com' }]
    await box.call('SignUp', { ...user, Password: box.password, UserAttributes })
    for (let i = 0; i < 15; i++)
      await expect(box.call('ConfirmSignUp', { ...user, ConfirmationCode: '1' })).rejects.toMatchObject({
        type: 'CodeMismatchException',
      })
    const tooOften = { type: 'LimitExceededException' }
    const ConfirmationCode = await box.code()
    await expect(box.call('ConfirmSignUp', { ...user, ConfirmationCode })).rejects.toMatchObject(tooOften)
    for (let i = 0; i < 5; i++) await box.call('ResendConfirmationCode', user)
    await expect(box.call('ResendConfirmationCode', user)).rejects.toMatchObject(tooOften)
    await box.clock.advance(3_600_000)
    await box.call('ConfirmSignUp', { ...user, ConfirmationCode: await box.code() })
  })
})

describe('sign-in', () => {
  it('by SRP and by password gives tokens', async () => {
    await using box = await poolBox()
    await box.user()
    const { begun, respond } = await box.srp()
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
    expect(await box.signIn()).toMatchObject({ AuthenticationResult: { TokenType: 'Bearer' } })
    await expect((await box.srp('ann', 'Wrong-7even')).respond()).rejects.toMatchObject({
      type: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    })
  })
})
