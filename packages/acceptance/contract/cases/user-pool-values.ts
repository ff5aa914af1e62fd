import assert from 'node:assert/strict'
import { signalbox } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import { createPlatform } from '@signalbox/platform'
import { poolSetup } from '@signalbox/platform-user-pool/testing/pool-setup'
import { userPool } from '@signalbox/user-pool'
import {
  emailMessageLength,
  knownSource,
  type Source,
  smsMessageLength,
  triggerAttempts,
  triggerTimeout,
} from '@signalbox/user-pool/contract'
import {
  createAuthChallengeEvent,
  customMessageEvent,
  preSignUpEvent,
  triggerEvent,
} from '@signalbox/user-pool/testing'
import { leastAnswers } from '@signalbox/user-pool/testing/least-answers'
import { breaks, type ContractCase, keeps } from '../contract-case.ts'
import { contractRows } from '../contract-rows.ts'
import { copyOf } from '../copy-of.ts'
import { accepted, invalid, refused } from './pool-sides.ts'

/** Returns the cases for the rows about trigger sources, names, statuses and limits. */
export function poolValues(): readonly ContractCase[] {
  return [...names('source').flatMap(sourceCases), ...attributeCases(), ...statusCases(), ...limitCases()]
}

const names = (prefix: string) =>
  contractRows('user-pool')
    .filter(({ id }) => id.startsWith(`${prefix}.`))
    .map(({ id }) => id.slice(prefix.length + 1))

function sourceCases(name: string): readonly ContractCase[] {
  const source = name as Source
  const row = `source.${source}`
  const { trigger } = knownSource(source)!
  const answer = leastAnswers[trigger]
  const event = triggerEvent(source)
  const misspelt = { ...event, triggerSource: `${source}s` }
  return [
    keeps(row, 'an event of this source reaches its route', {
      async function() {
        const routes = { [source]: () => answer, otherwise: () => assert.fail('another route is called') }
        assert.deepEqual(await signalbox(userPool(routes as never))(copyOf(event)), {
          ...copyOf(event),
          response: answer,
        })
      },
      platform: accepted(event, answer).platform,
    }),
    breaks(row, 'a source that is misspelt, without a route of its trigger', {
      function: () =>
        assert.rejects(
          signalbox(userPool({ [source]: () => answer } as never))(copyOf(misspelt)),
          /InvalidEventError.*\/triggerSource/s,
        ),
      platform: refused(misspelt, '/triggerSource').platform,
    }),
    ...(differences[source] ?? []).map(({ name, request, pointer }) => {
      const other = { ...event, request: { ...event.request, ...request } }
      return pointer === undefined
        ? keeps(row, name, accepted(other, answer))
        : breaks(row, name, refused(other, pointer))
    }),
  ]
}

/**
 * Additional cases for trigger sources whose request has different fields. With `pointer`, the request is invalid.
 */
const differences: {
  readonly [S in Source]?: readonly {
    readonly name: string
    readonly request: object
    readonly pointer?: string
  }[]
} = {
  UserMigration_ForgotPassword: [{ name: 'no password', request: { password: undefined } }],
  UserMigration_Authentication: [
    { name: 'no password', request: { password: undefined }, pointer: '/request/password' },
  ],
  TokenGeneration_ClientCredentials: [
    { name: 'no user', request: { userAttributes: undefined, groupConfiguration: undefined } },
  ],
  CustomEmailSender_AccountTakeOverNotification: [{ name: 'no code', request: { code: undefined } }],
  CustomEmailSender_SignUp: [{ name: 'no code', request: { code: undefined }, pointer: '/request/code' }],
}

const challengeEvent = (challengeName: unknown) =>
  createAuthChallengeEvent({
    challengeName: challengeName as string,
    session: [{ challengeName: challengeName as string, challengeResult: true }],
  })

