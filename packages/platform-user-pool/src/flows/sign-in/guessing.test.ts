import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { challenges } from '../../testing/challenges.ts'
import { type Answers, clientId as ClientId, poolSetup } from '../../testing/pool-setup.ts'

const wrong = { type: 'NotAuthorizedException', message: 'Incorrect username or password.' }
const locked = { type: 'NotAuthorizedException', message: 'Password attempts exceeded' }

describe('wrong passwords', () => {
  it.each([
    ['a user', 'ann'],
    ['an unknown name', 'nobody'],
  ])('lock %s for twice as long each time, and are forgotten after fifteen minutes', async (_case, name) => {
    await using setup = await poolSetup()
    await setup.user('ann')
    const guess = () => expect(setup.signIn(name, 'Wrong-7even'))
    for (let i = 0; i < 5; i++) await guess().rejects.toMatchObject(wrong)
    for (const seconds of [1, 2, 4]) {
      await guess().rejects.toMatchObject(locked)
      await setup.clock.advance(seconds * 1000 - 1)
      await guess().rejects.toMatchObject(locked)
      await setup.clock.advance(1)
      await guess().rejects.toMatchObject(wrong)
    }
    await setup.clock.advance(15 * 60_000)
    for (let i = 0; i < 5; i++) await guess().rejects.toMatchObject(wrong)
  })

  it('also prevent sign-ins by SRP and sign-ins with the right password', async () => {
    await using setup = await poolSetup()
    await setup.user()
    const begun = await setup.srp()
    for (let i = 0; i < 5; i++)
      await expect((await setup.srp('ann', 'Wrong-7')).respond()).rejects.toMatchObject(wrong)
    await expect(begun.respond()).rejects.toMatchObject(locked)
    await setup.clock.advance(1000)
    expect(await begun.respond()).toHaveProperty('AuthenticationResult')
    for (let i = 0; i < 5; i++) await expect(setup.signIn('ann', 'Wrong-7')).rejects.toMatchObject(wrong)
  })

  it('are all counted when they arrive at the same time', async () => {
    await using setup = await poolSetup()
    await setup.user()
    const results = await Promise.allSettled([
      ...Array.from({ length: 20 }, () => setup.signIn('ann', 'Wrong-7even')),
      setup.signIn(),
    ])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(0)
    const messages = results.map(result => (result as PromiseRejectedResult).reason.message)
    expect(messages.filter(message => message === wrong.message)).toHaveLength(5)
  })

  it('do not lock a user for a day if the clock was a day ahead when they came', async () => {
    using folder = temporaryFolder()
    const open = () => poolSetup({ database: new DatabaseSync(join(folder.path, 'user-pools.sqlite')) })
    const ahead = await open()
    await ahead.user()
    await ahead.clock.advance(86_400_000)
    for (let i = 0; i < 5; i++) await expect(ahead.signIn('ann', 'Wrong-7')).rejects.toMatchObject(wrong)
    await expect(ahead.signIn()).rejects.toMatchObject(locked)
    await ahead[Symbol.asyncDispose]()
    await using corrected = await open()
    // The lock begins again, as long as it is after five wrong passwords.
    await corrected.clock.advance(1000)
    expect(await corrected.signIn()).toHaveProperty('AuthenticationResult')
  })
})

