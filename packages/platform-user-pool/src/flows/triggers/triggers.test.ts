import { describe, expect, it } from '@jest/globals'
import { triggerEventCodec } from '@signalbox/user-pool/contract'
import { decodeJwt } from 'jose'
import {
  type Answers,
  type AnyEvent,
  clientId as ClientId,
  poolSetup,
  poolId as UserPoolId,
} from '../../testing/pool-setup.ts'

const email = (Value: string) => [{ Name: 'email', Value }]
const confirmed = { PreSignUp_SignUp: () => ({ autoConfirmUser: true, autoVerifyEmail: true }) }

/** Creates a setup with one confirmed user. */
async function signedUpSetup(options: Parameters<typeof poolSetup>[0] = {}) {
  const setup = await poolSetup({ ...options, answers: { ...confirmed, ...options.answers } })
  await setup.user()
  return setup
}

const define = (
  decide: (session: readonly { challengeName: string; challengeResult: boolean }[]) => object,
) => ({
  DefineAuthChallenge_Authentication: ({ request }: AnyEvent) => ({
    issueTokens: false,
    failAuthentication: false,
    ...decide(request.session as never),
  }),
})

/** The functions of a custom authentication that asks one question. */
const question: Answers = {
  ...define(session =>
    session.length === 0
      ? { challengeName: 'CUSTOM_CHALLENGE' }
      : session.at(-1)!.challengeResult
        ? { issueTokens: true }
        : { failAuthentication: true },
  ),
  CreateAuthChallenge_Authentication: () => ({
    publicChallengeParameters: { question: 'name of the cat' },
    privateChallengeParameters: { answer: 'Tom' },
    challengeMetadata: 'CAT',
  }),
  VerifyAuthChallengeResponse_Authentication: ({ request }) => ({
    answerCorrect:
      (request.privateChallengeParameters as { answer: string }).answer === request.challengeAnswer,
  }),
}

const custom = (setup: Awaited<ReturnType<typeof poolSetup>>, parameters: object = {}) =>
  setup.call('InitiateAuth', {
    ClientId,
    AuthFlow: 'CUSTOM_AUTH',
    AuthParameters: { USERNAME: 'ann', ...parameters },
  })

const answer = (
  setup: Awaited<ReturnType<typeof poolSetup>>,
  Session: string,
  ANSWER: string,
  more: object = {},
) =>
  setup.call('RespondToAuthChallenge', {
    ClientId,
    ChallengeName: 'CUSTOM_CHALLENGE',
    Session,
    ChallengeResponses: { USERNAME: 'ann', ANSWER },
    ...more,
  })

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

