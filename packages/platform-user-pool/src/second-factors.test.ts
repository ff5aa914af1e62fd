import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider'
import { expect, it } from '@jest/globals'
import { type Clock, systemClock } from '@signalbox/core'
import { decodeJwt } from 'jose'
import type { UserPoolConfig } from './config/user-pool-config.ts'
import { totpAt } from './flows/factors/totp.ts'
import { listeningPool, runClient } from './testing/listening-pool.ts'
import type { Answers } from './testing/pool-setup.ts'

const UserPoolId = 'eu-central-1_Staff01'
const Password = 'Right-7even'
const ClientId = 'web'
const ann = { UserPoolId, Username: 'ann' }

const time = Date.now()

/** A clock that stands still, so that an authenticator's codes stay valid however long a test takes. */
const clock: Clock = { ...systemClock, now: () => time, wall: (at = time) => at }

/** Starts a pool with the user `ann`, and an AWS SDK client for it. */
async function stockSetup(pool: Partial<UserPoolConfig> & { readonly answers?: Answers } = {}) {
  const setup = await listeningPool({
    clock,
    clients: { web: { id: ClientId, flows: ['srp', 'password', 'custom', 'choice', 'admin', 'refresh'] } },
    ...pool,
  })
  const client = new CognitoIdentityProvider({
    endpoint: setup.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
  })
  const staff = setup.platform.userPools.get('staff')
  await staff.users.add('ann', {
    password: Password,
    attributes: {
      email: 'ann@example.com',
      email_verified: 'true',
      phone_number: '+4930123456',
      phone_number_verified: 'true',
    },
  })
  return {
    url: setup.url,
    events: setup.events,
    client,
    staff,
    signIn: (PASSWORD = Password) =>
      client.initiateAuth({
        ClientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: 'ann', PASSWORD },
      }),
    answer: (ChallengeName: string, Session: string | undefined, more: object) =>
      client.respondToAuthChallenge({
        ClientId,
        ChallengeName: ChallengeName as never,
        Session,
        ChallengeResponses: { USERNAME: 'ann', ...more },
      }),
    async [Symbol.asyncDispose]() {
      client.destroy()
      await setup[Symbol.asyncDispose]()
    },
  }
}

/**
 * Returns a function for an authenticator's codes. `code(0)` is the current code, and `code(-1)` is the previous one.
 */
function codesOf(secret: string) {
  return (step: number) => totpAt(secret, time + step * 30_000)
}

it('a user who has set up an authenticator is asked for its code, and each code is valid only once', async () => {
  await using setup = await stockSetup({ mfa: { mode: 'optional' } })
  const { AccessToken } = (await setup.signIn()).AuthenticationResult!
  await expect(
    setup.client.setUserMFAPreference({ AccessToken, SoftwareTokenMfaSettings: { Enabled: true } }),
  ).rejects.toMatchObject({ name: 'InvalidParameterException' })
  const { SecretCode } = await setup.client.associateSoftwareToken({ AccessToken })
  expect(SecretCode).toMatch(/^[A-Z2-7]{52}$/)
  const code = codesOf(SecretCode!)
  await expect(setup.client.verifySoftwareToken({ AccessToken, UserCode: '000000' })).rejects.toMatchObject({
    name: 'EnableSoftwareTokenMFAException',
  })
  expect(await setup.client.verifySoftwareToken({ AccessToken, UserCode: code(-1) })).toMatchObject({
    Status: 'SUCCESS',
  })
  await setup.client.setUserMFAPreference({
    AccessToken,
    SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: true },
  })
  expect(await setup.client.getUser({ AccessToken })).toMatchObject({
    PreferredMfaSetting: 'SOFTWARE_TOKEN_MFA',
    UserMFASettingList: ['SOFTWARE_TOKEN_MFA'],
  })
  const { ChallengeName, Session } = await setup.signIn()
  expect(ChallengeName).toBe('SOFTWARE_TOKEN_MFA')
  const answer = (SOFTWARE_TOKEN_MFA_CODE: string, session = Session) =>
    setup.answer('SOFTWARE_TOKEN_MFA', session, { SOFTWARE_TOKEN_MFA_CODE })
  await expect(answer(code(-1))).rejects.toMatchObject({ name: 'ExpiredCodeException' })
  await expect(answer('12345')).rejects.toMatchObject({ name: 'CodeMismatchException' })
  expect((await answer(code(0))).AuthenticationResult).toHaveProperty('AccessToken')
  await expect(answer(code(1))).rejects.toMatchObject({ name: 'NotAuthorizedException' })
  const again = await setup.signIn()
  await expect(answer(code(0), again.Session)).rejects.toMatchObject({ name: 'ExpiredCodeException' })
  expect((await answer(code(1), again.Session)).AuthenticationResult).toHaveProperty('AccessToken')
  await setup.client.adminSetUserMFAPreference({ ...ann, SoftwareTokenMfaSettings: { Enabled: false } })
  expect((await setup.signIn()).AuthenticationResult).toHaveProperty('AccessToken')
})

