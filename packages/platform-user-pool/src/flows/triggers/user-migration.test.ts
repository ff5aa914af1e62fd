import { describe, expect, it } from '@jest/globals'
import { clientId as ClientId, poolSetup, poolId as UserPoolId } from '../../testing/pool-setup.ts'
import { confirmed } from '../../testing/signed-up-setup.ts'

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