describe('UserMigration', () => {
  const malformed = 'Username should be 1 to 128 letters, digits, symbols and punctuation marks.'
  const asAlias = 'Username cannot be of email format, since user pool is configured for email alias.'
  const moved = (more: object = {}) => ({
    userAttributes: { email: 'old@example.com', email_verified: 'true' },
    messageAction: 'SUPPRESS',
    ...more,
  })

  it('Authentication migrates an account with its password, even if the password breaks the policy', async () => {
    await using setup = await poolSetup({
      answers: { UserMigration_Authentication: () => moved({ finalUserStatus: 'CONFIRMED' }) },
    })
    expect(await setup.signIn('old', 'weak', { ClientMetadata: { from: 'shop' } })).toHaveProperty(
      'AuthenticationResult',
    )
    expect(setup.events[0]).toMatchObject({
      userName: 'old',
      request: { password: 'weak', validationData: { from: 'shop' } },
    })
    expect(await setup.signIn('old', 'weak')).toHaveProperty('AuthenticationResult')
    expect(setup.called).toEqual(['UserMigration_Authentication'])
  })

  it.each([
    ['is empty', '', malformed],
    ['has a space', 'old user', malformed],
    ['has 129 characters', 'x'.repeat(129), malformed],
    ['looks like an alias', 'OLD@example.com', asAlias],
    ['is left out, and the user signs in with an alias', undefined, asAlias],
  ])(
    'Authentication creates no account when the user name in the answer %s',
    async (_case, username, message) => {
      const userAttributes = { ...moved().userAttributes, username }
      await using setup = await poolSetup({
        pool: { signIn: ['name', 'email'] },
        answers: {
          UserMigration_Authentication: () => moved({ userAttributes, finalUserStatus: 'CONFIRMED' }),
        },
      })
      await expect(setup.signIn('old@example.com', 'weak')).rejects.toMatchObject({
        type: 'InvalidParameterException',
        message,
      })
      expect((await setup.call('ListUsers', { UserPoolId })).Users).toEqual([])
    },
  )

  it('Authentication without a finalUserStatus asks for a new password', async () => {
    await using setup = await poolSetup({
      answers: {
        UserMigration_Authentication: () =>
          moved({ messageAction: undefined, desiredDeliveryMediums: ['EMAIL'] }),
      },
    })
    await expect(setup.signIn('old', 'weak')).rejects.toMatchObject({
      type: 'PasswordResetRequiredException',
    })
    const ConfirmationCode = await setup.code('old@example.com')
    await setup.call('ConfirmForgotPassword', {
      ClientId,
      Username: 'old',
      ConfirmationCode,
      Password: setup.password,
    })
    expect(await setup.signIn('old')).toHaveProperty('AuthenticationResult')
  })

  it.each([
    ['by e-mail when desiredDeliveryMediums is undefined', undefined, ['old@example.com']],
    ['by e-mail when desiredDeliveryMediums is EMAIL', ['EMAIL'], ['old@example.com']],
    ['by text message when desiredDeliveryMediums is SMS', ['SMS'], ['+4930123456']],
    ['by text message when desiredDeliveryMediums is SMS and EMAIL', ['SMS', 'EMAIL'], ['+4930123456']],
    ['to no address when desiredDeliveryMediums is empty', [], []],
  ])('Authentication sends the welcome message %s', async (_case, media, to) => {
    await using setup = await poolSetup({
      answers: {
        UserMigration_Authentication: () => ({
          userAttributes: { email: 'old@example.com', phone_number: '+4930123456' },
          desiredDeliveryMediums: media,
        }),
      },
    })
    await expect(setup.signIn('old', 'weak')).rejects.toMatchObject({
      type: 'PasswordResetRequiredException',
    })
    expect((await setup.texts()).map(text => text.to)).toEqual(to)
    if (to[0] === undefined) return
    const ConfirmationCode = await setup.code(to[0])
    const input = { ClientId, Username: 'old', ConfirmationCode, Password: setup.password }
    await setup.call('ConfirmForgotPassword', input)
    const { UserAttributes } = await setup.call('AdminGetUser', { UserPoolId, Username: 'old' })
    const verified = (UserAttributes as { Name: string; Value: string }[]).filter(
      ({ Name, Value }) => Name.endsWith('_verified') && Value === 'true',
    )
    expect(verified.map(({ Name }) => Name)).toEqual([
      to[0].includes('@') ? 'email_verified' : 'phone_number_verified',
    ])
  })

  it.each([
    ['requires', true, 'SMS_MFA'],
    ['does not require', false, undefined],
  ])(
    '%s a code by text message at each sign-in when enableSMSMFA is %p',
    async (_verb, enableSMSMFA, challenge) => {
      await using setup = await poolSetup({
        pool: { mfa: { mode: 'optional', by: ['sms'] } },
        answers: {
          UserMigration_Authentication: () => ({
            userAttributes: { phone_number: '+4930123456', phone_number_verified: 'true' },
            finalUserStatus: 'CONFIRMED',
            enableSMSMFA,
          }),
        },
      })
      const first = await setup.signIn('old', 'weak')
      expect(first.ChallengeName).toBe(challenge)
      expect((await setup.signIn('old', 'weak')).ChallengeName).toBe(challenge)
      if (challenge === undefined) return
      expect(await setup.call('AdminGetUser', { UserPoolId, Username: 'old' })).toMatchObject({
        UserMFASettingList: ['SMS_MFA'],
      })
      const { ChallengeName, Session } = await setup.signIn('old', 'weak')
      const ChallengeResponses = { USERNAME: 'old', SMS_MFA_CODE: await setup.code('+4930123456') }
      const answer = { ClientId, ChallengeName, Session, ChallengeResponses }
      expect(await setup.call('RespondToAuthChallenge', answer)).toHaveProperty('AuthenticationResult')
    },
  )

  describe.each([
    ['hidden', true],
    ['known to clients', false],
  ])('Authentication in the flow choice, where users are %s', (_case, hideUsers) => {
    const choosing = async (answer: () => object, more: Parameters<typeof poolSetup>[0] = {}) => {
      const setup = await poolSetup({
        client: { flows: ['choice', 'password'], hideUsers },
        ...more,
        answers: {
          ...more.answers,
          UserMigration_Authentication: answer,
          PreAuthentication_Authentication: () => ({}),
        },
      })
      const begin = (parameters: object = {}, ClientMetadata?: object) =>
        setup.call('InitiateAuth', {
          ClientId,
          AuthFlow: 'USER_AUTH',
          AuthParameters: { USERNAME: 'old', ...parameters },
          ClientMetadata,
        })
      const choose = (Session: string, answers: object, ClientMetadata?: object) =>
        setup.call('RespondToAuthChallenge', {
          ClientId,
          ChallengeName: 'SELECT_CHALLENGE',
          Session,
          ChallengeResponses: { USERNAME: 'old', ANSWER: 'PASSWORD', ...answers },
          ClientMetadata,
        })
      return Object.assign(setup, { begin, choose })
    }
    const preferred = { PREFERRED_CHALLENGE: 'PASSWORD', PASSWORD: 'weak' }
    const kept = () => moved({ finalUserStatus: 'CONFIRMED' })

    it('migrates an account with the preferred password', async () => {
      await using setup = await choosing(kept)
      expect(await setup.begin(preferred, { from: 'shop' })).toHaveProperty('AuthenticationResult')
      expect(setup.called).toEqual(['UserMigration_Authentication', 'PreAuthentication_Authentication'])
      expect(setup.events[0]).toMatchObject({
        userName: 'old',
        request: { password: 'weak', validationData: { from: 'shop' } },
      })
      expect(setup.events[1]!.request).toMatchObject({ userAttributes: { email: 'old@example.com' } })
      expect(await setup.begin(preferred)).toHaveProperty('AuthenticationResult')
      expect(setup.eventsOf('UserMigration_Authentication')).toHaveLength(1)
    })

    it('migrates an account with the password that the user chooses', async () => {
      await using setup = await choosing(kept)
      const { ChallengeName, AvailableChallenges, Session } = await setup.begin()
      expect(ChallengeName).toBe('SELECT_CHALLENGE')
      expect(AvailableChallenges).toEqual(hideUsers ? ['PASSWORD', 'PASSWORD_SRP'] : ['PASSWORD'])
      expect(setup.eventsOf('UserMigration_Authentication')).toEqual([])
      expect(await setup.choose(Session, { PASSWORD: 'weak' }, { from: 'shop' })).toHaveProperty(
        'AuthenticationResult',
      )
      expect(setup.eventsOf('UserMigration_Authentication')).toMatchObject([
        { userName: 'old', request: { password: 'weak', validationData: { from: 'shop' } } },
      ])
      // The function sees the attributes of the new account, whatever it saw before the account existed.
      expect(setup.events.at(-1)).toMatchObject({
        triggerSource: 'PreAuthentication_Authentication',
        request: { userAttributes: { email: 'old@example.com' }, validationData: { from: 'shop' } },
      })
      await expect(setup.choose(Session, { PASSWORD: 'weak' })).rejects.toMatchObject({
        message: 'Invalid session for the user, session can only be used once.',
      })
    })

    it('migrates an account once for simultaneous sign-ins, which all succeed', async () => {
      await using setup = await choosing(kept)
      const sessions = [await setup.begin(), await setup.begin()]
      const tasks = sessions.map(({ Session }) => setup.choose(Session, { PASSWORD: 'weak' }))
      for (const signedIn of await Promise.all([...tasks, setup.begin(preferred)]))
        expect(signedIn).toHaveProperty('AuthenticationResult')
      expect((await setup.call('ListUsers', { UserPoolId })).Users).toHaveLength(1)
    })

    it.each<[string, () => object, object]>([
      [
        'asks for a new password without a finalUserStatus',
        moved,
        { type: 'PasswordResetRequiredException' },
      ],
      [
        'fails if the function fails',
        () => Promise.reject(new Error('unknown')),
        { type: 'UserLambdaValidationException', message: 'UserMigration failed with error unknown.' },
      ],
    ])('%s, like a sign-in with a password', async (_what, answer, refusal) => {
      await using setup = await choosing(answer)
      const { Session } = await setup.begin()
      for (const signIn of [
        () => setup.signIn('old', 'weak'),
        () => setup.begin(preferred),
        () => setup.choose(Session, { PASSWORD: 'weak' }),
      ]) {
        await expect(signIn()).rejects.toMatchObject(refusal)
        for (const { Username } of (await setup.call('ListUsers', { UserPoolId })).Users)
          await setup.call('AdminDeleteUser', { UserPoolId, Username })
      }
      expect(setup.eventsOf('UserMigration_Authentication')).toHaveLength(3)
    })

    it('needs the password, and does not migrate an account by another challenge', async () => {
      await using setup = await choosing(kept)
      const missing = { message: 'Missing required parameter PASSWORD' }
      await expect(setup.begin({ PREFERRED_CHALLENGE: 'PASSWORD' })).rejects.toMatchObject(missing)
      const { Session } = await setup.begin({ PREFERRED_CHALLENGE: 'EMAIL_OTP' })
      await expect(setup.choose(Session, {})).rejects.toMatchObject(missing)
      await expect(setup.choose(Session, { ANSWER: 'EMAIL_OTP', PASSWORD: 'weak' })).rejects.toBeDefined()
      expect(setup.eventsOf('UserMigration_Authentication')).toEqual([])
    })

    it('does not migrate an account where users do not sign in with a password', async () => {
      await using setup = await choosing(kept, {
        pool: { firstFactors: ['email'] },
        client: { flows: ['choice'], hideUsers },
      })
      await setup.begin(preferred).catch(() => {})
      expect(setup.eventsOf('UserMigration_Authentication')).toEqual([])
    })
  })

  it('Authentication migrates an account once for simultaneous sign-ins, which all succeed', async () => {
    await using setup = await poolSetup({
      pool: { signIn: ['name', 'email'] },
      answers: { UserMigration_Authentication: () => moved({ finalUserStatus: 'CONFIRMED' }) },
    })
    for (const signedIn of await Promise.all([1, 2, 3].map(() => setup.signIn('old', 'weak'))))
      expect(signedIn).toHaveProperty('AuthenticationResult')
    expect((await setup.call('ListUsers', { UserPoolId })).Users).toHaveLength(1)
  })

  it('ForgotPassword migrates an account once for simultaneous requests, which all succeed', async () => {
    await using setup = await poolSetup({ answers: { UserMigration_ForgotPassword: () => moved() } })
    const requests = [1, 2, 3].map(() => setup.call('ForgotPassword', { ClientId, Username: 'old' }))
    for (const answer of await Promise.all(requests)) expect(answer).toHaveProperty('CodeDeliveryDetails')
    expect((await setup.call('ListUsers', { UserPoolId })).Users).toHaveLength(1)
  })

  it('ForgotPassword migrates an account whose user then sets a new password', async () => {
    await using setup = await poolSetup({ answers: { UserMigration_ForgotPassword: () => moved() } })
    await setup.call('ForgotPassword', { ClientId, Username: 'old' })
    expect(setup.events[0]!.request).not.toHaveProperty('password')
    const ConfirmationCode = await setup.code('old@example.com')
    await setup.call('ConfirmForgotPassword', {
      ClientId,
      Username: 'old',
      ConfirmationCode,
      Password: setup.password,
    })
    expect(await setup.signIn('old')).toHaveProperty('AuthenticationResult')
  })

  it.each([
    ['takes', true, 'false'],
    ['does not take', false, 'true'],
  ])(
    '%s an alias from another account when forceAliasCreation is %p',
    async (_verb, forceAliasCreation, stays) => {
      await using setup = await poolSetup({
        pool: { signIn: ['name', 'email'] },
        answers: {
          ...confirmed,
          UserMigration_Authentication: () => ({
            ...moved({ finalUserStatus: 'CONFIRMED', forceAliasCreation }),
            userAttributes: { email: 'ann@example.com', email_verified: 'true' },
          }),
        },
      })
      await setup.user()
      const signingIn = setup.signIn('old', 'weak')
      if (forceAliasCreation) await signingIn
      else await expect(signingIn).rejects.toMatchObject({ type: 'AliasExistsException' })
      const { UserAttributes } = await setup.call('AdminGetUser', { UserPoolId, Username: 'ann' })
      expect(UserAttributes).toContainEqual({ Name: 'email_verified', Value: stays })
    },
  )
})

