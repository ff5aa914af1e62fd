import { describe, expect, it } from '@jest/globals'
import { makeVerifier } from '../../srp/verifier.ts'
import { challenges } from '../../testing/challenges.ts'
import { clientId as ClientId, poolSetup, poolId as UserPoolId } from '../../testing/pool-setup.ts'

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

describe('the user name in a challenge', () => {
  it('does not reveal which letters of the stored name are upper case', async () => {
    await using setup = await poolSetup({
      answers: challenges,
      pool: { firstFactors: ['password', 'email', 'passkey'] },
      client: { flows: ['srp', 'password', 'custom', 'choice'] },
    })
    await setup.user('Ann')
    const begin = (AuthFlow: string, USERNAME: string, more: object = {}) =>
      setup.call('InitiateAuth', { ClientId, AuthFlow, AuthParameters: { USERNAME, ...more } })
    for (const [sent, shown] of [
      ['aNN', 'ann'],
      ['gHOST', 'ghost'],
    ] as const) {
      const srp = await setup.srp(sent)
      expect(srp.begun.ChallengeParameters).toMatchObject({ USER_ID_FOR_SRP: shown, USERNAME: shown })
      const custom = await begin('CUSTOM_AUTH', sent)
      expect(custom.ChallengeParameters).toMatchObject({ USERNAME: shown })
      const code = await begin('USER_AUTH', sent, { PREFERRED_CHALLENGE: 'EMAIL_OTP' })
      if (code.ChallengeName === 'EMAIL_OTP')
        expect(code.ChallengeParameters).toMatchObject({ USER_ID_FOR_SRP: shown, USERNAME: shown })
    }
    const tokens = await (await setup.srp('ann')).respond()
    expect(tokens).toHaveProperty('AuthenticationResult')
    expect(await setup.signIn('ANN')).toHaveProperty('AuthenticationResult')
    // Functions get the user name as the account spells it, not as the client does.
    expect(setup.events.filter(({ userName }) => userName === 'ann')).toEqual([])
    expect((await setup.call('AdminGetUser', { UserPoolId, Username: 'ann' })).Username).toBe('Ann')
  })

  it('is always the same made-up UUID for an unknown e-mail address', async () => {
    await using setup = await poolSetup({ pool: { signIn: ['name', 'email'] } })
    const names = []
    for (const name of ['ghost@example.com', 'Ghost@example.com', 'other@example.com'])
      names.push((await setup.srp(name)).begun.ChallengeParameters.USER_ID_FOR_SRP)
    expect(names).toEqual([expect.stringMatching(uuid), names[0], expect.stringMatching(uuid)])
    expect(names[2]).not.toBe(names[0])
  })

  it('works with a password verifier that an earlier version stored', async () => {
    await using setup = await poolSetup()
    await setup.user('Ann')
    const { engine } = setup
    const { revision, ...user } = (await engine.store.userNamed(UserPoolId, 'ann'))!
    const owner = { poolName: 'Staff01', userName: 'Ann' }
    const verifier = makeVerifier(owner, setup.password, engine.random)
    const password = engine.vault.encrypt(JSON.stringify(verifier), `password ${UserPoolId} ${user.id}`)
    const now = engine.clock.now()
    await engine.store.change({
      pool: UserPoolId,
      now,
      users: [{ user: { ...user, password }, was: revision }],
    })
    expect(await (await setup.srp('ann')).respond()).toHaveProperty('AuthenticationResult')
    expect(await setup.signIn('ann')).toHaveProperty('AuthenticationResult')
  })
})

describe('the choice of challenges', () => {
  const choices = async (setup: Awaited<ReturnType<typeof poolSetup>>, USERNAME: string) =>
    setup.call('InitiateAuth', { ClientId, AuthFlow: 'USER_AUTH', AuthParameters: { USERNAME } })
  const client = { flows: ['choice'] as const }

  it.each([
    ['names are addresses', { signIn: ['email'] }],
    ['names are aliases', { signIn: ['name', 'email'] }],
    ['addresses are required', { required: ['email'], verify: ['email'] }],
  ] as const)(
    'offers a code to every name when %s, but sends none to an unverified address',
    async (_what, pool) => {
      await using setup = await poolSetup({ client, pool: { firstFactors: ['password', 'email'], ...pool } })
      const isAddress = 'signIn' in pool
      const isUserName = !isAddress || pool.signIn[0] === 'name'
      const UserAttributes = [{ Name: 'email', Value: 'ann@example.com' }]
      // The test never confirms the account, so the address stays unverified.
      await setup.call('SignUp', {
        ClientId,
        Username: isUserName ? 'ann' : 'ann@example.com',
        Password: setup.password,
        UserAttributes,
      })
      const sent = (await setup.texts()).length
      const names = isAddress ? ['ann@example.com'] : ['ann']
      for (let number = 0; number < 10; number++)
        names.push(isAddress ? `ghost${number}@example.com` : `ghost${number}`)
      const shapes = new Set<string>()
      for (const name of names) {
        const { AvailableChallenges, Session } = await choices(setup, name)
        expect([name, AvailableChallenges]).toEqual([name, ['PASSWORD', 'PASSWORD_SRP', 'EMAIL_OTP']])
        const asked = await setup.call('RespondToAuthChallenge', {
          ClientId,
          ChallengeName: 'SELECT_CHALLENGE',
          Session,
          ChallengeResponses: { USERNAME: name, ANSWER: 'EMAIL_OTP' },
        })
        const { CODE_DELIVERY_DESTINATION: to, USERNAME, ...rest } = asked.ChallengeParameters
        expect(to).toMatch(isAddress ? /^[ag]\*\*\*@e\*\*\*$/ : /^[a-z]\*\*\*@[a-z]\*\*\*$/)
        shapes.add(`${Object.keys(rest)} ${uuid.test(USERNAME)}`)
      }
      expect([...shapes]).toHaveLength(1)
      expect(await setup.texts()).toHaveLength(sent)
    },
  )

  it('contains only challenges that the account supports if the client may know which users exist', async () => {
    await using setup = await poolSetup({
      client: { ...client, hideUsers: false },
      pool: { firstFactors: ['password', 'email'], signIn: ['email'] },
    })
    const Username = 'ann@example.com'
    await setup.call('SignUp', { ClientId, Username, Password: setup.password })
    const { AvailableChallenges } = await choices(setup, Username)
    expect(AvailableChallenges).toEqual(['PASSWORD', 'PASSWORD_SRP'])
  })
})