describe('unknown user names', () => {
  it('get the same answers as known names, with an SRP salt that never changes', async () => {
    await using setup = await poolSetup()
    await setup.user()
    const [one, again, ann] = [await setup.srp('bob'), await setup.srp('BOB'), await setup.srp('ann')]
    const { ChallengeParameters: hidden } = one.begun
    expect(hidden.SALT).toBe(again.begun.ChallengeParameters.SALT)
    expect(hidden.SRP_B).not.toBe(again.begun.ChallengeParameters.SRP_B)
    expect(Object.keys(hidden)).toEqual(Object.keys(ann.begun.ChallengeParameters))
    expect(hidden.SALT).toHaveLength(ann.begun.ChallengeParameters.SALT.length)
    await expect(one.respond()).rejects.toMatchObject(wrong)
    const user = { ClientId, Username: 'bob' }
    const delivery = {
      CodeDeliveryDetails: {
        Destination: expect.stringMatching(/^.\*\*\*@.\*\*\*$/),
        DeliveryMedium: 'EMAIL',
        AttributeName: 'email',
      },
    }
    expect(await setup.call('ForgotPassword', user)).toEqual(delivery)
    expect(await setup.call('ResendConfirmationCode', user)).toEqual(delivery)
    const code = { ...user, ConfirmationCode: '123456' }
    const mismatch = { type: 'CodeMismatchException' }
    await expect(
      setup.call('ConfirmForgotPassword', { ...code, Password: setup.password }),
    ).rejects.toMatchObject(mismatch)
    await expect(setup.call('ConfirmSignUp', code)).rejects.toMatchObject(mismatch)
    expect(await setup.texts()).toHaveLength(1)
  })

  it('are reported if the client may know which users exist', async () => {
    await using setup = await poolSetup({ client: { hideUsers: false } })
    const user = { ClientId, Username: 'bob' }
    await expect(setup.signIn('bob')).rejects.toMatchObject({
      type: 'UserNotFoundException',
      message: 'User does not exist.',
    })
    await expect(setup.srp('bob')).rejects.toMatchObject({ type: 'UserNotFoundException' })
    await expect(setup.call('ForgotPassword', user)).rejects.toMatchObject({
      message: 'Username/client id combination not found.',
    })
    await setup.user('ann')
    const ann = { ClientId, Username: 'ann' }
    const confirm = { ...ann, ConfirmationCode: '123456' }
    await expect(setup.call('ConfirmSignUp', confirm)).rejects.toMatchObject({
      type: 'NotAuthorizedException',
      message: 'User cannot be confirmed. Current status is CONFIRMED',
    })
    await expect(setup.call('ResendConfirmationCode', ann)).rejects.toMatchObject({
      type: 'InvalidParameterException',
      message: 'User is already confirmed.',
    })
    await expect(setup.call('ConfirmSignUp', { ...confirm, Username: 'bob' })).rejects.toMatchObject({
      type: 'UserNotFoundException',
    })
  })

  it('seem to have an account with a UUID as its user name when users sign in with addresses', async () => {
    await using setup = await poolSetup({ pool: { signIn: ['email'] } })
    await setup.user('ann@example.com')
    const ann = await setup.srp('Ann@example.com')
    const bob = await setup.srp('bob@example.com')
    const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
    expect(ann.begun.ChallengeParameters.USER_ID_FOR_SRP).toMatch(uuid)
    expect(bob.begun.ChallengeParameters.USER_ID_FOR_SRP).toMatch(uuid)
    expect(await ann.respond()).toHaveProperty('AuthenticationResult')
  })
})

describe('a client with a secret', () => {
  const secret = 'a'.repeat(32)
  const hash = (name: string) => createHmac('sha256', secret).update(name).update(ClientId).digest('base64')

  it('must prove that it knows the secret', async () => {
    await using setup = await poolSetup({ client: { secret } })
    await expect(setup.user()).rejects.toMatchObject({ type: 'NotAuthorizedException' })
    await expect(setup.user('ann', { SecretHash: hash('bob') })).rejects.toMatchObject({
      message: `Unable to verify secret hash for client ${ClientId}`,
    })
    const UserAttributes = [{ Name: 'email', Value: 'ann@example.com' }]
    const user = { ClientId, Username: 'ann', SecretHash: hash('ann') }
    await setup.call('SignUp', { ...user, Password: setup.password, UserAttributes })
    await setup.call('ConfirmSignUp', { ...user, ConfirmationCode: await setup.code() })
    const AuthParameters = { USERNAME: 'ann', PASSWORD: setup.password }
    const signIn = { ClientId, AuthFlow: 'USER_PASSWORD_AUTH' }
    await expect(setup.call('InitiateAuth', { ...signIn, AuthParameters })).rejects.toMatchObject({
      type: 'NotAuthorizedException',
    })
    const { AuthenticationResult } = await setup.call('InitiateAuth', {
      ...signIn,
      AuthParameters: { ...AuthParameters, SECRET_HASH: hash('ann') },
    })
    const { RefreshToken } = AuthenticationResult
    await expect(setup.call('GetTokensFromRefreshToken', { ClientId, RefreshToken })).rejects.toMatchObject({
      type: 'NotAuthorizedException',
    })
    expect(
      await setup.call('GetTokensFromRefreshToken', { ClientId, RefreshToken, ClientSecret: secret }),
    ).toHaveProperty('AuthenticationResult')
  })
})