// The migrated address is verified, so that the flow can send a code to it.
describe('UserMigration_ForgotPassword', () => {
  const forgotten = async (answer: object, pool: Parameters<typeof poolSetup>[0] = {}) => {
    const setup = await poolSetup({
      ...pool,
      answers: {
        ...confirmed,
        UserMigration_ForgotPassword: () => ({
          userAttributes: { email: 'old@example.com', email_verified: 'true' },
          ...answer,
        }),
      },
    })
    const forget = () =>
      setup.call('ForgotPassword', { ClientId, Username: 'old', ClientMetadata: { from: 'shop' } })
    const account = () => setup.call('AdminGetUser', { UserPoolId, Username: 'old' })
    return { ...setup, forget, account, [Symbol.asyncDispose]: () => setup[Symbol.asyncDispose]() }
  }

  it('creates the account with userAttributes, and gets the client metadata', async () => {
    const userAttributes = { email: 'old@example.com', email_verified: 'true', nickname: 'Oldie' }
    await using setup = await forgotten({ userAttributes })
    await setup.forget()
    expect((await setup.account()).UserAttributes).toContainEqual({ Name: 'nickname', Value: 'Oldie' })
    expect(setup.eventsOf('UserMigration_ForgotPassword')).toMatchObject([
      { userName: 'old', request: { clientMetadata: { from: 'shop' } } },
    ])
  })

  it.each([
    [undefined, 'RESET_REQUIRED'],
    ['CONFIRMED', 'CONFIRMED'],
    ['RESET_REQUIRED', 'RESET_REQUIRED'],
  ])(
    'leaves the account without a password when finalUserStatus is %p, and gives it the status %s',
    async (finalUserStatus, UserStatus) => {
      await using setup = await forgotten({ finalUserStatus })
      await setup.forget()
      expect(await setup.account()).toMatchObject({ UserStatus })
      await expect(setup.signIn('old')).rejects.toMatchObject({ type: 'NotAuthorizedException' })
      const input = { ClientId, Username: 'old', ConfirmationCode: await setup.code('old@example.com') }
      await setup.call('ConfirmForgotPassword', { ...input, Password: setup.password })
      expect(await setup.signIn('old')).toHaveProperty('AuthenticationResult')
    },
  )

  it.each([
    ['by default', undefined, undefined],
    ['when messageAction is SUPPRESS', 'SUPPRESS', ['EMAIL', 'SMS']],
    ['when messageAction is RESEND for e-mail and SMS', 'RESEND', ['EMAIL', 'SMS']],
    ['when messageAction is RESEND for SMS', 'RESEND', ['SMS']],
  ])('sends the code and no welcome message %s', async (_case, messageAction, desiredDeliveryMediums) => {
    const userAttributes = {
      email: 'old@example.com',
      email_verified: 'true',
      phone_number: '+4930123456',
    }
    await using setup = await forgotten({ userAttributes, messageAction, desiredDeliveryMediums })
    await setup.forget()
    expect(await setup.texts()).toMatchObject([{ to: 'old@example.com', occasion: 'ForgotPassword' }])
  })

  it.each([
    ['takes', true, 'false'],
    ['does not take', false, 'true'],
  ])('%s an alias when forceAliasCreation is %p', async (_verb, forceAliasCreation, stays) => {
    const userAttributes = { email: 'ann@example.com', email_verified: 'true' }
    const pool = { pool: { signIn: ['name', 'email'] } } as const
    await using setup = await forgotten({ userAttributes, forceAliasCreation }, pool)
    await setup.user()
    const forgetting = setup.forget()
    if (forceAliasCreation) await forgetting
    else await expect(forgetting).rejects.toMatchObject({ type: 'AliasExistsException' })
    const { UserAttributes } = await setup.call('AdminGetUser', { UserPoolId, Username: 'ann' })
    expect(UserAttributes).toContainEqual({ Name: 'email_verified', Value: stays })
  })

  it.each([
    ['enables', true],
    ['does not enable', false],
  ])('%s the second factor when enableSMSMFA is %p', async (_verb, enableSMSMFA) => {
    const userAttributes = {
      email: 'old@example.com',
      email_verified: 'true',
      phone_number: '+4930123456',
      phone_number_verified: 'true',
    }
    const pool = { pool: { mfa: { mode: 'optional', by: ['sms'] }, recovery: ['email'] } } as const
    await using setup = await forgotten({ userAttributes, enableSMSMFA }, pool)
    await setup.forget()
    const input = { ClientId, Username: 'old', ConfirmationCode: await setup.code('old@example.com') }
    await setup.call('ConfirmForgotPassword', { ...input, Password: setup.password })
    expect((await setup.signIn('old')).ChallengeName).toBe(enableSMSMFA ? 'SMS_MFA' : undefined)
  })
})