function attributeCases(): readonly ContractCase[] {
  const event = (userAttributes: object) => preSignUpEvent({ userAttributes: userAttributes as never })
  return [
    ...names('challenge').map(name =>
      keeps(`challenge.${name}`, 'a challenge of this name', accepted(challengeEvent(name), createAnswer)),
    ),
    ...names('attribute').flatMap(name => [
      keeps(`attribute.${name}`, 'a text', accepted(event({ [name]: 'text' }), {})),
      breaks(
        `attribute.${name}`,
        'a list',
        refused(event({ [name]: ['text'] }), `/request/userAttributes/${name}`),
      ),
    ]),
  ]
}

const createAnswer = leastAnswers.CreateAuthChallenge

function statusCases(): readonly ContractCase[] {
  return names('status').map(status =>
    keeps(
      `status.${status}`,
      'a user of this status',
      accepted(preSignUpEvent({ userAttributes: { 'pool:user_status': status } as never }), {}),
    ),
  )
}

function limitCases(): readonly ContractCase[] {
  const message = (characters: number) => `{####}${'a'.repeat(characters - '{####}'.length)}`
  return [
    ...(
      [
        ['limits.emailMessage', 'emailMessage', emailMessageLength],
        ['limits.smsMessage', 'smsMessage', smsMessageLength],
      ] as const
    ).flatMap(([row, field, limit]) => [
      keeps(row, `${limit} characters`, accepted(customMessageEvent(), { [field]: message(limit) })),
      breaks(
        row,
        `${limit + 1} characters`,
        invalid(customMessageEvent(), { [field]: message(limit + 1) }, `/response/${field}`),
      ),
    ]),
    keeps('limits.triggerTime', 'an answer at the last moment', {
      function: () => assert.equal(triggerTimeout, 5000),
      platform: async () => assert.equal(await failureAfter(triggerTimeout - 1), undefined),
    }),
    breaks('limits.triggerTime', 'no answer in time', {
      function: () => assert.equal(triggerTimeout, 5000),
      platform: async () => assert.equal(await failureAfter(triggerTimeout + 1), 'timeout'),
    }),
    keeps('limits.triggerAttempts', 'a function that answers the third time', {
      function: () => assert.equal(triggerAttempts, 3),
      platform: async () => assert.deepEqual(await signUpAfter(2), { calls: 3, isSignedUp: true }),
    }),
    breaks('limits.triggerAttempts', 'a function that would answer the fourth time', {
      function: () => assert.equal(triggerAttempts, 3),
      platform: async () => assert.deepEqual(await signUpAfter(3), { calls: 3, isSignedUp: false }),
    }),
  ]
}

/** Returns the result of a sign-up whose trigger times out this many times before it answers. */
async function signUpAfter(timeOuts: number): Promise<{ calls: number; isSignedUp: boolean }> {
  const answers = {
    PreSignUp_SignUp: () =>
      setup.events.length <= timeOuts ? new Promise<never>(() => {}) : { autoConfirmUser: true },
  }
  await using setup = await poolSetup({ answers })
  let isSignedUp: boolean | undefined
  const signingUp = setup.user().then(
    () => {
      isSignedUp = true
    },
    () => {
      isSignedUp = false
    },
  )
  while (isSignedUp === undefined) {
    await setup.clock.advance(triggerTimeout)
    await new Promise(resolve => setImmediate(resolve))
  }
  await signingUp
  return { calls: setup.events.length, isSignedUp }
}

/** Returns the failure kind of a trigger that answers after `ms` milliseconds. */
async function failureAfter(ms: number): Promise<string | undefined> {
  const clock = manualClock()
  let tellCalled: () => void
  const called = new Promise<void>(resolve => {
    tellCalled = resolve
  })
  const handler = (event: object) => {
    tellCalled()
    return new Promise(resolve => clock.after(ms, () => resolve(event)))
  }
  const platform = createPlatform(
    { functions: { shop: { handler: handler as never, timeout: 60 } }, dataDir: ':memory:', grace: 0 },
    { clock },
  )
  const invocation = platform.invoke('shop', preSignUpEvent())
  await called
  await clock.advance(ms)
  const { failure } = await invocation
  const stopped = platform.stop()
  await clock.advance(60_000)
  await stopped
  return failure?.kind
}