it('an answer to a sign-in challenge says whether its session has expired', async () => {
  await using setup = await poolSetup({ pool: { mfa: { mode: 'required', by: ['email'] } } })
  await setup.user()
  const { Session, ChallengeName } = await setup.signIn()
  const answer = (session: string) =>
    setup.call('RespondToAuthChallenge', {
      ClientId,
      ChallengeName,
      Session: session,
      ChallengeResponses: { USERNAME: 'ann', EMAIL_OTP_CODE: '000000' },
    })
  const refused = (why: string) => ({
    type: 'NotAuthorizedException',
    message: `Invalid session for the user, session ${why}.`,
  })
  await setup.clock.advance(3 * 60_000 - 1)
  await expect(answer(Session)).rejects.toMatchObject({ type: 'CodeMismatchException' })
  await setup.clock.advance(1)
  await expect(answer(Session)).rejects.toMatchObject(refused('is expired'))
  for (const other of ['eu-central-1_Staff01', 'eu-central-1_Staff01.', 'eu-central-1_Staff01.zzzzzzzzz.x'])
    await expect(answer(other)).rejects.toMatchObject(refused('can only be used once'))
})

describe('simultaneous answers to a sign-in challenge', () => {
  const used = 'Invalid session for the user, session can only be used once.'

  /** Sends several answers at once. Returns the sorted error messages. */
  async function refusals(answer: (guess: string) => Promise<unknown>) {
    const guesses = Array.from({ length: 10 }, (_, at) => answer(String(at).padStart(6, '0')))
    const results = await Promise.allSettled(guesses)
    return results.map(each => (each.status === 'rejected' ? each.reason.message : 'in')).sort()
  }

  it('count as one attempt when they contain a code', async () => {
    await using setup = await poolSetup({ pool: { mfa: { mode: 'required', by: ['email'] } } })
    await setup.user()
    const { Session, ChallengeName } = await setup.signIn()
    const messages = await refusals(EMAIL_OTP_CODE =>
      setup.call('RespondToAuthChallenge', {
        ClientId,
        ChallengeName,
        Session,
        ChallengeResponses: { USERNAME: 'ann', EMAIL_OTP_CODE },
      }),
    )
    expect(messages.filter(each => each !== used)).toEqual([
      'Invalid verification code provided, please try again.',
    ])
  })

  it('count as one attempt when they contain a password', async () => {
    await using setup = await poolSetup({ client: { flows: ['choice'] } })
    await setup.user()
    const { Session } = await setup.call('InitiateAuth', {
      ClientId,
      AuthFlow: 'USER_AUTH',
      AuthParameters: { USERNAME: 'ann' },
    })
    const messages = await refusals(PASSWORD =>
      setup.call('RespondToAuthChallenge', {
        ClientId,
        ChallengeName: 'SELECT_CHALLENGE',
        Session,
        ChallengeResponses: { USERNAME: 'ann', ANSWER: 'PASSWORD', PASSWORD },
      }),
    )
    expect(messages.filter(each => each !== used)).toEqual(['Incorrect username or password.'])
  })

  it('count as one attempt when they contain the first code of a new authenticator', async () => {
    await using setup = await poolSetup({ pool: { mfa: { mode: 'required' } } })
    await setup.user()
    const { Session: first } = await setup.signIn()
    const { Session } = await setup.call('AssociateSoftwareToken', { Session: first })
    const messages = await refusals(UserCode => setup.call('VerifySoftwareToken', { Session, UserCode }))
    expect(messages.filter(each => each !== used)).toEqual([
      'Code mismatch and fail enable Software Token MFA',
    ])
  })

  it('count as one attempt when they contain a device password', async () => {
    await using setup = await poolSetup({ pool: { devices: 'always' } })
    await setup.user()
    const { AccessToken, NewDeviceMetadata } = (await setup.signIn()).AuthenticationResult
    const { DeviceKey } = NewDeviceMetadata
    const DeviceSecretVerifierConfig = { PasswordVerifier: 'AQID', Salt: 'BAUG' }
    await setup.call('ConfirmDevice', { AccessToken, DeviceKey, DeviceSecretVerifierConfig })
    const AuthParameters = { USERNAME: 'ann', PASSWORD: setup.password, DEVICE_KEY: DeviceKey }
    const asked = await setup.signIn('ann', setup.password, { AuthParameters })
    const respond = (ChallengeName: string, Session: string, more: object) =>
      setup.call('RespondToAuthChallenge', {
        ClientId,
        ChallengeName,
        Session,
        ChallengeResponses: { USERNAME: 'ann', DEVICE_KEY: DeviceKey, ...more },
      })
    const { ChallengeParameters, Session } = await respond('DEVICE_SRP_AUTH', asked.Session, { SRP_A: 'ff' })
    const messages = await refusals(PASSWORD_CLAIM_SIGNATURE =>
      respond('DEVICE_PASSWORD_VERIFIER', Session, {
        PASSWORD_CLAIM_SIGNATURE,
        PASSWORD_CLAIM_SECRET_BLOCK: ChallengeParameters.SECRET_BLOCK,
        TIMESTAMP: 'Tue Nov 4 09:05:01 UTC 2025',
      }),
    )
    expect(messages.filter(each => each !== used)).toEqual(['Incorrect username or password.'])
  })
})

