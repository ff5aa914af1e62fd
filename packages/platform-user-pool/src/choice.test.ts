import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider'
import { expect, it } from '@jest/globals'
import type { UserPoolConfig } from './config/user-pool-config.ts'
import { srpClient } from './srp/srp-client.ts'
import { listeningPool } from './testing/listening-pool.ts'

const UserPoolId = 'eu-central-1_Staff01'
const Password = 'Right-7even'
const ClientId = 'web'

async function choiceSetup(pool: Partial<UserPoolConfig> = {}) {
  const running = await listeningPool({
    clients: { web: { id: ClientId, flows: ['choice'] } },
    firstFactors: ['password', 'email', 'sms'],
    ...pool,
  })
  const client = new CognitoIdentityProvider({
    endpoint: running.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
  })
  const staff = running.platform.userPools.get('staff')
  await staff.users.add('ann', {
    password: Password,
    attributes: { email: 'ann@example.com', email_verified: 'true', phone_number: '+4930123456' },
  })
  return {
    client,
    staff,
    begin: (more: object = {}, USERNAME = 'ann') =>
      client.initiateAuth({ ClientId, AuthFlow: 'USER_AUTH', AuthParameters: { USERNAME, ...more } }),
    answer: (ChallengeName: string, Session: string | undefined, more: object, USERNAME = 'ann') =>
      client.respondToAuthChallenge({
        ClientId,
        ChallengeName: ChallengeName as never,
        Session,
        ChallengeResponses: { USERNAME, ...more },
      }),
    async [Symbol.asyncDispose]() {
      client.destroy()
      await running[Symbol.asyncDispose]()
    },
  }
}

it('a user can choose to sign in with a password, with SRP or with a code by e-mail', async () => {
  await using setup = await choiceSetup()
  const choose = async (more: object) => {
    const { AvailableChallenges, ChallengeName, Session } = await setup.begin()
    expect(ChallengeName).toBe('SELECT_CHALLENGE')
    expect(AvailableChallenges).toEqual(['PASSWORD', 'PASSWORD_SRP', 'EMAIL_OTP'])
    return setup.answer('SELECT_CHALLENGE', Session, more)
  }
  expect(await choose({ ANSWER: 'PASSWORD', PASSWORD: Password })).toHaveProperty('AuthenticationResult')
  await expect(choose({ ANSWER: 'PASSWORD', PASSWORD: 'Wrong-7even' })).rejects.toMatchObject({
    name: 'NotAuthorizedException',
  })
  await expect(choose({ ANSWER: 'SMS_OTP' })).rejects.toMatchObject({ name: 'InvalidParameterException' })
  const half = srpClient(UserPoolId, Password)
  const verifier = await choose({ ANSWER: 'PASSWORD_SRP', SRP_A: half.SRP_A })
  expect(
    await setup.answer('PASSWORD_VERIFIER', undefined, half.prove(verifier.ChallengeParameters as never)),
  ).toHaveProperty('AuthenticationResult')
  const mail = await choose({ ANSWER: 'EMAIL_OTP' })
  expect(mail.ChallengeParameters).toMatchObject({ CODE_DELIVERY_DESTINATION: 'a***@e***' })
  const EMAIL_OTP_CODE = await setup.staff.code('ann')
  expect(await setup.answer('EMAIL_OTP', mail.Session, { EMAIL_OTP_CODE })).toHaveProperty(
    'AuthenticationResult',
  )
  await expect(setup.answer('EMAIL_OTP', mail.Session, { EMAIL_OTP_CODE })).rejects.toMatchObject({
    message: 'Invalid session for the user, session can only be used once.',
  })
})

it('a sign-in starts with the preferred challenge if the account supports it', async () => {
  await using setup = await choiceSetup()
  expect(await setup.begin({ PREFERRED_CHALLENGE: 'PASSWORD', PASSWORD: Password })).toHaveProperty(
    'AuthenticationResult',
  )
  expect((await setup.begin({ PREFERRED_CHALLENGE: 'EMAIL_OTP' })).ChallengeName).toBe('EMAIL_OTP')
  expect((await setup.begin({ PREFERRED_CHALLENGE: 'SMS_OTP' })).ChallengeName).toBe('SELECT_CHALLENGE')
})

it('an unknown user name gets a choice of challenges like a known one, but every code is refused', async () => {
  await using setup = await choiceSetup()
  const choices = new Map<string, string>()
  for (let number = 0; number < 40; number++) {
    const { AvailableChallenges } = await setup.begin({}, `ghost${number}`)
    choices.set(AvailableChallenges!.join(' '), `ghost${number}`)
    expect((await setup.begin({}, `Ghost${number}`)).AvailableChallenges).toEqual(AvailableChallenges)
  }
  // Different accounts get different challenges, so the challenges for unknown names must vary in the same way.
  expect([...choices.keys()].sort()).toEqual([
    'PASSWORD PASSWORD_SRP',
    'PASSWORD PASSWORD_SRP EMAIL_OTP',
    'PASSWORD PASSWORD_SRP EMAIL_OTP SMS_OTP',
    'PASSWORD PASSWORD_SRP SMS_OTP',
  ])
  const ghost = choices.get('PASSWORD PASSWORD_SRP EMAIL_OTP')!
  const { Session, ChallengeParameters } = await setup.begin({ PREFERRED_CHALLENGE: 'EMAIL_OTP' }, ghost)
  expect(ChallengeParameters!.CODE_DELIVERY_DESTINATION).toMatch(/^[a-z]\*\*\*@[a-z]\*\*\*$/)
  await expect(setup.answer('EMAIL_OTP', Session, { EMAIL_OTP_CODE: '123456' }, ghost)).rejects.toMatchObject(
    { name: 'CodeMismatchException' },
  )
  expect(await setup.staff.texts()).toEqual([])
})

it('a user with a second factor cannot use a code as the first factor', async () => {
  await using setup = await choiceSetup({ mfa: { by: ['email'] } })
  await setup.client.adminSetUserMFAPreference({
    UserPoolId,
    Username: 'ann',
    EmailMfaSettings: { Enabled: true },
  })
  const begun = await setup.begin({ PREFERRED_CHALLENGE: 'EMAIL_OTP' })
  expect(begun).toMatchObject({
    ChallengeName: 'SELECT_CHALLENGE',
    AvailableChallenges: ['PASSWORD', 'PASSWORD_SRP'],
  })
  await expect(
    setup.answer('SELECT_CHALLENGE', begun.Session, { ANSWER: 'EMAIL_OTP' }),
  ).rejects.toMatchObject({ name: 'InvalidParameterException' })
  const next = await setup.begin({ PREFERRED_CHALLENGE: 'PASSWORD', PASSWORD: Password })
  expect(next.ChallengeName).toBe('EMAIL_OTP')
})