it('PreAuthentication_Authentication gets the validation data of a sign-in, and can deny the sign-in', async () => {
  let isOpen = true
  await using setup = await signedUpSetup({
    answers: {
      PreAuthentication_Authentication: () => {
        if (!isOpen) throw new Error('closed')
        return {}
      },
    },
  })
  await setup.signIn('ann', setup.password, { ClientMetadata: { device: 'phone' } })
  expect(setup.eventsOf('PreAuthentication_Authentication')[0]).toMatchObject({
    request: {
      userAttributes: { email: 'ann@example.com' },
      validationData: { device: 'phone' },
      userNotFound: false,
    },
  })
  isOpen = false
  const denied = { message: 'PreAuthentication failed with error closed.' }
  await expect(setup.signIn()).rejects.toMatchObject(denied)
  await expect(setup.srp()).rejects.toMatchObject(denied)
})

it('PreAuthentication_Authentication gets userNotFound for an unknown user name', async () => {
  await using setup = await signedUpSetup({ answers: { PreAuthentication_Authentication: () => ({}) } })
  await expect(setup.signIn('bob')).rejects.toMatchObject({ message: 'Incorrect username or password.' })
  expect(setup.events.at(-1)).toMatchObject({ userName: 'bob', request: { userNotFound: true } })
})

