import { describe, expect, it } from '@jest/globals'
import { challenges } from '../testing/challenges.ts'
import { clientId as ClientId, poolSetup, poolId as UserPoolId } from '../testing/pool-setup.ts'

const password = 'Right-7even'
const usedSession = { message: 'Invalid session for the user, session can only be used once.' }
const expired = { type: 'ExpiredCodeException' }
const email = (Value: string) => ({ UserAttributes: [{ Name: 'email', Value }] })
const byName = { pool: { signIn: ['name', 'email'] } } as const

type Setup = Awaited<ReturnType<typeof poolSetup>>

const accessToken = async (setup: Setup, name: string): Promise<string> =>
  (await setup.signIn(name)).AuthenticationResult.AccessToken

/** Creates a user with a verified address as an alias. */
async function member({ call }: Setup, Username: string, address: string) {
  const attributes = [...email(address).UserAttributes, { Name: 'email_verified', Value: 'true' }]
  const who = { UserPoolId, Username }
  await call('AdminCreateUser', { ...who, UserAttributes: attributes, MessageAction: 'SUPPRESS' })
  await call('AdminSetUserPassword', { ...who, Password: password, Permanent: true })
}

describe('a code', () => {
  it('cannot reset a password after the user has changed the address that it was sent to', async () => {
    await using setup = await poolSetup(byName)
    await member(setup, 'eve', 'eve@example.com')
    const AccessToken = await accessToken(setup, 'eve')
    await setup.call('ForgotPassword', { ClientId, Username: 'eve' })
    const ConfirmationCode = await setup.code('eve@example.com')
    await setup.call('UpdateUserAttributes', { AccessToken, ...email('victim@example.com') })
    const confirm = { ClientId, Username: 'eve', ConfirmationCode, Password: password }
    await expect(setup.call('ConfirmForgotPassword', confirm)).rejects.toMatchObject(expired)
    const { UserAttributes } = await setup.call('AdminGetUser', { UserPoolId, Username: 'eve' })
    expect(UserAttributes).toContainEqual({ Name: 'email_verified', Value: 'false' })
    await expect(setup.signIn('victim@example.com')).rejects.toMatchObject({ type: 'NotAuthorizedException' })
  })

  it('cannot reset a password after another account has verified the same address', async () => {
    await using setup = await poolSetup(byName)
    await member(setup, 'eve', 'shared@example.com')
    const AccessToken = await accessToken(setup, 'eve')
    await setup.call('ForgotPassword', { ClientId, Username: 'eve' })
    const ConfirmationCode = await setup.code('shared@example.com')
    for (const address of ['other@example.com', 'shared@example.com'])
      await setup.call('UpdateUserAttributes', { AccessToken, ...email(address) })
    await member(setup, 'ann', 'shared@example.com')
    const confirm = { ClientId, Username: 'eve', ConfirmationCode, Password: password }
    await expect(setup.call('ConfirmForgotPassword', confirm)).rejects.toMatchObject({
      type: 'AliasExistsException',
    })
    const { Username } = await setup.call('AdminGetUser', { UserPoolId, Username: 'shared@example.com' })
    expect(Username).toBe('ann')
  })

  it('cannot confirm a sign-up after an administrator has changed the address that it was sent to', async () => {
    await using setup = await poolSetup(byName)
    const who = { ClientId, Username: 'ann' }
    await setup.call('SignUp', { ...who, Password: password, ...email('old@example.com') })
    const ConfirmationCode = await setup.code('old@example.com')
    const admin = { UserPoolId, Username: 'ann' }
    await setup.call('AdminUpdateUserAttributes', { ...admin, ...email('new@example.com') })
    await expect(setup.call('ConfirmSignUp', { ...who, ConfirmationCode })).rejects.toMatchObject(expired)
  })
})