it('an authenticator code works in only one of several simultaneous requests, and wrong codes lock the account', async () => {
  await using setup = await stockSetup({ mfa: { mode: 'required' } })
  const begun = await setup.signIn()
  expect(begun).toMatchObject({
    ChallengeName: 'MFA_SETUP',
    ChallengeParameters: { MFAS_CAN_SETUP: '["SOFTWARE_TOKEN_MFA"]' },
  })
  await expect(setup.answer('MFA_SETUP', begun.Session, {})).rejects.toMatchObject({
    name: 'InvalidParameterException',
  })
  const associated = await setup.client.associateSoftwareToken({ Session: begun.Session })
  const code = codesOf(associated.SecretCode!)
  const verified = await setup.client.verifySoftwareToken({
    Session: associated.Session,
    UserCode: code(-1),
    FriendlyDeviceName: 'phone',
  })
  const done = await setup.answer('MFA_SETUP', verified.Session, {})
  expect(done.AuthenticationResult).toHaveProperty('IdToken')
  const sessions = await Promise.all([1, 2, 3, 4].map(() => setup.signIn()))
  expect(sessions[0]!.ChallengeParameters).toMatchObject({ FRIENDLY_DEVICE_NAME: 'phone' })
  const results = await Promise.allSettled(
    sessions.map(({ Session }) =>
      setup.answer('SOFTWARE_TOKEN_MFA', Session, { SOFTWARE_TOKEN_MFA_CODE: code(0) }),
    ),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const { Session } = await setup.signIn()
  const guess = (SOFTWARE_TOKEN_MFA_CODE: string) =>
    setup.answer('SOFTWARE_TOKEN_MFA', Session, { SOFTWARE_TOKEN_MFA_CODE }).catch(error => error.name)
  const guesses = await Promise.all(Array.from({ length: 12 }, (_, at) => guess(`x${at}`)))
  expect(guesses.filter(name => name === 'CodeMismatchException')).toHaveLength(5)
  expect(await guess(code(1))).toBe('NotAuthorizedException')
})

it('codes are sent by text message or e-mail, as the user chooses, or passed to a custom sender', async () => {
  await using setup = await stockSetup({
    mfa: { mode: 'optional', by: ['sms', 'email', 'totp'] },
    answers: {
      CustomMessage_Authentication: ({ request }) => ({
        smsMessage: `Here: ${request.codeParameter}`,
        emailMessage: `Mail: ${request.codeParameter}`,
        emailSubject: 'Code',
      }),
      CustomEmailSender_Authentication: () => undefined,
      PostAuthentication_Authentication: () => undefined,
    },
  })
  const { AccessToken } = (await setup.signIn()).AuthenticationResult!
  await setup.client.setUserSettings({
    AccessToken,
    MFAOptions: [{ DeliveryMedium: 'SMS', AttributeName: 'phone_number' }],
  })
  const text = await setup.signIn()
  expect(text).toMatchObject({
    ChallengeName: 'SMS_MFA',
    ChallengeParameters: {
      CODE_DELIVERY_DELIVERY_MEDIUM: 'SMS',
      CODE_DELIVERY_DESTINATION: '+******3456',
      USER_ID_FOR_SRP: 'ann',
    },
  })
  const code = (await setup.staff.code('ann'))!
  expect((await setup.staff.texts())[0]).toMatchObject({ to: '+4930123456', text: `Here: ${code}` })
  const other = await setup.signIn()
  await expect(setup.answer('SMS_MFA', other.Session, { SMS_MFA_CODE: code })).rejects.toMatchObject({
    name: 'CodeMismatchException',
  })
  expect(
    (await setup.answer('SMS_MFA', text.Session, { SMS_MFA_CODE: code })).AuthenticationResult,
  ).toBeDefined()

  await setup.client.adminSetUserMFAPreference({ ...ann, EmailMfaSettings: { Enabled: true } })
  const choice = await setup.signIn()
  expect(choice).toMatchObject({
    ChallengeName: 'SELECT_MFA_TYPE',
    ChallengeParameters: { MFAS_CAN_CHOOSE: '["SMS_MFA","EMAIL_OTP"]' },
  })
  await expect(
    setup.answer('SELECT_MFA_TYPE', choice.Session, { ANSWER: 'SOFTWARE_TOKEN_MFA' }),
  ).rejects.toMatchObject({ name: 'InvalidParameterException' })
  const mail = await setup.answer('SELECT_MFA_TYPE', choice.Session, { ANSWER: 'EMAIL_OTP' })
  expect(mail).toMatchObject({
    ChallengeName: 'EMAIL_OTP',
    ChallengeParameters: { CODE_DELIVERY_DESTINATION: 'a***@e***' },
  })
  const EMAIL_OTP_CODE = await setup.staff.code('ann')
  expect(
    (await setup.answer('EMAIL_OTP', mail.Session, { EMAIL_OTP_CODE })).AuthenticationResult,
  ).toBeDefined()
  const sent = setup.events.find(({ triggerSource }) => triggerSource === 'CustomEmailSender_Authentication')
  expect(sent!.request).toMatchObject({
    type: 'customEmailSenderRequestV1',
    code: expect.not.stringContaining(EMAIL_OTP_CODE!),
  })
  const after = setup.events.filter(
    ({ triggerSource }) => triggerSource === 'PostAuthentication_Authentication',
  )
  expect(after.map(({ request }) => request.newDeviceUsed)).toEqual([false, false, false])
})

it('the second factor comes after the password and before custom challenges, and their functions get its result', async () => {
  const seen: unknown[] = []
  await using setup = await stockSetup({
    mfa: { mode: 'optional', by: ['sms'] },
    answers: {
      DefineAuthChallenge_Authentication({ request }) {
        const names = (request.session as { challengeName: string }[]).map(each => each.challengeName)
        seen.push(names)
        const answer = { issueTokens: false, failAuthentication: false }
        if (names.at(-1) === 'SRP_A') return { ...answer, challengeName: 'PASSWORD_VERIFIER' }
        return {
          ...answer,
          issueTokens: names.at(-1) === 'SMS_MFA',
          failAuthentication: names.at(-1) !== 'SMS_MFA',
        }
      },
      CreateAuthChallenge_Authentication: () => undefined,
      VerifyAuthChallengeResponse_Authentication: () => undefined,
    },
  })
  await setup.client.adminSetUserMFAPreference({ ...ann, SMSMfaSettings: { Enabled: true } })
  const { srpClient } = await import('./srp/srp-client.ts')
  const half = srpClient(UserPoolId, Password)
  const begun = await setup.client.initiateAuth({
    ClientId,
    AuthFlow: 'CUSTOM_AUTH',
    AuthParameters: { USERNAME: 'ann', CHALLENGE_NAME: 'SRP_A', SRP_A: half.SRP_A },
  })
  const asked = await setup.answer(
    'PASSWORD_VERIFIER',
    undefined,
    half.prove(begun.ChallengeParameters as never),
  )
  expect(asked.ChallengeName).toBe('SMS_MFA')
  const SMS_MFA_CODE = await setup.staff.code('ann')
  expect((await setup.answer('SMS_MFA', asked.Session, { SMS_MFA_CODE })).AuthenticationResult).toBeDefined()
  expect(seen).toEqual([['SRP_A'], ['SRP_A', 'PASSWORD_VERIFIER', 'SMS_MFA']])
})

it('the second factor is also required after a user sets a new password', async () => {
  await using setup = await stockSetup({ mfa: { mode: 'required', by: ['email'] } })
  await setup.client.adminSetUserPassword({ ...ann, Password: 'Given-7even' })
  const begun = await setup.signIn('Given-7even')
  const asked = await setup.answer('NEW_PASSWORD_REQUIRED', begun.Session, { NEW_PASSWORD: Password })
  expect(asked.ChallengeName).toBe('EMAIL_OTP')
  const EMAIL_OTP_CODE = await setup.staff.code('ann')
  const { AuthenticationResult } = await setup.answer('EMAIL_OTP', asked.Session, { EMAIL_OTP_CODE })
  expect(decodeJwt(AuthenticationResult!.IdToken!)).toMatchObject({ 'cognito:username': 'ann' })
})

it('amazon-cognito-identity-js sets up an authenticator, and needs no code on a remembered device', async () => {
  await using setup = await stockSetup({
    mfa: { mode: 'optional' },
    devices: 'opt-in',
    answers: {
      TokenGeneration_AuthenticateDevice: () => undefined,
      PostAuthentication_Authentication: () => undefined,
    },
  })
  const seen = await runClient('identity-js-factors.ts', setup.url, UserPoolId, ClientId, Password, `${time}`)
  expect(seen).toEqual({
    first: ['in on a device, ask to remember'],
    onKnownDevice: ['totp', 'in on a device'],
    onRemembered: ['in on a device'],
    device: 'remembered',
    isForgotten: 200,
    onForgotten: ['totp', 'in on a device, ask to remember'],
    reused: ['totp', 'ExpiredCodeException: Your software token has already been used once.'],
  })
  const of = (source: string) => setup.events.filter(({ triggerSource }) => triggerSource === source)
  expect(of('TokenGeneration_AuthenticateDevice')).toHaveLength(2)
  expect(of('PostAuthentication_Authentication').map(({ request }) => request.newDeviceUsed)).toEqual([
    true,
    false,
    false,
    true,
  ])
})

it("a user's devices are listed, and forgetting a device ends its sign-ins", async () => {
  await using setup = await stockSetup({ devices: 'always' })
  const { AccessToken, RefreshToken, NewDeviceMetadata } = (await setup.signIn()).AuthenticationResult!
  const { DeviceKey } = NewDeviceMetadata!
  expect(decodeJwt(AccessToken!)).toMatchObject({ device_key: DeviceKey })
  const confirm = (key = DeviceKey) =>
    setup.client.confirmDevice({
      AccessToken,
      DeviceKey: key,
      DeviceName: 'desk',
      DeviceSecretVerifierConfig: { PasswordVerifier: 'AQID', Salt: 'BAUG' },
    })
  await expect(confirm('eu-central-1_00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  })
  expect(await confirm()).toMatchObject({ UserConfirmationNecessary: false })
  await expect(confirm()).rejects.toMatchObject({ name: 'InvalidParameterException' })
  const found = {
    DeviceKey,
    DeviceAttributes: expect.arrayContaining([{ Name: 'device_name', Value: 'desk' }]),
  }
  expect((await setup.client.listDevices({ AccessToken, Limit: 5 })).Devices).toMatchObject([found])
  expect((await setup.client.adminListDevices(ann)).Devices).toMatchObject([found])
  await setup.client.updateDeviceStatus({ AccessToken, DeviceKey, DeviceRememberedStatus: 'not_remembered' })
  expect((await setup.client.getDevice({ AccessToken, DeviceKey })).Device!.DeviceAttributes).toContainEqual({
    Name: 'dev:device_remembered_status',
    Value: 'not_remembered',
  })
  const refresh = () =>
    setup.client.initiateAuth({
      ClientId,
      AuthFlow: 'REFRESH_TOKEN_AUTH',
      AuthParameters: { REFRESH_TOKEN: RefreshToken! },
    })
  const refreshed = (await refresh()).AuthenticationResult!
  expect(decodeJwt(refreshed.AccessToken!)).toMatchObject({ device_key: DeviceKey })
  await setup.client.forgetDevice({ AccessToken, DeviceKey })
  await expect(refresh()).rejects.toMatchObject({ message: 'Invalid Refresh Token' })
  await expect(setup.client.getDevice({ AccessToken, DeviceKey })).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    message: 'Device does not exist.',
  })
})

it('a second factor that a user does not have is refused in the words of the service', async () => {
  await using setup = await stockSetup({ mfa: { mode: 'optional', by: ['totp', 'sms', 'email'] } })
  const { client } = setup
  const { AccessToken } = (await setup.signIn()).AuthenticationResult!
  await client.adminDeleteUserAttributes({ ...ann, UserAttributeNames: ['phone_number'] })
  const Enabled = { Enabled: true }
  const missing = (factor: string) => ({
    name: 'InvalidParameterException',
    message: `User does not have delivery config set to turn on ${factor}`,
  })
  await expect(
    client.setUserMFAPreference({ AccessToken, SoftwareTokenMfaSettings: Enabled }),
  ).rejects.toMatchObject({ message: 'User has not verified software token mfa' })
  await expect(
    client.adminSetUserMFAPreference({ ...ann, SoftwareTokenMfaSettings: Enabled }),
  ).rejects.toMatchObject(missing('SOFTWARE_TOKEN_MFA'))
  await expect(client.adminSetUserMFAPreference({ ...ann, SMSMfaSettings: Enabled })).rejects.toMatchObject(
    missing('SMS_MFA'),
  )
  await expect(client.setUserMFAPreference({ AccessToken, SMSMfaSettings: Enabled })).rejects.toMatchObject(
    missing('SMS_MFA'),
  )
  await client.adminSetUserMFAPreference({ ...ann, EmailMfaSettings: Enabled })
})

it('when an administrator removes a lost authenticator, sign-ins that are waiting for its code end', async () => {
  await using setup = await stockSetup({ mfa: { mode: 'optional' } })
  const { client } = setup
  const { AccessToken } = (await setup.signIn()).AuthenticationResult!
  const { SecretCode } = await client.associateSoftwareToken({ AccessToken })
  const code = codesOf(SecretCode!)
  await client.verifySoftwareToken({ AccessToken, UserCode: code(-1) })
  await client.setUserMFAPreference({
    AccessToken,
    SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: true },
  })
  expect(await client.adminGetUserAuthFactors(ann)).toMatchObject({
    Username: 'ann',
    PreferredMfaSetting: 'SOFTWARE_TOKEN_MFA',
    ConfiguredUserAuthFactors: ['PASSWORD'],
  })
  const { ChallengeName, Session } = await setup.signIn()
  expect(ChallengeName).toBe('SOFTWARE_TOKEN_MFA')
  await client.adminDeleteSoftwareToken(ann)
  await expect(
    setup.answer('SOFTWARE_TOKEN_MFA', Session, { SOFTWARE_TOKEN_MFA_CODE: code(0) }),
  ).rejects.toMatchObject({ name: 'NotAuthorizedException' })
  expect(await client.adminGetUser(ann)).not.toHaveProperty('UserMFASettingList')
  expect(await setup.signIn()).toHaveProperty('AuthenticationResult')
  await client.adminDeleteSoftwareToken(ann)
})

it.each([{}, { mfa: { by: ['email'] } }] as const)(
  'an authenticator cannot be set up in a pool with %j',
  async pool => {
    await using setup = await stockSetup(pool)
    const { AccessToken } = (await setup.signIn()).AuthenticationResult!
    await expect(setup.client.associateSoftwareToken({ AccessToken })).rejects.toMatchObject({
      name: 'SoftwareTokenMFANotFoundException',
      message: 'Software Token MFA has not been enabled by the userPool.',
    })
  },
)

it.each(['1234', 'abcdef', '1234567', '12345６'])(
  'a first code of an authenticator that is not six digits, such as %s, is an invalid parameter',
  async UserCode => {
    await using setup = await stockSetup({ mfa: {} })
    const { AccessToken } = (await setup.signIn()).AuthenticationResult!
    await setup.client.associateSoftwareToken({ AccessToken })
    const refused = setup.client.verifySoftwareToken({ AccessToken, UserCode })
    await expect(refused).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message:
        "1 validation error detected: Value at 'userCode' failed to satisfy constraint: Member must be six digits",
    })
  },
)