it('PostAuthentication_Authentication is called just before tokens are issued, and can deny the sign-in', async () => {
  let isOpen = true
  await using setup = await signedUpSetup({
    answers: {
      PostAuthentication_Authentication: () => {
        if (!isOpen) throw new Error('closed')
        return {}
      },
      TokenGeneration_Authentication: () => ({}),
    },
  })
  await (await setup.srp('ann', setup.password, { ClientMetadata: { a: 'b' } })).respond()
  expect(setup.called.slice(-2)).toEqual([
    'PostAuthentication_Authentication',
    'TokenGeneration_Authentication',
  ])
  expect(setup.events.at(-2)).toMatchObject({ request: { newDeviceUsed: false, clientMetadata: { a: 'b' } } })
  isOpen = false
  await expect(setup.signIn()).rejects.toMatchObject({
    message: 'PostAuthentication failed with error closed.',
  })
})

it('a sign-in fails when the account is disabled or its password changes before tokens are issued', async () => {
  let during: () => Promise<unknown> = async () => undefined
  await using setup = await signedUpSetup({
    answers: {
      PostAuthentication_Authentication: async () => {
        await during()
        return {}
      },
    },
  })
  const ann = { UserPoolId, Username: 'ann' }
  during = () => setup.call('AdminUpdateUserAttributes', { ...ann, UserAttributes: email('new@example.com') })
  const { AuthenticationResult } = await setup.signIn()
  expect(decodeJwt(AuthenticationResult.IdToken)).toMatchObject({ email: 'new@example.com' })
  during = () => setup.call('AdminSetUserPassword', { ...ann, Password: 'Other-7even', Permanent: true })
  await expect(setup.signIn()).rejects.toMatchObject({ type: 'NotAuthorizedException' })
  during = () => setup.call('AdminDisableUser', ann)
  await expect(setup.signIn('ann', 'Other-7even')).rejects.toMatchObject({ type: 'NotAuthorizedException' })
})