it('platforms that share a database check one answer to a custom challenge at a time', async () => {
  const database = new DatabaseSync(':memory:')
  let checking = 0
  let most = 0
  const answers: Answers = {
    ...challenges,
    VerifyAuthChallengeResponse_Authentication: async ({ request }) => {
      most = Math.max(most, ++checking)
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
      checking--
      return { answerCorrect: request.challengeAnswer === '7' }
    },
  }
  await using one = await poolSetup({ database, answers })
  // The first setup closes the database of both.
  const other = await poolSetup({ database, answers })
  await one.user()
  const { Session } = await one.call('InitiateAuth', {
    ClientId,
    AuthFlow: 'CUSTOM_AUTH',
    AuthParameters: { USERNAME: 'ann' },
  })
  const guesses = Array.from({ length: 10 }, (_, at) =>
    (at % 2 === 0 ? one : other).call('RespondToAuthChallenge', {
      ClientId,
      ChallengeName: 'CUSTOM_CHALLENGE',
      Session,
      ChallengeResponses: { USERNAME: 'ann', ANSWER: String(at) },
    }),
  )
  const results = await Promise.allSettled(guesses)
  const checked = [...one.events, ...other.events].filter(
    ({ triggerSource }) => triggerSource === 'VerifyAuthChallengeResponse_Authentication',
  )
  await other.engine.stop()
  expect([most, checked.length]).toEqual([1, 1])
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(9)
})

it('a function that fails while it checks an answer to a custom challenge leaves the session as it is', async () => {
  let fails = true
  await using setup = await poolSetup({
    answers: {
      ...challenges,
      VerifyAuthChallengeResponse_Authentication: () => {
        if (fails) throw new Error('The directory does not answer.')
        return { answerCorrect: true }
      },
    },
  })
  await setup.user()
  const { Session } = await setup.call('InitiateAuth', {
    ClientId,
    AuthFlow: 'CUSTOM_AUTH',
    AuthParameters: { USERNAME: 'ann' },
  })
  const answer = () =>
    setup.call('RespondToAuthChallenge', {
      ClientId,
      ChallengeName: 'CUSTOM_CHALLENGE',
      Session,
      ChallengeResponses: { USERNAME: 'ann', ANSWER: '7' },
    })
  await expect(answer()).rejects.toMatchObject({ type: 'UserLambdaValidationException' })
  fails = false
  expect((await answer()).AuthenticationResult).toBeDefined()
})