describe('a sign-in session', () => {
  it('ends when the address that it started with moves to another account', async () => {
    await using setup = await poolSetup({ ...byName, answers: challenges })
    await member(setup, 'eve', 'shared@example.com')
    const Username = 'shared@example.com'
    const { Session } = await setup.call('InitiateAuth', {
      ClientId,
      AuthFlow: 'CUSTOM_AUTH',
      AuthParameters: { USERNAME: Username },
    })
    await member(setup, 'victim', 'victim@example.com')
    const admin = { UserPoolId, Username: 'victim' }
    const attributes = [...email(Username).UserAttributes, { Name: 'email_verified', Value: 'true' }]
    await setup.call('AdminUpdateUserAttributes', { ...admin, UserAttributes: attributes })
    const answer = setup.call('RespondToAuthChallenge', {
      ClientId,
      ChallengeName: 'CUSTOM_CHALLENGE',
      Session,
      ChallengeResponses: { USERNAME: Username, ANSWER: '7' },
    })
    await expect(answer).rejects.toMatchObject(usedSession)
  })

  it.each<[string, (setup: Setup) => Promise<unknown>]>([
    [
      'sets a new temporary password',
      ({ call }) =>
        call('AdminSetUserPassword', {
          UserPoolId,
          Username: 'bo',
          Password: 'Other-7even',
          Permanent: false,
        }),
    ],
    [
      'repeats the invitation',
      ({ call }) =>
        call('AdminCreateUser', {
          UserPoolId,
          Username: 'bo',
          TemporaryPassword: 'Other-7even',
          MessageAction: 'RESEND',
        }),
    ],
  ])('ends when an administrator %s', async (_, act) => {
    await using setup = await poolSetup()
    await setup.call('AdminCreateUser', {
      UserPoolId,
      Username: 'bo',
      TemporaryPassword: password,
      ...email('bo@example.com'),
    })
    const { Session } = await setup.signIn('bo')
    await act(setup)
    const choose = setup.call('RespondToAuthChallenge', {
      ClientId,
      ChallengeName: 'NEW_PASSWORD_REQUIRED',
      Session,
      ChallengeResponses: { USERNAME: 'bo', NEW_PASSWORD: 'Third-7even' },
    })
    await expect(choose).rejects.toMatchObject(usedSession)
  })

  it('ends when the user changes the password', async () => {
    await using setup = await poolSetup({ answers: challenges })
    await setup.user()
    const { Session } = await setup.call('InitiateAuth', {
      ClientId,
      AuthFlow: 'CUSTOM_AUTH',
      AuthParameters: { USERNAME: 'ann' },
    })
    const AccessToken = await accessToken(setup, 'ann')
    await setup.call('ChangePassword', {
      AccessToken,
      PreviousPassword: password,
      ProposedPassword: 'Other-7even',
    })
    const answer = setup.call('RespondToAuthChallenge', {
      ClientId,
      ChallengeName: 'CUSTOM_CHALLENGE',
      Session,
      ChallengeResponses: { USERNAME: 'ann', ANSWER: '7' },
    })
    await expect(answer).rejects.toMatchObject(usedSession)
  })

  it('accepts only one answer at a time, so that simultaneous guesses count as one', async () => {
    let checked = 0
    await using setup = await poolSetup({
      answers: {
        ...challenges,
        VerifyAuthChallengeResponse_Authentication: ({ request }) => {
          checked++
          return { answerCorrect: request.challengeAnswer === '7' }
        },
      },
    })
    await setup.user()
    const { Session } = await setup.call('InitiateAuth', {
      ClientId,
      AuthFlow: 'CUSTOM_AUTH',
      AuthParameters: { USERNAME: 'ann' },
    })
    const guesses = Array.from({ length: 10 }, (_, ANSWER) =>
      setup.call('RespondToAuthChallenge', {
        ClientId,
        ChallengeName: 'CUSTOM_CHALLENGE',
        Session,
        ChallengeResponses: { USERNAME: 'ann', ANSWER: String(ANSWER) },
      }),
    )
    const results = await Promise.allSettled(guesses)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(checked).toBe(1)
  })

  it('is refused with the same error whether it is forged or already used', async () => {
    await using setup = await poolSetup({ answers: challenges })
    await setup.user()
    for (const Session of ['', 'x', 'A'.repeat(64), '%', '\u0000'.repeat(20)]) {
      const answer = setup.call('RespondToAuthChallenge', {
        ClientId,
        ChallengeName: 'CUSTOM_CHALLENGE',
        Session,
        ChallengeResponses: { USERNAME: 'ann', ANSWER: '7' },
      })
      await expect(answer).rejects.toMatchObject(usedSession)
    }
  })
})

