import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { triggerEventCodec } from '@signalbox/user-pool/contract'
import { totpAt } from './flows/factors/totp.ts'
import { srpClient } from './srp/srp-client.ts'
import { challenges } from './testing/challenges.ts'
import { listeningPool } from './testing/listening-pool.ts'
import { createPlatform } from './testing/pool-program.ts'
import { clientId as ClientId, poolSetup, poolId as UserPoolId } from './testing/pool-setup.ts'

const source = 'CustomEmailSender_AccountTakeOverNotification'
const day = 24 * 3_600_000
const takeover = {}
const answers = { [source]: () => ({}) }

type Setup = Awaited<ReturnType<typeof poolSetup>>

async function guess(setup: Setup, times: number, name = 'ann') {
  for (let at = 0; at < times; at++) await setup.signIn(name, `Wrong-${at}`).catch(() => {})
  await setup.engine.settled()
}

const noticesOf = async (setup: Setup) =>
  (await setup.texts()).filter(({ occasion }) => occasion === 'AccountTakeOverNotification')

describe('CustomEmailSender_AccountTakeOverNotification', () => {
  it('is called once when wrong passwords in a row lock the account, with what the contract names', async () => {
    await using setup = await poolSetup({ pool: { takeover }, answers })
    const sub = await setup.user()
    await guess(setup, 4)
    expect(setup.eventsOf(source)).toEqual([])
    await guess(setup, 1)
    const [event, ...others] = setup.eventsOf(source)
    expect(others).toEqual([])
    expect(triggerEventCodec.is(event)).toBe(true)
    expect(event).toMatchObject({
      userName: 'ann',
      request: {
        type: 'customEmailSenderRequestV1',
        userAttributes: {
          sub,
          EVENT_ID: expect.stringMatching(/^[\da-f-]{36}$/),
          USER_NAME: 'ann',
          LOGIN_TIME: '2023-11-14T22:13:20.000Z',
          ACCOUNT_TAKE_OVER_ACTION: 'BLOCK',
        },
      },
    })
    expect(event!.request).not.toHaveProperty('code')
    expect(JSON.stringify(event)).not.toContain('Wrong-')
  })

  it('is called by guesses at the proof of SRP, and not again on the same day', async () => {
    await using setup = await poolSetup({ pool: { takeover }, answers })
    await setup.user()
    for (let at = 0; at < 5; at++) {
      const { respond } = await setup.srp('ann', 'Wrong-7even')
      await respond().catch(() => {})
    }
    await setup.engine.settled()
    expect(setup.eventsOf(source)).toHaveLength(1)
    await setup.clock.advance(3_600_000)
    await guess(setup, 6)
    expect(setup.eventsOf(source)).toHaveLength(1)
    await setup.clock.advance(day)
    await guess(setup, 5)
    expect(setup.eventsOf(source)).toHaveLength(2)
  })

  it('is called by guesses in a custom authentication whose function ends the sign-in', async () => {
    await using setup = await poolSetup({ pool: { takeover }, answers: { ...answers, ...challenges } })
    const sub = await setup.user()
    const AuthParameters = { USERNAME: 'ann', CHALLENGE_NAME: 'SRP_A' }
    for (let at = 0; at < 5; at++) {
      const half = srpClient(UserPoolId, 'Wrong-7even')
      const { ChallengeParameters } = await setup.call('InitiateAuth', {
        ...{ ClientId, AuthFlow: 'CUSTOM_AUTH' },
        AuthParameters: { ...AuthParameters, SRP_A: half.SRP_A },
      })
      const proof = { ClientId, ChallengeResponses: half.prove(ChallengeParameters) }
      await expect(
        setup.call('RespondToAuthChallenge', { ChallengeName: 'PASSWORD_VERIFIER', ...proof }),
      ).rejects.toMatchObject({ type: 'NotAuthorizedException' })
    }
    await setup.engine.settled()
    expect(setup.eventsOf(source)).toMatchObject([{ request: { userAttributes: { sub } } }])
  })

  it('is called once by wrong codes of a second factor that lock it', async () => {
    await using setup = await poolSetup({
      pool: { takeover, mfa: { mode: 'optional', by: ['email'] } },
      answers,
    })
    const sub = await setup.user()
    await setup.call('AdminSetUserMFAPreference', {
      ...{ UserPoolId, Username: 'ann' },
      EmailMfaSettings: { Enabled: true },
    })
    const { Session, ChallengeName } = await setup.signIn()
    expect(ChallengeName).toBe('EMAIL_OTP')
    const code = await setup.code()
    const answered = (EMAIL_OTP_CODE: string) =>
      setup.call('RespondToAuthChallenge', {
        ...{ ClientId, ChallengeName, Session },
        ChallengeResponses: { USERNAME: 'ann', EMAIL_OTP_CODE },
      })
    const wrong = code === '000000' ? '000001' : '000000'
    for (let at = 1; at <= 4; at++)
      await expect(answered(wrong)).rejects.toMatchObject({ type: 'CodeMismatchException' })
    await setup.engine.settled()
    expect(setup.eventsOf(source)).toEqual([])
    await expect(answered(wrong)).rejects.toMatchObject({ type: 'CodeMismatchException' })
    await expect(answered(code)).rejects.toMatchObject({ type: 'NotAuthorizedException' })
    await setup.engine.settled()
    expect(setup.eventsOf(source)).toMatchObject([
      { userName: 'ann', request: { userAttributes: { sub, ACCOUNT_TAKE_OVER_ACTION: 'BLOCK' } } },
    ])
  })

  it('is not called when a right password comes in between', async () => {
    await using setup = await poolSetup({ pool: { takeover }, answers })
    await setup.user()
    for (let round = 0; round < 3; round++) {
      await guess(setup, 4)
      await setup.signIn()
    }
    await setup.engine.settled()
    expect(setup.eventsOf(source)).toEqual([])
  })

  it('is called with the address from which the guesses came', async () => {
    await using setup = await listeningPool({
      takeover,
      answers,
      clients: { web: { id: 'web', flows: ['password'] } },
    })
    const staff = setup.platform.userPools.get('staff')
    const attributes = { email: 'ann@example.com', email_verified: 'true' }
    await staff.users.add('ann', { password: 'Right-7even', attributes })
    const AuthParameters = { USERNAME: 'ann', PASSWORD: 'Wrong-7even' }
    for (let at = 0; at < 5; at++)
      await fetch(setup.url, {
        method: 'POST',
        headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth' },
        body: JSON.stringify({ ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters }),
      })
    while (setup.events.length === 0) await new Promise(resolve => setImmediate(resolve))
    expect(setup.events).toMatchObject([{ request: { userAttributes: { IP_ADDRESS: '127.0.0.1' } } }])
  })

  it('is called after a sign-in with a password of the list of leaked ones, which lets the user in', async () => {
    await using setup = await poolSetup({ pool: { takeover }, answers })
    await setup.user()
    const listed = { takeover: { leaked: new Set([digest(setup.password)]) } }
    // The account is older than the list.
    Object.assign(setup.engine.pools[0]!, listed)
    expect((await setup.signIn()).AuthenticationResult).toBeDefined()
    await setup.engine.settled()
    expect(setup.eventsOf(source)).toMatchObject([
      { request: { userAttributes: { ACCOUNT_TAKE_OVER_ACTION: 'NO_ACTION' } } },
    ])
  })
})

