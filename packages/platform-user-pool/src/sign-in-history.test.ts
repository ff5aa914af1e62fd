import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider'
import { expect, it } from '@jest/globals'
import { hostedSetup } from './testing/hosted-setup.ts'
import { clientId as ClientId, poolSetup, poolId as UserPoolId } from './testing/pool-setup.ts'

const day = 24 * 3_600_000
const kept = { pool: { history: {} } }

type Setup = Awaited<ReturnType<typeof poolSetup>>

/** Lists the sign-ins of a user. A refused one is kept after its answer. */
async function eventsOf(setup: Setup, Username = 'ann', more: object = {}) {
  await setup.engine.settled()
  return setup.call('AdminListUserAuthEvents', { UserPoolId, Username, ...more })
}

it('a stock client lists the sign-ins of a user, by the API and on the pages, the latest first', async () => {
  await using hosted = await hostedSetup({ ...kept, client: { flows: ['password'] } })
  await using setup = {
    client: new CognitoIdentityProvider({
      endpoint: hosted.url,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    }),
    async [Symbol.asyncDispose]() {
      this.client.destroy()
    },
  }
  await setup.client.initiateAuth({
    ...{ ClientId: 'web', AuthFlow: 'USER_PASSWORD_AUTH' },
    AuthParameters: { USERNAME: 'ann', PASSWORD: 'Right-7even' },
  })
  await hosted.signedIn()
  const { AuthEvents } = await setup.client.adminListUserAuthEvents({ UserPoolId, Username: 'ann' })
  expect(AuthEvents).toEqual(
    ['unknown', expect.stringMatching(/^aws-sdk-js-/)].map(DeviceName => ({
      EventId: expect.any(String),
      EventType: 'SignIn',
      CreationDate: expect.any(Date),
      EventResponse: 'Pass',
      EventContextData: { DeviceName, IpAddress: '127.0.0.1' },
    })),
  )
})

it('refused sign-ins say what was wrong, and which of them has locked the account', async () => {
  await using setup = await poolSetup(kept)
  await setup.user('ann')
  const proof = await setup.srp('ann', 'Wrong-7even')
  await expect(proof.respond()).rejects.toMatchObject({ type: 'NotAuthorizedException' })
  for (let guess = 1; guess < 5; guess++)
    await expect(setup.signIn('ann', `Wrong-${guess}`)).rejects.toMatchObject({
      type: 'NotAuthorizedException',
    })
  const { AuthEvents } = await eventsOf(setup)
  expect(AuthEvents).toHaveLength(5)
  const wrong = [{ ChallengeName: 'Password', ChallengeResponse: 'Failure' }]
  for (const each of AuthEvents)
    expect(each).toMatchObject({ EventResponse: 'Fail', ChallengeResponses: wrong })
  expect(AuthEvents.filter((each: object) => 'EventRisk' in each)).toMatchObject([
    { EventRisk: { RiskDecision: 'Block' } },
  ])
})

it('a right password without the second factor is in the history', async () => {
  await using setup = await poolSetup({
    pool: { history: {}, mfa: { mode: 'optional', by: ['sms'] } },
  })
  await setup.user('ann')
  const who = { UserPoolId, Username: 'ann' }
  await setup.call('AdminUpdateUserAttributes', {
    ...who,
    UserAttributes: [
      { Name: 'phone_number', Value: '+4930123456' },
      { Name: 'phone_number_verified', Value: 'true' },
    ],
  })
  await setup.call('AdminSetUserMFAPreference', { ...who, SMSMfaSettings: { Enabled: true } })
  const answer = async (SMS_MFA_CODE?: string) => {
    const { Session } = await setup.signIn('ann')
    await setup.clock.advance(1)
    return setup.call('RespondToAuthChallenge', {
      ...{ ClientId, ChallengeName: 'SMS_MFA', Session },
      ChallengeResponses: { USERNAME: 'bob', SMS_MFA_CODE: SMS_MFA_CODE ?? (await setup.code()) },
    })
  }
  await expect(answer('000000')).rejects.toMatchObject({ type: 'CodeMismatchException' })
  await setup.engine.settled()
  await setup.clock.advance(1)
  await answer()
  const { AuthEvents } = await eventsOf(setup)
  const seen = AuthEvents.map(({ EventResponse, ChallengeResponses }: Record<string, unknown>) => [
    EventResponse,
    ChallengeResponses,
  ])
  const mfa = (ChallengeResponse: string) => [{ ChallengeName: 'Mfa', ChallengeResponse }]
  expect(seen).toEqual([
    ['Pass', mfa('Success')],
    ['InProgress', undefined],
    ['Fail', mfa('Failure')],
    ['InProgress', undefined],
  ])
})