describe('simultaneous requests', () => {
  const ten = <T>(attempt: () => Promise<T>) =>
    Promise.allSettled(Array.from({ length: 10 }, attempt)).then(
      results => results.filter(({ status }) => status === 'fulfilled').length,
    )

  it('cannot use a sign-up code twice', async () => {
    await using setup = await poolSetup()
    const who = { ClientId, Username: 'ann' }
    await setup.call('SignUp', { ...who, Password: password, ...email('ann@example.com') })
    const ConfirmationCode = await setup.code()
    expect(await ten(() => setup.call('ConfirmSignUp', { ...who, ConfirmationCode }))).toBe(1)
  })

  it('cannot use a password-reset code twice', async () => {
    await using setup = await poolSetup()
    await setup.user()
    const who = { ClientId, Username: 'ann' }
    await setup.call('ForgotPassword', who)
    const ConfirmationCode = await setup.code()
    let number = 0
    const replace = () =>
      setup.call('ConfirmForgotPassword', { ...who, ConfirmationCode, Password: `Other-7even${number++}` })
    expect(await ten(replace)).toBe(1)
  })

  it('cannot use a custom-authentication session twice', async () => {
    await using setup = await poolSetup({ answers: challenges })
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
    expect(await ten(answer)).toBe(1)
  })

  it('cannot use an SRP proof twice', async () => {
    await using setup = await poolSetup()
    await setup.user()
    const { respond } = await setup.srp()
    expect(await ten(() => respond())).toBe(1)
  })

  it('cannot use a refresh token with rotation twice', async () => {
    await using setup = await poolSetup({ client: { refresh: { rotate: true } } })
    await setup.user()
    const { RefreshToken } = (await setup.signIn()).AuthenticationResult
    expect(await ten(() => setup.call('GetTokensFromRefreshToken', { ClientId, RefreshToken }))).toBe(1)
  })

  it('cannot create two accounts with the same name or the same verified address', async () => {
    await using setup = await poolSetup(byName)
    let number = 0
    const signUp = () =>
      setup.call('SignUp', {
        ClientId,
        Username: 'ann',
        Password: password,
        ...email(`${number++}@a.example`),
      })
    expect(await ten(signUp)).toBe(1)
    for (let each = 0; each < 10; each++)
      await setup.call('SignUp', {
        ClientId,
        Username: `u${each}`,
        Password: password,
        ...email('same@example.com'),
      })
    const codes = (await setup.texts()).filter(({ to }) => to === 'same@example.com').reverse()
    let user = 0
    const confirm = () => {
      const each = user++
      return setup.call('ConfirmSignUp', {
        ClientId,
        Username: `u${each}`,
        ConfirmationCode: codes[each]!.code,
      })
    }
    expect(await ten(confirm)).toBe(1)
  })
})