describe('custom authentication', () => {
  it('calls the Define, Create and Verify functions in turn until tokens are issued', async () => {
    await using setup = await signedUpSetup({ answers: question })
    const begun = await custom(setup)
    expect(begun).toMatchObject({
      ChallengeName: 'CUSTOM_CHALLENGE',
      ChallengeParameters: { question: 'name of the cat', USERNAME: 'ann' },
    })
    expect(JSON.stringify(begun)).not.toContain('Tom')
    expect(await answer(setup, begun.Session, 'Tom', { ClientMetadata: { a: 'b' } })).toHaveProperty(
      'AuthenticationResult',
    )
    expect(setup.called.slice(-4)).toEqual([
      'DefineAuthChallenge_Authentication',
      'CreateAuthChallenge_Authentication',
      'VerifyAuthChallengeResponse_Authentication',
      'DefineAuthChallenge_Authentication',
    ])
    expect(setup.events.at(-2)).toMatchObject({
      request: {
        challengeAnswer: 'Tom',
        privateChallengeParameters: { answer: 'Tom' },
        clientMetadata: { a: 'b' },
      },
    })
    expect(setup.events.at(-1)).toMatchObject({
      request: {
        session: [{ challengeName: 'CUSTOM_CHALLENGE', challengeResult: true, challengeMetadata: 'CAT' }],
      },
    })
    await expect(answer(setup, begun.Session, 'Tom')).rejects.toMatchObject({
      message: 'Invalid session for the user, session can only be used once.',
    })
  })

  it('fails after a wrong answer', async () => {
    await using setup = await signedUpSetup({ answers: question })
    const { Session } = await custom(setup)
    await expect(answer(setup, Session, 'Jerry')).rejects.toMatchObject({
      type: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    })
  })

  it('starts with SRP when DefineAuthChallenge asks for it', async () => {
    const results: unknown[] = []
    await using setup = await signedUpSetup({
      answers: {
        ...question,
        ...define(session => {
          results.push(session)
          const [latest] = session.slice(-1)
          if (latest?.challengeName === 'SRP_A') return { challengeName: 'PASSWORD_VERIFIER' }
          if (latest?.challengeName === 'PASSWORD_VERIFIER')
            return latest.challengeResult
              ? { challengeName: 'CUSTOM_CHALLENGE' }
              : { failAuthentication: true }
          return latest?.challengeResult ? { issueTokens: true } : { failAuthentication: true }
        }),
      },
    })
    const byPassword = async (password: string) => {
      const { srpClient } = await import('../../srp/srp-client.ts')
      const half = srpClient(UserPoolId, password)
      const begun = await custom(setup, { CHALLENGE_NAME: 'SRP_A', SRP_A: half.SRP_A })
      expect(begun.ChallengeName).toBe('PASSWORD_VERIFIER')
      return setup.call('RespondToAuthChallenge', {
        ClientId,
        ChallengeName: 'PASSWORD_VERIFIER',
        ChallengeResponses: half.prove(begun.ChallengeParameters),
      })
    }
    const next = await byPassword(setup.password)
    expect(next.ChallengeName).toBe('CUSTOM_CHALLENGE')
    expect(await answer(setup, next.Session, 'Tom')).toHaveProperty('AuthenticationResult')
    expect(results.at(-1)).toHaveLength(3)
    await expect(byPassword('Wrong-7even')).rejects.toMatchObject({
      message: 'Incorrect username or password.',
    })
    expect(results.at(-1)).toMatchObject([{ challengeResult: true }, { challengeResult: false }])
  })

  it.each<[string, object, string]>([
    [
      'both tokens and failure',
      { issueTokens: true, failAuthentication: true },
      'InvalidLambdaResponseException',
    ],
    [
      'both tokens and a challenge',
      { issueTokens: true, challengeName: 'CUSTOM_CHALLENGE' },
      'InvalidLambdaResponseException',
    ],
    ['an unknown challenge', { challengeName: 'SMS_MFA' }, 'InvalidLambdaResponseException'],
    ['nothing', {}, 'NotAuthorizedException'],
  ])('fails when DefineAuthChallenge returns %s', async (_, decision, type) => {
    await using setup = await signedUpSetup({ answers: { ...question, ...define(() => decision) } })
    await expect(custom(setup)).rejects.toMatchObject({ type })
  })

  it('fails when the pool lacks one of the three functions', async () => {
    await using setup = await signedUpSetup({ answers: define(() => ({ issueTokens: true })) })
    await expect(custom(setup)).rejects.toMatchObject({ type: 'InvalidUserPoolConfigurationException' })
  })

  it('asks the same question for an unknown user name, and refuses every answer', async () => {
    await using setup = await signedUpSetup({ answers: question })
    const { Session, ChallengeParameters } = await custom(setup, { USERNAME: 'bob' })
    expect(ChallengeParameters).toMatchObject({ question: 'name of the cat' })
    await expect(answer(setup, Session, 'Tom')).rejects.toMatchObject({
      message: 'Incorrect username or password.',
    })
    expect(setup.events.at(-1)).toMatchObject({ request: { userNotFound: true } })
  })
})