it('the list has pages, and a sign-in is kept for the days of the configuration', async () => {
  await using setup = await poolSetup({ pool: { history: { days: 2 } } })
  await setup.user('ann')
  for (let at = 0; at < 3; at++) {
    await setup.signIn('ann')
    await setup.clock.advance(day / 2)
  }
  const first = await eventsOf(setup, 'ann', { MaxResults: 2 })
  const second = await eventsOf(setup, 'ann', { MaxResults: 2, NextToken: first.NextToken })
  const times = [...first.AuthEvents, ...second.AuthEvents].map(({ CreationDate }) => CreationDate)
  expect(times).toEqual([...times].sort((one, other) => other - one))
  expect([first.AuthEvents.length, second.AuthEvents.length, second.NextToken]).toEqual([2, 1, undefined])
  await setup.clock.advance(day / 2)
  expect((await eventsOf(setup)).AuthEvents).toHaveLength(2)
})

it('an administrator judges a sign-in, and only one of the named user', async () => {
  await using setup = await poolSetup(kept)
  for (const name of ['ann', 'bob']) await setup.user(name)
  await setup.signIn('ann')
  const [{ EventId }] = (await eventsOf(setup)).AuthEvents
  const judge = (Username: string) =>
    setup.call('AdminUpdateAuthEventFeedback', { UserPoolId, Username, EventId, FeedbackValue: 'Invalid' })
  await expect(judge('bob')).rejects.toMatchObject({ type: 'ResourceNotFoundException' })
  await Promise.all([judge('ann'), judge('ann')])
  expect((await eventsOf(setup)).AuthEvents).toMatchObject([
    { EventId, EventResponse: 'Pass', EventFeedback: { FeedbackValue: 'Invalid', Provider: 'Admin' } },
  ])
})

it('guesses that are sent at once leave five in the history, and unknown names none', async () => {
  await using setup = await poolSetup(kept)
  await setup.user('ann')
  for (const name of ['ann', 'bob'])
    await Promise.allSettled(Array.from({ length: 20 }, (_, at) => setup.signIn(name, `Wrong-${at}`)))
  expect((await eventsOf(setup)).AuthEvents).toHaveLength(5)
  expect(await setup.store.countCredentials(UserPoolId, 'sign-in', setup.clock.now())).toBe(5)
})

it('a program that signs in without end leaves a hundred sign-ins of an hour', async () => {
  await using setup = await poolSetup(kept)
  await setup.user('ann')
  for (let at = 0; at < 105; at++) await setup.signIn('ann')
  const count = () => setup.store.countCredentials(UserPoolId, 'sign-in', setup.clock.now())
  expect(await count()).toBe(100)
  await setup.clock.advance(3_600_000)
  await setup.signIn('ann')
  expect(await count()).toBe(101)
})

it('the history goes with its account, and a pool without one refuses the list', async () => {
  await using setup = await poolSetup(kept)
  await setup.user('ann')
  await setup.signIn('ann')
  const { id } = (await setup.store.userNamed(UserPoolId, 'ann'))!
  await setup.call('AdminDeleteUser', { UserPoolId, Username: 'ann' })
  expect(await setup.store.credentialsOf(UserPoolId, id, 'sign-in', setup.clock.now())).toEqual([])
  await using without = await poolSetup()
  await without.user('ann')
  await without.signIn('ann')
  await expect(eventsOf(without)).rejects.toMatchObject({ type: 'UserPoolAddOnNotEnabledException' })
})

it('a pool of the API keeps sign-ins where the service does', async () => {
  await using setup = await poolSetup()
  for (const [AdvancedSecurityMode, isKept] of [
    ['AUDIT', true],
    ['ENFORCED', true],
    ['OFF', false],
  ] as const) {
    const { UserPool } = await setup.call('CreateUserPool', {
      PoolName: 'made',
      UserPoolAddOns: { AdvancedSecurityMode },
    })
    const who = { UserPoolId: UserPool.Id, Username: 'ann' }
    await setup.call('AdminCreateUser', { ...who, MessageAction: 'SUPPRESS' })
    const listed = setup.call('AdminListUserAuthEvents', who)
    if (isKept) expect(await listed).toEqual({ AuthEvents: [] })
    else await expect(listed).rejects.toMatchObject({ type: 'UserPoolAddOnNotEnabledException' })
  }
})