describe('a new account', () => {
  it('cannot have a name that is the sub of another account', async () => {
    await using setup = await poolSetup()
    const Username = await setup.user()
    const signUp = { ClientId, Username, Password: password, ...email('eve@example.com') }
    await expect(setup.call('SignUp', signUp)).rejects.toMatchObject({ type: 'UsernameExistsException' })
    const invite = { UserPoolId, Username, ...email('eve@example.com') }
    await expect(setup.call('AdminCreateUser', invite)).rejects.toMatchObject({
      type: 'UsernameExistsException',
    })
  })

  it('cannot have a name or preferred name that looks like an address', async () => {
    await using setup = await poolSetup({
      pool: { signIn: ['name', 'email', 'phone', 'preferred_username'] },
    })
    await setup.user('eve')
    const AccessToken = await accessToken(setup, 'eve')
    for (const Value of ['victim@example.com', 'victim@localhost', '+4930123456']) {
      const UserAttributes = [{ Name: 'preferred_username', Value }]
      await expect(setup.call('UpdateUserAttributes', { AccessToken, UserAttributes })).rejects.toMatchObject(
        {
          type: 'InvalidParameterException',
        },
      )
      const signUp = { ClientId, Username: Value, Password: password, ...email('eve@example.com') }
      await expect(setup.call('SignUp', signUp)).rejects.toMatchObject({ type: 'InvalidParameterException' })
    }
  })

  it('cannot have a preferred name that is the name or the sub of another account', async () => {
    await using setup = await poolSetup({ pool: { signIn: ['name', 'preferred_username'] } })
    const sub = await setup.user('ann')
    await setup.user('eve')
    const AccessToken = await accessToken(setup, 'eve')
    for (const Value of ['ANN', sub]) {
      const UserAttributes = [{ Name: 'preferred_username', Value }]
      await expect(setup.call('UpdateUserAttributes', { AccessToken, UserAttributes })).rejects.toMatchObject(
        {
          type: 'AliasExistsException',
        },
      )
    }
  })

  it('cannot have the name of another account in a different Unicode form', async () => {
    await using setup = await poolSetup()
    await setup.user('jos\u00e9')
    await setup.signIn('JOSE\u0301')
    const signUp = { ClientId, Username: 'jose\u0301', Password: password, ...email('eve@example.com') }
    await expect(setup.call('SignUp', signUp)).rejects.toMatchObject({ type: 'UsernameExistsException' })
    expect(await (await setup.srp('JOSE\u0301')).respond()).toHaveProperty('AuthenticationResult')
  })
})

it('ConfirmForgotPassword fails with the same errors for an unknown name as for a user', async () => {
  await using setup = await poolSetup()
  await setup.user()
  const said = async (Username: string) => {
    const all: string[] = []
    for (let attempt = 0; attempt < 12; attempt++) {
      const input = { ClientId, Username, ConfirmationCode: '000000', Password: password }
      await setup.call('ConfirmForgotPassword', input).catch(({ type, message }) => all.push(type, message))
    }
    return all
  }
  const known = await said('ann')
  expect(known).toHaveLength(24)
  expect(await said('nobody')).toEqual(known)
})

it('an unknown name gets the same answers in every Unicode form', async () => {
  await using setup = await poolSetup()
  const forms = ['\u00e9ve', 'E\u0301VE']
  const [one, other] = await Promise.all(forms.map(async name => (await setup.srp(name)).begun))
  const known = ({ ChallengeParameters: { SALT, USER_ID_FOR_SRP } }: typeof one) => [SALT, USER_ID_FOR_SRP]
  expect(known(one)).toEqual(known(other))
  // All spellings are the same name for the pool.
  for (const name of [...forms, ...forms, 'eve', '\u00e9ve'])
    await expect(setup.signIn(name)).rejects.toMatchObject({ message: 'Incorrect username or password.' })
  await expect(setup.signIn('E\u0301ve')).rejects.toMatchObject({ message: 'Password attempts exceeded' })
})

describe('an access token', () => {
  it('is valid only in its pool, and an ID token is not accepted in its place', async () => {
    await using setup = await poolSetup()
    await using other = await poolSetup()
    await setup.user()
    await other.user()
    const { AccessToken, IdToken } = (await other.signIn()).AuthenticationResult
    // The issuers of both pools have the same name, but the pools use different keys.
    for (const token of [AccessToken, IdToken])
      await expect(setup.call('GetUser', { AccessToken: token })).rejects.toMatchObject({
        type: 'NotAuthorizedException',
      })
    await expect(other.call('GetUser', { AccessToken: IdToken })).rejects.toMatchObject({
      type: 'NotAuthorizedException',
    })
  })
})