describe('TokenGeneration', () => {
  const overrides = {
    claimsOverrideDetails: {
      claimsToAddOrOverride: { tenant: 't1', email: 'other@example.com' },
      claimsToSuppress: ['email_verified'],
      groupOverrideDetails: {
        groupsToOverride: ['crew'],
        accessRolesToOverride: ['sail'],
        preferredRole: 'sail',
      },
    },
  }
  const claims = (result: { IdToken: string; AccessToken: string }) => [
    decodeJwt(result.IdToken),
    decodeJwt(result.AccessToken),
  ]

  it('Authentication with event version 1 changes claims and groups', async () => {
    await using setup = await signedUpSetup({ answers: { TokenGeneration_Authentication: () => overrides } })
    const [id, access] = claims((await setup.signIn()).AuthenticationResult)
    expect(id).toMatchObject({
      tenant: 't1',
      email: 'other@example.com',
      'cognito:groups': ['crew'],
      'cognito:roles': ['sail'],
      'cognito:preferred_role': 'sail',
    })
    expect(id).not.toHaveProperty('email_verified')
    expect(access).toMatchObject({ 'cognito:groups': ['crew'] })
    expect(access).not.toHaveProperty('tenant')
    expect(setup.events.at(-1)).toMatchObject({
      version: '1',
      request: { groupConfiguration: { groupsToOverride: [] } },
    })
  })

  it.each([2, 3] as const)(
    'Authentication with event version %p changes both tokens and the scopes',
    async version => {
      await using setup = await signedUpSetup({
        version,
        answers: {
          TokenGeneration_Authentication: () => ({
            claimsAndScopeOverrideDetails: {
              idTokenGeneration: { claimsToAddOrOverride: { level: 7 }, claimsToSuppress: ['email'] },
              accessTokenGeneration: {
                claimsToAddOrOverride: { plans: ['a', 'b'] },
                scopesToAdd: ['orders:read'],
                scopesToSuppress: ['aws.cognito.signin.user.admin'],
              },
              groupOverrideDetails: { groupsToOverride: ['crew'] },
            },
          }),
        },
      })
      const { AuthenticationResult } = await setup.signIn()
      const [id, access] = claims(AuthenticationResult)
      expect(id).toMatchObject({ level: 7, 'cognito:groups': ['crew'] })
      expect(id).not.toHaveProperty('email')
      expect(access).toMatchObject({ plans: ['a', 'b'], scope: 'orders:read', 'cognito:groups': ['crew'] })
      expect(setup.events.at(-1)).toMatchObject({
        version: String(version),
        request: { scopes: ['aws.cognito.signin.user.admin'] },
      })
      await expect(setup.call('GetUser', AuthenticationResult)).rejects.toMatchObject({
        message: 'Access Token does not have required scopes',
      })
    },
  )

  it('RefreshTokens is the only trigger that a refresh calls', async () => {
    await using setup = await signedUpSetup({
      answers: {
        PreAuthentication_Authentication: () => ({}),
        PostAuthentication_Authentication: () => ({}),
        TokenGeneration_RefreshTokens: () => overrides,
      },
    })
    const { AuthenticationResult } = await setup.signIn()
    const before = setup.events.length
    const refreshed = await setup.call('InitiateAuth', {
      ClientId,
      AuthFlow: 'REFRESH_TOKEN_AUTH',
      AuthParameters: { REFRESH_TOKEN: AuthenticationResult.RefreshToken },
      ClientMetadata: { a: 'b' },
    })
    expect(setup.called.slice(before)).toEqual(['TokenGeneration_RefreshTokens'])
    const [id] = claims(refreshed.AuthenticationResult)
    const [first] = claims(AuthenticationResult)
    expect(id).toMatchObject({ tenant: 't1', auth_time: first!.auth_time, origin_jti: first!.origin_jti })
  })

  it('NewPasswordChallenge is called after a user has replaced a temporary password', async () => {
    await using setup = await poolSetup({
      answers: { TokenGeneration_NewPasswordChallenge: () => overrides },
    })
    await setup.call('AdminCreateUser', {
      UserPoolId,
      Username: 'ann',
      UserAttributes: email('ann@example.com'),
      TemporaryPassword: 'First-7even',
    })
    const begun = await setup.signIn('ann', 'First-7even')
    expect(begun.ChallengeName).toBe('NEW_PASSWORD_REQUIRED')
    expect(JSON.parse(begun.ChallengeParameters.userAttributes)).toEqual({ email: 'ann@example.com' })
    const choose = (NEW_PASSWORD: string) =>
      setup.call('RespondToAuthChallenge', {
        ClientId,
        ChallengeName: 'NEW_PASSWORD_REQUIRED',
        Session: begun.Session,
        ChallengeResponses: { USERNAME: 'ann', NEW_PASSWORD, 'userAttributes.given_name': 'Ann' },
      })
    await expect(choose('short')).rejects.toMatchObject({ type: 'InvalidPasswordException' })
    const { AuthenticationResult } = await choose(setup.password)
    expect(claims(AuthenticationResult)[0]).toMatchObject({ tenant: 't1', given_name: 'Ann' })
    await expect(choose(setup.password)).rejects.toMatchObject({
      message: expect.stringMatching(/only be used once/),
    })
    expect(await setup.signIn()).toHaveProperty('AuthenticationResult')
  })

  it('cannot change reserved claims', async () => {
    await using setup = await signedUpSetup({
      answers: {
        TokenGeneration_Authentication: () => ({
          claimsOverrideDetails: { claimsToAddOrOverride: { sub: 'me' } },
        }),
      },
    })
    await expect(setup.signIn()).rejects.toMatchObject({ type: 'InvalidLambdaResponseException' })
  })
})