const digest = (password: string) => createHash('sha1').update(password).digest().toString('latin1')

it('without a sender, the notice is an e-mail to the verified address', async () => {
  await using setup = await poolSetup({ pool: { takeover } })
  await setup.user()
  await guess(setup, 5)
  expect(await noticesOf(setup)).toMatchObject([
    {
      to: 'ann@example.com',
      state: 'kept',
      subject: 'Wrong passwords for your account',
      text: expect.stringMatching(/^Several wrong passwords were entered for your account ann\./),
    },
  ])
})

it('the e-mail about wrong codes says what they mean', async () => {
  await using setup = await poolSetup({
    pool: { takeover, mfa: { mode: 'optional', by: ['totp'] } },
  })
  await setup.user()
  const { AuthenticationResult } = await setup.signIn()
  const { AccessToken } = AuthenticationResult
  const { SecretCode } = await setup.call('AssociateSoftwareToken', { AccessToken })
  const UserCode = totpAt(SecretCode, setup.clock.wall())
  await setup.call('VerifySoftwareToken', { AccessToken, UserCode })
  await setup.call('SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: { Enabled: true } })
  const { Session, ChallengeName } = await setup.signIn()
  const ChallengeResponses = { USERNAME: 'ann', SOFTWARE_TOKEN_MFA_CODE: '12345' }
  for (let at = 0; at < 5; at++)
    await setup
      .call('RespondToAuthChallenge', { ClientId, ChallengeName, Session, ChallengeResponses })
      .catch(() => {})
  await setup.engine.settled()
  expect(await noticesOf(setup)).toMatchObject([
    {
      to: 'ann@example.com',
      subject: 'Wrong codes for your account',
      text: expect.stringMatching(/^Several wrong codes were entered at a sign-in to your account ann\./),
    },
  ])
})

it('the e-mail about wrong codes that a sign-in begins with mentions no password', async () => {
  await using setup = await poolSetup({
    pool: { takeover, firstFactors: ['password', 'email'] },
    client: { flows: ['choice', 'password'] },
  })
  await setup.user()
  const { Session, ChallengeName } = await setup.call('InitiateAuth', {
    ...{ ClientId, AuthFlow: 'USER_AUTH' },
    AuthParameters: { USERNAME: 'ann', PREFERRED_CHALLENGE: 'EMAIL_OTP' },
  })
  expect(ChallengeName).toBe('EMAIL_OTP')
  const ChallengeResponses = { USERNAME: 'ann', EMAIL_OTP_CODE: '1' }
  for (let at = 0; at < 5; at++)
    await setup
      .call('RespondToAuthChallenge', { ClientId, ChallengeName, Session, ChallengeResponses })
      .catch(() => {})
  await setup.engine.settled()
  const [notice] = await noticesOf(setup)
  expect(notice).toMatchObject({ to: 'ann@example.com', subject: 'Wrong codes for your account' })
  expect(notice!.text).not.toContain('password')
})

it('a notice is sent even if an address has had as many messages as it may have', async () => {
  await using setup = await poolSetup({ pool: { takeover, limits: { messages: 1 } } })
  await setup.user()
  // The code of the sign-up was the one message.
  await guess(setup, 5)
  expect(await noticesOf(setup)).toMatchObject([{ to: 'ann@example.com', state: 'kept' }])
})

it('no notice is sent without `takeover`, to an address that is not verified, or for an unknown name', async () => {
  await using off = await poolSetup({ answers })
  await off.user()
  await guess(off, 6)
  expect(await noticesOf(off)).toEqual([])
  await using setup = await poolSetup({ pool: { takeover }, answers })
  await setup.call('AdminCreateUser', {
    UserPoolId,
    Username: 'bob',
    UserAttributes: [{ Name: 'email', Value: 'bob@example.com' }],
    MessageAction: 'SUPPRESS',
  })
  for (const name of ['bob', 'nobody', 'nobody@example.com']) await guess(setup, 6, name)
  expect(setup.eventsOf(source)).toEqual([])
  expect(await noticesOf(setup)).toEqual([])
})

describe('passwords of the list of leaked ones', () => {
  const list = [
    'Leaked-1even',
    createHash('sha1').update('Leaked-2even').digest('hex').toUpperCase(),
    `${createHash('sha1').update('Leaked-3even').digest('hex')}:42`,
  ]

  it.each(['\n', '\r\n'])('cannot be chosen, in whichever form the list has them', async end => {
    using folder = temporaryFolder()
    const leaked = join(folder.path, 'leaked.txt')
    writeFileSync(leaked, list.join(end))
    await using setup = await poolSetup({ pool: { takeover: { leaked } } })
    for (const Password of ['Leaked-1even', 'Leaked-2even', 'Leaked-3even'])
      await expect(setup.call('SignUp', { ClientId, Username: 'bob', Password })).rejects.toMatchObject({
        type: 'InvalidPasswordException',
        message: 'Password did not conform with policy: Password is in a list of passwords that others know',
      })
    await setup.user()
    const { AuthenticationResult } = await setup.signIn()
    const { AccessToken } = AuthenticationResult
    const change = { AccessToken, PreviousPassword: setup.password, ProposedPassword: 'Leaked-2even' }
    await expect(setup.call('ChangePassword', change)).rejects.toMatchObject({
      type: 'InvalidPasswordException',
    })
  })

  it('have to be in a file that is there', () => {
    const config = { userPools: { staff: { clients: {}, takeover: { leaked: 'nowhere.txt' } } } }
    expect(() => createPlatform({ functions: {}, ...config } as never)).toThrow(
      '/userPools/staff/takeover/leaked: expected a file, was nowhere.txt, where there is none',
    )
  })
})
