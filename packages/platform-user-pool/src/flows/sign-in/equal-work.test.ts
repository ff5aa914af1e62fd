import { expect, it } from '@jest/globals'
import { challenges } from '../../testing/challenges.ts'
import { poolId, poolSetup } from '../../testing/pool-setup.ts'
import { countStore, workOf } from '../../testing/work-count.ts'

type Setup = Awaited<ReturnType<typeof poolSetup>>

it('workOf() counts the SRP exponentiations and password hashes of a sign-in', async () => {
  await using setup = await poolSetup()
  expect(await workOf(() => setup.signIn('bob', 'Wrong-7even'))).toMatchObject({ powers: 0, hashes: 2 })
  const proof = await setup.srp('bob', 'Wrong-7even')
  expect(await workOf(() => proof.respond())).toMatchObject({ powers: 2, hashes: 1 })
})

const ClientId = 'web'
const ConfirmationCode = '0'
const mailer = { ownAddress: 'no-reply@mail.example', submit: async () => true }

/** Returns what a client learns, which is the fields of an answer or the error. */
async function learned(task: Promise<object>): Promise<unknown> {
  return task.then(
    answer => Object.keys(answer),
    ({ type, message }) => ({ type, message }),
  )
}

type Guess = (setup: Setup, name: string) => Promise<object>

const confirmed = 'ann'
const unconfirmed = 'eve'

it.each<[string, Guess, Parameters<typeof poolSetup>[0]?]>([
  ['a wrong password', (setup, name) => setup.signIn(name, 'Wrong-7even')],
  [
    'a wrong password that locks, where users get notices',
    async (setup, name) => {
      for (let guess = 1; guess < 5; guess++) await setup.signIn(name, `Wrong-${guess}`).catch(() => {})
      const last = setup.signIn(name, 'Wrong-7even')
      await last.catch(() => {})
      await setup.engine.settled()
      return last
    },
    { pool: { takeover: {} } },
  ],
  [
    'a wrong password, where sign-ins are kept',
    async (setup, name) => {
      const wrong = setup.signIn(name, 'Wrong-7even')
      await wrong.catch(() => {})
      await setup.engine.settled()
      return wrong
    },
    { pool: { history: {} } },
  ],
  ['a wrong proof by SRP', async (setup, name) => (await setup.srp(name, 'Wrong-7even')).respond()],
  ['a forgotten password', (setup, Username) => setup.call('ForgotPassword', { ClientId, Username })],
  [
    'a forgotten password with a mail server',
    (setup, Username) => setup.call('ForgotPassword', { ClientId, Username }),
    { mailer },
  ],
  [
    'a forgotten password with a custom sender',
    (setup, Username) => setup.call('ForgotPassword', { ClientId, Username }),
    { answers: { CustomEmailSender_ForgotPassword: () => ({}) } },
  ],
  [
    'a wrong code for a forgotten password',
    (setup, Username) =>
      setup.call('ConfirmForgotPassword', {
        ClientId,
        Username,
        ConfirmationCode,
        Password: setup.password,
      }),
  ],
  [
    'a wrong code after a requested code',
    async (setup, Username) => {
      await setup.call('ForgotPassword', { ClientId, Username })
      const wrong = { ClientId, Username, ConfirmationCode, Password: setup.password }
      return setup.call('ConfirmForgotPassword', wrong)
    },
  ],
  [
    'a request to resend the code of a sign-up',
    (setup, Username) => setup.call('ResendConfirmationCode', { ClientId, Username }),
  ],
  [
    'a wrong code for a sign-up',
    (setup, Username) => setup.call('ConfirmSignUp', { ClientId, Username, ConfirmationCode }),
  ],
  [
    'custom authentication',
    async (setup, USERNAME) => {
      const begin = { ClientId, AuthFlow: 'CUSTOM_AUTH', AuthParameters: { USERNAME } }
      const { Session } = await setup.call('InitiateAuth', begin)
      const ChallengeResponses = { USERNAME, ANSWER: 'wrong' }
      const answer = { ClientId, ChallengeName: 'CUSTOM_CHALLENGE', Session, ChallengeResponses }
      return setup.call('RespondToAuthChallenge', answer)
    },
    { answers: challenges },
  ],
  [
    'a choice of a challenge',
    (setup, USERNAME) =>
      setup.call('InitiateAuth', { ClientId, AuthFlow: 'USER_AUTH', AuthParameters: { USERNAME } }),
    { client: { flows: ['choice'] } },
  ],
])(
  '%s causes the same work and the same response for known and unknown user names',
  async (_what, guess, options = {}) => {
    await using setup = await poolSetup(options)
    for (const name of [confirmed, unconfirmed]) await setup.user(name)
    const eve = (await setup.engine.store.userNamed(poolId, unconfirmed))!
    const { revision: was, ...user } = eve
    const change = { users: [{ user: { ...user, status: 'UNCONFIRMED' as const }, was }] }
    await setup.store.change({ pool: poolId, now: setup.clock.now(), ...change })
    await setup.engine.settled()
    countStore(setup.store)
    const seen = []
    for (const name of [confirmed, unconfirmed, 'bob']) {
      let answer: unknown
      const work = await workOf(async () => {
        answer = await learned(guess(setup, name))
      })
      seen.push({ answer, work })
      await setup.engine.settled()
    }
    const [ann, ...others] = seen
    expect(ann!.work.commits).toBeGreaterThan(0)
    expect(others).toEqual([ann, ann])
  },
)