describe('CustomMessage', () => {
  const said =
    (occasion: string) =>
    ({ request }: AnyEvent) => ({
      emailMessage: `${occasion} ${request.codeParameter} ${request.usernameParameter ?? ''}`,
      emailSubject: `Subject of ${occasion}`,
      smsMessage: `Text of ${occasion} ${request.codeParameter} ${request.usernameParameter ?? ''}`,
    })
  type Setup = Awaited<ReturnType<typeof poolSetup>>

  it.each<[string, (setup: Setup) => Promise<unknown>]>([
    [
      'SignUp',
      setup =>
        setup.call('SignUp', {
          ClientId,
          Username: 'bob',
          Password: setup.password,
          UserAttributes: email('bob@example.com'),
        }),
    ],
    [
      'ResendCode',
      async setup => {
        await setup.call('SignUp', {
          ClientId,
          Username: 'bob',
          Password: setup.password,
          UserAttributes: email('bob@example.com'),
        })
        await setup.call('ResendConfirmationCode', { ClientId, Username: 'bob' })
      },
    ],
    [
      'AdminCreateUser',
      setup =>
        setup.call('AdminCreateUser', {
          UserPoolId,
          Username: 'bob',
          UserAttributes: email('bob@example.com'),
        }),
    ],
    [
      'ForgotPassword',
      async setup => {
        await setup.user('bob')
        await setup.call('ForgotPassword', { ClientId, Username: 'bob' })
      },
    ],
    [
      'UpdateUserAttribute',
      async setup => {
        await setup.user('bob')
        const { AuthenticationResult } = await setup.signIn('bob')
        await setup.call('UpdateUserAttributes', {
          AccessToken: AuthenticationResult.AccessToken,
          UserAttributes: email('new@example.com'),
        })
      },
    ],
    [
      'VerifyUserAttribute',
      async setup => {
        await setup.user('bob')
        const { AuthenticationResult } = await setup.signIn('bob')
        const { AccessToken } = AuthenticationResult
        await setup.call('GetUserAttributeVerificationCode', { AccessToken, AttributeName: 'email' })
      },
    ],
  ])('writes the message for %s', async (occasion, flow) => {
    await using setup = await poolSetup({
      answers: { [`CustomMessage_${occasion}`]: said(occasion) } as Answers,
    })
    await flow(setup)
    const [text] = await setup.texts()
    const name = occasion === 'AdminCreateUser' ? 'bob' : ''
    expect(text).toMatchObject({
      state: 'kept',
      occasion,
      subject: `Subject of ${occasion}`,
      text: `${occasion} ${text!.code} ${name}`,
    })
    expect(setup.events.at(-1)).toMatchObject({
      triggerSource: `CustomMessage_${occasion}`,
      request: { codeParameter: '{####}', usernameParameter: name === '' ? null : '{username}' },
    })
  })

  it('writes text messages as well', async () => {
    await using setup = await poolSetup({
      pool: { verify: ['phone'] },
      answers: { CustomMessage_SignUp: said('SignUp') },
    })
    const UserAttributes = [{ Name: 'phone_number', Value: '+4930123456' }]
    await setup.call('SignUp', { ClientId, Username: 'bob', Password: setup.password, UserAttributes })
    const [text] = await setup.texts()
    expect(text).toMatchObject({ medium: 'SMS', to: '+4930123456', text: `Text of SignUp ${text!.code} ` })
  })

  it('fails the sign-up request when its function fails: the account is created, but no message is sent', async () => {
    await using setup = await poolSetup({
      answers: {
        CustomMessage_SignUp: () => {
          throw new Error('no words')
        },
      },
    })
    await expect(setup.user()).rejects.toMatchObject({ message: 'CustomMessage failed with error no words.' })
    expect(await setup.texts()).toMatchObject([{ state: 'failed' }])
    expect((await setup.call('ListUsers', { UserPoolId })).Users).toHaveLength(1)
  })
})

describe('a trigger that fails', () => {
  it('is called three times in total if it times out', async () => {
    await using setup = await signedUpSetup({
      answers: { PreAuthentication_Authentication: () => new Promise(() => {}) },
    })
    const signingIn = setup.signIn()
    const failed = expect(signingIn).rejects.toMatchObject({
      type: 'UnexpectedLambdaException',
      message: expect.stringMatching(/Socket timeout while invoking Lambda function/),
    })
    for (let i = 0; i < 4; i++) await setup.clock.advance(5000)
    await failed
    expect(setup.eventsOf('PreAuthentication_Authentication')).toHaveLength(3)
    expect(setup.entries.filter(({ attempt }) => attempt > 1)).toHaveLength(2)
  })

  it('fails the request when its response breaks the contract', async () => {
    await using setup = await poolSetup({ answers: { PreSignUp_SignUp: () => ({ autoConfirmUser: 'yes' }) } })
    await expect(setup.user()).rejects.toMatchObject({
      type: 'InvalidLambdaResponseException',
      message: 'Unrecognizable lambda output',
    })
  })
})

it('the trigger-event codec accepts every event of a custom authentication', async () => {
  await using setup = await signedUpSetup({
    answers: {
      ...question,
      TokenGeneration_Authentication: () => ({}),
      PostAuthentication_Authentication: () => ({}),
    },
  })
  const { Session } = await custom(setup)
  await answer(setup, Session, 'Tom')
  for (const event of setup.events) expect(triggerEventCodec.is(event)).toBe(true)
})