it('a sign-in with a code causes the same work for known and unknown user names', async () => {
  await using setup = await poolSetup({
    pool: { firstFactors: ['password', 'email'] },
    client: { flows: ['choice'] },
  })
  await setup.user(confirmed)
  countStore(setup.store)
  const begin = (USERNAME: string) =>
    setup.call('InitiateAuth', {
      ClientId,
      AuthFlow: 'USER_AUTH',
      AuthParameters: { USERNAME, PREFERRED_CHALLENGE: 'EMAIL_OTP' },
    })
  const guess = (USERNAME: string, Session: string) =>
    setup.call('RespondToAuthChallenge', {
      ClientId,
      ChallengeName: 'EMAIL_OTP',
      Session,
      ChallengeResponses: { USERNAME, EMAIL_OTP_CODE: 'wrong' },
    })
  // Some unknown names get no code in their choice, so the test tries many of them.
  const names = [confirmed, ...Array.from({ length: 20 }, (_, number) => `bob${number}`)]
  const seen = []
  for (const name of names) {
    let session = ''
    const asking = await workOf(async () => {
      const { ChallengeName, Session } = await begin(name)
      session = ChallengeName === 'EMAIL_OTP' ? Session : ''
    })
    if (session === '') continue
    seen.push({ asking, guessing: await workOf(() => learned(guess(name, session))) })
  }
  expect(seen.length).toBeGreaterThan(1)
  for (const each of seen) expect(each).toEqual(seen[0])
  expect(await setup.texts()).toHaveLength(2)
})

it('wrong sign-in codes lock an unknown name in the same way as a known one', async () => {
  await using setup = await poolSetup({
    pool: { firstFactors: ['email'] },
    client: { flows: ['choice'] },
  })
  await setup.user(confirmed)
  const guess = async (USERNAME: string) => {
    const AuthParameters = { USERNAME, PREFERRED_CHALLENGE: 'EMAIL_OTP' }
    const begun = await setup.call('InitiateAuth', { ClientId, AuthFlow: 'USER_AUTH', AuthParameters })
    if (begun.ChallengeName !== 'EMAIL_OTP') return undefined
    const ChallengeResponses = { USERNAME, EMAIL_OTP_CODE: 'wrong' }
    const { Session } = begun
    const answer = { ClientId, ChallengeName: 'EMAIL_OTP', Session, ChallengeResponses }
    return learned(setup.call('RespondToAuthChallenge', answer))
  }
  let unknown = 'bob'
  while ((await guess(unknown)) === undefined) unknown += 'b'
  await setup.clock.advance(15 * 60_000)
  for (const name of [confirmed, unknown]) {
    const answers = []
    for (let i = 0; i < 6; i++) answers.push(await guess(name))
    expect(answers.slice(-2)).toMatchObject([
      { type: 'CodeMismatchException' },
      { message: 'Password attempts exceeded' },
    ])
  }
})
